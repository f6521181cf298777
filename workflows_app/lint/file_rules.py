"""Rules that hold for any file: syntax, known fields, types of values (configs.md §13.1)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from workflows_app.configs.documents import Document
from workflows_app.configs.fields import FieldSpec, fields_of
from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.source import Pointer
from workflows_app.errors import ConfigInvalidError
from workflows_app.lint.findings import Finding
from workflows_app.lint.value_rules import ValuePlace, check_value
from workflows_app.results import Severity

_COMMENT: Final = re.compile(r"^(_|//|#|display.?only)|comment|description$", re.IGNORECASE)
_ALIASES: Final = {"endpoint": "endpointName", "model": "endpointName", "workflow": "workflowName"}
_TRAILING_COMMA: Final = re.compile(r",\s*$")
_COMMENT_MARK: Final = re.compile(r"^\s*(//|/\*|#)")


def check_file(document: Document) -> Iterator[Finding]:
    """Syntax, encoding, duplicate keys, and the top level."""
    if not document.is_utf8:
        yield Finding("encoding", document.path, (), "The file is not UTF-8.", "Save it as UTF-8.")
    if document.has_bom:
        yield Finding(
            "json-syntax",
            document.path,
            (),
            "The file begins with a byte order mark, which WilmerAI does not accept.",
            "Save it as UTF-8 without a byte order mark.",
        )
    if document.source is None:
        yield _syntax(document)
        return
    if document.source.has_duplicates:
        yield from _duplicates(document)
    if not _has_right_top(document):
        wanted = "a list of nodes or an object with `nodes`" if document.is_workflow else "an object"
        found = type_name(document.value)
        yield Finding("json-not-object", document.path, (), f"The file must be {wanted}; it is {found}.")


def check_fields(document: Document) -> Iterator[Finding]:
    """Fields of a config file that is no workflow: unknown and unused ones, and the types of their values."""
    if document.kind is None or not isinstance(document.value, dict):
        return
    fields = fields_of(document.kind)
    if fields:
        yield from check_known(document.path, (), document.value, fields)
        yield from check_values(document, fields)
        yield from _missing(document, fields)


def check_known(
    path: str, at: Pointer, values: Mapping[str, Any], fields: Mapping[str, FieldSpec]
) -> Iterator[Finding]:
    """Unknown and unused fields of one object."""
    for name in values:
        field = fields.get(name)
        if field is None and not is_comment(name):
            near = suggest(name, list(fields))
            message = f"Nothing reads `{name}`."
            mend = f"Did you mean `{near}`?" if near else "Remove it, or begin its name with _ if it is a comment."
            yield Finding("unknown-field", path, (*at, name), message, mend)
        elif field is not None and field.is_unused:
            yield Finding(
                "unused-field", path, (*at, name), f"WilmerAI no longer reads `{name}`.", "It may be removed."
            )


def check_values(document: Document, fields: Mapping[str, FieldSpec]) -> Iterator[Finding]:
    """The types and ranges of the values of one file."""
    for name, value in document.object.items():
        field = fields.get(name)
        if field is not None and not field.is_unused:
            yield from check_value(field, value, ValuePlace(document.path, (name,), kind=document.kind))


def is_comment(name: str) -> bool:
    """Whether a key is one people use to write a comment."""
    return bool(_COMMENT.search(name))


def suggest(name: str, known: Sequence[str]) -> str:
    """The known name that was probably meant; empty when none is near."""
    if name in _ALIASES and _ALIASES[name] in known:
        return _ALIASES[name]
    plain = {re.sub(r"[^a-z0-9]", "", each.lower()): each for each in known}
    found = difflib.get_close_matches(re.sub(r"[^a-z0-9]", "", name.lower()), list(plain), n=1, cutoff=0.8)
    return plain[found[0]] if found else ""


def type_name(value: Any) -> str:
    """What people call a JSON value's type."""
    if value is None:
        return "null"
    names = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), "something else")


def _has_right_top(document: Document) -> bool:
    if document.is_workflow:
        return isinstance(document.value, list | dict)
    return isinstance(document.value, dict) or document.kind is None


def _syntax(document: Document) -> Finding:
    error = document.syntax_error or ConfigInvalidError("The file cannot be read.")
    if "line" not in error.extra:
        return Finding("json-syntax", document.path, (), error.message)
    line, column, reason = int(error.extra["line"]), int(error.extra["column"]), str(error.extra["reason"])
    return Finding(
        "json-syntax",
        document.path,
        (),
        f"The file is no JSON: {reason} at line {line}, column {column}.",
        _syntax_mend(document, reason, line, column),
        position=(line, column),
    )


def _syntax_mend(document: Document, reason: str, line: int, column: int) -> str:
    lines = document.raw_text.split("\n")
    here = lines[line - 1] if line <= len(lines) else ""
    before = "\n".join([*lines[max(0, line - 2) : line - 1], here[: column - 1]])
    if _COMMENT_MARK.match(here[column - 1 :]) or _COMMENT_MARK.match(here):
        return "JSON has no comments; use a key such as `_comment` instead."
    if "trailing comma" in reason.lower() or _TRAILING_COMMA.search(before):
        return "Remove the comma before the closing bracket."
    return "Correct the JSON at this place."


def _duplicates(document: Document) -> Iterator[Finding]:
    source = document.source
    for pointer, offset in source.places.duplicates if source else ():
        yield Finding(
            "json-duplicate-key",
            document.path,
            pointer,
            f"`{pointer[-1]}` comes more than once in this object; only the last one counts.",
            "Remove all but one.",
            position=source.position(offset) if source else None,
        )


def _missing(document: Document, fields: Mapping[str, FieldSpec]) -> Iterator[Finding]:
    """Fields that must be there, where no rule of its own speaks of them."""
    if document.kind not in (ConfigKind.MCP_SERVER, ConfigKind.COMPACTOR_SETTINGS):
        return
    for field in fields.values():
        if field.is_required and not document.object.get(field.name) and field.name != "transport":
            yield Finding(
                "property-missing", document.path, (field.name,), f"`{field.name}` is missing.", severity=Severity.ERROR
            )
