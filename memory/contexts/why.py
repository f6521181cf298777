"""Why memory ran or did not: the verdict, every rule with its numbers, and what other thresholds would change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memory.contexts.addresses import discussion_api_address, page_address
from memory.contexts.coverage import STRIP_WIDTH, format_span, message_address
from memory.contexts.discussions import DiscussionStrip
from memory.engine.explanations import Explanation, Why
from memory.engine.new_messages import Anchor
from memory.engine.simulation import SimulatedChunk, Simulation
from memory.engine.triggers import Decision, Outcome, Rule, RuleVerdict, WriterPath
from memory.engine.wording import format_count
from memory.forms import ThresholdForm
from memory.results import DiscussionHeader
from memory.types import DiscussionRef

MAX_DRAWN = 400
"""More chunks than this are drawn several to a bar."""


@dataclass(frozen=True, slots=True)
class RuleLine:
    """One rule: whether it is met, and its numbers."""

    mark: str
    """yes, no, or none for a rule that does not count."""
    text: str
    numbers: str


@dataclass(frozen=True, slots=True)
class VerdictCard:
    """What one path would decide."""

    path: str
    title: str
    headline: str
    next_run: str
    is_triggered: bool
    is_chosen: bool
    rules: tuple[RuleLine, ...]
    facts: tuple[str, ...]
    anchor_url: str
    new_url: str

    @classmethod
    def build(cls, ref: DiscussionRef, explanation: Explanation) -> VerdictCard:
        """Words for one verdict."""
        decision = explanation.decision
        return cls(
            path=decision.path.value,
            title=_PATHS[decision.path],
            headline=_headline(explanation),
            next_run=_next_run(decision),
            is_triggered=decision.is_triggered,
            is_chosen=explanation.is_chosen,
            rules=tuple(_rule_line(verdict, decision) for verdict in decision.verdicts),
            facts=tuple(_facts(explanation)),
            anchor_url=message_address(ref, explanation.anchor) if explanation.anchor else "",
            new_url=message_address(ref, explanation.new[0]) if explanation.new else "",
        )


@dataclass(frozen=True, slots=True)
class Bar:
    """One simulated chunk, or several that are too narrow to be told apart."""

    x: str
    width: str
    title: str
    is_odd: bool


@dataclass(frozen=True, slots=True)
class SimulationView:
    """What memory would have made of the chat under the thresholds that are tried."""

    form: ThresholdForm
    bars: tuple[Bar, ...]
    chunk_count: int
    present_count: int
    sentence: str
    is_same: bool
    """The thresholds tried are the ones of the settings."""

    @classmethod
    def build(cls, form: ThresholdForm, simulation: Simulation | None, present: Simulation | None) -> SimulationView:
        """Both simulations are over the same chat; None while the form is not valid."""
        chunks = simulation.chunks if simulation else ()
        before = len(present.chunks) if present else 0
        return cls(
            form=form,
            bars=tuple(_bars(chunks, simulation.message_count)) if simulation else (),
            chunk_count=len(chunks),
            present_count=before,
            sentence=_sentence(simulation, before) if simulation else "",
            is_same=form.is_present,
        )


@dataclass(frozen=True, slots=True)
class WhyContext:
    """The page Why of a discussion."""

    discussion: DiscussionStrip
    cards: tuple[VerdictCard, ...]
    """Empty without a transcript."""
    message_count: int
    settings_problem: str | None
    simulation: SimulationView | None
    import_url: str
    simulation_url: str
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, why: Why | None, simulation: SimulationView | None) -> WhyContext:
        """The whole page."""
        ref = header.card.ref
        return cls(
            discussion=DiscussionStrip.build(header, "why-detail"),
            cards=tuple(VerdictCard.build(ref, explanation) for explanation in why.explanations) if why else (),
            message_count=why.message_count if why else 0,
            settings_problem=why.settings_problem if why else None,
            simulation=simulation,
            import_url=page_address("transcript-import", ref),
            simulation_url=page_address("why-detail", ref),
            api_url=discussion_api_address(ref, "why"),
        )


_PATHS = {WriterPath.FILE: "File memory", WriterPath.VECTOR: "Vector memory"}

_RULES = {
    Rule.DISCUSSION_ID: "The request names a discussion",
    Rule.MESSAGE_MINIMUM: "Enough messages at all",
    Rule.NEW_MESSAGES: "There are messages that memory has not seen",
    Rule.TOKEN_THRESHOLD: "New messages reach the chunk size",
    Rule.MESSAGE_THRESHOLD: "Enough new messages",
}

_UNITS = {
    Rule.MESSAGE_MINIMUM: "message",
    Rule.NEW_MESSAGES: "new message",
    Rule.TOKEN_THRESHOLD: "token",
    Rule.MESSAGE_THRESHOLD: "new message",
}

_ANCHORS = {
    Anchor.NO_PROGRESS: "Nothing was processed before, so everything before the tail is new.",
    Anchor.ELIGIBLE: "Memory left off at message {anchor}.",
    Anchor.IN_TAIL: "Memory left off at message {anchor}, which lies in the tail, so nothing is new.",
    Anchor.TRAIL: "No stored hash is in the chat, but the messages before it are: memory goes on behind {anchor}.",
    Anchor.LOST: "No stored hash is in the chat any more, so all of it would be processed again.",
}


def _headline(explanation: Explanation) -> str:
    decision = explanation.decision
    if decision.is_triggered:
        calls = format_count(explanation.call_count, "chunk")
        return f"Memory will run at the next turn and make {calls}."
    if decision.outcome is Outcome.ERROR:
        return "Memory cannot run: what is stored cannot be read."
    return "Memory will not run at the next turn."


def _next_run(decision: Decision) -> str:
    if decision.is_triggered or decision.new is None:
        return ""
    tokens = f"about {decision.tokens_missing:,} more tokens"
    if decision.messages_missing is None:
        return f"Next run after {tokens} of new messages; messages are not counted while there is no memory file."
    return f"Next run after {format_count(decision.messages_missing, 'more message')}, or {tokens}."


def _rule_line(verdict: RuleVerdict, decision: Decision) -> RuleLine:
    mark = ("yes" if verdict.is_met else "no") if verdict.is_in_force else "none"
    if verdict.rule is Rule.DISCUSSION_ID:
        return RuleLine(mark, _RULES[verdict.rule], "")
    numbers = _numbers(verdict)
    factor = decision.thresholds.factor
    if verdict.rule is Rule.TOKEN_THRESHOLD and factor != 1:
        numbers += f" ({decision.thresholds.configured_chunk_size:,} × {factor:g})"
    text = _RULES[verdict.rule]
    return RuleLine(mark, text if verdict.is_in_force else f"{text} (does not count: no memory file yet)", numbers)


def _numbers(verdict: RuleVerdict) -> str:
    """`2 of 3 messages` as long as some are missing, `78 messages, 3 needed` from there on."""
    unit = _UNITS[verdict.rule]
    if verdict.found < verdict.needed:
        return f"{verdict.found:,} of {format_count(verdict.needed, unit)}"
    return f"{format_count(verdict.found, unit)}, {verdict.needed:,} needed"


def _facts(explanation: Explanation) -> Iterator[str]:
    decision, new = explanation.decision, explanation.decision.new
    if new is None:
        return
    yield _ANCHORS[new.anchor].format(anchor=explanation.anchor)
    if new.is_ambiguous:
        yield "That hash occurs several times in the chat, so the place is a guess."
    if explanation.new:
        yield f"New: {format_span(*explanation.new)}."
    lookback = max(0, decision.thresholds.lookback)
    if lookback:
        verb = "is" if lookback == 1 else "are"
        yield f"The last {format_count(lookback, 'message')} {verb} left out (lookbackStartTurn)."
    yield "System messages are left out."


def _sentence(simulation: Simulation, present: int) -> str:
    made = format_count(len(simulation.chunks), "chunk")
    runs = format_count(simulation.run_count, "run")
    waiting = format_count(simulation.waiting, "message")
    change = "" if len(simulation.chunks) == present else f" instead of {present:,}"
    return (
        f"{made}{change} in {runs}, one model call each, reading about {simulation.token_estimate:,} tokens of chat; "
        f"{waiting} would still wait."
    )


def _bars(chunks: tuple[SimulatedChunk, ...], total: int) -> Iterator[Bar]:
    step = max(1, -(-len(chunks) // MAX_DRAWN))
    for at in range(0, len(chunks), step):
        group = chunks[at : at + step]
        start, end = group[0].span.start, group[-1].span.end
        tokens = sum(chunk.token_estimate for chunk in group)
        name = f"chunk {at + 1:,}" if len(group) == 1 else f"chunks {at + 1:,} to {at + len(group):,}"
        title = f"{name}: {format_span(start + 1, end)} (system messages not counted), about {tokens:,} tokens"
        yield Bar(
            f"{start / total * STRIP_WIDTH:.2f}",
            f"{(end - start) / total * STRIP_WIDTH:.2f}",
            title,
            at // step % 2 == 1,
        )
