"""What was written, by whom and what it replaced; and who did what in the console."""

from __future__ import annotations

from django.db import models


class RevisionContent(models.Model):
    """One content that a file or a row once had, kept once however often it occurs."""

    digest = models.CharField(max_length=64, primary_key=True)
    """SHA-256 of the bytes before compression: for a file, its ETag."""
    data = models.BinaryField()
    """Compressed with zlib. Encrypted files are kept as the tokens they are."""
    size_bytes = models.BigIntegerField()
    """Before compression."""
    stored_bytes = models.BigIntegerField()

    def __str__(self) -> str:
        return self.digest


class Revision(models.Model):
    """One write to one file of a discussion, or to rows of its vector database, noted before it is made."""

    class Origin(models.TextChoices):
        """What kind of writer it was."""

        EDIT = "edit", "Edited"
        GENERATION = "generation", "Generated"
        RESTORE = "restore", "Restored"
        REPAIR = "repair", "Repaired"
        IMPORT = "import", "Imported"
        OUTSIDE = "outside", "Written by WilmerAI or another program"

    class State(models.TextChoices):
        """Whether the write came to pass."""

        PENDING = "pending", "Begun"
        DONE = "done", "Done"

    folder = models.TextField()
    """The root of discussions it lies below; two folders may hold the same id."""
    discussion = models.TextField()
    """`DiscussionRef.text`."""
    artefact = models.CharField(max_length=32)
    created_at = models.DateTimeField()
    actor = models.TextField()
    """Who wrote: a user name, `memory run`, `WilmerAI or another program`."""
    origin = models.CharField(max_length=16, choices=Origin.choices)
    action = models.TextField()
    """What was done, in words: `Edited chunk 3`."""
    batch = models.UUIDField(db_index=True)
    """The same for all writes of one action, so that they are undone together."""
    before = models.ForeignKey(RevisionContent, null=True, on_delete=models.PROTECT, related_name="+")
    """None: there was no file (or row) before."""
    after = models.ForeignKey(RevisionContent, null=True, on_delete=models.PROTECT, related_name="+")
    """None: the file (or row) was removed."""
    state = models.CharField(max_length=8, choices=State.choices, default=State.PENDING)
    undoes = models.UUIDField(null=True, db_index=True)
    """The batch that this one took back."""

    class Meta:
        indexes = [
            models.Index(fields=["folder", "discussion", "artefact", "-id"], name="revision_file"),
            models.Index(fields=["state"], name="revision_state"),
        ]

    def __str__(self) -> str:
        return f"{self.action} ({self.artefact} of {self.discussion})"


class AuditEntry(models.Model):
    """One thing somebody did in the console that others may want to know of. Never changed and never removed."""

    at = models.DateTimeField(db_index=True)
    actor = models.TextField()
    action = models.CharField(max_length=64)
    """Kebab case, such as `chunk-deleted`."""
    target = models.TextField(blank=True)
    """What it was done to: a discussion, a workflow, a config."""
    details = models.JSONField(default=dict)
    """Counts, names and numbers; never conversation text."""

    def __str__(self) -> str:
        return f"{self.action} by {self.actor}"
