"""Moving everything kept under one API key to another key, or to plain text (memory.md §5, W25)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memory.engine.hashing import hash_api_key
from memory.errors import DiscussionNotFoundError
from memory.stores.contents import is_inside
from memory.stores.encryption import derive_fernet_key, encrypt, find_decrypted, is_token
from memory.stores.json_files import JsonDamageError, decode_text, parse_json
from memory.stores.public_folder import PublicFolder
from memory.types import ApiKey
from wilmer_site.lib.errors import ConflictError
from wilmer_site.lib.files import etag_of, read_limited, write_atomic

_JSON_ENDINGS = (".json", ".jsonl")
_TEXT_ENDINGS = (".md", ".md.bak")


@dataclass(frozen=True, slots=True)
class KeyChange:
    """From which key to which, for the files of one user; without a new key they become plain text."""

    old_key: ApiKey
    new_key: ApiKey | None
    user_name: str | None


@dataclass(frozen=True, slots=True)
class KeyChangeReport:
    """What a change of key did."""

    folder: Path
    """Where the discussions are now."""
    changed: tuple[Path, ...]
    skipped: tuple[Path, ...]
    """Neither tokens of the old or new key, nor readable: left as they are."""


def change_key(folder: PublicFolder, change: KeyChange, *, limit_bytes: int) -> KeyChangeReport:
    """Convert every file below the old key's folder, then give the folder the new key's name.

    Files are converted one by one, each in one step; a change that was cut short is finished by asking again.
    WilmerAI must not run meanwhile. Raises DiscussionNotFoundError, or ConflictError if the new key has
    discussions already.
    """
    source = folder.discussions_root / hash_api_key(change.old_key)
    target = folder.discussions_root / hash_api_key(change.new_key) if change.new_key else source
    if not source.is_dir() or not is_inside(folder.discussions_root, source):
        raise DiscussionNotFoundError(
            f"No discussions are kept under this key in the folder {folder.discussions_root.name}."
        )
    if target != source and target.exists():
        raise ConflictError(f"{target.name} already holds discussions of the new key; move them away first.")
    results = {path: _convert(path, change, limit_bytes) for path in _list_files(source)}
    if target != source:
        source.rename(target)
    moved = {target / path.relative_to(source): result for path, result in results.items()}
    return KeyChangeReport(
        target,
        changed=tuple(path for path, result in moved.items() if result),
        skipped=tuple(path for path, result in moved.items() if result is None),
    )


def _list_files(source: Path) -> Iterator[Path]:
    for path in sorted(source.rglob("*")):
        if path.name.endswith((*_JSON_ENDINGS, *_TEXT_ENDINGS)) and path.is_file() and not path.is_symlink():
            yield path


def _convert(path: Path, change: KeyChange, limit_bytes: int) -> bool | None:
    """True when the file was changed, False when it already was as wanted, None when it is skipped."""
    data = read_limited(path, limit_bytes=limit_bytes)
    old = derive_fernet_key(change.old_key, change.user_name)
    new = derive_fernet_key(change.new_key, change.user_name) if change.new_key else None
    plain = find_decrypted(data, old) if is_token(data) else data
    if plain is None:
        return False if new and find_decrypted(data, new) is not None else None
    if plain is data and (new is None or not _is_usable(path, data)):
        return False if new is None else None
    write_atomic(path, encrypt(plain, new) if new else plain, expected_etag=etag_of(data))
    return True


def _is_usable(path: Path, data: bytes) -> bool:
    try:
        text = decode_text(data)
        if path.name.endswith(".json"):
            parse_json(text)
    except JsonDamageError:
        return False
    return True
