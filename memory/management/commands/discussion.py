"""`manage.py discussion`: export, import, copy, roll back, trash and undo from the terminal."""

from __future__ import annotations

import contextlib
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.engine.rollback import RollbackPoint
from memory.engine.wording import format_count
from memory.management.commands._answers import keys_of
from memory.services.archive_imports import ImportChoice, import_archive, plan_import
from memory.services.archives import ArchiveOrder, export_archive
from memory.services.forking import GROUPS, CopyOrder, copy_discussion, plan_copy
from memory.services.renaming import plan_rename, rename_discussion
from memory.services.restoring import UndoConflictError, undo_batch
from memory.services.rollback import plan_rollback, roll_back
from memory.services.rollback_words import describe_plan
from memory.services.trash import list_trash, purge_trashed, restore_trashed, trash_discussion
from memory.types import DiscussionRef
from wilmer_site.lib.errors import WilmerError

ACTOR = "command line"


class Command(BaseCommand):
    """Everyday work on whole discussions. Discussions are named by their id, or keyhash:id."""

    help = (
        "Work on whole discussions: export, import, copy, rename, rollback, undo, trash, restore, purge. "
        "Everything but a purge can be taken back; `--dry-run` of copy, rename, rollback and import changes nothing."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parts = parser.add_subparsers(dest="part", required=True, metavar="what")
        export = parts.add_parser("export", help="write discussions into a ZIP file")
        export.add_argument("ids", nargs="+", metavar="ID")
        export.add_argument("--to", required=True, metavar="FILE", help="the ZIP file to write; - for standard output")
        export.add_argument("--no-history", action="store_true", help="leave the history out")
        export.add_argument("--no-transcripts", action="store_true", help="leave attached chats out")
        taken = parts.add_parser("import", help="import the discussions of a ZIP file")
        taken.add_argument("file", metavar="FILE")
        taken.add_argument("--as", dest="new_id", metavar="ID", help="another id, for an archive of one discussion")
        taken.add_argument("--replace", action="store_true", help="move discussions of the same id to the trash first")
        taken.add_argument("--dry-run", action="store_true", help="only tell what is in it")
        copy = parts.add_parser("copy", help="copy a discussion into a new one, or fork it before a message")
        copy.add_argument("id", metavar="ID")
        copy.add_argument("new_id", metavar="NEW-ID")
        copy.add_argument("--before-message", type=int, metavar="N", help="leave out this message and later ones")
        copy.add_argument("--only", nargs="+", choices=tuple(GROUPS), help="carry over only these parts")
        copy.add_argument("--no-transcript", action="store_true", help="leave the attached chat out")
        copy.add_argument("--dry-run", action="store_true", help="only tell what would be copied")
        copy.add_argument("--ask-key", action="store_true", help="ask for the key of an encrypted discussion")
        rename = parts.add_parser("rename", help="give a discussion another id")
        rename.add_argument("id", metavar="ID")
        rename.add_argument("new_id", metavar="NEW-ID")
        rename.add_argument("--dry-run", action="store_true", help="only tell what would be renamed")
        back = parts.add_parser("rollback", help="forget everything from a point on, in every layer")
        back.add_argument("id", metavar="ID")
        back.add_argument("--from-message", type=int, metavar="N", help="the first message to forget")
        back.add_argument("--keep-chunk", type=int, metavar="N", help="the last chunk to keep; 0 for none")
        back.add_argument("--dry-run", action="store_true", help="only tell what would go")
        back.add_argument("--ask-key", action="store_true", help="ask for the key of an encrypted discussion")
        undo = parts.add_parser("undo", help="take back a whole action")
        undo.add_argument("id", metavar="ID")
        undo.add_argument("batch", metavar="BATCH")
        undo.add_argument("--force", action="store_true", help="also when somebody wrote since")
        undo.add_argument("--ask-key", action="store_true", help="ask for the key of an encrypted discussion")
        parts.add_parser("trash", help="move a discussion to the trash").add_argument("id", metavar="ID")
        parts.add_parser("list-trash", help="list deleted discussions")
        parts.add_parser("restore", help="put a deleted discussion back").add_argument("name", metavar="NAME")
        purge = parts.add_parser("purge", help="delete discussions in the trash for ever, with their history")
        purge.add_argument("names", nargs="+", metavar="NAME")
        purge.add_argument("--count", type=int, required=True, help="how many are to go, as a check")

    def handle(self, *args: object, **options: Any) -> None:
        parts: dict[str, Callable[[dict[str, Any]], str]] = {
            "export": _export,
            "import": _import,
            "copy": _copy,
            "rename": _rename,
            "rollback": _rollback,
            "undo": _undo,
            "trash": _trash,
            "list-trash": _list_trash,
            "restore": _restore,
            "purge": _purge,
        }
        try:
            said = parts[options["part"]](options)
        except WilmerError as error:
            raise CommandError(error.message) from None
        except OSError as error:
            raise CommandError(f"{error.filename or 'The file'} cannot be used: {error.strerror}.") from None
        if said:
            self.stdout.write(said)


def _export(options: dict[str, Any]) -> str:
    refs = tuple(DiscussionRef.parse(text) for text in options["ids"])
    order = ArchiveOrder(refs, not options["no_history"], not options["no_transcripts"])
    parts = export_archive(order)
    if options["to"] == "-":
        for part in parts:
            sys.stdout.buffer.write(part)
        return ""
    with Path(options["to"]).open("xb") as stream, _whole_or_gone(Path(options["to"])):
        for part in parts:
            stream.write(part)
    return f"{format_count(len(refs), 'discussion')} exported to {options['to']}."


@contextlib.contextmanager
def _whole_or_gone(path: Path) -> Iterator[None]:
    """Remove a file that could not be written to its end."""
    try:
        yield
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _import(options: dict[str, Any]) -> str:
    path = Path(options["file"])
    plan = plan_import(path)
    if options["dry_run"]:
        return "\n".join(f"{item.ref.text}: {item.files} files. {item.obstacle}".strip() for item in plan.items)
    if options["new_id"] and len(plan.items) != 1:
        raise CommandError(f"--as is for archives of one discussion; this one has {len(plan.items)}.")
    choices = [ImportChoice(item.number, options["new_id"] or "", options["replace"]) for item in plan.items]
    done = import_archive(path, choices, actor=ACTOR)
    if done.refused:
        raise CommandError(done.describe())
    return done.describe()


def _copy(options: dict[str, Any]) -> str:
    point = None if options["before_message"] is None else RollbackPoint(message=options["before_message"])
    groups = tuple(options["only"] or GROUPS)
    order = CopyOrder(options["new_id"], groups, not options["no_transcript"], point)
    ref, keys = DiscussionRef.parse(options["id"]), keys_of(options)
    if options["dry_run"]:
        copied, left_out = plan_copy(ref, order, keys=keys)
    else:
        copied, left_out = copy_discussion(ref, order, actor=ACTOR, keys=keys), None
    lines = [f"{copied.ref.text}: {format_count(copied.files, 'file')}, {format_count(copied.messages, 'message')}."]
    lines += ["Left out of it:", *describe_plan(left_out)] if left_out else []
    return "\n".join([*lines, *(["Nothing was changed."] if options["dry_run"] else [])])


def _rename(options: dict[str, Any]) -> str:
    ref = DiscussionRef.parse(options["id"])
    if options["dry_run"]:
        target, count = plan_rename(ref, options["new_id"])
        return f"{format_count(count, 'file')} would be called after {target.text}. Nothing was changed."
    return f"Now called {rename_discussion(ref, options['new_id'], actor=ACTOR).text}."


def _rollback(options: dict[str, Any]) -> str:
    ref, point = DiscussionRef.parse(options["id"]), RollbackPoint(options["from_message"], options["keep_chunk"])
    keys = keys_of(options)
    plan = plan_rollback(ref, point, keys)
    batch = None if options["dry_run"] else roll_back(ref, point, actor=ACTOR, keys=keys, digest=plan.digest).batch
    lines = [*describe_plan(plan), *(item.text for item in plan.radius.consequences)]
    end = (
        f"Rolled back. Take it back: manage.py discussion undo {ref.text} {batch}" if batch else "Nothing was changed."
    )
    return "\n".join([*lines, end])


def _undo(options: dict[str, Any]) -> str:
    try:
        batch = uuid.UUID(options["batch"])
    except ValueError:
        raise CommandError(f"{options['batch']!r} names no action; `manage.py history list` tells it.") from None
    try:
        done = undo_batch(
            DiscussionRef.parse(options["id"]), batch, actor=ACTOR, keys=keys_of(options), force=options["force"]
        )
    except UndoConflictError as error:
        raise CommandError(f"{error.message} --force takes it back all the same.") from None
    return f"{done.action}."


def _trash(options: dict[str, Any]) -> str:
    entry = trash_discussion(DiscussionRef.parse(options["id"]), actor=ACTOR)
    return f"{format_count(entry.file_count, 'file')} moved to the trash as {entry.name}."


def _list_trash(options: dict[str, Any]) -> str:  # noqa: ARG001 - one signature for all
    rows = [f"{entry.name}  {entry.ref.text if entry.ref else '?'}  {entry.file_count} files" for entry in list_trash()]
    return "\n".join(rows) or "The trash is empty."


def _restore(options: dict[str, Any]) -> str:
    entry = restore_trashed(options["name"], actor=ACTOR)
    return f"{entry.ref.text if entry.ref else options['name']} is back."


def _purge(options: dict[str, Any]) -> str:
    count = purge_trashed(options["names"], actor=ACTOR, count=options["count"])
    return f"{format_count(count, 'discussion')} deleted for ever."
