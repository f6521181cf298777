"""What the commands that change one discussion have in common: names, keys, and telling what was done."""

from __future__ import annotations

import getpass
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from memory.engine.blast_radius import Consequence
from memory.engine.hashing import hash_api_key
from memory.results import ApiKeys
from memory.services.editing import Clash, Editor, Outcome
from memory.types import ApiKey, DiscussionRef

ACTOR = "command line"
STANDARD_INPUT = "-"


def add_discussion(parser: CommandParser) -> None:
    """The arguments that name a discussion and ask for its key."""
    parser.add_argument("id", metavar="ID", help="the discussion: its id, or keyhash:id")
    parser.add_argument("--ask-key", action="store_true", help="ask for the key of an encrypted discussion")


def ref_of(options: Mapping[str, Any]) -> DiscussionRef:
    """The discussion that was named."""
    return DiscussionRef.parse(options["id"])


def keys_of(options: Mapping[str, Any]) -> ApiKeys:
    """The key, asked for: never an argument, which other users of the machine would see."""
    if not options["ask_key"]:
        return {}
    api_key = getpass.getpass("API key: ")
    return {hash_api_key(api_key): ApiKey(api_key)}


def editor_of(options: Mapping[str, Any]) -> Editor:
    """Who changes which discussion, or only tries."""
    return Editor(ref_of(options), ACTOR, keys_of(options), is_dry_run=options["dry_run"])


def read_text(options: Mapping[str, Any]) -> str:
    """The new text, from the option `text` or the file it is in; raises CommandError when it is no UTF-8."""
    if options["text"] is not None:
        return str(options["text"])
    name = options["text_from"]
    data = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
    try:
        return data.decode("utf-8-sig").removesuffix("\n")
    except UnicodeDecodeError as error:
        raise CommandError(f"{name} is no UTF-8 text (byte {error.start}).") from None


def tell_outcome(options: Mapping[str, Any], outcome: Outcome) -> str:
    """What was done and what follows from it, with the way back; raises CommandError for a clash."""
    if isinstance(outcome, Clash):
        raise CommandError(f"Somebody changed {outcome.what} meanwhile, so nothing was changed. Look at it again.")
    if options["dry_run"]:
        return "\n".join([f"Would be: {outcome.action}.", *tell_consequences(outcome.radius.consequences)])
    if outcome.batch is None:
        return "Nothing was changed: it is as you want it already."
    lines = [f"{outcome.action}.", *tell_consequences(outcome.radius.consequences)]
    return "\n".join([*lines, tell_undo(options["id"], outcome.batch)])


def tell_consequences(consequences: Iterable[Consequence]) -> Iterator[str]:
    """One sentence each."""
    return (item.text for item in consequences)


def tell_undo(name: str, batch: object) -> str:
    """The command that takes an action back."""
    return f"Take it back: manage.py discussion undo {name} {batch}"


def show_plainly(text: str) -> str:
    """The same text for a terminal: control characters and halves of surrogate pairs are spelled out, never obeyed."""
    return "".join(_spell(mark) for mark in text)


def _spell(mark: str) -> str:
    is_safe = mark in "\n\t" or unicodedata.category(mark) not in {"Cc", "Cs"}
    return mark if is_safe else mark.encode("unicode_escape").decode("ascii")
