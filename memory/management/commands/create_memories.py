"""`manage.py create_memories`: run the memory writer once for one discussion, or only say what it would do."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.engine.discussion_ids import find_tag
from memory.engine.llm_json import ReplyKind
from memory.engine.messages import Conversation, build_conversation, parse_messages
from memory.engine.triggers import Decision, Outcome, WriterPath
from memory.management.commands._answers import keys_of, show_plainly
from memory.services.creation import create_memories, preview_creation
from memory.services.opening import UnconnectedModel, WorkshopRequest, get_preparation_options, open_workshop
from memory.services.results import ChunkOutcome, CreationResult, CreationStatus
from memory.services.workshop import Progress, Step
from memory.types import DiscussionRef
from wilmer_site.lib.errors import WilmerError

STANDARD_INPUT = "-"
EXIT_INTERRUPTED = 130
MAX_MESSAGE_BYTES = 64 * 1024 * 1024

_WHY_UNFINISHED = {
    CreationStatus.STOPPED: "The model answered twice with nothing. That chunk and later ones stay new; run again.",
    CreationStatus.BUSY: "Another run is making memories of this discussion. The messages stay new; run again.",
    CreationStatus.UNREADABLE: "What is stored cannot be read, so nothing was written over it.",
}
_WHY_NOTHING = {
    ReplyKind.NOTHING_TO_STORE: "the model found nothing worth remembering",
    ReplyKind.EMPTY: "the model's answer was empty",
    ReplyKind.UNREADABLE: "no JSON could be read from the answer",
    ReplyKind.INCOMPLETE: "nothing in the answer has title, summary, entities and key_phrases",
    ReplyKind.MEMORIES: "the database refused every memory in the answer",
}


class Command(BaseCommand):
    """Prints the decision with every number, then what became of each chunk."""

    help = (
        "Generate memories from the messages of a chat, by the rules and settings of WilmerAI. The messages are a JSON "
        "list of {role, content}, or a chat request with such a list as 'messages'. With --dry-run no model is asked "
        "and nothing is written."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--discussion", metavar="ID", help="its id, or keyhash:id; else the tag in the messages")
        parser.add_argument("--messages", metavar="FILE", required=True, help="a JSON file; - reads standard input")
        parser.add_argument("--kind", choices=[path.value for path in WriterPath], help="else what the settings say")
        parser.add_argument("--dry-run", action="store_true", help="only say what would happen")
        parser.add_argument("--ask-key", action="store_true", help="ask for the key of an encrypted discussion")
        parser.add_argument("--create", action="store_true", help="begin the discussion if it does not exist")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            self._run(options)
        except WilmerError as error:
            raise CommandError(show_plainly(error.message)) from None
        except KeyboardInterrupt:
            raise CommandError(
                "Stopped. What was stored stays, and the next run goes on behind it.", returncode=EXIT_INTERRUPTED
            ) from None

    def _run(self, options: Mapping[str, Any]) -> None:
        raw = _read_messages(options["messages"])
        conversation = build_conversation(raw, get_preparation_options())
        path = WriterPath(options["kind"]) if options["kind"] else None
        workshop = open_workshop(
            WorkshopRequest(
                _choose_ref(options["discussion"], conversation, raw),
                keys_of(options),
                model=UnconnectedModel() if options["dry_run"] else None,
                embeds=not options["dry_run"],
                may_create=options["create"],
                report=partial(self._tell, options["verbosity"] > 1),
            )
        )
        if options["dry_run"]:
            decision = preview_creation(workshop, conversation.messages, path=path)
            self._write(format_decision(decision))
            if decision.outcome is Outcome.ERROR:
                raise CommandError(_WHY_UNFINISHED[CreationStatus.UNREADABLE])
            return
        result = create_memories(workshop, conversation.messages, path=path)
        self._write([*format_decision(result.decision), *format_result(result)])
        if result.status in _WHY_UNFINISHED:
            raise CommandError(show_plainly(result.problem or _WHY_UNFINISHED[result.status]))

    def _write(self, lines: Iterable[str]) -> None:
        self.stdout.write(show_plainly("\n".join(lines)))

    def _tell(self, is_wanted: bool, progress: Progress) -> None:
        if is_wanted or progress.step is Step.EMBEDDING_FAILED:
            line = f"{progress.step.value} {progress.done}/{progress.total} {progress.detail}"
            self.stderr.write(show_plainly(line.rstrip()))


def format_decision(decision: Decision) -> Iterator[str]:
    """The verdict and every rule with its numbers, one line each."""
    yield f"{decision.path.value} memories: {decision.outcome.value}"
    for verdict in decision.verdicts:
        mark = "yes" if verdict.is_met else "no"
        force = "" if verdict.is_in_force else "  (does not count while there is no memory file)"
        yield f"  {verdict.rule.value:<18} {mark:<4} {verdict.found} of {verdict.needed}{force}"
    if not decision.is_triggered and decision.new is not None and decision.outcome is not Outcome.ERROR:
        missing = decision.messages_missing
        by_messages = "" if missing is None else f"{missing} more messages or "
        yield f"  next run after {by_messages}{decision.tokens_missing} more tokens"


def format_result(result: CreationResult) -> Iterator[str]:
    """How the run ended, and each chunk."""
    yield f"{result.status.value}: {result.stored_chunks} of {result.total_chunks} chunks stored"
    for chunk in result.chunks:
        yield f"  messages {chunk.span.start + 1} to {chunk.span.end}: {_describe(chunk)}"
        yield from (f"    refused by the database: {reason}" for reason in chunk.refused)
        yield from (
            f"    left out of the reply: {item.reason}" for item in (chunk.reply.dropped if chunk.reply else ())
        )
    if result.is_condensed:
        yield "  older memories were condensed"
    yield from (f"  note: {note}" for note in result.notes)


def _describe(chunk: ChunkOutcome) -> str:
    """What was written for one chunk, with the ids of rows or the hash of the ledger's entry."""
    if not chunk.is_stored:
        reason = _WHY_NOTHING[chunk.reply.kind] if chunk.reply else "nothing usable"
        return reason + (f"; it wrote: {_first_line(chunk.raw_reply)}" if chunk.raw_reply else "")
    if chunk.memory_ids:
        return f"stored as vector memories {', '.join(map(str, chunk.memory_ids))}"
    return f"stored as the chunk with hash {chunk.hash}"


