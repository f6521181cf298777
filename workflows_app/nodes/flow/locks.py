"""`WorkflowLock` (workflows.md §10.11)."""

from __future__ import annotations

from workflows_app.engine.node import NodeContext, Steps
from workflows_app.errors import LockTakenError, NodeFailedError


def workflow_lock(context: NodeContext) -> Steps:
    """Takes the named lock until this workflow ends. Raises LockTakenError, which ends the whole request."""
    name = context.node.get("workflowLockId")
    if not name:
        raise NodeFailedError("A WorkflowLock node must have a 'workflowLockId'.")
    if not context.run.locks.acquire(context.workflow_run_id, str(name)):
        raise LockTakenError(f"Workflow is locked by {name}.", lock=str(name))
    return None
    yield  # a handler is a generator even when it has nothing to tell
