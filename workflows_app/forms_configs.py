"""What the pages of configs send, as values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.http import QueryDict

from wilmer_site.lib.errors import InvalidError, NotFoundError
from workflows_app.configs.kinds import ConfigKind
from workflows_app.queries.configs import KINDS
from workflows_app.services.config_form_saving import Added, FormChanges, Typed

MAX_TEXT = 300
MAX_BYTES = 5 * 1024 * 1024


def parse_kind(name: str) -> ConfigKind:
    """A kind that has pages of its own. Raises NotFoundError."""
    found = next((kind for kind in KINDS if kind.value == name), None)
    if found is None:
        raise NotFoundError(f"There are no configs of kind {name[:60]!r}.")
    return found


def parse_changes(data: QueryDict) -> FormChanges:
    """What the form of a config came back with: every field that has a mark of what it showed, and new keys."""
    typed = {
        name[2:]: Typed(_checked(data.get(f"v:{name[2:]}", "")), data.get(name, ""))
        for name in data
        if name.startswith("s:")
    }
    order = tuple(data.getlist("order"))
    return FormChanges(
        typed=typed,
        cleared=frozenset(data.getlist("clear")),
        removed=frozenset(data.getlist("remove")),
        added=tuple(_list_added(data)),
        order=order if order != tuple(data.getlist("order-was")) else (),
    )


def parse_settings(data: QueryDict, values: dict[str, Any]) -> dict[str, Any]:
    """Settings with what is typed into their form laid over them, for trying out; numbers stay texts."""
    typed = dict(values)
    for mark in [name for name in data if name.startswith("s:/")]:
        key, text = mark[3:], data.get(f"v:{mark[2:]}", "")
        if isinstance(values.get(key), dict | list):
            continue
        if text:
            typed[key] = True if text == "on" else int(text) if text.isdecimal() and len(text) < 12 else text
        else:
            typed.pop(key, None)
    return typed


def parse_note(data: QueryDict, name: str = "note") -> str:
    """A short text beside the form."""
    return str(data.get(name, ""))[:MAX_TEXT].strip()


def find_typed_names(data: Any) -> str:
    """The filter text of a list."""
    return str(data.get("text", ""))[:MAX_TEXT]


def _list_added(data: QueryDict) -> Iterator[Added]:
    parents = [name[4:] for name in data if name.startswith("add:")]
    for parent in parents:
        names, texts = data.getlist(f"add:{parent}"), data.getlist(f"add-value:{parent}")
        descriptions = data.getlist(f"add-description:{parent}")
        for at, name in enumerate(names):
            text = texts[at] if at < len(texts) else ""
            description = descriptions[at] if at < len(descriptions) else ""
            if name.strip() or text or description:
                yield Added(parent, name[:MAX_TEXT], _checked(text), _checked(description))


def _checked(text: str) -> str:
    if len(text) > MAX_BYTES:
        raise InvalidError(f"A text has {len(text):,} characters; at most {MAX_BYTES:,} are taken.")
    return text
