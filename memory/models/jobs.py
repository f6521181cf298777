"""Long work on a discussion: regeneration, and its drafts that a person accepts or rejects."""

from __future__ import annotations

from django.db import models
from django.db.models import Q


class Job(models.Model):
    """Work that a worker takes up; the row is the record, the queue only says that it is waiting."""

    class State(models.TextChoices):
        """How far it has got."""

        QUEUED = "queued", "Queued"
        RUNNING = "running", "Running"
        REVIEW = "review", "Needs review"
        APPLIED = "applied", "Applied"
        FAILED = "failed", "Failed"
        CANCELLED = "cancelled", "Cancelled"
        STALE = "stale", "Out of date"

    OPEN_STATES = (State.QUEUED, State.RUNNING, State.REVIEW)

    kind = models.CharField(max_length=32)
    """Kebab case, such as `regenerate-chunk`."""
    folder = models.TextField()
    discussion = models.TextField()
    """`DiscussionRef.text`; empty for work on no discussion."""
    layer = models.CharField(max_length=16)
    """What it changes: `memories`, `summary`, `state-document`, `vector`; one open job for each."""
    parameters = models.JSONField(default=dict)
    state = models.CharField(max_length=16, choices=State.choices, default=State.QUEUED)
    done = models.IntegerField(default=0)
    total = models.IntegerField(default=0)
    step = models.TextField(blank=True)
    """What it is doing now, in words."""
    log = models.JSONField(default=list)
    """`{"at", "text"}` each; never conversation text."""
    attempts = models.IntegerField(default=0)
    lease_until = models.DateTimeField(null=True)
    """Whoever runs it must be heard of before; a job whose lease is over has lost its process."""
    cancel_requested = models.BooleanField(default=False)
    error_code = models.CharField(max_length=64, blank=True)
    error = models.TextField(blank=True)
    requested_by = models.TextField(blank=True)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["state", "lease_until"], name="job_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["folder", "discussion", "layer"],
                condition=Q(state__in=["queued", "running", "review"]) & ~Q(discussion=""),
                name="job_once_per_layer",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.discussion}"


class Draft(models.Model):
    """A text that a job made beside the one that is stored, until somebody decides."""

    class State(models.TextChoices):
        """What was decided."""

        WAITING = "waiting", "Not made yet"
        READY = "ready", "Ready for review"
        FAILED = "failed", "Could not be made"
        ACCEPTED = "accepted", "Accepted"
        REJECTED = "rejected", "Rejected"
        STALE = "stale", "Out of date"

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="drafts")
    position = models.IntegerField()
    """From 1, in the order of the job."""
    target = models.JSONField(default=dict)
    """What it would replace: a chunk's number and hash, memory ids, …"""
    source_digest = models.CharField(max_length=64, blank=True)
    """Of the messages or chunks it was made from; a draft of other sources is out of date."""
    target_digest = models.CharField(max_length=64, blank=True)
    """Of the stored text when the draft was made."""
    prompts = models.JSONField(default=dict)
    old_text = models.TextField(blank=True)
    new_text = models.TextField(blank=True)
    """As the model wrote it."""
    edited_text = models.TextField(null=True)  # noqa: DJ001 - an emptied box is an edit, none is not
    raw_reply = models.TextField(blank=True)
    state = models.CharField(max_length=16, choices=State.choices, default=State.WAITING)
    error = models.TextField(blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["job", "position"], name="draft_once")]

    def __str__(self) -> str:
        return f"draft {self.position} of job {self.job_id}"
