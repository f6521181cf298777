"""SillyTavern chats: JSON Lines, the first of which is usually a header (transcripts.md §1)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from memory.engine.transcripts import Said
from memory.importers.dates import parse_time
from memory.importers.events import ConversationStart, ImportEvent, ImportProblem
from memory.importers.formats import ChatFormat, SourceFile, dict_of, first_of, list_of, text_of

UNUSED = "unused"
"""What newer headers hold in place of both names."""

_MACRO = re.compile(r"\{\{(user|char)\}\}", re.IGNORECASE)


def recognises(shown: Any) -> bool:
    """A line with `mes`, or a header."""
    first = dict_of(first_of(shown))
    return "mes" in first or "chat_metadata" in first or {"user_name", "character_name"} <= first.keys()


def read(file: SourceFile) -> Iterator[ImportEvent]:
    """One conversation: the text that is shown of each message, rejected swipes left out."""
    names = _Names()
    is_begun = False
    for number, line in file.text().lines():
        raw = _parse_line(number, line)
        if isinstance(raw, ImportProblem):
            yield raw
            continue
        if not is_begun:
            is_begun = True
            yield _begin(raw, names)
        if "mes" in raw or "swipes" in raw:
            names.learn(raw)
            yield _build_message(raw, names)
        elif not _is_header(raw):
            yield ImportProblem("This line is no message: it has no `mes`.", number)


FORMAT = ChatFormat("sillytavern", "SillyTavern", recognises, read)


class _Names:
    """Who the user and the character are, for the macros that stand for their names."""

    def __init__(self) -> None:
        self.known = {"user": "", "char": ""}

    def learn(self, raw: dict[str, Any]) -> None:
        """Take the name of a speaker."""
        name = text_of(raw.get("name"))
        if name and not raw.get("is_system"):
            self.known["user" if raw.get("is_user") else "char"] = name

    def fill_in(self, text: str) -> str:
        """The text with the names that are known."""
        return _MACRO.sub(lambda match: self.known[match[1].lower()] or match[0], text)


def _parse_line(number: int, line: str | None) -> dict[str, Any] | ImportProblem:
    if line is None:
        return ImportProblem("This line is larger than the console reads; left out.", number)
    try:
        raw = json.loads(line.strip().rstrip(","), strict=False)
    except json.JSONDecodeError as error:
        return ImportProblem(f"This line is not JSON ({error.msg}); left out.", number, error.colno)
    except RecursionError:
        return ImportProblem("This line is nested too deeply; left out.", number)
    return raw if isinstance(raw, dict) else ImportProblem("This line is no message; left out.", number)


def _is_header(raw: dict[str, Any]) -> bool:
    return "chat_metadata" in raw or "user_name" in raw or "name" in raw


def _begin(raw: dict[str, Any], names: _Names) -> ConversationStart:
    user, character = text_of(raw.get("user_name")), text_of(raw.get("character_name"))
    names.known = {"user": "" if user == UNUSED else user, "char": "" if character == UNUSED else character}
    title = names.known["char"]
    return ConversationStart(title, parse_time(raw.get("create_date")))


def _build_message(raw: dict[str, Any], names: _Names) -> Said:
    extra = dict_of(raw.get("extra"))
    image = text_of(extra.get("image"))
    return Said(
        role=_role(raw, extra),
        content=names.fill_in(_text(raw)),
        name=text_of(raw.get("name")),
        images=(image,) if image else (),
        sent_at=parse_time(raw.get("send_date")),
    )


def _role(raw: dict[str, Any], extra: dict[str, Any]) -> str:
    """Hidden messages and notices are not sent to a model, narrators as system."""
    if raw.get("is_system") or extra.get("type") == "narrator":
        return "system"
    return "user" if raw.get("is_user") else "assistant"


def _text(raw: dict[str, Any]) -> str:
    """`mes` counts; only without one the chosen swipe does."""
    mes = raw.get("mes")
    if isinstance(mes, str):
        return mes
    if isinstance(mes, dict):
        return text_of(mes.get("message"))
    swipes, chosen = list_of(raw.get("swipes")), raw.get("swipe_id")
    at = chosen if isinstance(chosen, int) and 0 <= chosen < len(swipes) else 0
    swipe = swipes[at] if swipes else ""
    return text_of(dict_of(swipe).get("message")) if isinstance(swipe, dict) else text_of(swipe)
