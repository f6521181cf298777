"""What can go wrong with workflows and configs, in words for people."""

from __future__ import annotations

from wilmer_site.lib.errors import ConflictError, InvalidError, NotFoundError, RefusedError, UpstreamError


class WorkflowNotFoundError(NotFoundError):
    """No workflow file at the one place where the name leads. `extra` has the `path` looked for."""

    code = "workflow-not-found"


class ConfigNotFoundError(NotFoundError):
    """A config file that something names is not there. `extra` has `kind` and the `path` looked for."""

    code = "config-not-found"


class WorkflowInvalidError(InvalidError):
    """A workflow file is not what a workflow file has to be."""

    code = "workflow-invalid"


class ConfigInvalidError(InvalidError):
    """A config file or a value in it cannot be used."""

    code = "config-invalid"


class TemplateError(InvalidError):
    """A template has a mistake that ends the node (workflows.md §6.2)."""

    code = "template-invalid"


class NodeFailedError(InvalidError):
    """A node cannot do its work with the properties it has."""

    code = "node-failed"


class SwitchedOffError(RefusedError):
    """The node would run code, leave the machine or touch files that no setting allows."""

    code = "switched-off"


class LockTakenError(ConflictError):
    """A workflow lock is held, so the whole request ends (workflows.md §10.11)."""

    code = "workflow-lock-taken"


class RunCancelledError(ConflictError):
    """Somebody cancelled the run."""

    code = "run-cancelled"


class ModelCallError(UpstreamError):
    """A language model server failed; the message carries its own words."""

    code = "model-call-failed"


class WebError(UpstreamError):
    """A web page or service could not be asked, or answered an error; the message is for people."""

    code = "web-failed"


class AddressRefusedError(RefusedError):
    """A guard does not let a request go to this host; the message begins with the host."""

    code = "address-refused"


class ToolCallError(UpstreamError):
    """A tool server could not be used, or its tool failed."""

    code = "tool-call-failed"


class RunNotFoundError(NotFoundError):
    """No run with this id; old runs are deleted after a while."""

    code = "run-not-found"


class NodeRunNotFoundError(NotFoundError):
    """The run never came to a node with this number."""

    code = "node-run-not-found"


class AttemptNotFoundError(NotFoundError):
    """The node has no try with this number."""

    code = "attempt-not-found"


class ConfigChangedError(ConflictError):
    """A config file is no longer the version the caller saw. `extra` has both texts, secrets masked, and the ETag."""

    code = "config-changed"


class ConfigHasErrorsError(InvalidError):
    """A config would be saved with errors that nobody insisted on. `extra` has the `problems`."""

    code = "config-has-errors"


class ConfigVersionNotFoundError(NotFoundError):
    """No version with this number is kept of the file."""

    code = "config-version-not-found"
