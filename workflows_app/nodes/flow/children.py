"""`CustomWorkflow` and `ConditionalCustomWorkflow` (workflows.md §5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workflows_app.engine.node import ChildCall, NodeContext, Steps
from workflows_app.errors import NodeFailedError
from workflows_app.types import JsonObject

NO_NAME = "No_Workflow_Name_Supplied"
"""The name looked for when a node names no workflow; it exists nowhere, so the request fails."""


def custom_workflow(context: NodeContext) -> Steps:
    """The result of the workflow that the node names."""
    name = context.node.get("workflowName", NO_NAME)
    output = yield from context.start_child(_build_call(context, str(name), context.node))
    return output


def conditional_custom_workflow(context: NodeContext) -> Steps:
    """The result of the workflow that stands for the key, or the default content."""
    key = _read_key(context)
    workflows = _lower_keys(context.node.get("conditionalWorkflows"))
    name = workflows.get(key)
    if not name and context.node.get("UseDefaultContentInsteadOfWorkflow") is not None:
        return context.text("UseDefaultContentInsteadOfWorkflow")
    name = name or workflows.get("default") or NO_NAME
    overrides = _lower_keys(context.node.get("routeOverrides")).get(key)
    call = _build_call(context, str(name), overrides if isinstance(overrides, dict) else {})
    output = yield from context.start_child(call)
    return output


def read_inputs(context: NodeContext) -> tuple[str, ...]:
    """`scoped_variables` as texts, resolved; a text is taken character by character, as WilmerAI does."""
    values = context.node.get("scoped_variables") or []
    if not isinstance(values, Sequence):
        raise NodeFailedError(f"`scoped_variables` must be a list; it is {type(values).__name__}.")
    return tuple(context.resolve(str(value)) for value in values)


def _read_key(context: NodeContext) -> str:
    key = context.node.get("conditionalKey")
    return context.resolve(key).strip().lower() if key else ""


def _lower_keys(values: Any) -> dict[str, Any]:
    """Of keys that differ only in case the last wins."""
    return {str(key).lower(): value for key, value in values.items()} if isinstance(values, dict) else {}


def _build_call(context: NodeContext, name: str, overrides: JsonObject) -> ChildCall:
    return ChildCall(
        name=name,
        folder=str(context.node.get("workflowUserFolderOverride") or ""),
        inputs=read_inputs(context),
        system_prompt=_override(context, overrides, ("firstNodeSystemPromptOverride", "systemPromptOverride")),
        prompt=_override(context, overrides, ("firstNodePromptOverride", "promptOverride")),
        is_streaming=context.is_streaming,
    )


def _override(context: NodeContext, overrides: JsonObject, keys: tuple[str, str]) -> str | None:
    """The newer key counts when it is there at all; null and empty text mean no override."""
    newer, older = keys
    text = overrides[newer] if newer in overrides else overrides.get(older)
    return context.resolve(text) if text else None
