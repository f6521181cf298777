"""Config files made, copied, renamed with everything that names them, and deleted; each can be undone in one step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.core import signing

from wilmer_site.lib.errors import ConflictError
from workflows_app.engine import json_text
from workflows_app.errors import ConfigHasErrorsError, ConfigInvalidError
from workflows_app.queries.config_plans import FileEdit, path_beside, plan_delete, plan_rename
from workflows_app.results import SavedConfig
from workflows_app.services.config_saving import (
    delete_config,
    find_config,
    list_versions,
    read_config,
    rename_config,
    restore_version,
    save_config,
)

_SALT = "workflows_app.config-undo"
_UNDO_SECONDS = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class UndoStep:
    """One thing to do so that a change is taken back."""

    action: str
    """`restore`, `rename` or `delete`."""
    path: str
    etag: str
    """What the file must be like, so that nobody's later work is lost; empty: it must not be there."""
    wanted: str = ""
    """The ETag of the content to restore."""
    to: str = ""


@dataclass(frozen=True, slots=True)
class ConfigChange:
    """What was done."""

    path: str
    """Where the file is now; where it was when it was deleted."""
    changed: tuple[str, ...] = ()
    """Other files that were written."""
    undo: tuple[UndoStep, ...] = field(default=(), repr=False)
    """In the order in which they have to be done."""

    @property
    def token(self) -> str:
        """The undo steps, signed, for a form or a program to hand back within a week."""
        return signing.dumps([[s.action, s.path, s.etag, s.wanted, s.to] for s in self.undo], salt=_SALT, compress=True)


def create_config(path: str, text: str, *, author: str, note: str = "Made", insist_reason: str = "") -> ConfigChange:
    """Make a new file. Raises ConfigChangedError when it exists, ConfigHasErrorsError."""
    saved = save_config(path, text, expected_etag="", author=author, note=note, insist_reason=insist_reason)
    return ConfigChange(path, undo=(UndoStep("delete", path, saved.etag),))


def copy_config(path: str, name: str, *, author: str) -> ConfigChange:
    """A copy of a file, secrets and faults included, under another name in the same folder."""
    to = path_beside(path, name)
    work = ConfigWork(author, f"Copied from {path}")
    with work:
        work.create(to, read_config(path).text)
    return work.result(to)


def rename_everywhere(
    path: str, name: str, *, expected_etag: str, author: str, is_breaking_meant: bool = False
) -> ConfigChange:
    """Give a file another name and let everything that names it follow, or do nothing at all.

    Raises ConflictError when the plan has obstacles, or warnings and breaking that is not meant; ConfigChangedError.
    """
    plan = plan_rename(path, name)
    if plan.obstacles:
        raise ConflictError(" ".join(plan.obstacles), path=path, obstacles=list(plan.obstacles))
    if plan.warnings and not is_breaking_meant:
        raise ConflictError(" ".join(plan.warnings), path=path, warnings=list(plan.warnings))
    work = ConfigWork(author, f"Follows the new name of {path}: {plan.to}")
    with work:
        own = [edit for edit in plan.edits if edit.path == path]
        etag = work.edit(own[0], expected_etag) if own else expected_etag
        work.rename(path, plan.to, etag)
        for edit in plan.edits:
            if edit.path != path:
                work.edit(edit)
    return work.result(plan.to)


def delete_everywhere(path: str, *, expected_etag: str, author: str, is_breaking_meant: bool = False) -> ConfigChange:
    """Delete a file; its versions stay. Raises ConflictError when something would break and that is not meant."""
    plan = plan_delete(path)
    if not plan.is_harmless and not is_breaking_meant:
        places = [f"{reference.source} ({reference.place})" for reference in plan.breaks] + list(plan.reasons)
        raise ConflictError(f"{path} is in use: {'; '.join(places[:20])}.", path=path, breaks=places)
    delete_config(path, expected_etag=expected_etag, author=author, note="Deleted")
    return ConfigChange(path, undo=(UndoStep("restore", path, "", expected_etag),))


