"""Where memory is made anew: one discussion, its chat, and what every kind of regeneration must be able to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from memory.engine.covered_messages import CoveredSpan, spans_of
from memory.engine.hashing import list_identities
from memory.engine.messages import SYSTEM_ROLE
from memory.engine.model_calls import Call, Model
from memory.engine.regeneration import DraftSpec, Found, Made, RegenerationRequest, digest_of
from memory.errors import DamagedFileError, TranscriptMissingError
from memory.queries import transcripts
from memory.results import ApiKeys
from memory.services.opening import UnconnectedModel, WorkshopRequest, open_workshop
from memory.services.workshop import SAFE_STATES, Progress, Workshop, never_cancelled, report_nothing
from memory.types import DiscussionRef, Entry, FileState, ListFile, Message
from memory.wiring import get_workflow_nodes
from wilmer_site.lib.errors import WilmerError


@dataclass(frozen=True, slots=True)
class Talk:
    """The chat without system messages, as memory sees it."""

    messages: tuple[Message, ...]
    numbers: tuple[int, ...]
    """The number in the transcript of each."""
    hashes: tuple[str, ...]

    def name(self, start: int, end: int) -> str:
        """The messages `[start, end)` in words."""
        first, last = self.numbers[start], self.numbers[end - 1]
        return f"message {first:,}" if first == last else f"messages {first:,} to {last:,}"

    def find_position(self, number: int) -> int:
        """Where the first message that is not before that number stands; the count when none is."""
        return next((at for at, known in enumerate(self.numbers) if known >= number), len(self.numbers))


@dataclass(frozen=True, slots=True)
class Work:
    """One draft that is being made."""

    target: Mapping[str, Any]
    earlier: Mapping[int, str] = field(default_factory=dict)
    """Texts of the job's earlier drafts by position."""
    text: str = ""
    """What earlier calls for this draft yielded."""
    done: int = 0
    """How many of its calls were made."""


@dataclass(frozen=True, slots=True)
class Decided:
    """A text that somebody accepted."""

    target: Mapping[str, Any]
    text: str


