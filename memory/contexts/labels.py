"""The words and colours for states. One meaning, one word, one colour, on every page."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Literal

from memory.results import DatabaseState, HealthLevel, SummaryLink
from memory.types import Artefact, FileState, Generation

Tone = Literal["", "ok", "stale", "error", "locked"]
"""How a state is coloured; empty is plain."""


@dataclass(frozen=True, slots=True)
class Label:
    """A word for people, and how it is coloured."""

    text: str
    tone: Tone = ""
    hint: str = ""


ARTEFACTS = {
    Artefact.MEMORIES: "Ledger",
    Artefact.SUMMARY: "Rolling summary",
    Artefact.CONDENSATION_TRACKER: "Condensation tracker",
    Artefact.TIMESTAMPS: "Timestamps",
    Artefact.VISION_RESPONSES: "Vision cache",
    Artefact.COMPACTOR_OLD: "Compactor, old part",
    Artefact.COMPACTOR_OLDEST: "Compactor, oldest part",
    Artefact.STATE_DOCUMENT: "State document",
    Artefact.STATE_DOCUMENT_BACKUP: "State document, backup",
    Artefact.VECTOR_MEMORY: "Vector database",
}

FILE_STATES = {
    FileState.PRESENT: Label("present", "ok"),
    FileState.EMPTY: Label("empty", hint="The file is there and holds nothing."),
    FileState.ABSENT: Label("absent", hint="There is no such file."),
    FileState.DAMAGED: Label("damaged", "error", "The file cannot be parsed. It is shown raw and never changed."),
    FileState.LOCKED: Label("locked", "locked", "Encrypted, and the key is missing or wrong."),
    FileState.UNREADABLE: Label("unreadable", "error", "The operating system does not let the console read it."),
    FileState.TOO_LARGE: Label("too large", "stale", "Larger than the console is set to load (WILMER_MAX_FILE_MB)."),
}

GENERATIONS = {
    Generation.NESTED: Label("current", hint="One folder per discussion."),
    Generation.GUIDE_NESTED: Label("guide", hint="JSON lines in the discussion's folder (memory.md §3.4 G)."),
    Generation.FLAT: Label(
        "flat layout", hint="Files named after the discussion, beside its folder (memory.md §3.4 F1)."
    ),
    Generation.GUIDE_FLAT: Label("guide, flat", hint="JSON lines beside the folder (memory.md §3.4 G)."),
    Generation.LEGACY_PUBLIC: Label(
        "old place", hint="The vector database lies in the public folder (memory.md §3.4)."
    ),
}

HEALTH = {
    HealthLevel.OK: Label("fine", "ok"),
    HealthLevel.WARNING: Label("warning", "stale"),
    HealthLevel.ERROR: Label("error", "error"),
}

SUMMARY_LINKS = {
    SummaryLink.LINKED: Label("linked", "ok", "The summary names the chunk it reaches to."),
    SummaryLink.LOST: Label(
        "link lost",
        "error",
        "The summary's hash names no chunk of the ledger, so WilmerAI will feed every memory into it again.",
    ),
    SummaryLink.NO_SUMMARY: Label("no summary yet", hint="WilmerAI has not written a rolling summary."),
    SummaryLink.NO_CHUNKS: Label("no chunks", "stale", "There is a summary, but the ledger it was made from is empty."),
}

DATABASE_STATES = {
    DatabaseState.READY: Label("ready", "ok"),
    DatabaseState.ABSENT: Label("absent", hint="No vector memory was ever stored for this discussion."),
    DatabaseState.NOTHING_STORED: Label("nothing stored", hint="The database is there and holds no memories."),
    DatabaseState.INDEX_BROKEN: Label(
        "index broken", "error", "The memories are there, but the search table is missing or corrupt."
    ),
    DatabaseState.UNREADABLE: Label("unreadable", "error", "The file is no database, corrupt, or refused."),
}


def format_id(text: str) -> str:
    """An id with everything invisible made visible: line feeds, other controls, blanks at either end (traps I1)."""
    shown = "".join(_VISIBLE.get(mark) or _visible(mark) for mark in text)
    inner = shown.strip(" ")
    left, right = len(shown) - len(shown.lstrip(" ")), len(shown) - len(shown.rstrip(" "))
    return "␣" * left + inner + "␣" * right if inner else "␣" * len(shown)


_VISIBLE = {"\n": "↵", "\r": "←", "\t": "⇥"}


def _visible(mark: str) -> str:
    is_invisible = unicodedata.category(mark) in {"Cc", "Cf", "Co", "Cn", "Zl", "Zp"}
    return f"⟨U+{ord(mark):04X}⟩" if is_invisible else mark
