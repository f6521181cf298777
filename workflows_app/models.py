"""Rows about runs of workflows. They belong to the console alone; WilmerAI has no place for them."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from workflows_app.results import NodeState, RunState


class WorkflowRun(models.Model):
    """One run of a workflow, from being asked for to its answer. `id` also names its sandbox folder."""

    user = models.TextField(blank=True)
    """The WilmerAI user whose configs count."""
    workflow = models.TextField()
    folder = models.TextField(blank=True)
    """Below `Configs/Workflows`; empty: the user's own folder."""
    discussion = models.TextField(blank=True)
    """`DiscussionRef.text`; empty for a run without memory."""
    source = models.CharField(max_length=16)
    """Where the messages come from: `discussion` or `messages`."""
    messages = models.JSONField(default=list)
    tools = models.JSONField(default=list)
    """What the request offers; nodes with `allowTools` pass it on."""
    tool_choice = models.JSONField(null=True)
    """As the request said it: a word such as `required`, or an object."""
    is_sandbox = models.BooleanField(default=True)
    """Whether memory is read and written in a copy of the discussion's files."""

    state = models.CharField(max_length=16, default=RunState.QUEUED)
    queued_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    """Whoever runs it must be heard of before; a run whose lease is over has lost its process."""
    cancel_requested = models.BooleanField(default=False)
    error_code = models.CharField(max_length=64, blank=True)
    error = models.TextField(blank=True)
    answer = models.TextField(blank=True)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="workflow_runs"
    )

    parent = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="reruns")
    """The run whose recorded outputs are used for nodes before `first_node`."""
    first_node = models.IntegerField(null=True)
    """Number of the parent's node that is run first (or replaced, when `edited_output` is set)."""
    edited_output = models.TextField(null=True)  # noqa: DJ001 - an empty text is an output, none is not
    is_single_node = models.BooleanField(default=False)
    """Whether the run ends behind that node."""

    class Meta:
        indexes = [
            models.Index(fields=["state", "lease_until"], name="run_state"),
            models.Index(fields=["workflow"], name="run_workflow"),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} of {self.workflow}"


