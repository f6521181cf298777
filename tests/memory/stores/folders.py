"""Small public folders for tests."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memory.stores.discussion_files import DiscussionFiles
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder, RootChoices, build_public_folder
from memory.types import ApiKey, DiscussionId, DiscussionRef, KeyHash

LIMIT_BYTES = 1_000_000


def make_tree(root: Path, tree: Sequence[str]) -> None:
    """Empty files below `root`; a trailing slash makes a folder."""
    for name in tree:
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()


def list_tree(root: Path) -> set[str]:
    """Everything below `root`, folders with a trailing slash."""
    return {f"{path.relative_to(root).as_posix()}{'/' if path.is_dir() else ''}" for path in root.rglob("*")}


def public_folder(root: Path) -> PublicFolder:
    """`root` as a public folder."""
    return build_public_folder(RootChoices(public_directory=str(root)))


def a_ref(text: str = "talk-1", key_hash: str | None = None) -> DiscussionRef:
    return DiscussionRef(DiscussionId(text), KeyHash(key_hash) if key_hash else None)


def open_files(
    root: Path,
    ref: DiscussionRef | None = None,
    *,
    api_key: str | None = None,
    user_names: Sequence[str] = (),
    limit_bytes: int = LIMIT_BYTES,
) -> DiscussionFiles:
    """The files of `talk-1`, or another discussion, in `root` as a public folder."""
    return DiscussionFolders(public_folder(root)).open(
        ref or a_ref(), api_key=ApiKey(api_key) if api_key else None, user_names=user_names, limit_bytes=limit_bytes
    )


def write_file(root: Path, name: str, content: bytes | str | list[Any] | dict[str, Any] = b"[]") -> Path:
    """One file below `<root>/DiscussionIds/`."""
    path = root / "DiscussionIds" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if not isinstance(content, bytes | str):
        content = json.dumps(content)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def entries(*texts: str) -> list[dict[str, str]]:
    """Entries as objects: text `a` has hash `hash-a`."""
    return [{"text_block": text, "hash": f"hash-{text}"} for text in texts]


def write_user(root: Path, name: str, *, is_current: bool = True, **values: Any) -> None:
    """A user file, and the name of the current user."""
    users = root / "Configs" / "Users"
    users.mkdir(parents=True, exist_ok=True)
    (users / f"{name.lower()}.json").write_text(json.dumps(values))
    if is_current:
        (users / "_current-user.json").write_text(json.dumps({"currentUser": name}))
