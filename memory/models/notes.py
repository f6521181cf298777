"""Notes about generating memories, which WilmerAI has no place for."""

from __future__ import annotations

from django.db import models


class FailedChunkNote(models.Model):
    """A chunk that no model could turn into memories, until a later run succeeds (memory.md W04)."""

    folder = models.TextField(default="")
    """The root of discussions it lies below; two folders may hold the same id."""
    discussion = models.TextField()
    """`DiscussionRef.text`."""
    first_hash = models.CharField(max_length=64)
    last_hash = models.CharField(max_length=64)
    message_count = models.IntegerField()
    attempts = models.IntegerField()
    messages_seen = models.IntegerField()
    raw_reply = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["folder", "discussion", "first_hash", "last_hash"], name="failed_chunk_once"
            )
        ]

    def __str__(self) -> str:
        return f"failed chunk of {self.discussion}"


class ProgressNote(models.Model):
    """Hashes that tell where generating memories left off; losing them costs a repeated call at most (W03, W35)."""

    folder = models.TextField(default="")
    """The root of discussions it lies below; two folders may hold the same id."""
    discussion = models.TextField()
    kind = models.CharField(max_length=16)
    """`file` and `vector` hold the trail of a path, `condensed` the last condensed entry, `beginning` the end
    of a ledger that is being made anew, `unmerged` ids of memories on their way into the state document."""
    hashes = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["folder", "discussion", "kind"], name="progress_note_once")]

    def __str__(self) -> str:
        return f"{self.kind} progress of {self.discussion}"


class CoverageNote(models.Model):
    """The messages a chunk was made from, noted when it was made or first seen beside its chat.

    A ledger keeps the hash of the last one only, so nothing else could tell that the others were edited since.
    """

    folder = models.TextField()
    discussion = models.TextField()
    path = models.CharField(max_length=8)
    """`file` or `vector`."""
    chunk_hash = models.CharField(max_length=64)
    variant = models.CharField(max_length=40, blank=True)
    """The form of the messages that was hashed (`Transcript.variant`); empty: as WilmerAI's own memory sees them."""
    hashes = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["folder", "discussion", "path", "chunk_hash"], name="coverage_note_once")
        ]

    def __str__(self) -> str:
        return f"{self.path} chunk {self.chunk_hash[:8]} of {self.discussion}"
