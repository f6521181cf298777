"""Rules for presets, routing files, MCP servers, output schemas and prompt texts of settings (configs.md §13.4)."""

from __future__ import annotations

import difflib
import re
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from workflows_app.configs.documents import Document
from workflows_app.configs.endpoint_models import RoutingEntry
from workflows_app.configs.fields import fields_of_model
from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.source import Pointer
from workflows_app.lint.file_rules import check_known, type_name
from workflows_app.lint.findings import Finding
from workflows_app.lint.folder import ConfigFolder
from workflows_app.lint.templates import find_failure, parse_template
from workflows_app.results import Severity

E, W, H = Severity.ERROR, Severity.WARNING, Severity.HINT

_REQUEST_KEYS: Final = ("messages", "model", "prompt", "tools")
_NO_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)
_PLACEHOLDER: Final = re.compile(r"\[([A-Za-z][A-Za-z_]{3,})\]")

_FILE_MEMORY: Final = ("TextChunk", "Memory_file", "Full_Memory_file", "Chat_Summary")
_CONDENSING: Final = ("MemoriesToCondense", "Memories_Before_Memories_to_Condense")
_COMPACTOR: Final = ("MESSAGES_TO_SUMMARIZE", "RECENT_MESSAGES", "EXISTING_SUMMARY", "NEW_CONTENT")
SUMMARY: Final = ("CHAT_SUMMARY", "LATEST_MEMORIES")

_MEMORY_PROMPTS: Final[tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]] = (
    ("systemPrompt", (), _FILE_MEMORY),
    ("prompt", ("TextChunk",), _FILE_MEMORY),
    ("condenseMemoriesSystemPrompt", (), _CONDENSING),
    ("condenseMemoriesPrompt", ("MemoriesToCondense",), _CONDENSING),
)
_COMPACTOR_PROMPTS: Final[tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...]] = (
    ("oldSectionPrompt", ("MESSAGES_TO_SUMMARIZE",), _COMPACTOR),
    ("neutralSummaryPrompt", ("MESSAGES_TO_SUMMARIZE",), _COMPACTOR),
    ("oldestUpdatePrompt", ("EXISTING_SUMMARY", "NEW_CONTENT"), _COMPACTOR),
)


def check_preset(document: Document, folder: ConfigFolder) -> Iterator[Finding]:
    """Keys that would replace parts of the request, or have no effect."""
    for key in _REQUEST_KEYS:
        if key in document.object:
            yield Finding(
                "preset-overrides-request",
                document.path,
                (key,),
                f"`{key}` replaces that of the request.",
                "Remove it from the preset.",
            )
    preset_type = document.folder.partition("/")[0]
    for key in sorted(_response_keys(folder, preset_type)):
        if document.object.get(key) is not None:
            yield Finding(
                "preset-response-size",
                document.path,
                (key,),
                f"`{key}` has no effect: the node's `maxResponseSizeInTokens` is set over it.",
            )


def check_routing(document: Document) -> Iterator[Finding]:
    """Categories: their names, and what each must have."""
    fields = fields_of_model(RoutingEntry)
    names = [name for name, entry in document.object.items() if isinstance(entry, dict)]
    for name, entry in document.object.items():
        if not isinstance(entry, dict):
            if not name.startswith("_"):
                message = f"The category {name!r} must be an object; it is {type_name(entry)}."
                yield Finding("wrong-type", document.path, (name,), message)
            continue
        yield from check_known(document.path, (name,), entry, fields)
        for key in fields:
            if not isinstance(entry.get(key), str) or not entry.get(key):
                yield Finding("property-missing", document.path, (name, key), f"The category {name!r} needs `{key}`.")
        if entry.get("workflow") == "_DefaultWorkflow":
            yield Finding(
                "category-default-workflow",
                document.path,
                (name, "workflow"),
                f"{name!r} leads to the workflow that runs when no category fits.",
            )
        yield from _check_category(document, name, names)


def check_mcp_server(document: Document) -> Iterator[Finding]:
    """What the transport needs."""
    values = document.object
    if "transport" not in values:
        yield Finding(
            "mcp-transport",
            document.path,
            ("transport",),
            "The server does not say its transport.",
            "Use stdio, sse or streamable_http.",
        )
    wanted = {"stdio": "command", "sse": "url", "streamable_http": "url"}.get(str(values.get("transport")))
    if wanted and not values.get(wanted):
        message = f"A server with the transport {values['transport']} needs `{wanted}`."
        yield Finding("property-missing", document.path, (wanted,), message)