@dataclass(frozen=True, slots=True)
class Specs:
    """What a regeneration consists of."""

    drafts: tuple[DraftSpec, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """A call that would be made, as far as it is known before."""

    title: str
    call: Call
    is_provisional: bool = False


@dataclass(slots=True)
class RecordingModel:
    """Remembers what was asked, so that a draft can show it."""

    model: Model
    calls: list[Call] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    """What is to be told about the answers (`Watch.remark`)."""

    def ask(self, call: Call) -> str | None:
        """The answer of the model behind it."""
        self.calls.append(call)
        return self.model.ask(call)

    def drain(self) -> list[Call]:
        """The calls since the last time."""
        calls, self.calls = self.calls, []
        return calls

    def drain_remarks(self) -> tuple[str, ...]:
        """The remarks since the last time, each once."""
        remarks = tuple(dict.fromkeys(self.remarks))
        self.remarks.clear()
        return remarks


@dataclass(slots=True)
class Site:
    """One discussion opened for making a part of its memory anew. Reads the ledger once, until `refresh`."""

    workshop: Workshop
    request: RegenerationRequest
    model: RecordingModel
    memo: dict[str, str] = field(default_factory=dict)
    """What kinds work out once while the ledger stays the same."""
    _talk: Talk | None = None
    _ledger: ListFile | None = None
    _spans: tuple[CoveredSpan, ...] | None = None
    _covering: list[list[int]] | None = None

    @property
    def ref(self) -> DiscussionRef:
        """Which discussion it is."""
        return self.workshop.ref

    def refresh(self) -> None:
        """Read the ledger again at the next question."""
        self._ledger, self._spans, self._covering = None, None, None
        self.memo.clear()

    def talk(self) -> Talk:
        """The chat; raises TranscriptMissingError when none was imported."""
        if self._talk is None:
            self._talk = load_talk(self.ref)
        return self._talk

    def ledger(self) -> tuple[Entry, ...]:
        """The chunks; raises DamagedFileError for a ledger that cannot be read."""
        if self._ledger is None:
            self._ledger = self.workshop.files.read_memories()
        return require_entries(self._ledger)

    def spans(self) -> tuple[CoveredSpan, ...]:
        """What each chunk covers."""
        if self._spans is None:
            self._spans = spans_of(self.ledger(), self.talk().hashes)
        return self._spans

    def list_covering(self, start: int, end: int) -> list[int]:
        """Where the chunks stand that cover any of the messages `[start, end)`, in order."""
        if self._covering is None:
            self._covering = [[] for _ in self.talk().hashes]
            for at, covered in enumerate(self.spans()):
                for position in range(covered.span.start, covered.span.end) if covered.span else ():
                    self._covering[position].append(at)
        return sorted({at for places in self._covering[start:end] for at in places})

    def summary(self) -> tuple[Entry, ...]:
        """The rolling summary as it is now; raises DamagedFileError."""
        return require_entries(self.workshop.files.read_summary())


class Regenerator(Protocol):
    """One kind of regeneration."""

    def list_specs(self, site: Site) -> Specs:
        """The drafts it would make; raises a WilmerError that says why it cannot."""
        ...

    def expect_calls(self, site: Site, specs: Sequence[DraftSpec]) -> Iterator[ExpectedCall]:
        """Every call in order, as far as it is known."""
        ...

    def make(self, site: Site, work: Work) -> Iterator[Made]:
        """Ask for one draft, telling of each call; goes on where `work` says that it stopped."""
        ...

    def look(self, site: Site, target: Mapping[str, Any]) -> Found | None:
        """What a draft is made from and would replace, as it is now; None when that is gone."""
        ...

    def check(self, text: str) -> None:
        """Raise InvalidError for a text that cannot be stored there."""
        ...

    def apply(self, site: Site, decided: Sequence[Decided]) -> None:
        """Store accepted texts, under the discussion's lock."""
        ...


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """Who is asked, told, and may stop it."""

    model: Model | None = field(default_factory=UnconnectedModel)
    """None: the model that is connected to the console."""
    report: Callable[[Progress], None] = report_nothing
    is_cancelled: Callable[[], bool] = never_cancelled


def open_site(ref: DiscussionRef, request: RegenerationRequest, keys: ApiKeys, options: SiteOptions) -> Site:
    """The site of one discussion; raises as `open_workshop`."""
    remarks: list[str] = []
    workshop = open_workshop(
        WorkshopRequest(
            ref,
            keys,
            model=options.model,
            report=options.report,
            is_cancelled=options.is_cancelled,
            remark=remarks.append,
        )
    )
    model = RecordingModel(workshop.model, remarks=remarks)
    return Site(replace(workshop, model=model), request, model)


def load_talk(ref: DiscussionRef) -> Talk:
    """The chat of a discussion; raises TranscriptMissingError when none was imported."""
    if not transcripts.has_transcript(ref):
        raise TranscriptMissingError(
            "WilmerAI keeps no messages, so they must be known before memories can be made from them. Import the chat"
            " on the page Transcript, then try again.",
            discussion=ref.text,
        )
    pairs = zip(transcripts.load_numbers(ref), transcripts.load_conversation(ref), strict=True)
    spoken = [(number, message) for number, message in pairs if message.role != SYSTEM_ROLE]
    messages = tuple(message for _, message in spoken)
    hashes = tuple(next(iter(list_identities(message)), "") for message in messages)
    return Talk(messages, tuple(number for number, _ in spoken), hashes)


def require_entries(file: ListFile) -> tuple[Entry, ...]:
    """The entries; raises DamagedFileError when they cannot be read, since writing would lose them (W07)."""
    report = file.report
    if report.state not in SAFE_STATES:
        what = "is encrypted and locked" if report.state is FileState.LOCKED else "cannot be read"
        raise DamagedFileError(report.problem or f"{report.path.name} {what}.", file=report.path.name)
    return file.entries


def find_nodes(workflow: str) -> list[dict[str, Any]]:
    """The nodes of a workflow for showing; none when it cannot be read (running it will say why)."""
    try:
        return get_workflow_nodes(workflow)
    except WilmerError:
        return []


def digest_of_entries(entries: Sequence[Entry]) -> str:
    """Changes with any text or hash."""
    return digest_of([[entry.text, entry.hash] for entry in entries])


BLANK = "The model gave a blank answer, twice. Write the text yourself, or try again."
