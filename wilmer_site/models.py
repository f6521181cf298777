"""Ways in besides a password. Only hashes of secrets are stored."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SignInLink(models.Model):
    """A link that signs one person in once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sign_in_links")
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"link for {self.user_id} until {self.expires_at:%Y-%m-%d %H:%M}"


class ApiToken(models.Model):
    """A bearer token of one person for programs."""

    class Scope(models.TextChoices):
        """What a token may do."""

        READ = "read", "Read"
        WRITE = "write", "Read and write"

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=80)
    token_hash = models.CharField(max_length=64, unique=True)
    hint = models.CharField(max_length=12)
    """The first characters, so that people can tell their tokens apart."""
    scope = models.CharField(max_length=8, choices=Scope.choices, default=Scope.READ)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return f"{self.name} ({self.hint}…)"
