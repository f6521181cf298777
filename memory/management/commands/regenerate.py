"""`manage.py regenerate`: make memory anew as drafts, look at what would be sent, accept."""

from __future__ import annotations

import getpass
from collections.abc import Iterator, Mapping
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.engine.hashing import hash_api_key
from memory.engine.regeneration import Kind, Plan, RegenerationRequest
from memory.queries.jobs import JobDetail, JobState, get_job, list_drafts
from memory.results import ApiKeys
from memory.services.drafts import Decider, accept_all
from memory.services.job_running import execute_job
from memory.services.regeneration import plan_regeneration, start_regeneration
from memory.types import ApiKey, DiscussionRef
from wilmer_site.lib.errors import InvalidError, WilmerError
from wilmer_site.lib.paging import PageRequest

ACTOR = "command line"
SHOWN_DRAFTS = 500


class Command(BaseCommand):
    """Prints the plan, then how the job ended."""

    help = (
        "Make a part of a discussion's memory anew. Drafts are kept beside the stored texts until somebody accepts "
        "them on the page of the job, or here with --accept. With --dry-run every prompt is printed and no model is "
        "asked."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("discussion", metavar="ID", help="its id, or keyhash:id")
        parser.add_argument("kind", choices=[kind.value for kind in Kind])
        parser.add_argument("--first", type=int, help="first chunk, message or memory id")
        parser.add_argument("--last", type=int, help="last one; else only the first")
        parser.add_argument(
            "--pick", type=int, nargs="+", default=(), metavar="NUMBER", help="chunks: single ones, not a range"
        )
        parser.add_argument("--replace", action="store_true", help="embed: also memories that have a vector")
        parser.add_argument("--dry-run", action="store_true", help="only print what would be sent")
        parser.add_argument("--accept", action="store_true", help="store the drafts at once; undo takes them back")
        parser.add_argument("--ask-key", action="store_true", help="ask for the key of an encrypted discussion")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            self._run(options)
        except WilmerError as error:
            raise CommandError(error.message) from None

    def _run(self, options: Mapping[str, Any]) -> None:
        ref = DiscussionRef.parse(options["discussion"])
        request = _read_request(options)
        keys = _ask_for_keys() if options["ask_key"] else {}
        plan = plan_regeneration(ref, request, keys)
        self.stdout.write("\n".join(format_plan(plan, is_whole=options["dry_run"])))
        if options["dry_run"]:
            return
        job_id = start_regeneration(ref, request, keys, actor=ACTOR)
        execute_job(job_id)
        if options["accept"] and request.has_drafts and get_job(job_id).card.state is not JobState.FAILED:
            accepted = accept_all(job_id, Decider(ACTOR, keys))
            self.stdout.write(f"{len(accepted.positions)} accepted, {len(accepted.stale)} out of date")
        job = get_job(job_id)
        self.stdout.write("\n".join([*format_job(job), *_format_drafts(job_id, keys)]))
        if job.card.state is JobState.FAILED:
            raise CommandError(f"Job {job_id} failed. Try again what failed on its page, /jobs/{job_id}/.")


def format_plan(plan: Plan, *, is_whole: bool) -> Iterator[str]:
    """The numbers, and with `is_whole` every prompt."""
    endpoints = ", ".join(plan.endpoints) or "no endpoint"
    several = "" if plan.call_count == 1 else "s"
    yield f"{plan.call_count:,} call{several}, about {plan.token_estimate:,} tokens, {endpoints}"
    yield from (f"  note: {note}" for note in plan.notes)
    for call in plan.calls if is_whole else ():
        yield f"== {call.title}"
        for prompt in call.prompts:
            yield from (f"-- {prompt.title}: system prompt", prompt.system_prompt, "-- prompt", prompt.prompt)


def format_job(job: JobDetail) -> Iterator[str]:
    """How it ended."""
    card = job.card
    counts = ", ".join(f"{count} {state}" for state, count in card.draft_counts.items())
    yield f"job {card.id}: {card.state.value}{f' ({counts})' if counts else ''}"
    if card.error:
        yield f"  {card.error}"
    if card.state is JobState.REVIEW:
        yield f"Nothing is stored yet: read the drafts and decide on the page /jobs/{card.id}/."


def _read_request(options: Mapping[str, Any]) -> RegenerationRequest:
    kind, picked = Kind(options["kind"]), tuple(sorted(set(options["pick"])))
    if picked and (kind is not Kind.CHUNKS or options["first"] is not None or options["last"] is not None):
        raise InvalidError("--pick names single chunks: it goes with the kind chunks, without --first and --last.")
    if picked and picked[0] < 1:
        raise InvalidError("Chunks are numbered from 1.")
    return RegenerationRequest(kind, options["first"], options["last"], options["replace"], picked)


def _format_drafts(job_id: int, keys: ApiKeys) -> Iterator[str]:
    """What is to be said of single drafts: why they failed, and what to look at."""
    for draft in list_drafts(job_id, PageRequest(1, SHOWN_DRAFTS), keys).items:
        yield from (f"  {draft.title}: {text}" for text in (draft.error, *draft.notes) if text)


def _ask_for_keys() -> ApiKeys:
    """Never as an argument: other users of the machine see those."""
    api_key = getpass.getpass("API key: ")
    return {hash_api_key(api_key): ApiKey(api_key)}
