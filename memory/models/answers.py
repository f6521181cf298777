"""Answers to writes that a program may send twice."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class KeptAnswer(models.Model):
    """What a write answered to one `Idempotency-Key`. Holds no conversation text."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)
    """SHA-256 of method, address, precondition and body: another request under the same key is refused."""
    status = models.IntegerField(default=0)
    """0 while the first request is still being answered."""
    body = models.TextField(blank=True)
    created_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="kept_answer_once")]

    def __str__(self) -> str:
        return f"answer {self.status} of user {self.user_id}"
