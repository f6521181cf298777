"""Contents that a file once had, read as the file itself would be."""

from __future__ import annotations

import json
from dataclasses import dataclass

from memory.stores.encryption import FileKeys, is_token
from memory.stores.json_files import JsonDamageError, decode_text, parse_entries, parse_json
from memory.types import Artefact, Entry, FileState

LISTS = frozenset({Artefact.MEMORIES, Artefact.SUMMARY, Artefact.COMPACTOR_OLD, Artefact.COMPACTOR_OLDEST})
TEXTS = frozenset({Artefact.STATE_DOCUMENT, Artefact.STATE_DOCUMENT_BACKUP})


@dataclass(frozen=True, slots=True)
class PastContent:
    """One content, opened if a key at hand fits."""

    state: FileState
    text: str = ""
    """Decrypted; JSON objects laid out for reading."""
    entries: tuple[Entry, ...] = ()
    """Of a list file."""
    is_encrypted: bool = False
    problem: str = ""


ABSENT = PastContent(FileState.ABSENT)


def read_past(artefact: Artefact, data: bytes | None, keys: FileKeys) -> PastContent:
    """What bytes that a file once held say; raises nothing for damage or a missing key."""
    if data is None:
        return ABSENT
    is_encrypted = is_token(data)
    opened = keys.find_opened(data) if is_encrypted else None
    if is_encrypted and opened is None:
        return PastContent(FileState.LOCKED, is_encrypted=True, problem="Encrypted, and the key is missing or wrong.")
    plain = opened.data if opened else data
    try:
        return _parse(artefact, decode_text(plain), is_encrypted=is_encrypted)
    except JsonDamageError as error:
        text = plain.decode("utf-8", "replace")
        return PastContent(FileState.DAMAGED, text, is_encrypted=is_encrypted, problem=str(error))


def _parse(artefact: Artefact, text: str, *, is_encrypted: bool) -> PastContent:
    state = FileState.PRESENT if text.strip() else FileState.EMPTY
    if artefact in TEXTS or state is FileState.EMPTY:
        return PastContent(state, text, is_encrypted=is_encrypted)
    if artefact in LISTS:
        parsed = parse_entries(text, may_be_lines=True)
        return PastContent(state, text, parsed.entries, is_encrypted)
    laid_out = json.dumps(parse_json(text), indent=4, ensure_ascii=False)
    return PastContent(state, laid_out, is_encrypted=is_encrypted)
