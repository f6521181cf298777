"""Rules for endpoints and API types (configs.md §13.2, §13.4)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final
from urllib.parse import urlsplit

from workflows_app.configs.documents import Document
from workflows_app.configs.endpoint_models import API_TYPES, CONSOLE_TYPES, OLD_IMAGE_TYPES
from workflows_app.configs.places import api_type_file, prompt_template_file
from workflows_app.engine.config_secrets import hides_secret
from workflows_app.lint.findings import Finding
from workflows_app.lint.folder import ConfigFolder
from workflows_app.lint.lookup import find_api_type, is_embeddings, join
from workflows_app.llm.hosts import is_clearly_public
from workflows_app.results import Severity

E, W, H = Severity.ERROR, Severity.WARNING, Severity.HINT

KNOWN_PATHS: Final = (
    "/v1",
    "/v1/chat/completions",
    "/v1/completions",
    "/v1/messages",
    "/v1/embeddings",
    "/chat/completions",
    "/api/chat",
    "/api/generate",
    "/api/embed",
    "/api/v1/generate",
    "/api/v1",
)
_SENDS_NO_MODEL: Final = ("koboldCppGenerate", "koboldCppGenerateImageSpecific", *CONSOLE_TYPES)
_OBEYS_NO_MODEL: Final = (
    "openAIChatCompletion",
    "openAIApiChatImageSpecific",
    "claudeMessages",
    "openAIEmbeddings",
    "ollamaEmbeddings",
)
NEUTRAL_SAMPLERS: Final = frozenset(
    [
        "temperature",
        "dynatemp_range",
        "dynatemp_exponent",
        "top_k",
        "top_p",
        "min_p",
        "top_n_sigma",
        "typical_p",
        "repeat_penalty",
        "repeat_last_n",
        "presence_penalty",
        "frequency_penalty",
        "dry_multiplier",
        "dry_base",
        "dry_allowed_length",
        "dry_penalty_last_n",
        "dry_sequence_breakers",
        "xtc_probability",
        "xtc_threshold",
        "mirostat",
        "mirostat_tau",
        "mirostat_eta",
        "seed",
        "stop",
        "samplers",
        "logit_bias",
        "ignore_eos",
        "n_probs",
        "min_keep",
        "grammar",
        "json_schema",
    ]
)
"""The names of configs.md §6.2; `thinkingMode` and `chat_template_kwargs` come beside them."""
_AS_CALLED: Final = "Write the name as the file is called."
_TEXT_SWITCHES: Final = (
    ("addTextToStartOfSystem", "textToAddToStartOfSystem"),
    ("addTextToStartOfPrompt", "textToAddToStartOfPrompt"),
    ("addTextToStartOfCompletion", "textToAddToStartOfCompletion"),
    ("removeCustomTextFromResponseStartEndpointWide", "responseStartTextToRemoveEndpointWide"),
)


def check_endpoint(document: Document, folder: ConfigFolder) -> Iterator[Finding]:
    """Everything about an endpoint that does not depend on who uses it."""
    api_type = find_api_type(folder, document)
    yield from _check_address(document)
    yield from _check_api_type(document, folder)
    yield from _check_model(document, api_type)
    if not is_embeddings(api_type):
        yield from _check_template(document, folder)
        yield from _check_thinking(document)
        for switch, text in _TEXT_SWITCHES:
            yield from check_switched_text(document.path, (), document.object, (switch, text))
    yield from _check_samplers(document, api_type)
    yield from _check_backup(document, folder)


def check_api_type(document: Document) -> Iterator[Finding]:
    """The wire format."""
    written = document.object.get("type")
    if written in OLD_IMAGE_TYPES:
        yield Finding(
            "apitype-unknown-type",
            document.path,
            ("type",),
            f"`{written}` is an old name for a type with pictures.",
            "Use the type without `ImageSpecific`.",
            W,
        )
    elif written in CONSOLE_TYPES:
        message = f"Only this console knows `{written}`; WilmerAI itself cannot use it."
        yield Finding("apitype-unknown-type", document.path, ("type",), message, "", H)
    elif written not in API_TYPES:
        yield Finding(
            "apitype-unknown-type",
            document.path,
            ("type",),
            f"WilmerAI does not know the wire format {written!r}.",
            f"Use one of {', '.join(API_TYPES[:8])}.",
        )


def check_switched_text(path: str, at: tuple[str | int, ...], values: Any, pair: tuple[str, str]) -> Iterator[Finding]:
    """A switch and the text it switches."""
    switch, text = pair
    is_on, written = bool(values.get(switch)), _has_text(values.get(text))
    if is_on and not written:
        yield Finding("switch-without-text", path, (*at, switch), f"`{switch}` is on, but `{text}` is empty.")
    if written and not is_on:
        yield Finding("text-without-switch", path, (*at, text), f"`{text}` has no effect: `{switch}` is off.")


def _has_text(value: Any) -> bool:
    if isinstance(value, list):
        return any(_has_text(item) for item in value)
    return isinstance(value, str) and bool(value.strip())


def _check_address(document: Document) -> Iterator[Finding]:
    address = document.object.get("endpoint")
    at = ("endpoint",)
    if not isinstance(address, str) or not address.startswith(("http://", "https://")) or not _host(address):
        yield Finding(
            "endpoint-url",
            document.path,
            at,
            f"{_quoted(address)} is no http or https address.",
            "Write the base address of the server, such as http://127.0.0.1:5001.",
        )
        return
    path = urlsplit(address).path.rstrip("/")
    ending = next((known for known in KNOWN_PATHS if path.lower().endswith(known)), None)
    if ending:
        message = f"The address ends in `{ending}`, and WilmerAI appends the path of the API again."
        yield Finding("endpoint-url", document.path, at, message, f"Leave out `{ending}`.", W)


def _quoted(address: object) -> str:
    is_secret = isinstance(address, str) and hides_secret(address)
    return "The address, which has a key in it," if is_secret else repr(address)


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:
        return ""


def _check_api_type(document: Document, folder: ConfigFolder) -> Iterator[Finding]:
    name = document.object.get("apiTypeConfigFileName")
    at = ("apiTypeConfigFileName",)
    if not isinstance(name, str) or not name:
        yield Finding(
            "apitype-absent",
            document.path,
            at,
            "The endpoint does not say which API type it has.",
            "Name a file of ApiTypes.",
        )
        return
    path = join(*api_type_file(name))
    yield from check_exists(folder, path, Finding("apitype-missing", document.path, at, f"There is no {path}."))


def check_exists(folder: ConfigFolder, path: str, missing: Finding) -> Iterator[Finding]:
    """The finding when no file has this path. A file that differs in letter case alone is found on some systems."""
    if path in folder.documents:
        return
    other = folder.find_other_case(path)
    if other is None:
        yield missing
    elif folder.ignores_case:
        message = f"{path} is called {other}; on a system that minds letter case it is not found."
        yield replace(missing, code="case-mismatch", message=message, mend=_AS_CALLED, severity=W)
    else:
        yield replace(missing, message=f"{missing.message} The file is called {other}.", mend=_AS_CALLED)


def _check_model(document: Document, api_type: Document | None) -> Iterator[Finding]:
    written = api_type.object.get("type") if api_type else None
    if document.object.get("dontIncludeModel"):
        if written and written not in _OBEYS_NO_MODEL and written not in _SENDS_NO_MODEL:
            yield Finding(
                "endpoint-model-empty",
                document.path,
                ("dontIncludeModel",),
                f"`dontIncludeModel` has no effect: {written} sends the model name all the same.",
                "",
                H,
            )
    elif not document.object.get("modelNameToSendToAPI") and written not in _SENDS_NO_MODEL:
        yield Finding(
            "endpoint-model-empty",
            document.path,
            ("modelNameToSendToAPI",),
            "No model name is sent to the server.",
            "Give a model name, or switch `dontIncludeModel` on.",
        )


def _check_template(document: Document, folder: ConfigFolder) -> Iterator[Finding]:
    at = ("promptTemplate",)
    if "promptTemplate" not in document.object:
        yield Finding(
            "template-missing",
            document.path,
            at,
            "The endpoint has no `promptTemplate`, which fails every call.",
            "Name a prompt template, or write null.",
        )
        return
    name = document.object["promptTemplate"]
    if isinstance(name, str) and name:
        path = join(*prompt_template_file(name))
        yield from check_exists(folder, path, Finding("template-missing", document.path, at, f"There is no {path}."))


def _check_thinking(document: Document) -> Iterator[Finding]:
    if document.object.get("removeThinking"):
        for key in ("startThinkTag", "endThinkTag"):
            if not document.object.get(key):
                yield Finding(
                    "think-tags-missing",
                    document.path,
                    ("removeThinking",),
                    "`removeThinking` is on without both tags, so nothing is removed.",
                    "Give `startThinkTag` and `endThinkTag`.",
                )


def _check_samplers(document: Document, api_type: Document | None) -> Iterator[Finding]:
    samplers = document.object.get("presetSamplers")
    if not isinstance(samplers, dict) or api_type is None:
        return
    names = api_type.object.get("samplerFieldMap")
    known = names if isinstance(names, dict) else {}
    for name in samplers:
        at = ("presetSamplers", name)
        if name in known or name.startswith("_"):
            continue
        if name == "chat_template_kwargs":
            if not api_type.object.get("supportsChatTemplateKwargs"):
                yield _dropped(document, at, api_type)
        elif name == "thinkingMode":
            thinking = api_type.object.get("thinking")
            if not isinstance(thinking, dict) or thinking.get("mode", "unsupported") == "unsupported":
                yield _dropped(document, at, api_type)
        elif name in NEUTRAL_SAMPLERS:
            yield _dropped(document, at, api_type)
        else:
            yield Finding(
                "sampler-unmapped",
                document.path,
                at,
                f"`{name}` is no sampler that WilmerAI knows.",
                "Use one of the neutral names.",
                E,
            )


def _dropped(document: Document, at: tuple[str, str], api_type: Document) -> Finding:
    return Finding(
        "sampler-unmapped", document.path, at, f"The API type {api_type.name} has no name for `{at[1]}`; it is dropped."
    )


def _check_backup(document: Document, folder: ConfigFolder) -> Iterator[Finding]:
    name = document.object.get("backupEndpointName")
    at = ("backupEndpointName",)
    if not isinstance(name, str) or not name:
        return
    path = join("Endpoints", document.folder, f"{name}.json")
    backup = folder.find(path)
    if backup is None:
        missing = Finding("backup-missing", document.path, at, f"There is no {path} to fall back to.")
        yield from check_exists(folder, path, missing)
        return
    if _leads_round(document, folder):
        yield Finding("backup-loop", document.path, at, f"The backups of {document.name} lead back to an earlier one.")
    address = backup.object.get("endpoint")
    if isinstance(address, str) and is_clearly_public(address) and not backup.object.get("allowRemoteBackup"):
        yield Finding(
            "backup-remote",
            document.path,
            at,
            f"The backup {name} is a public host and does not allow that.",
            f"Switch `allowRemoteBackup` on in {path}, or choose another backup.",
        )


def _leads_round(document: Document, folder: ConfigFolder) -> bool:
    seen = {document.path}
    current: Document | None = document
    while current is not None:
        name = current.object.get("backupEndpointName")
        if not isinstance(name, str) or not name:
            return False
        path = join("Endpoints", current.folder, f"{name}.json")
        if path in seen:
            return path == document.path
        seen.add(path)
        current = folder.find(path)
    return False