def undo_change(token: str, *, author: str) -> tuple[str, ...]:
    """Take a change back; gives the paths that were written, a file that got its name back first.

    Raises ConfigInvalidError for a token that is not ours or too old, and ConflictError, before anything is done, when
    one of the files was changed since.
    """
    try:
        rows = signing.loads(token, salt=_SALT, max_age=_UNDO_SECONDS)
    except signing.BadSignature:
        raise ConfigInvalidError("This cannot be undone here any more; the versions of the file are kept.") from None
    steps = [UndoStep(*row) for row in rows]
    coming = {step.to for step in steps}
    for step in steps:
        found = find_config(step.path).etag
        if found != step.etag and not (found == "" and step.path in coming):
            raise ConflictError(f"{step.path} was changed since; undo it by its versions.", path=step.path)
    _take_back(steps, author)
    return tuple(dict.fromkeys([*filter(None, (step.to for step in steps)), *(step.path for step in steps)]))


class ConfigWork:
    """Several changes that are made together or not at all: use it with `with`, then ask for the result."""

    def __init__(self, author: str, note: str) -> None:
        self._author, self._note = author, note
        self._undo: list[UndoStep] = []
        self._changed: list[str] = []

    def __enter__(self) -> ConfigWork:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            _take_back(self._undo, self._author)

    def create(self, path: str, text: str) -> None:
        """Make a file. Raises ConfigChangedError when there is one."""
        saved = self._write(path, text, "")
        self._changed.append(path)
        self._undo.insert(0, UndoStep("delete", path, saved.etag))

    def save(self, path: str, text: str, expected_etag: str) -> str:
        """Replace the text of a file; gives its new ETag. Raises ConfigChangedError."""
        saved = self._write(path, text, expected_etag)
        if saved.is_changed:
            self._changed.append(path)
            self._undo.insert(0, UndoStep("restore", path, saved.etag, expected_etag))
        return saved.etag

    def _write(self, path: str, text: str, etag: str) -> SavedConfig:
        """Errors do not stand in the way: the file had them before, or what it names is still to come."""
        try:
            return save_config(path, text, expected_etag=etag, author=self._author, note=self._note)
        except ConfigHasErrorsError:
            reason = "one of several changes that belong together"
            return save_config(
                path, text, expected_etag=etag, author=self._author, note=self._note, insist_reason=reason
            )

    def edit(self, edit: FileEdit, expected_etag: str | None = None) -> str:
        """Set single values; gives the new ETag."""
        document = read_config(edit.path)
        text = document.text
        for pointer, value in edit.values:
            text = json_text.set_value(text, pointer, value)
        etag = document.etag if expected_etag is None else expected_etag
        return self.save(edit.path, text, etag)

    def rename(self, path: str, to: str, etag: str) -> None:
        """Give a file another path."""
        saved = rename_config(path, to, expected_etag=etag, author=self._author)
        self._undo.insert(0, UndoStep("rename", to, saved.etag, to=path))

    def result(self, path: str) -> ConfigChange:
        """What was done, told by the file that matters most."""
        return ConfigChange(path, tuple(other for other in self._changed if other != path), tuple(self._undo))


def _take_back(steps: Sequence[UndoStep], author: str) -> None:
    for step in steps:
        if step.action == "delete":
            delete_config(step.path, expected_etag=step.etag, author=author, note="Taken back")
        elif step.action == "rename":
            rename_config(step.path, step.to, expected_etag=step.etag, author=author, note="Name taken back")
        else:
            number = _find_version(step.path, step.wanted)
            restore_version(step.path, number, expected_etag=step.etag, author=author, note="Taken back")


def _find_version(path: str, etag: str) -> int:
    for version in list_versions(path, limit=5_000):
        if version.digest == etag:
            return version.number
    raise ConflictError(f"The former content of {path} is no longer kept.", path=path)
