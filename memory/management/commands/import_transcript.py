"""`manage.py import_transcript`: attach a chat to a discussion, or only say what that would do."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.engine.transcripts import VARIANTS
from memory.services.transcripts_file import FileImport, FileRequest, import_file
from memory.services.transcripts_reading import list_problem_lines
from memory.types import DiscussionRef
from wilmer_site.lib.errors import WilmerError

STANDARD_INPUT = "-"
BLOCK_BYTES = 1024 * 1024


class Command(BaseCommand):
    """Prints what was found, how the hashes agree and what was done."""

    help = (
        "Attach a chat to a discussion. The format is found by what is in the file. A longer chat adds what is new; "
        "one that would take stored messages away needs --replace. WilmerAI's own files stay as they are."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--discussion", metavar="ID", required=True, help="its id, or keyhash:id")
        parser.add_argument("--file", metavar="FILE", required=True, help="the chat; - reads standard input")
        parser.add_argument("--conversation", metavar="N", type=int, help="which one of a file with several")
        parser.add_argument("--variant", choices=[variant.code for variant in VARIANTS], default="", help="hash form")
        parser.add_argument("--replace", action="store_true", help="give up messages that the file does not have")
        parser.add_argument("--dry-run", action="store_true", help="only say what would happen")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            done = import_file(_build_request(options), _read(options["file"]))
        except WilmerError as error:
            raise CommandError("\n".join([error.message, *_list_conversations(error)])) from None
        self.stdout.write("\n".join(format_import(done)))


def format_import(done: FileImport) -> Iterator[str]:
    """What was found, how well each hash form agrees, and what was done."""
    contents, change = done.contents, done.change
    yield f"{contents.format_title}: {done.conversation.count:,} messages"
    for match in done.matches:
        mark = "*" if match.variant == done.variant else " "
        rate = f"{match.found} of {match.total} stored hashes" if match.total else "nothing stored to compare with"
        yield f"  {mark} {match.variant.code:<22} {rate}"
    word = "would be" if done.result is None else "were"
    added, removed, kept = change.count_coming, change.count_going, change.count_kept
    yield f"{change.outcome.value}: {added:,} messages {word} added, {removed:,} taken away, {kept:,} kept"
    yield from (f"  note: {line}" for line in list_problem_lines(contents))


def _build_request(options: Mapping[str, Any]) -> FileRequest:
    return FileRequest(
        ref=DiscussionRef.parse(options["discussion"]),
        name=Path(options["file"]).name,
        conversation=options["conversation"],
        variant=options["variant"],
        replaces=options["replace"],
        is_dry_run=options["dry_run"],
        actor="command line",
    )


def _read(name: str) -> Iterable[bytes]:
    try:
        with sys.stdin.buffer if name == STANDARD_INPUT else Path(name).open("rb") as stream:
            while block := stream.read(BLOCK_BYTES):
                yield block
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}.") from None


def _list_conversations(error: WilmerError) -> Iterator[str]:
    for one in error.extra.get("conversations", ()):
        yield f"  --conversation {one['number']}: {one['title'] or 'without a title'} ({one['messages']} messages)"
