"""Notes of renamings under way: whoever starts next can finish one whose process died in the middle."""

from __future__ import annotations

import contextlib
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memory.stores.layouts import is_usable_name
from memory.stores.locks import OWN_FOLDER
from memory.types import DiscussionRef
from wilmer_site.lib.files import write_atomic


@dataclass(frozen=True, slots=True)
class RenameNote:
    """A renaming that was begun and is not over."""

    path: Path
    old: DiscussionRef
    new: DiscussionRef
    actor: str

    def is_there(self) -> bool:
        """Whether nobody finished it meanwhile."""
        return self.path.exists()

    def delete(self) -> None:
        """It is over."""
        self.path.unlink(missing_ok=True)


class RenameNotes:
    """All notes of one folder of discussions. Use them under the locks of both names."""

    def __init__(self, discussions_root: Path) -> None:
        self._folder = discussions_root / OWN_FOLDER / "renames"

    @contextlib.contextmanager
    def noting(self, old: DiscussionRef, new: DiscussionRef, *, actor: str) -> Iterator[None]:
        """Keep a note while the block works; it goes with the block, whether that ends well or is taken back."""
        self._folder.mkdir(parents=True, exist_ok=True)
        note = RenameNote(self._folder / f"{secrets.token_hex(8)}.json", old, new, actor)
        write_atomic(note.path, json.dumps({"old": old.text, "new": new.text, "actor": actor}).encode())
        try:
            yield
        finally:
            note.delete()

    def list(self) -> tuple[RenameNote, ...]:
        """Those under way, and those whose process died. One that makes no sense is passed over."""
        return tuple(note for path in sorted(self._folder.glob("*.json")) if (note := _read(path)))


def _read(path: Path) -> RenameNote | None:
    try:
        value = json.loads(path.read_bytes())
        old, new = DiscussionRef.parse(value["old"]), DiscussionRef.parse(value["new"])
        actor = str(value["actor"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    is_sound = old.key_hash == new.key_hash and is_usable_name(old.discussion_id) and is_usable_name(new.discussion_id)
    return RenameNote(path, old, new, actor) if is_sound else None