class NodeRun(models.Model):
    """One node that a run came to. A node of a sub-workflow that runs twice has two rows."""

    run = models.ForeignKey(WorkflowRun, on_delete=models.CASCADE, related_name="nodes")
    number = models.IntegerField()
    """From 1, in the order the nodes were started."""
    path = models.CharField(max_length=400)
    """1-based positions from the outermost workflow down, joined by dots."""
    workflow = models.TextField()
    type = models.TextField()
    title = models.TextField(blank=True)
    is_responder = models.BooleanField(default=False)
    state = models.CharField(max_length=16, default=NodeState.RUNNING)
    started_at = models.DateTimeField()
    milliseconds = models.FloatField(null=True)
    """Own time and that of the nodes below it."""
    output = models.TextField(blank=True)
    """JSON text; empty while there is none."""
    error_code = models.CharField(max_length=64, blank=True)
    error = models.TextField(blank=True)
    prompts = models.JSONField(default=list)
    """Resolved templates: `{"key", "template", "text", "names"}` each."""
    variables = models.JSONField(default=dict)
    """The values of the variables that the templates name."""
    calls = models.JSONField(default=list)
    """Requests to model servers, without secrets: `{"url", "body", "milliseconds"}` each."""
    endpoint = models.TextField(blank=True)
    preset = models.TextField(blank=True)
    prompt_tokens = models.IntegerField(null=True)
    completion_tokens = models.IntegerField(null=True)
    is_measured = models.BooleanField(default=False)
    """Whether the server counted the tokens; else they are WilmerAI's own estimate."""
    warnings = models.JSONField(default=list)
    files = models.JSONField(default=list)
    """Memory files: `{"name", "action", "bytes"}` each; actions are `read`, `written`, `made` and `deleted`."""
    is_replayed = models.BooleanField(default=False)
    """The output was not made here but taken from the parent run, or typed by a person."""
    is_pinned = models.BooleanField(default=False)
    """The output is used again in every run that starts from this one."""
    source = models.TextField(blank=True)
    """The workflow file the node stands in, below `Configs/Workflows`, without `.json`."""
    digest = models.CharField(max_length=64, blank=True)
    """What the node was in that file when the output was made."""
    made_at = models.DateTimeField(null=True)
    """When the output was made, which for one that is used again was in an earlier run."""
    is_edited = models.BooleanField(default=False)
    """A person typed the output."""
    progress = models.JSONField(default=list)
    """Steps of memory work: `{"step", "done", "total", "detail"}` each."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="node_run_once")]

    def __str__(self) -> str:
        return f"node {self.path} of run {self.run_id}"


class NodeAttempt(models.Model):
    """One more try of a request that a node sent to a model, with words changed by a person."""

    node = models.ForeignKey(NodeRun, on_delete=models.CASCADE, related_name="attempts")
    number = models.IntegerField()
    """From 1, counted for each node."""
    call = models.IntegerField(default=1)
    """Which of the node's requests it repeats, from 1."""
    endpoint = models.TextField()
    preset = models.TextField(blank=True)
    response_tokens = models.IntegerField(null=True)
    words = models.JSONField(default=list)
    """What is said: `{"role", "content"}` each; a single prompt has the role `prompt`."""
    state = models.CharField(max_length=16, default=RunState.QUEUED)
    asked_at = models.DateTimeField()
    lease_until = models.DateTimeField(null=True)
    cancel_requested = models.BooleanField(default=False)
    url = models.TextField(blank=True)
    body = models.JSONField(default=dict)
    """The request as it was sent, without secrets."""
    api_type = models.TextField(blank=True)
    output = models.TextField(blank=True)
    """The answer, cleaned as the endpoint says."""
    error_code = models.CharField(max_length=64, blank=True)
    error = models.TextField(blank=True)
    milliseconds = models.FloatField(null=True)
    prompt_tokens = models.IntegerField(null=True)
    completion_tokens = models.IntegerField(null=True)
    is_measured = models.BooleanField(default=False)
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="node_attempts"
    )

    class Meta:
        constraints = [models.UniqueConstraint(fields=["node", "number"], name="node_attempt_once")]

    def __str__(self) -> str:
        return f"attempt {self.number} of {self.node}"


class RunEventRow(models.Model):
    """Something that happened in a run, in order; what pages and the API follow."""

    run = models.ForeignKey(WorkflowRun, on_delete=models.CASCADE, related_name="events")
    number = models.IntegerField()
    """From 1."""
    name = models.CharField(max_length=40)
    """The class of the event in kebab case, such as `node-started`."""
    node = models.IntegerField(null=True)
    """`NodeRun.number`."""
    data = models.JSONField(default=dict)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="run_event_once")]

    def __str__(self) -> str:
        return f"{self.name} in run {self.run_id}"


class ConfigVersion(models.Model):
    """One saved content of a workflow or config file, ours or somebody else's."""

    root = models.TextField()
    """The configs folder; two folders may hold the same path."""
    path = models.TextField()
    """Below the configs folder, with slashes, as it is on disk."""
    number = models.IntegerField()
    """From 1, counted for each path."""
    digest = models.CharField(max_length=64)
    """SHA-256 of the bytes: the file's ETag."""
    data = models.BinaryField(null=True)
    """Compressed with zlib; None: the file was deleted. Secrets are in it as they are in the file."""
    author = models.TextField()
    """A user name, `another program` for a change made outside that was noticed, or `as found` at first."""
    is_outside = models.BooleanField(default=False)
    name = models.TextField(blank=True)
    """A name that a person gave this version."""
    note = models.TextField(blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["root", "path", "number"], name="config_version_once")]
        indexes = [models.Index(fields=["root", "path", "digest"], name="config_version_digest")]

    def __str__(self) -> str:
        return f"{self.path} v{self.number}"
