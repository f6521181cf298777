"""What each text node gives for its properties."""

from __future__ import annotations

from typing import Any

from workflows_app.engine.arithmetic import MISTAKE, calculate
from workflows_app.engine.conditions import evaluate_condition
from workflows_app.engine.extraction import extract_json_field, extract_tag, keep_pieces
from workflows_app.engine.node import NodeContext, NodeHandler, at_once
from workflows_app.errors import NodeFailedError


def static_response(context: NodeContext) -> str:
    """`content`, resolved."""
    return context.text("content")


def string_concatenator(context: NodeContext) -> str:
    """`strings`, the texts among them resolved, joined by `delimiter`, which is no template."""
    strings = context.node.get("strings")
    if not isinstance(strings, list):
        return ""
    delimiter = context.node.get("delimiter", "")
    if not isinstance(delimiter, str):
        raise NodeFailedError(f"StringConcatenator: `delimiter` must be text; it is {delimiter!r}.")
    parts = [context.resolve(item) if isinstance(item, str) else str(item) for item in strings]
    return delimiter.join(parts)


def conditional(context: NodeContext) -> str:
    """`TRUE` or `FALSE`; an absent condition is `FALSE`."""
    condition = context.node.get("condition")
    if not condition:
        return "FALSE"
    return "TRUE" if evaluate_condition(context.resolve(condition)) else "FALSE"


def arithmetic_processor(context: NodeContext) -> str:
    """The result of `expression`, or `-1`."""
    expression = context.node.get("expression")
    return calculate(context.resolve(expression)) if expression else MISTAKE


def json_extractor(context: NodeContext) -> str:
    """The value of `fieldToExtract` in `jsonToExtractFrom`."""
    source, field = context.node.get("jsonToExtractFrom"), context.node.get("fieldToExtract")
    if not source or not field:
        return ""
    return extract_json_field(context.resolve(source), context.resolve(field))


def tag_text_extractor(context: NodeContext) -> str:
    """The inside of the tag `fieldToExtract` in `tagToExtractFrom`, else `defaultText`."""
    source, tag = context.node.get("tagToExtractFrom"), context.node.get("fieldToExtract")
    if not source or not tag:
        return ""
    default = context.node.get("defaultText")
    return extract_tag(context.resolve(source), context.resolve(tag), context.resolve(default) if default else "")


def delimited_chunker(context: NodeContext) -> str:
    """The first or last `count` pieces of `content`; a mistake is said in the result."""
    mistake = _chunker_mistake(context.node)
    if mistake:
        return mistake
    delimiter = context.text("delimiter")
    if not delimiter:
        return "Invalid delimiter: must resolve to a non-empty string"
    content = context.text("content")
    return keep_pieces(content, delimiter, mode=context.node["mode"], count=context.node["count"]) if content else ""


def _chunker_mistake(node: Any) -> str:
    for key in ("content", "delimiter", "mode", "count"):
        if node.get(key) is None:
            return f"No {key} specified"
    count, mode = node["count"], node["mode"]
    if isinstance(count, bool) or not isinstance(count, int):
        return f"Invalid count: must be an integer, got {type(count).__name__}"
    if count < 1:
        return f"Invalid count: must be >= 1, got {count}"
    if mode not in ("head", "tail"):
        return f"Invalid mode: must be 'head' or 'tail', got '{mode}'"
    return ""


HANDLERS: dict[str, NodeHandler] = {
    "StaticResponse": at_once(static_response),
    "StringConcatenator": at_once(string_concatenator),
    "Conditional": at_once(conditional),
    "ArithmeticProcessor": at_once(arithmetic_processor),
    "JsonExtractor": at_once(json_extractor),
    "TagTextExtractor": at_once(tag_text_extractor),
    "DelimitedChunker": at_once(delimited_chunker),
}
