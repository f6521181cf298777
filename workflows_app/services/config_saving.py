"""Configs are read, saved, renamed and deleted here; every content they ever had is kept as a version."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import NotRequired, TypedDict, Unpack

from django.db import transaction

from memory.services import audit
from wilmer_site.lib.errors import ConflictError, TooLargeError, WilmerError
from workflows_app import wiring
from workflows_app.configs.kinds import ConfigKind, find_kind
from workflows_app.engine.config_secrets import mask_alike, restore_text
from workflows_app.engine.json_places import parse, read_value
from workflows_app.errors import ConfigChangedError, ConfigHasErrorsError, ConfigInvalidError, ConfigNotFoundError
from workflows_app.queries.config_checks import find_problems, list_errors
from workflows_app.results import ConfigDocument, Problem, SavedConfig
from workflows_app.services import config_versions
from workflows_app.services.config_versions import get_version, list_versions, name_version
from workflows_app.stores.config_writes import LIMIT_BYTES, NO_FILE, decode, encode, version_of

__all__ = [
    "delete_config",
    "find_config",
    "get_version",
    "list_versions",
    "name_version",
    "preview_save",
    "read_config",
    "rename_config",
    "restore_version",
    "reveal_text",
    "save_config",
]


class Signed(TypedDict):
    """Who saves, and why."""

    author: str
    note: NotRequired[str]
    """What was changed, in a few words."""
    insist_reason: NotRequired[str]
    """Why it is to be saved although it has errors."""


def read_config(path: str) -> ConfigDocument:
    """A file as it is, secrets included. Raises ConfigNotFoundError, FileTooLargeError.

    Show its text through `mask_text` (engine/config_secrets.py) only.
    """
    return _describe(path, wiring.get_config_writer().read(path))


def find_config(path: str) -> ConfigDocument:
    """The same; a file that is not there has an empty text and an empty ETag."""
    return _describe(path, wiring.get_config_writer().find(path))


def save_config(path: str, text: str, *, expected_etag: str, **signed: Unpack[Signed]) -> SavedConfig:
    """Write a text, exactly; masks of secrets become the secrets again. An empty ETag makes a new file.

    Raises ConfigChangedError when the file is not the version the caller saw, ConfigHasErrorsError when the checks
    find errors and no reason to insist is given, ConfigInvalidError for a new file in a folder that nothing reads,
    RefusedError in a read-only console.
    """
    wiring.check_may_write()
    tree = wiring.get_config_writer()
    with tree.lock():
        before = tree.find(path)
        _check_place(path, before)
        text = restore_text(path, text, _seen_text(path, before, expected_etag))
        _check_version(path, before, expected_etag, text)
        data = encode(text, decode(before)[1] if before is not None else "utf-8")
        _check_size(path, data)
        problems = find_problems(path, text)
        reason = signed.get("insist_reason", "").strip()
        if data == before:
            return SavedConfig(path, version_of(data), 0, is_changed=False, problems=problems)
        _check_errors(path, problems, reason)
        note = " · ".join(part for part in (signed.get("note", ""), reason and f"Saved with errors: {reason}") if part)
        number = _write(path, before, data, author=signed["author"], note=note)
    audit.note(signed["author"], "config-saved", path, version=number, errors=len(list_errors(problems)))
    return SavedConfig(path, version_of(data), number, is_changed=True, problems=problems)


def preview_save(path: str, text: str, *, expected_etag: str) -> SavedConfig:
    """What saving would come to; nothing is written. Raises ConfigChangedError."""
    before = wiring.get_config_writer().find(path)
    _check_place(path, before)
    text = restore_text(path, text, _seen_text(path, before, expected_etag))
    _check_version(path, before, expected_etag, text)
    data = encode(text, decode(before)[1] if before is not None else "utf-8")
    return SavedConfig(path, version_of(data), 0, is_changed=data != before, problems=find_problems(path, text))


def reveal_text(path: str, text: str) -> str:
    """A text with masks as it would be saved now. Raises ConfigInvalidError for a mask that stands for nothing."""
    return restore_text(path, text, find_config(path).text)


def delete_config(path: str, *, expected_etag: str, author: str, note: str = "") -> None:
    """Remove a file; its versions stay. Raises ConfigNotFoundError, ConfigChangedError."""
    wiring.check_may_write()
    tree = wiring.get_config_writer()
    with tree.lock():
        before = tree.read(path)
        _check_version(path, before, expected_etag, "")
        with transaction.atomic():
            config_versions.keep_as_found(path, before)
            config_versions.add_version(path, None, author=author, note=note)
            tree.delete(path)
    audit.note(author, "config-deleted", path)


def rename_config(path: str, to: str, *, expected_etag: str, author: str, note: str = "") -> SavedConfig:
    """Give a file another path, its versions with it; what refers to it is not changed.

    Raises ConflictError when something has the new path already.
    """
    wiring.check_may_write()
    tree = wiring.get_config_writer()
    with tree.lock():
        before = tree.read(path)
        _check_version(path, before, expected_etag, "")
        with transaction.atomic():
            config_versions.keep_as_found(path, before)
            config_versions.move_versions(path, to)
            number = config_versions.add_version(to, before, author=author, note=note or f"Renamed from {path}")
            tree.rename(path, to)
    audit.note(author, "config-renamed", path, to=to)
    return SavedConfig(to, version_of(before), number, is_changed=True)


def restore_version(path: str, number: int, *, expected_etag: str, author: str, note: str = "") -> SavedConfig:
    """Write the bytes of a version again, whatever the checks say of them; the file may have been deleted.

    Raises ConfigVersionNotFoundError, ConfigChangedError.
    """
    wiring.check_may_write()
    data, tree = config_versions.get_content(path, number), wiring.get_config_writer()
    if data is None:
        raise ConflictError(f"In version {number} the file was deleted; there is nothing to restore.", path=path)
    with tree.lock():
        before = tree.find(path)
        _check_version(path, before, expected_etag, decode(data)[0])
        if data == before:
            return SavedConfig(path, version_of(data), 0, is_changed=False)
        written = _write(path, before, data, author=author, note=note or f"Restored version {number}")
    audit.note(author, "config-restored", path, version=written, restored=number)
    return SavedConfig(path, version_of(data), written, is_changed=True)


def _write(path: str, before: bytes | None, data: bytes, *, author: str, note: str) -> int:
    """Keep both contents, then write. The caller holds the lock; a failing write takes the versions back."""
    with transaction.atomic():
        config_versions.keep_as_found(path, before)
        number = config_versions.add_version(path, data, author=author, note=note)
        wiring.get_config_writer().write(path, data)
    return number


def _check_version(path: str, before: bytes | None, expected: str, text: str) -> None:
    found = version_of(before)
    if found == expected:
        return
    if expected and before is None:
        raise ConfigNotFoundError(f"{path} was deleted since you opened it.", path=path)
    # One numbering for both, so that a mask in "yours" can never stand for another secret of "theirs".
    (theirs, yours), _ = mask_alike(path, (decode(before or b"")[0], text))
    raise ConfigChangedError(
        f"{path} was changed since you opened it." if expected != NO_FILE else f"There is already a file {path}.",
        path=path,
        expected=expected,
        found=found,
        yours=yours,
        theirs=theirs,
    )


def _check_place(path: str, before: bytes | None) -> None:
    if before is None and find_kind(PurePosixPath(path)) is None:
        folders = ", ".join(sorted({kind.folder for kind in ConfigKind}))
        raise ConfigInvalidError(f"Nothing reads {path}. Config files lie below {folders}.", path=path)


def _check_size(path: str, data: bytes) -> None:
    if len(data) > LIMIT_BYTES:
        raise TooLargeError(
            f"{path} would have {len(data):,} bytes; the console saves at most {LIMIT_BYTES:,}.",
            size=len(data),
            limit=LIMIT_BYTES,
        )


def _seen_text(path: str, before: bytes | None, etag: str) -> str:
    """The text that the caller saw, whose secrets the masks stand for; empty when nobody knows it any more."""
    if version_of(before) == etag:
        return decode(before or b"")[0]
    return decode(config_versions.find_content(path, etag) or b"")[0]


def _check_errors(path: str, problems: tuple[Problem, ...], reason: str) -> None:
    errors = list_errors(problems)
    if errors and not reason:
        raise ConfigHasErrorsError(
            f"{path} has {len(errors)} error{'s' if len(errors) != 1 else ''}, so it was not saved. Mend them, or say "
            "why it is to be saved all the same.",
            path=path,
            problems=errors,
        )


def _describe(path: str, data: bytes | None) -> ConfigDocument:
    text, encoding = decode(data) if data is not None else ("", "utf-8")
    return ConfigDocument(path, text, version_of(data), _kind_of(path, text), encoding)


def _kind_of(path: str, text: str) -> str:
    try:
        document = read_value(text, parse(text).root)
    except WilmerError:
        document = None
    return find_kind(PurePosixPath(path), document) or ""
