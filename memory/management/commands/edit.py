"""`manage.py edit`: chunks, the rolling summary, the state document and vector memories from the terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.management.commands._answers import STANDARD_INPUT, add_discussion, editor_of, read_text, tell_outcome
from memory.services import chunks_editing, texts_editing, vector_memories_editing
from memory.services.chunks_editing import Remainder, Removal
from memory.services.editing import Editor, Outcome
from memory.services.texts_editing import SummaryEdit
from memory.services.vector_memories_editing import MemoryEdit, MemoryRemoval
from wilmer_site.lib.errors import WilmerError


class Command(BaseCommand):
    """Every layer stays in step, as on the pages; every change can be taken back."""

    help = (
        "Change one thing that is remembered. What follows from it is printed with the command that takes it back; "
        "--dry-run only prints. Texts come from --text or from a file (- for standard input)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parts = parser.add_subparsers(dest="part", required=True, metavar="what")
        chunk = _add_part(parts, "chunk", "give a chunk another text", has_text=True)
        chunk.add_argument("number", type=int, metavar="N", help="from 1, the oldest")
        gone = _add_part(parts, "delete-chunks", "delete chunks")
        gone.add_argument("numbers", type=int, nargs="+", metavar="N")
        gone.add_argument("--leave-links", action="store_true", help="do not move the summary's link and the tracker")
        gone.add_argument("--remainder", choices=[item.value for item in Remainder], help="when no chunk is left")
        _add_part(parts, "summary", "give the rolling summary another text", has_text=True)
        _add_part(parts, "state-document", "give the state document another text", has_text=True)
        _add_part(parts, "add-memory", "add a vector memory", has_text=True)
        memory = _add_part(parts, "memory", "give a vector memory another text", has_text=True)
        memory.add_argument("number", type=int, metavar="N", help="the memory's id")
        forgotten = _add_part(parts, "delete-memories", "delete vector memories")
        forgotten.add_argument("numbers", type=int, nargs="+", metavar="N")
        forgotten.add_argument("--process-again", action="store_true", help="cut the hash log back as well")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            outcome = _CHANGES[options["part"]](editor_of(options), options)
            self.stdout.write(tell_outcome(options, outcome))
        except WilmerError as error:
            raise CommandError(error.message) from None
        except OSError as error:
            raise CommandError(f"{error.filename or 'The file'} cannot be used: {error.strerror}.") from None


def _add_part(parts: Any, name: str, help_text: str, *, has_text: bool = False) -> CommandParser:
    parser: CommandParser = parts.add_parser(name, help=help_text)
    add_discussion(parser)
    parser.add_argument("--dry-run", action="store_true", help="only tell what would follow")
    if has_text:
        source = parser.add_mutually_exclusive_group()
        source.add_argument("--text", help="the new text")
        source.add_argument("--from", dest="text_from", default=STANDARD_INPUT, metavar="FILE", help="a UTF-8 file")
    return parser


def _delete_chunks(editor: Editor, options: dict[str, Any]) -> Outcome:
    remainder = Remainder(options["remainder"]) if options["remainder"] else None
    removal = Removal(dict.fromkeys(options["numbers"]), not options["leave_links"], remainder)
    return chunks_editing.delete_chunks(editor, removal)


def _delete_memories(editor: Editor, options: dict[str, Any]) -> Outcome:
    removal = MemoryRemoval(dict.fromkeys(options["numbers"]), options["process_again"])
    return vector_memories_editing.remove_memories(editor, removal)


_CHANGES: dict[str, Callable[[Editor, dict[str, Any]], Outcome]] = {
    "chunk": lambda editor, options: chunks_editing.edit_chunk(editor, options["number"], read_text(options)),
    "delete-chunks": _delete_chunks,
    "summary": lambda editor, options: texts_editing.edit_summary(editor, SummaryEdit(read_text(options))),
    "state-document": lambda editor, options: texts_editing.edit_state_document(editor, read_text(options)),
    "add-memory": lambda editor, options: vector_memories_editing.add_memory(editor, MemoryEdit(read_text(options))),
    "memory": lambda editor, options: vector_memories_editing.change_memory(
        editor, options["number"], MemoryEdit(read_text(options))
    ),
    "delete-memories": _delete_memories,
}
