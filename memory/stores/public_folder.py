"""Where the roots of one WilmerAI installation lie (memory.md §3.1)."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class PublicFolder:
    """The folders that one installation reads and writes."""

    public_root: Path
    config_root: Path
    discussions_root: Path
    install_root: Path | None = None
    """Where WilmerAI itself lies, if it is known: its own `Public` folder is an old place for discussions."""
    working_folder: Path | None = None
    """The folder WilmerAI is started in, if it is known: old vector databases lie in its `Public` folder."""

    @property
    def old_discussions_root(self) -> Path | None:
        """The fixed place of former days; None if unknown, or if it is the place in use (memory.md §3.2)."""
        if self.install_root is None:
            return None
        old = self.install_root / "Public" / "DiscussionIds"
        return None if old == self.discussions_root else old

    @property
    def old_database_folders(self) -> tuple[Path, ...]:
        """The folders where WilmerAI itself looks for `<id>_vector_memory.db`, in order (memory.md §3.5)."""
        roots = (self.install_root, self.working_folder)
        return tuple(dict.fromkeys(root / "Public" for root in roots if root is not None))


@dataclass(frozen=True, slots=True)
class RootChoices:
    """What flags and user settings say about the roots; blank means not set."""

    install_root: Path | None = None
    working_folder: Path | None = None
    public_directory: str | None = None
    config_directory: str | None = None
    discussion_directory: str | None = None
    user_discussion_directory: str | None = None


def build_public_folder(choices: RootChoices) -> PublicFolder:
    """The roots that follow from flags and settings; nothing is looked at on disk but home folders.

    Raises ValueError when there is neither a public directory nor an install folder.
    """
    public = _expand(choices.public_directory)
    if public is None:
        if choices.install_root is None:
            raise ValueError("Neither a public directory nor an install folder is set.")
        public = choices.install_root / "Public"
    discussions = _expand(choices.discussion_directory) or _expand(choices.user_discussion_directory)
    return PublicFolder(
        public_root=public,
        config_root=_expand(choices.config_directory) or public / "Configs",
        discussions_root=discussions or public / "DiscussionIds",
        install_root=choices.install_root,
        working_folder=choices.working_folder,
    )


def _expand(text: str | None) -> Path | None:
    """The path with `~` or `~name` replaced by that home folder; unknown names stay as they are."""
    if text is None or not text.strip():
        return None
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path.expanduser raises for an unknown name
