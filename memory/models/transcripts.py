"""The chat messages that WilmerAI keeps only hashes of, as people have brought them in."""

from __future__ import annotations

from django.db import models


class Transcript(models.Model):
    """The chat of one discussion, put together from the files that were imported."""

    folder = models.TextField()
    """The root of discussions it lies below; two folders may hold the same id."""
    discussion = models.TextField()
    """`DiscussionRef.text`."""
    title = models.TextField(blank=True)
    format = models.CharField(max_length=32)
    """Which importer read it."""
    source_name = models.TextField(blank=True)
    source_digest = models.CharField(max_length=64, blank=True)
    """SHA-256 of the newest file; the same file again adds nothing."""
    variant = models.CharField(max_length=40, blank=True)
    """Which form of the messages the stored hashes were taken of (transcripts.md, section 0)."""
    message_count = models.IntegerField(default=0)
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    imported_by = models.TextField(blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["folder", "discussion"], name="transcript_once")]

    def __str__(self) -> str:
        return f"transcript of {self.discussion}"


class TranscriptMessage(models.Model):
    """One message of a transcript."""

    transcript = models.ForeignKey(Transcript, on_delete=models.CASCADE, related_name="messages")
    number = models.IntegerField()
    """From 1, the oldest."""
    role = models.CharField(max_length=32)
    name = models.TextField(blank=True)
    content = models.TextField(blank=True)
    images = models.JSONField(default=list)
    sent_at = models.DateTimeField(null=True)
    hash = models.CharField(max_length=64, blank=True)
    """Identity in the transcript's variant (memory.md section 7); empty for messages that memory never sees."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["transcript", "number"], name="transcript_message_once")]
        indexes = [models.Index(fields=["transcript", "hash"], name="transcript_message_hash")]

    def __str__(self) -> str:
        return f"message {self.number}"