def _first_line(text: str, limit: int = 200) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[:limit]} …"


def _read_messages(name: str) -> Sequence[Mapping[str, Any]]:
    try:
        text = sys.stdin.read(MAX_MESSAGE_BYTES + 1) if name == STANDARD_INPUT else _read_text(Path(name))
        if len(text) > MAX_MESSAGE_BYTES:
            raise CommandError(f"Standard input has more than {MAX_MESSAGE_BYTES:,} characters.")
        data = json.loads(text)
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise CommandError(f"{name} is not UTF-8 text: {error.reason} at byte {error.start}.") from None
    except ValueError as error:
        raise CommandError(f"{name} is not JSON: {error}.") from None
    except RecursionError:
        raise CommandError(f"{name} is nested too deeply to be a list of messages.") from None
    messages = data.get("messages") if isinstance(data, dict) else data
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise CommandError(f"{name} must hold a list of messages, or an object with such a list as 'messages'.")
    return messages


def _read_text(path: Path) -> str:
    if path.stat().st_size > MAX_MESSAGE_BYTES:
        raise CommandError(f"{path} has more than {MAX_MESSAGE_BYTES:,} bytes.")
    return path.read_text(encoding="utf-8-sig")


def _choose_ref(named: str | None, conversation: Conversation, raw: Sequence[Mapping[str, Any]]) -> DiscussionRef:
    if named == "":
        raise CommandError("--discussion is empty. Name a discussion, or leave it out to use the messages' tag.")
    if named is not None:
        return DiscussionRef.parse(named)
    if conversation.discussion_id is not None:
        return DiscussionRef(conversation.discussion_id)
    tag = find_tag(parse_messages(raw))
    if tag:
        raise CommandError(
            f"The tag in the messages names {show_plainly(tag)!r}, which is no usable id: it must not be '.' or"
            " '..', and must not contain / \\ : or a null character. Name a discussion with --discussion."
        )
    what = "no [DiscussionId] tag" if tag is None else "an empty [DiscussionId] tag"
    raise CommandError(f"Name a discussion with --discussion: the messages hold {what}.")
