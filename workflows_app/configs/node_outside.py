"""Nodes for text, files and what is outside (workflows.md §10.2-§10.15)."""

from __future__ import annotations

from typing import Any

from workflows_app.configs.entries import Templating, entry
from workflows_app.configs.kinds import Reference
from workflows_app.configs.node_base import WORK, TemplateNode

_FULL = Templating.FULL
_GUARDS = "Guards"


class StaticResponseNode(TemplateNode):
    """Gives a fixed text."""

    content: str = entry("Text", default="", group=WORK, templating=_FULL, is_multiline=True)


class StringConcatenatorNode(TemplateNode):
    """Joins texts."""

    strings: list[Any] = entry("Texts", default=[], group=WORK, templating=_FULL)
    delimiter: str = entry("Between them", "No variables here.", default="", group=WORK)


class ConditionalNode(TemplateNode):
    """Gives TRUE or FALSE."""

    condition: str = entry(
        "Condition",
        "Such as '{agent1Output}' == 'yes' AND 5 > 3.",
        group=WORK,
        templating=_FULL,
        is_needed=True,
        is_multiline=True,
    )


class ArithmeticProcessorNode(TemplateNode):
    """Calculates one operation of two numbers; -1 for anything else."""

    expression: str = entry("Expression", "Such as {agent1Output} * 2.", group=WORK, templating=_FULL, is_needed=True)


class JsonExtractorNode(TemplateNode):
    """Takes one field out of a JSON object."""

    jsonToExtractFrom: str = entry("JSON", group=WORK, templating=_FULL, is_needed=True, is_multiline=True)
    fieldToExtract: str = entry("Field", "A top-level key.", group=WORK, templating=_FULL, is_needed=True)


class TagTextExtractorNode(TemplateNode):
    """Takes the text between a tag and its end."""

    tagToExtractFrom: str = entry("Text", group=WORK, templating=_FULL, is_needed=True, is_multiline=True)
    fieldToExtract: str = entry("Tag", "Its name, without brackets.", group=WORK, templating=_FULL, is_needed=True)
    defaultText: str | None = entry("Otherwise", "When the tag is missing or empty.", group=WORK, templating=_FULL)


class DelimitedChunkerNode(TemplateNode):
    """Keeps the first or last pieces of a text."""

    content: str = entry("Text", group=WORK, templating=_FULL, is_needed=True, is_multiline=True)
    delimiter: str = entry("Split at", group=WORK, templating=_FULL, is_needed=True)
    mode: str = entry("Keep", group=WORK, choices=("head", "tail"), is_needed=True)
    count: int = entry("Pieces", group=WORK, low=1, is_needed=True, is_strict=True)


class GetCustomFileNode(TemplateNode):
    """Reads a text file."""

    filepath: str = entry("File", group=WORK, templating=_FULL, is_needed=True, refers_to=Reference.PATH)
    delimiter: str = entry("Replace", group=WORK)
    customReturnDelimiter: str = entry("By", group=WORK)
    headCount: int | None = entry("Keep the first pieces", group=WORK, low=1, is_strict=True)
    tailCount: int | None = entry("Keep the last pieces", group=WORK, low=1, is_strict=True)
    chunkDelimiter: str = entry("Split at", default="\n", group=WORK)


class SaveCustomFileNode(TemplateNode):
    """Writes or edits a text file."""

    filepath: str = entry("File", group=WORK, templating=_FULL, is_needed=True, refers_to=Reference.PATH)
    mode: str | None = entry(
        "What to do",
        default="overwrite",
        group=WORK,
        choices=("overwrite", "append", "replace", "remove", "trim"),
    )
    content: str | None = entry("Text", group=WORK, templating=_FULL, is_multiline=True)
    find: str | None = entry("Find", "With replace and remove.", group=WORK, templating=_FULL)


