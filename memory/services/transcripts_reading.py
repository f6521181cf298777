"""A file that was brought in becomes conversations that a person can choose from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import BinaryIO

from memory.engine.discussion_ids import find_discussion_id
from memory.engine.transcript_files import FileContents, FoundConversation, FoundProblem
from memory.engine.transcripts import Said
from memory.importers.events import ConversationStart, ImportProblem
from memory.importers.reading import FormatFound, ReadEvent, read_chats
from memory.stores.uploads import ConversationWriter, Upload
from memory.types import Message

MAX_PROBLEMS = 200
"""How many problems are kept word by word; all are counted."""

MAX_CONVERSATIONS = 5_000
OPENING_CHARACTERS = 160
REPORT_EVERY = 200
CONTENTS = "contents"

ReadReport = Callable[[int, int], None]
"""Told how many bytes were read and how many messages were found."""


def read_upload(upload: Upload, report: ReadReport = lambda _bytes, _messages: None) -> FileContents:
    """Read a file, lay its conversations down and note what was found; conversations without messages are told of."""
    with upload.open_source() as stream:
        reader = _Reader(upload)
        for count, event in enumerate(read_chats(stream), 1):
            reader.take(event)
            if count % REPORT_EVERY == 0:
                report(_place(stream), reader.messages)
        contents = reader.finish()
    upload.write_notes(CONTENTS, contents.to_json())
    return contents


def find_contents(upload: Upload) -> FileContents | None:
    """What was found in a file; None while it was not read."""
    notes = upload.read_notes(CONTENTS)
    return FileContents.from_json(notes) if notes else None


def _place(stream: BinaryIO) -> int:
    return stream.tell()


@dataclass(slots=True)
class _Facts:
    """What is known of the conversation at hand."""

    title: str
    discussion_id: str
    count: int = 0
    first_at: str = ""
    last_at: str = ""
    opening: str = ""

    def note(self, said: Said) -> None:
        """Take a message into account."""
        self.count += 1
        if said.sent_at:
            self.first_at = self.first_at or said.sent_at.isoformat()
            self.last_at = said.sent_at.isoformat()
        if not self.discussion_id and "[DiscussionId]" in said.content:
            self.discussion_id = find_discussion_id([Message(said.role, said.content)]) or ""
        if not self.opening and said.role != "system":
            self.opening = said.content.strip()[:OPENING_CHARACTERS]


@dataclass(slots=True)
class _Reader:
    """Sorts events into conversations, one of which is open."""

    upload: Upload
    format: str = ""
    format_title: str = ""
    found: list[FoundConversation] = field(default_factory=list)
    problems: list[FoundProblem] = field(default_factory=list)
    problem_count: int = 0
    messages: int = 0
    _facts: _Facts | None = None
    _writer: ConversationWriter | None = None
    _open: ExitStack = field(default_factory=ExitStack)

    def take(self, event: ReadEvent) -> None:
        """One thing that an importer found."""
        if isinstance(event, FormatFound):
            self.format, self.format_title = event.format.name, event.format.title
        elif isinstance(event, ImportProblem):
            self._note(event)
        elif isinstance(event, ConversationStart):
            self._end()
            self._begin(event)
        else:
            self._add(event)

    def finish(self) -> FileContents:
        """Everything that was found."""
        self._end()
        return FileContents(self.format, self.format_title, tuple(self.found), tuple(self.problems), self.problem_count)

    def _begin(self, start: ConversationStart) -> None:
        self._facts = _Facts(start.title.strip()[:200], start.discussion_id)
        self._writer = self._open.enter_context(self.upload.writing(len(self.found) + 1))

    def _add(self, said: Said) -> None:
        if self._facts is None or self._writer is None:
            self._begin(ConversationStart())
        if self._facts and self._writer:
            self._facts.note(said)
            self._writer.add(said)
            self.messages += 1

    def _end(self) -> None:
        self._open.close()
        facts, self._facts, self._writer = self._facts, None, None
        if facts is None:
            return
        if not facts.count:
            self._note(ImportProblem(f"The conversation {facts.title!r} has no messages." if facts.title
                                     else "A conversation has no messages."))  # fmt: skip
        elif len(self.found) >= MAX_CONVERSATIONS:
            self._note(ImportProblem(f"More than {MAX_CONVERSATIONS:,} conversations; the rest was left out."))
        else:
            self.found.append(_build(len(self.found) + 1, facts))

    def _note(self, problem: ImportProblem) -> None:
        self.problem_count += 1
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(FoundProblem(problem.text, problem.line, problem.column, problem.file))


def _build(number: int, facts: _Facts) -> FoundConversation:
    return FoundConversation(
        number=number,
        title=facts.title,
        count=facts.count,
        first_at=facts.first_at,
        last_at=facts.last_at,
        discussion_id=facts.discussion_id,
        opening=facts.opening,
    )


def list_problem_lines(contents: FileContents) -> Iterator[str]:
    """Each problem as one line for a terminal."""
    for problem in contents.problems:
        place = f" (line {problem.line})" if problem.line else ""
        file = f"{problem.file}: " if problem.file else ""
        yield f"{file}{problem.text}{place}"
