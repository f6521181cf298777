"""Saves of KoboldCpp and Kobold Lite: pieces of one text, not turns (transcripts.md §5)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from memory.engine.transcripts import Said
from memory.importers.events import ConversationStart, ImportEvent, ImportProblem
from memory.importers.formats import ChatFormat, SourceFile, dict_of, list_of, text_of
from memory.importers.json_stream import JsonDamageError

CHAT_MODE, INSTRUCT_MODE = 3, 4
OPPONENT_SEPARATOR = "||$||"
_READ_KEYS = ("prompt", "actions", "savedsettings", "ga")
_PICTURES = re.compile(r"\[<\|[ph]\|.*?\|[ph]\|>\]", re.DOTALL)
_MARKERS = {"INPUT": "user", "OUTPUT": "assistant", "SYSTEM": "system"}
_MARKER = re.compile(r"\{\{\[(INPUT|OUTPUT|SYSTEM)(_END)?\]\}\}")


def recognises(shown: Any) -> bool:
    """`savedsettings`, a `prompt` with `actions`, or the short keys of old shared stories."""
    first = dict_of(shown)
    return (
        "savedsettings" in first
        or {"prompt", "actions"} <= first.keys()
        or {"gamestarted", "prompt"} <= first.keys()
        or {"ga", "cm"} <= first.keys()
    )


def read(file: SourceFile) -> Iterator[ImportEvent]:
    """One conversation. A story without turns becomes one text, and that is said."""
    facts: dict[str, Any] = {}
    cursor = file.cursor()
    try:
        for key in cursor.walk_object():
            if key in _READ_KEYS:
                facts[key] = cursor.read()
    except JsonDamageError as damage:
        yield damage.problem
    settings = dict_of(facts.get("savedsettings"))
    yield ConversationStart(text_of(settings.get("chatopponent")).split(OPPONENT_SEPARATOR)[0])
    text = _PICTURES.sub("", "".join(_list_pieces(facts)))
    yield from _split(text, settings)


FORMAT = ChatFormat("kobold", "Kobold Lite", recognises, read)


def _list_pieces(facts: dict[str, Any]) -> Iterator[str]:
    """The text in order: first `prompt`, then `actions`, a list or, in old saves, an object by number."""
    yield text_of(facts.get("prompt"))
    actions = facts.get("actions") or facts.get("ga")
    numbered = dict_of(dict_of(actions).get("actions")) or dict_of(actions)
    ordered = sorted((int(key), piece) for key, piece in numbered.items() if key.isdecimal())
    for piece in list_of(actions) or [piece for _, piece in ordered]:
        yield piece if isinstance(piece, str) else text_of(dict_of(piece).get("Selected Text"))


def _split(text: str, settings: dict[str, Any]) -> Iterator[ImportEvent]:
    mode = settings.get("opmode")
    text = _with_markers(text, settings)
    if _MARKER.search(text):
        yield from _split_instruct(text)
    elif mode == CHAT_MODE:
        yield from _split_chat(text, settings)
    elif text.strip():
        if mode != INSTRUCT_MODE:
            yield ImportProblem("This save is a story without turns: it was read as one text.")
        yield Said("assistant", text.strip())


def _with_markers(text: str, settings: dict[str, Any]) -> str:
    """The tags of a template, if they stand in the text themselves, as markers."""
    for key, marker in (("instruct_starttag", "{{[INPUT]}}"), ("instruct_endtag", "{{[OUTPUT]}}"),
                        ("instruct_systag", "{{[SYSTEM]}}")):  # fmt: skip
        tag = text_of(settings.get(key)).replace("\\n", "\n").strip()
        text = text.replace(tag, marker) if tag else text
    return text


def _split_instruct(text: str) -> Iterator[ImportEvent]:
    role, start = "assistant", 0
    for match in _MARKER.finditer(text):
        yield from _say(role, text[start : match.start()])
        start = match.end()
        role = role if match[2] else _MARKERS[match[1]]
    yield from _say(role, text[start:])


def _split_chat(text: str, settings: dict[str, Any]) -> Iterator[ImportEvent]:
    user = text_of(settings.get("chatname")) or "User"
    opponents = [name for name in text_of(settings.get("chatopponent")).split(OPPONENT_SEPARATOR) if name]
    names = sorted({user, *opponents}, key=len, reverse=True)
    parts = re.split(rf"^({'|'.join(map(re.escape, names))}): ?", text, flags=re.MULTILINE)
    yield from _say("assistant", parts[0])
    for name, said in zip(parts[1::2], parts[2::2], strict=True):
        yield from _say("user" if name == user else "assistant", said, name)


def _say(role: str, text: str, name: str = "") -> Iterator[ImportEvent]:
    if text.strip():
        yield Said(role, text.strip(), name)
