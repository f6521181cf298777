"""Rules for single nodes: type, properties, values (configs.md §13.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from workflows_app.configs.fields import FieldSpec, fields_of_model, fields_of_node
from workflows_app.configs.node_base import TemplateNode
from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.lint.config_rules import SUMMARY, check_prompts
from workflows_app.lint.endpoint_rules import check_switched_text
from workflows_app.lint.file_rules import check_known, suggest, type_name
from workflows_app.lint.findings import Finding
from workflows_app.lint.names import output_number
from workflows_app.lint.node_facts import ASKS_MODEL, missing_properties
from workflows_app.lint.templates import parse_template
from workflows_app.lint.value_rules import ValuePlace, check_value
from workflows_app.lint.workflow import OVERRIDES, Node
from workflows_app.results import Severity

E, W, H = Severity.ERROR, Severity.WARNING, Severity.HINT

_ANYWHERE: Final = ("endpointName", "preset", "removeCustomTextFromResponseStart", "responseStartTextToRemove")
"""Fields of model calls that count, for better or worse, on every node."""
_CHUNK_ID: Final = re.compile(r"[A-Za-z0-9._-]+")
_SUMMARY_PROMPTS: Final = (("prompt", ("LATEST_MEMORIES",), SUMMARY),)


def check_node(path: str, node: Node) -> Iterator[Finding]:
    """Everything about one node that needs no look at others."""
    yield from _check_type(path, node)
    yield from _check_labels(path, node)
    yield from _check_fields(path, node)
    if node.is_known:
        yield from _check_needed(path, node)
    yield from _check_values(path, node)
    yield from _check_flags(path, node)
    check = _BY_TYPE.get(node.type)
    if check is not None and node.is_known:
        yield from check(path, node)


def _check_type(path: str, node: Node) -> Iterator[Finding]:
    if "type" not in node.values:
        yield Finding(
            "type-absent",
            path,
            node.at,
            f"Node {node.number} has no type, so it runs as Standard.",
            'Write `"type": "Standard"`.',
        )
    elif not node.is_known:
        written = node.values["type"]
        near = suggest(str(written), sorted(NODE_TYPES))
        yield Finding(
            "type-unknown",
            path,
            node.pointer("type"),
            f"There is no node type {written!r}; it runs as Standard.",
            f"Did you mean `{near}`?" if near else "",
        )


def _check_labels(path: str, node: Node) -> Iterator[Finding]:
    if not node.values.get("title") and not node.values.get("agentName"):
        yield Finding(
            "title-absent", path, node.at, f"Node {node.number} has no title.", "Say in `title` what it is for."
        )
    if "isResponder" in node.values:
        yield Finding(
            "responder-ignored-key",
            path,
            node.pointer("isResponder"),
            "`isResponder` means nothing.",
            "Did you mean `is_responder`?",
        )
    both = node.values.get("is_responder"), node.values.get("returnToUser")
    if "is_responder" in node.values and "returnToUser" in node.values and bool(both[0]) != bool(both[1]):
        yield Finding(
            "responder-both-keys",
            path,
            node.pointer("returnToUser"),
            "`is_responder` says otherwise and wins.",
            "Remove `returnToUser`.",
        )


def _check_fields(path: str, node: Node) -> Iterator[Finding]:
    values = {key: value for key, value in node.values.items() if key != "isResponder"}
    yield from check_known(path, node.at, values, _known_fields(node))
    if node.type in ASKS_MODEL or not node.is_known:
        return
    if node.values.get("endpointName"):
        yield Finding(
            "endpoint-needless",
            path,
            node.pointer("endpointName"),
            f"{node.type} asks no model, yet the endpoint must exist, and the output is cleaned as its answers.",
            "Remove `endpointName`.",
        )


def _known_fields(node: Node) -> Mapping[str, FieldSpec]:
    """The fields of the type, and those that a node of any type may have without harm."""
    standard = fields_of_node("Standard")
    anywhere = {name: standard[name] for name in _ANYWHERE}
    return {**anywhere, **fields_of_model(TemplateNode), **node.fields}


def _check_needed(path: str, node: Node) -> Iterator[Finding]:
    for name in missing_properties(node):
        if name == "endpointName" and node.type == "Standard":
            yield Finding(
                "standard-without-endpoint",
                path,
                node.at,
                "The node asks a model but has no endpoint.",
                "Choose an endpoint in `endpointName`.",
            )
        else:
            yield Finding(
                "property-missing", path, node.pointer(name), f"{node.type} needs `{name}`.", "Give it a value."
            )


def _check_values(path: str, node: Node) -> Iterator[Finding]:
    known = _known_fields(node)
    for name, value in node.values.items():
        field = known.get(name)
        if field is not None and not (field.is_required and value in (None, "")):
            yield from check_value(field, value, ValuePlace(path, node.pointer(name), is_node=True))
    scoped = node.values.get("scoped_variables")
    if scoped is not None and not isinstance(scoped, list) and "scoped_variables" in node.fields:
        yield Finding(
            "scoped-not-list",
            path,
            node.pointer("scoped_variables"),
            f"`scoped_variables` must be a list; it is {type_name(scoped)}.",
            "Put the inputs in square brackets.",
        )


def _check_flags(path: str, node: Node) -> Iterator[Finding]:
    values = node.values
    if values.get("addDiscussionIdTimestampsForLLM"):
        yield Finding(
            "timestamps-without-id",
            path,
            node.pointer("addDiscussionIdTimestampsForLLM"),
            "Message times are shown only in requests that have a discussion id.",
        )
    if values.get("useGroupChatTimestampLogic") and not values.get("addDiscussionIdTimestampsForLLM"):
        yield Finding(
            "group-chat-without-timestamps",
            path,
            node.pointer("useGroupChatTimestampLogic"),
            "`useGroupChatTimestampLogic` is on without `addDiscussionIdTimestampsForLLM`.",
        )
    pair = ("removeCustomTextFromResponseStart", "responseStartTextToRemove")
    yield from check_switched_text(path, node.at, values, pair)


def _check_model(path: str, node: Node) -> Iterator[Finding]:
    values = node.values
    if values.get("prompt") and not values.get("acceptImages"):
        for key in ("lastMessagesToSendInsteadOfPrompt", "lastMessagesToSendInsteadOfPromptMaxTokenSize"):
            if key in values:
                yield Finding(
                    "prompt-and-last-messages",
                    path,
                    node.pointer(key),
                    f"`{key}` has no effect: the node has a prompt.",
                )
    if values.get("maxImagesToSend") and not values.get("acceptImages"):
        yield Finding(
            "image-off",
            path,
            node.pointer("maxImagesToSend"),
            "No pictures are sent: `acceptImages` is off.",
            "Switch `acceptImages` on.",
        )


def _check_summary(path: str, node: Node) -> Iterator[Finding]:
    yield from _check_model(path, node)
    yield from check_prompts(path, node.at, node.values, _SUMMARY_PROMPTS)


def _check_file(path: str, node: Node) -> Iterator[Finding]:
    if node.values.get("headCount") is not None and node.values.get("tailCount") is not None:
        yield Finding(
            "value-range",
            path,
            node.pointer("tailCount"),
            "Only one of `headCount` and `tailCount` may be set.",
            "Remove one of them.",
        )


def _check_routes(path: str, node: Node) -> Iterator[Finding]:
    routes, values = node.values.get("conditionalWorkflows"), node.values
    if not isinstance(routes, dict):
        return
    lower: dict[str, str] = {}
    for key in routes:
        at = node.pointer("conditionalWorkflows", key)
        if key.lower() in lower:
            yield Finding(
                "route-case-duplicate",
                path,
                at,
                f"{key!r} and {lower[key.lower()]!r} are the same route; the last one counts.",
            )
        lower[key.lower()] = key
        if key != key.strip():
            yield Finding("route-key-spaces", path, at, f"The route {key!r} can never be chosen: it has outer spaces.")
        if not isinstance(routes[key], str):
            yield Finding("wrong-type", path, at, f"The route {key!r} must name a workflow.")
    if "default" not in lower and values.get("UseDefaultContentInsteadOfWorkflow") is None:
        yield Finding(
            "route-no-default",
            path,
            node.pointer("conditionalWorkflows"),
            "For a key without a route the request fails.",
            "Add a route `default`, or `UseDefaultContentInsteadOfWorkflow`.",
        )
    yield from _check_overrides(path, node, lower)


def _check_overrides(path: str, node: Node, routes: Mapping[str, str]) -> Iterator[Finding]:
    overrides = node.values.get("routeOverrides")
    for key in overrides if isinstance(overrides, dict) else ():
        if str(key).lower() not in routes:
            yield Finding(
                "route-override-unused", path, node.pointer("routeOverrides", key), f"There is no route {key!r}."
            )
    for key in OVERRIDES:
        if key in node.values:
            yield Finding(
                "route-override-unused",
                path,
                node.pointer(key),
                f"`{key}` is not read here.",
                "Put it into `routeOverrides`, below the route's key.",
            )


def _check_lock(path: str, node: Node) -> Iterator[Finding]:
    if "{" in str(node.values.get("workflowLockId", "")):
        yield Finding(
            "lock-template", path, node.pointer("workflowLockId"), "Variables in `workflowLockId` are not replaced."
        )


def _check_python(path: str, node: Node) -> Iterator[Finding]:
    yield Finding(
        "python-module",
        path,
        node.pointer("module_path"),
        "The console does not run Python; WilmerAI does.",
        "Pin the node's output to run the workflow here.",
    )


def _check_web(path: str, node: Node) -> Iterator[Finding]:
    yield from _check_outside(path, node)
    if node.values.get("blockPrivateAddresses") or node.values.get("allowedHosts"):
        return
    written = node.values.get("url") if node.type == "WebFetch" else node.values.get("args")
    for index, text in enumerate(written if isinstance(written, list) else [written]):
        if isinstance(text, str) and _host_from_output(text, is_jinja=node.is_jinja):
            at = node.pointer("args", index) if isinstance(written, list) else node.pointer("url")
            yield Finding(
                "web-open",
                path,
                at,
                "The host comes from an output, so a model can choose any address.",
                "Set `allowedHosts` or `blockPrivateAddresses`.",
            )
            return


def _host_from_output(text: str, *, is_jinja: bool) -> bool:
    """Whether an output stands where the host of a URL is: at the start, or right behind `://`."""
    rest = text.partition("://")[2] if "://" in text.partition("{")[0] else text
    host = rest.partition("/")[0]
    is_url = "://" in text or text.lstrip().startswith("{")
    return is_url and any(output_number(name) for name in parse_template(host, is_jinja).names)


def _check_chunks(path: str, node: Node) -> Iterator[Finding]:
    name = str(node.values.get("id") or "").strip()
    if name and not _CHUNK_ID.fullmatch(name):
        message = f"`id` is {name!r}; it may have letters, digits, dots, minus signs and underscores."
        yield Finding("value-range", path, node.pointer("id"), message)


def _check_outside(path: str, node: Node) -> Iterator[Finding]:
    """What makes nodes that reach outside fail at once, whatever `onError` says."""
    timeout = node.values.get("timeout")
    if isinstance(timeout, int | float) and not isinstance(timeout, bool) and timeout <= 0:
        yield Finding("value-range", path, node.pointer("timeout"), f"`timeout` is {timeout}; it must be above 0.")
    if node.values.get("allowedHosts") == []:
        message = "`allowedHosts` is empty, which fails the node."
        yield Finding("value-range", path, node.pointer("allowedHosts"), message, "Name a host, or remove it.")


def _check_weights(path: str, node: Node) -> Iterator[Finding]:
    weights: Any = node.values.get("bm25Weights")
    if isinstance(weights, list) and (
        len(weights) != 5 or any(isinstance(item, bool) or not isinstance(item, int | float) for item in weights)
    ):
        yield Finding("value-range", path, node.pointer("bm25Weights"), "`bm25Weights` must be five numbers.")


_BY_TYPE: Final = {
    "Standard": _check_model,
    "chatSummarySummarizer": _check_summary,
    "GetCustomFile": _check_file,
    "ConditionalCustomWorkflow": _check_routes,
    "WorkflowLock": _check_lock,
    "PythonModule": _check_python,
    "ConversationChunkProcessor": _check_chunks,
    "MCPToolCall": _check_outside,
    "WebFetch": _check_web,
    "CurlCommand": _check_web,
    "VectorMemorySearch": _check_weights,
}