def check_memory_settings(document: Document) -> Iterator[Finding]:
    """Switches that need something, and the prompts."""
    values, path = document.object, document.path
    if values.get("useVectorForQualityMemory") and not values.get("vectorMemoryWorkflowName"):
        yield Finding(
            "vector-without-workflow",
            path,
            ("useVectorForQualityMemory",),
            "Vector memories are made with a bare built-in prompt: `vectorMemoryWorkflowName` is empty.",
        )
    if values.get("useStateDocument") and not values.get("stateDocumentWorkflowName"):
        yield Finding(
            "state-without-workflow",
            path,
            ("useStateDocument",),
            "No workflow writes the state document: `stateDocumentWorkflowName` is empty.",
        )
    if values.get("condenseMemories") and not values.get("memoriesBeforeCondensation"):
        yield Finding(
            "condense-without-threshold",
            path,
            ("condenseMemories",),
            "Nothing is condensed: `memoriesBeforeCondensation` is missing.",
        )
    # With a workflow or vectors, the prompt for file memories is not used.
    unused = values.get("fileMemoryWorkflowName") or values.get("useVectorForQualityMemory")
    prompts = _MEMORY_PROMPTS[2:] if unused else _MEMORY_PROMPTS
    yield from check_prompts(path, (), values, prompts)
    for key, _, _ in prompts:
        if isinstance(values.get(key), str):
            yield from _check_braces(path, key, values[key])


def check_compactor_settings(document: Document) -> Iterator[Finding]:
    """The prompts."""
    yield from check_prompts(document.path, (), document.object, _COMPACTOR_PROMPTS)


def check_schema(document: Document) -> Iterator[Finding]:
    """An output schema must say something."""
    if document.kind is ConfigKind.STRUCTURED_OUTPUT and document.value == {}:
        yield Finding("schema-missing", document.path, (), "The output schema is empty.", "Write a JSON Schema.")


def check_prompts(
    path: str,
    at: Pointer,
    values: Mapping[str, Any],
    prompts: Sequence[tuple[str, tuple[str, ...], tuple[str, ...]]],
) -> Iterator[Finding]:
    """Prompts by key, with the placeholders each needs and those it may have."""
    for key, needed, known in prompts:
        text = values.get(key)
        if not isinstance(text, str) or not text:
            continue
        for name in needed:
            if f"[{name}]" not in text:
                yield Finding(
                    "placeholder-missing",
                    path,
                    (*at, key),
                    f"`{key}` does not have [{name}].",
                    f"Put [{name}] where that text is to stand.",
                )
        for name in dict.fromkeys(_PLACEHOLDER.findall(text)):
            near = _near(name, known)
            if near:
                yield Finding(
                    "placeholder-unknown",
                    path,
                    (*at, key),
                    f"[{name}] in `{key}` is not replaced.",
                    f"Did you mean [{near}]?",
                )


def _near(name: str, known: Sequence[str]) -> str:
    """The placeholder that was probably meant by one that does not exist."""
    if name in known:
        return ""
    plain = {each.lower().replace("_", ""): each for each in known}
    found = difflib.get_close_matches(name.lower().replace("_", ""), list(plain), n=1, cutoff=0.8)
    return plain[found[0]] if found else ""


def _check_braces(path: str, key: str, text: str) -> Iterator[Finding]:
    template = parse_template(text)
    failure = find_failure(template, dict.fromkeys(template.names))
    if failure:
        yield Finding(
            "brace-odd", path, (key,), f"Filling in `{key}` fails: {failure}.", "Double braces that are text."
        )


def _response_keys(folder: ConfigFolder, preset_type: str) -> set[str]:
    """What the API types of one preset folder call the response size."""
    return {
        str(document.object["maxNewTokensPropertyName"])
        for document in folder.list_kind(ConfigKind.API_TYPE)
        if document.object.get("presetType") == preset_type and document.object.get("maxNewTokensPropertyName")
    }


def _check_category(document: Document, name: str, names: Sequence[str]) -> Iterator[Finding]:
    plain = name.translate(_NO_PUNCTUATION).upper()
    if not plain.strip():
        yield Finding(
            "category-name", document.path, (name,), f"The category {name!r} always matches.", "Use letters and digits."
        )
        return
    if len(plain.split()) > 1 or plain != plain.strip():
        yield Finding(
            "category-name",
            document.path,
            (name,),
            f"The category {name!r} can never match: it has spaces.",
            "Use letters and digits.",
        )
        return
    for earlier in names[: names.index(name)]:
        other = earlier.translate(_NO_PUNCTUATION).upper()
        if other and other in plain:
            yield Finding(
                "category-contained",
                document.path,
                (name,),
                f"{name!r} contains {earlier!r}, which comes earlier and always wins.",
                f"Put {name!r} before {earlier!r}, or rename one of them.",
            )
