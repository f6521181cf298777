"""The catalogue: a copy of what the public folder holds, which can be made again at any time."""

from __future__ import annotations

from django.db import models

CHIP_FIELDS = {
    "locked": "is_locked",
    "plain": "is_plain",
    "problems": "has_problems",
    "summary-behind": "is_summary_behind",
    "has-vector": "has_vector",
    "has-state": "has_state_document",
    "keyed": "is_keyed",
    "legacy": "is_legacy",
}
"""Filter chip of a list page → the column that answers it."""


class CatalogueEntry(models.Model):
    """One discussion as it was when its files were last looked at. A copy: delete it and it is made again."""

    ref = models.TextField(unique=True)
    """`DiscussionRef.text`."""
    folded_id = models.TextField()
    """The id without regard to letter case, for finding and sorting."""
    signature = models.CharField(max_length=64)
    """Changes with any name, size, time, inode or mode of its files."""
    is_read = models.BooleanField(default=False)
    """The files were opened; before that only names, sizes and times are known."""

    generation = models.CharField(max_length=16)
    is_encrypted = models.BooleanField(default=False)
    chunk_count = models.IntegerField(null=True)
    memory_count = models.IntegerField(null=True)
    summary_behind = models.IntegerField(null=True)
    has_summary = models.BooleanField(default=False)
    size_bytes = models.BigIntegerField(default=0)
    last_write_ns = models.BigIntegerField(null=True)
    health_rank = models.SmallIntegerField(default=0)
    """0 all well, 1 warnings, 2 errors."""
    problem_count = models.IntegerField(default=0)
    file_states = models.JSONField(default=dict)

    # One column per filter chip, so that all chip counts come from one narrow index.
    is_locked = models.BooleanField(default=False)
    is_plain = models.BooleanField(default=True)
    has_problems = models.BooleanField(default=False)
    is_summary_behind = models.BooleanField(default=False)
    has_vector = models.BooleanField(default=False)
    has_state_document = models.BooleanField(default=False)
    is_keyed = models.BooleanField(default=False)
    is_legacy = models.BooleanField(default=False)

    class Meta:
        indexes = [
            models.Index(fields=["last_write_ns"], name="catalogue_last_write"),
            models.Index(fields=["folded_id"], name="catalogue_id"),
            models.Index(fields=["chunk_count"], name="catalogue_chunks"),
            models.Index(fields=["memory_count"], name="catalogue_memories"),
            models.Index(fields=["size_bytes"], name="catalogue_size"),
            models.Index(fields=["health_rank", "problem_count"], name="catalogue_health"),
            models.Index(fields=list(CHIP_FIELDS.values()), name="catalogue_chips"),
            models.Index(fields=["is_read"], name="catalogue_unread"),
        ]

    def __str__(self) -> str:
        return self.ref


class CatalogueProblem(models.Model):
    """One finding of the health checks, kept beside the discussion it was found in."""

    entry = models.ForeignKey(CatalogueEntry, on_delete=models.CASCADE, related_name="problems")
    rank = models.SmallIntegerField()
    """1 warning, 2 error."""
    code = models.CharField(max_length=64)
    title = models.TextField()
    evidence = models.TextField()
    advice = models.TextField()
    count = models.IntegerField()
    artefact = models.CharField(max_length=32, blank=True)

    class Meta:
        indexes = [models.Index(fields=["rank", "id"], name="problem_rank")]

    def __str__(self) -> str:
        return f"{self.code} in {self.entry_id}"
