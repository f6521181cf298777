"""The page that shows what a regeneration would send, before anything is spent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.forms import Form
from django.urls import NoReverseMatch

from memory.contexts.addresses import api_address, page_address
from memory.contexts.discussions import DiscussionStrip
from memory.contexts.jobs import JobRow, describe_request
from memory.engine.regeneration import Kind, Plan
from memory.queries.jobs import JobCard
from memory.results import DiscussionHeader
from memory.services.regeneration import Outlook
from memory.types import DiscussionRef


class KindWords(NamedTuple):
    """How one kind is called and what its numbers count."""

    title: str
    text: str
    first: str = ""
    last: str = ""
    has_switch: bool = False


class KindLink(NamedTuple):
    """One kind to choose."""

    title: str
    text: str
    url: str
    is_on: bool


KINDS: Mapping[Kind, KindWords] = {
    Kind.CHUNKS: KindWords("Chunks", "One chunk or several, each where it stands.", "From chunk", "to chunk"),
    Kind.FROM_MESSAGE: KindWords("From a message on", "Every chunk from there on, packed anew.", "From message"),
    Kind.EVERYTHING: KindWords("The whole ledger", "All chunks, packed anew beside the stored ones."),
    Kind.CONDENSE: KindWords("Condense now", "Several chunks merged into one.", "From chunk", "to chunk"),
    Kind.SUMMARY: KindWords("Rolling summary", "Written anew from a chunk on.", "From chunk"),
    Kind.STATE_DOCUMENT: KindWords("State document", "Written anew from the vector memories.", "From memory"),
    Kind.VECTOR_MEMORIES: KindWords(
        "Vector memories", "Those made from a stretch of messages.", "From message", "to message"
    ),
    Kind.EMBED: KindWords("Embed again", "Vectors for semantic search.", has_switch=True),
    Kind.INDEX: KindWords("Rebuild the index", "The search index of the vector memories."),
}

_HINTS = {
    Kind.CHUNKS: "Numbers as the list of chunks shows them. Without the second number it is one chunk.",
    Kind.FROM_MESSAGE: "The number of a message in the transcript. Chunks before the one that covers it stay.",
    Kind.CONDENSE: "Empty: the oldest chunks that were not merged yet.",
    Kind.SUMMARY: "Empty: from the first chunk, with nothing to begin with.",
    Kind.STATE_DOCUMENT: "Empty: from an empty document. With a number, memories from that id on are merged in.",
    Kind.VECTOR_MEMORIES: "Numbers of messages in the transcript.",
}


@dataclass(frozen=True, slots=True)
class RegenerationContext:
    """What to make anew, and what that would send."""

    discussion: DiscussionStrip
    kinds: tuple[KindLink, ...]
    form: Form
    kind: str
    words: KindWords | None
    hint: str
    title: str
    plan: Plan | None
    problem: str
    needs_chat: bool
    import_url: str
    open_job: JobRow | None
    hidden_calls: int
    is_read_only: bool
    notice: str
    self_url: str
    api_url: str

    @classmethod
    def build(
        cls, header: DiscussionHeader, form: Any, outlook: Outlook | None, open_job: JobCard | None, notice: str = ""
    ) -> RegenerationContext:
        """The page for what a URL or a person asks for."""
        ref = header.card.ref
        kind = _find_kind(form)
        plan = outlook.plan if outlook else None
        return cls(
            discussion=DiscussionStrip.build(header, ""),
            kinds=tuple(_link(ref, known, kind) for known in KINDS),
            form=form,
            kind=kind.value if kind else "",
            words=KINDS[kind] if kind else None,
            hint=_HINTS.get(kind, "") if kind else "",
            title=describe_request(plan.request) if plan else "",
            plan=plan,
            problem=outlook.problem if outlook else "",
            needs_chat=bool(outlook and outlook.needs_chat),
            import_url=_find_import(ref),
            open_job=JobRow.build(open_job) if open_job else None,
            hidden_calls=plan.call_count - len(plan.calls) if plan else 0,
            is_read_only=False,
            notice=notice,
            self_url=page_address("regeneration-start", ref),
            api_url=api_address("discussions", ref.text, "regenerations"),
        )


def regeneration_address(ref: DiscussionRef, kind: Kind, first: int | None = None, last: int | None = None) -> str:
    """The page for one kind, with its numbers filled in."""
    parameters: list[tuple[str, object]] = [("kind", kind.value), ("first", first), ("last", last)]
    return page_address("regeneration-start", ref, parameters=parameters)


def _link(ref: DiscussionRef, kind: Kind, chosen: Kind | None) -> KindLink:
    words = KINDS[kind]
    return KindLink(words.title, words.text, regeneration_address(ref, kind), kind is chosen)


def _find_kind(form: Any) -> Kind | None:
    value = form["kind"].value()
    return Kind(value) if value in set(Kind) else None


def _find_import(ref: DiscussionRef) -> str:
    try:
        return page_address("transcript-detail", ref)
    except NoReverseMatch:
        return page_address("discussion-detail", ref)
