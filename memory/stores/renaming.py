"""The files of a discussion under another id: every generation of names, and the ids inside the database."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from memory.stores.belongings import exists, find_home, list_belongings, list_roots
from memory.stores.public_folder import PublicFolder
from memory.stores.staging import DiscussionExistsError, rename_in_path, rename_rows
from memory.types import Artefact, DiscussionRef


def rename_files(folder: PublicFolder, old: DiscussionRef, new: DiscussionRef) -> int:
    """Rename everything that belongs to a discussion; returns how many files that are.

    Use it under the locks of both names. When one cannot be renamed, those that were get their old names back.
    Raises DiscussionExistsError, LinkedFolderError or OSError.
    """
    steps = list(_list_steps(folder, old, new))
    taken = [target.name for _, target in steps if exists(target)]
    if taken:
        raise DiscussionExistsError(f"{', '.join(taken)} exists already.", discussion=new.text)
    databases = [item.path for item in list_belongings(folder, old) if item.artefact is Artefact.VECTOR_MEMORY]
    count = len(list_belongings(folder, old))
    with contextlib.ExitStack() as undo:
        for path in databases:
            rename_rows(path, old.discussion_id, new.discussion_id)
            undo.callback(_rename_back, path, new, old)
        for source, target in steps:
            source.rename(target)
            undo.callback(target.rename, source)
        undo.pop_all()
    return count


def finish_renaming(folder: PublicFolder, old: DiscussionRef, new: DiscussionRef) -> int:
    """Go on with a renaming that was cut off; returns how many files got their new name.

    Use it under the locks of both names. What was written under the old name since stays there when its new name is
    taken: nothing is overwritten.
    """
    count = 0
    for source, target in list(_list_steps(folder, old, new)):
        if exists(source) and not exists(target):
            source.rename(target)
            count += 1
    for item in list_belongings(folder, new):
        if item.artefact is Artefact.VECTOR_MEMORY:
            rename_rows(item.path, old.discussion_id, new.discussion_id)
    return count


def _list_steps(folder: PublicFolder, old: DiscussionRef, new: DiscussionRef) -> Iterator[tuple[Path, Path]]:
    """Files beside the folder first, then those in it whose names carry the id, then the folder itself."""
    roots, home = list_roots(folder), find_home(folder, old)
    for item in list_belongings(folder, old):
        root = roots[item.root]
        target = root / rename_in_path(item.relative_to(root), old, new)
        if item.path.parent != home:
            yield item.path, target
        elif item.path.name != target.name:
            yield item.path, item.path.with_name(target.name)
    if home.is_dir():
        yield home, home.with_name(new.discussion_id)


def _rename_back(path: Path, new: DiscussionRef, old: DiscussionRef) -> None:
    rename_rows(path, new.discussion_id, old.discussion_id)
