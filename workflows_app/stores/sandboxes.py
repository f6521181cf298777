"""Copies of one discussion's files for runs that must not change the real ones."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder
from memory.types import DiscussionRef
from wilmer_site.lib.files import write_atomic
from wilmer_site.lib.ids import child_path


@dataclass(frozen=True, slots=True)
class Sandbox:
    """A folder of our own that looks like a public folder with one discussion; the configs stay the real ones."""

    root: Path

    def fill(self, source: DiscussionFolders, ref: DiscussionRef) -> DiscussionFolders:
        """Copy every file of the discussion and return the folders to work on; an unknown discussion copies none."""
        real = source.folder
        copy = PublicFolder(
            public_root=self.root / "Public",
            config_root=real.config_root,
            discussions_root=self.root / "Public" / "DiscussionIds",
            install_root=self.root,
        )
        copy.discussions_root.mkdir(parents=True, exist_ok=True, mode=0o700)
        for path, _, _ in (source.look(ref) or {}).values():
            self._copy(path, _place(path, real, copy))
        return DiscussionFolders(copy)

    @property
    def drafts(self) -> Path:
        """Where unsaved texts of configs lie, at their paths below `Configs`."""
        return self.root / "Drafts"

    def put_draft(self, path: str, text: str) -> None:
        """Let an unsaved text stand in for a config file."""
        write_atomic(child_path(self.drafts, *path.split("/")), text.encode())

    def delete(self) -> None:
        """Remove the folder, if it is there."""
        shutil.rmtree(self.root, ignore_errors=True)

    def _copy(self, source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
        # A database that is being written has part of its rows in a file beside it.
        for ending in ("-wal", "-journal"):
            beside = source.with_name(source.name + ending)
            if beside.is_file():
                shutil.copy2(beside, target.with_name(target.name + ending))


def _place(path: Path, real: PublicFolder, copy: PublicFolder) -> Path:
    """Where a file belongs in the copy: at the same place below the same root."""
    if path.is_relative_to(real.discussions_root):
        return copy.discussions_root / path.relative_to(real.discussions_root)
    if real.old_discussions_root and path.is_relative_to(real.old_discussions_root):
        return copy.discussions_root / path.relative_to(real.old_discussions_root)
    return copy.public_root / path.name
