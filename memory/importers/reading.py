"""Any file: which format it is, and everything in it. A damaged record costs that record, never the file."""

from __future__ import annotations

import json
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, BinaryIO

from memory.engine.transcripts import Said
from memory.importers import (
    chatgpt,
    kobold,
    lm_studio,
    open_webui,
    openai_chat,
    sillytavern,
    small_chats,
    text_generation,
)
from memory.importers.archives import ENDINGS, is_archive, list_members
from memory.importers.events import ConversationStart, ImportEvent, ImportProblem
from memory.importers.formats import ChatFormat, SourceFile, list_of
from memory.importers.openai_parts import MAX_ROLE_CHARACTERS
from memory.importers.repair import parse_beginning
from memory.importers.text import BLOCK_BYTES, TextSource

FORMATS: tuple[ChatFormat, ...] = (
    chatgpt.FORMAT,
    open_webui.FORMAT,
    *small_chats.FORMATS,
    kobold.FORMAT,
    text_generation.FORMAT,
    lm_studio.FORMAT,
    sillytavern.FORMAT,
    openai_chat.FORMAT,
)
"""In the order in which they are tried; names and endings of files never count."""

EMPTY = "The file is empty."
UNKNOWN = f"This is no chat of a kind that is known. These are: {', '.join(known.title for known in FORMATS)}."

FIRST_ELEMENTS = FIRST_LINES = 50
"""How far a readable line is looked for in a file that begins with damage."""


@dataclass(frozen=True, slots=True)
class FormatFound:
    """What follows was read in this format."""

    format: ChatFormat
    file: str = ""


ReadEvent = FormatFound | ImportEvent


def read_chats(stream: BinaryIO) -> Iterator[ReadEvent]:
    """Everything in a file or, one after the other, in the files of a ZIP file. `stream` must be seekable.

    Texts are mended so that a database takes them, and that is told. Without any format nothing but problems comes.
    """
    head = stream.read(4)
    stream.seek(0)
    if not head:
        yield ImportProblem(EMPTY)
    elif is_archive(head):
        yield from _read_archive(stream)
    else:
        yield from _read_file(SourceFile(lambda: _rewound(stream)))


def find_format(source: TextSource) -> ChatFormat | None:
    """The format of a text by its beginning; None for none."""
    while len(source.text) < BLOCK_BYTES and source.fill():
        pass
    text = source.text.lstrip("\ufeff \t\r\n\0")
    return next((known for shown in _list_shown(text) for known in FORMATS if known.recognises(shown)), None)


def _read_archive(stream: BinaryIO) -> Iterator[ReadEvent]:
    found_any = False
    ignored = 0
    for member in list_members(stream):
        if isinstance(member, ImportProblem):
            yield member
            continue
        events = _read_member(member)
        first = next(events, None)
        if first is None or (isinstance(first, ImportProblem) and first.text in (EMPTY, UNKNOWN)):
            ignored += 1
            continue
        found_any = True
        yield first
        yield from events
    if not found_any:
        yield ImportProblem("No file in the ZIP file is a chat.")
    elif ignored:
        yield ImportProblem(f"{ignored} other file{'s' if ignored > 1 else ''} in the ZIP file hold no chats.")


def _read_member(member: SourceFile) -> Iterator[ReadEvent]:
    if not member.name.lower().endswith(tuple(ending for ending in ENDINGS if ending)) and "." in member.name:
        return
    try:
        for event in _read_file(member):
            yield replace(event, file=member.name) if isinstance(event, ImportProblem | FormatFound) else event
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError):
        yield ImportProblem("This file of the ZIP file is damaged from here on.", file=member.name)


def _read_file(file: SourceFile) -> Iterator[ReadEvent]:
    source = file.text()
    found = find_format(source)
    if found is None:
        is_empty = not source.text.strip("\ufeff \t\r\n\0")
        yield ImportProblem(EMPTY if is_empty else UNKNOWN)
        return
    yield FormatFound(found)
    number = 0
    for event in found.read(file):
        if not isinstance(event, Said):
            number = 0 if isinstance(event, ConversationStart) else number
            yield event
            continue
        number += 1
        said = mend_said(event)
        if said is not event:
            yield ImportProblem(f"Message {number} holds characters that are no text; U+FFFD stands in their place.")
        yield said
    yield from file.source.problems if file.source else ()


def mend_said(said: Said) -> Said:
    """The same message without NUL and halves of surrogate pairs, which can be neither stored nor hashed."""
    texts = (said.role, said.content, said.name, *said.images)
    if all(_is_clean(text) for text in texts) and len(said.role) <= MAX_ROLE_CHARACTERS:
        return said
    return Said(
        _mend(said.role)[:MAX_ROLE_CHARACTERS],
        _mend(said.content),
        _mend(said.name),
        tuple(_mend(image) for image in said.images),
        said.sent_at,
    )


def _is_clean(text: str) -> bool:
    try:
        return b"\0" not in text.encode()
    except UnicodeEncodeError:
        return False


def _mend(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "\ufffd")


def _list_shown(text: str) -> Iterator[Any]:
    """What the first value shows, then what its elements and single lines show: the first may be damaged."""
    first = parse_beginning(text[:BLOCK_BYTES])
    yield first
    for item in list_of(first)[1:FIRST_ELEMENTS]:
        yield [item]
    for line in text[:BLOCK_BYTES].split("\n", FIRST_LINES)[:FIRST_LINES]:
        if line.lstrip().startswith("{"):
            try:
                yield json.loads(line, strict=False)
            except (json.JSONDecodeError, RecursionError):
                continue


def _rewound(stream: BinaryIO) -> BinaryIO:
    stream.seek(0)
    return stream
