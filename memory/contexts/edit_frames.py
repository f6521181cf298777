"""How each change is called on its page."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import shorten

from memory.contexts.addresses import page_address
from memory.contexts.editing import EditFrame
from memory.engine.wording import format_count
from memory.types import DiscussionRef

MOST_SHOWN = 20
"""More things than these are told as a number."""

_CHUNK_TITLES = {
    "edit": ("Edit chunk {0}", "Save", ""),
    "merge": ("Merge chunks {0} and {1}", "Merge", "The merged chunk gets the hash of the newer one."),
    "split": ("Split chunk {0}", "Split", "The second part keeps the hash; the first ends with a message inside."),
    "move": ("Move chunk {0}", "Move", "It moves together with the hash of its last message."),
    "removal": ("Delete chunk {0}?", "Delete", ""),
}


def shown_numbers(picked: Mapping[int, str | None]) -> list[int]:
    """Those of many chosen things whose beginnings are shown before all are deleted."""
    return sorted(picked)[:MOST_SHOWN]


def chunk_frame(ref: DiscussionRef, number: int, name: str, original: str = "") -> EditFrame:
    """A change of one chunk: edit, merge, split, move or removal."""
    title, submit, lead = _CHUNK_TITLES[name]
    if name == "edit" and original:
        lead = "What is stored now stands above the box; in the box is the text that was written over."
    return EditFrame(
        key=f"chunk-{number}",
        title=title.format(number, number + 1),
        submit=submit,
        tab="chunk-list",
        url=page_address(f"chunk-{name}", ref, number),
        back_url=page_address("chunk-list", ref),
        lead=lead,
        original=original,
        is_danger=name == "removal",
        replaces_text=name in {"edit", "split"},
        picks_place=name == "split",
    )


def chunk_list_frame(ref: DiscussionRef, picked: Mapping[int, str | None], texts: Mapping[int, str]) -> EditFrame:
    """The deletion of several chunks; `texts` are those of `shown_numbers(picked)`."""
    return EditFrame(
        key="chunks",
        title=f"Delete {format_count(len(picked), 'chunk')}?",
        submit="Delete",
        tab="chunk-list",
        url=page_address("chunk-bulk-removal", ref),
        back_url=page_address("chunk-list", ref),
        original=_name_texts(picked, texts),
        is_danger=True,
        picked=_as_fields("number", picked),
    )


def summary_frame(ref: DiscussionRef, name: str, original: str = "") -> EditFrame:
    """A change of the rolling summary: edit or removal."""
    is_removal = name == "removal"
    return EditFrame(
        key="summary",
        title="Delete the rolling summary?" if is_removal else "Edit the rolling summary",
        submit="Delete" if is_removal else "Save",
        tab="summary-detail",
        url=page_address(f"summary-{name}", ref),
        back_url=page_address("summary-detail", ref),
        original=original,
        is_danger=is_removal,
        replaces_text=not is_removal,
    )


def document_frame(ref: DiscussionRef, name: str, original: str = "") -> EditFrame:
    """A change of the state document: edit or restore."""
    is_restore = name == "restore"
    return EditFrame(
        key="state-document",
        title="Go back to the backup?" if is_restore else "Edit the state document",
        submit="Go back" if is_restore else "Save",
        tab="state-document-detail",
        url=page_address(f"state-document-{name}", ref),
        back_url=page_address("state-document-detail", ref),
        lead="The backup and the state document change places." if is_restore else "",
        original=original,
        replaces_text=not is_restore,
    )


def memory_frame(ref: DiscussionRef, memory_id: int, name: str, original: str = "") -> EditFrame:
    """A change of one vector memory: edit or removal."""
    is_removal = name == "removal"
    return EditFrame(
        key=f"memory-{memory_id}",
        title=f"Delete vector memory {memory_id}?" if is_removal else f"Edit vector memory {memory_id}",
        submit="Delete" if is_removal else "Save",
        tab="vector-memory-list",
        url=page_address(f"vector-memory-{name}", ref, memory_id),
        back_url=page_address("vector-memory-list", ref),
        original=original,
        is_danger=is_removal,
        replaces_text=not is_removal,
    )


def memory_list_frame(ref: DiscussionRef, picked: Mapping[int, str | None], texts: Mapping[int, str]) -> EditFrame:
    """The deletion of several vector memories; `texts` are those of `shown_numbers(picked)`."""
    return EditFrame(
        key="memories",
        title=f"Delete {format_count(len(picked), 'vector memory', 'vector memories')}?",
        submit="Delete",
        tab="vector-memory-list",
        url=page_address("vector-memory-bulk-removal", ref),
        back_url=page_address("vector-memory-list", ref),
        original=_name_texts(picked, texts),
        is_danger=True,
        picked=_as_fields("memory", picked),
    )


def new_memory_frame(ref: DiscussionRef) -> EditFrame:
    """A vector memory that is added."""
    return EditFrame(
        key="memory-new",
        title="Add a vector memory",
        submit="Add",
        tab="vector-memory-list",
        url=page_address("vector-memory-add", ref),
        back_url=page_address("vector-memory-list", ref),
        lead="It is stored and indexed as WilmerAI does it.",
    )


_TRACKER_TITLES = {
    "tracker-vector-edit": ("Move the boundary of vector memory", "Move", "Vector memory goes on behind this message."),
    "tracker-log-cut": ("Cut the hash log back?", "Cut back", "The rows that are newer go."),
    "tracker-condensation-edit": ("Move the condensation tracker", "Move", "Condensation goes on behind this chunk."),
    "pending-timestamp-removal": ("Delete the pending timestamp?", "Delete", ""),
}


def tracker_frame(ref: DiscussionRef, name: str, *args: object) -> EditFrame:
    """A change of a tracker, by the name of its page."""
    title, submit, lead = _TRACKER_TITLES[name]
    return EditFrame(
        key=name,
        title=title,
        submit=submit,
        tab="tracker-list",
        url=page_address(name, ref, *args),
        back_url=page_address("tracker-list", ref),
        lead=lead,
        is_danger=name in {"tracker-log-cut", "pending-timestamp-removal"},
    )


def _as_fields(name: str, picked: Mapping[int, str | None]) -> tuple[tuple[str, str], ...]:
    return tuple((name, f"{number}:{version or ''}") for number, version in picked.items())


def _name_texts(picked: Mapping[int, str | None], texts: Mapping[int, str]) -> str:
    shown = shown_numbers(picked)
    lines = [f"{number}: {shorten(texts.get(number, 'not there any more'), 100, placeholder=' …')}" for number in shown]
    more = [f"and {len(picked) - len(shown):,} more"] if len(picked) > len(shown) else []
    return "\n".join([*lines, *more])