class PythonModuleNode(TemplateNode):
    """Runs a Python file. The console shows such nodes but does not run them."""

    module_path: str = entry(
        "File", group=WORK, templating=_FULL, is_needed=True, is_coerced=True, refers_to=Reference.PATH
    )
    args: list[Any] = entry("Arguments", default=[], group=WORK, templating=_FULL)
    kwargs: dict[str, Any] = entry("Named arguments", default={}, group=WORK, templating=_FULL)


class WebFetchNode(TemplateNode):
    """Fetches a web page or asks a service."""

    url: str = entry("URL", group=WORK, templating=_FULL, is_needed=True, is_coerced=True)
    method: str = entry("Method", default="GET", group=WORK)
    headers: dict[str, Any] | None = entry(
        "Headers", "May hold secrets.", group=WORK, templating=_FULL, is_secret=True, is_strict=True
    )
    body: Any = entry("Body", "May hold secrets.", group=WORK, templating=_FULL, is_secret=True, is_coerced=True)
    timeout: float = entry("Seconds", default=30, group=WORK)
    outputFormat: str = entry("Result", default="text", group=WORK, choices=("text", "json", "full", "html-stripped"))
    onError: str = entry("On failure", default="raise", group=WORK, choices=("raise", "return"))
    allowRedirects: bool = entry("Follow redirects", default=True, group=_GUARDS, is_strict=True)
    verify: bool = entry("Check certificates", default=True, group=_GUARDS, is_strict=True)
    blockPrivateAddresses: bool = entry("Refuse private addresses", default=False, group=_GUARDS, is_strict=True)
    allowedHosts: list[Any] | None = entry(
        "Allowed hosts", "Exact names.", group=_GUARDS, templating=_FULL, is_strict=True
    )
    maxResponseBytes: int = entry("Bytes at most", "0: no limit.", default=10485760, group=_GUARDS)
    proxy: str | None = entry("Proxy", group=_GUARDS, templating=_FULL, is_secret=True)
    caBundle: str | None = entry("Certificates file", group=_GUARDS, templating=_FULL, refers_to=Reference.PATH)


class CurlCommandNode(TemplateNode):
    """Runs curl. The console runs it only where the operator allows that."""

    args: list[Any] = entry(
        "Arguments", "May hold secrets.", group=WORK, templating=_FULL, is_needed=True, is_secret=True, is_strict=True
    )
    timeout: float = entry("Seconds", default=30, group=WORK)
    outputFormat: str = entry("Result", default="stdout", group=WORK, choices=("stdout", "stdout+stderr", "full"))
    onError: str = entry("On failure", default="raise", group=WORK, choices=("raise", "return"))
    proxy: str | None = entry("Proxy", group=_GUARDS, templating=_FULL, is_secret=True)
    maxResponseBytes: int = entry("Bytes at most", "0: no limit.", default=10485760, group=_GUARDS)
    blockPrivateAddresses: bool = entry("Refuse private addresses", default=False, group=_GUARDS, is_strict=True)
    allowedHosts: list[Any] | None = entry(
        "Allowed hosts", "Exact names.", group=_GUARDS, templating=_FULL, is_strict=True
    )
    blockOptionInjection: bool = entry(
        "Refuse values that begin with - or @", default=False, group=_GUARDS, is_strict=True
    )
    allowSchemeInjection: bool = entry("Values may bring any scheme", default=False, group=_GUARDS, is_strict=True)


class McpToolCallNode(TemplateNode):
    """Calls a tool of an MCP server."""

    server: str = entry(
        "Server", group=WORK, templating=_FULL, is_needed=True, is_coerced=True, refers_to=Reference.MCP_SERVER
    )
    tool: str = entry("Tool", group=WORK, templating=_FULL, is_needed=True, is_coerced=True)
    arguments: dict[str, Any] | None = entry("Arguments", group=WORK, templating=_FULL, is_strict=True)
    timeout: float = entry("Seconds", default=30, group=WORK)
    onError: str = entry("On failure", default="raise", group=WORK, choices=("raise", "return"))
