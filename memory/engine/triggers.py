"""Whether a writer run starts, with every number that the verdict rests on (memory.md §10, §12 step 7)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory.engine.memory_settings import Thresholds
from memory.engine.messages import SpokenMessages, join_contents
from memory.engine.new_messages import Anchor, NewMessages, find_new_messages
from memory.engine.tokens import estimate_tokens
from memory.types import Message

MIN_MESSAGES = 3
"""A run with fewer messages, system messages included, stops at once (memory.md §10.1)."""


class WriterPath(StrEnum):
    """Which of the two stores a run writes."""

    FILE = "file"
    VECTOR = "vector"


class Outcome(StrEnum):
    """What a run decided (memory.md §10.3)."""

    BOTH = "both"
    TOKENS = "tokens"
    MESSAGES = "messages"
    BELOW_THRESHOLDS = "below_thresholds"
    NO_NEW_MESSAGES = "no_new_messages"
    FEWER_THAN_THREE_MESSAGES = "fewer_than_three_messages"
    NO_DISCUSSION_ID = "no_discussion_id"
    ERROR = "error"


class Rule(StrEnum):
    """The rules that speak, in this order."""

    DISCUSSION_ID = "discussion-id"
    MESSAGE_MINIMUM = "message-minimum"
    NEW_MESSAGES = "new-messages"
    TOKEN_THRESHOLD = "token-threshold"
    MESSAGE_THRESHOLD = "message-threshold"


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """What one rule said: whether it was met, the number it saw and the number it wanted."""

    rule: Rule
    is_met: bool
    found: int
    needed: int
    is_in_force: bool = True
    """False for the message threshold in consolidation mode: it is shown, but does not count."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Will this run write memories, and why."""

    path: WriterPath
    outcome: Outcome
    verdicts: tuple[RuleVerdict, ...]
    thresholds: Thresholds
    new: NewMessages | None
    """None when the run stopped before messages were compared."""
    messages: tuple[Message, ...] = ()
    """The new messages."""
    token_estimate: int = 0
    is_consolidation: bool = False
    """File path without a memory file: only tokens count."""

    @property
    def is_triggered(self) -> bool:
        """Whether chunks are generated now."""
        return self.outcome in {Outcome.BOTH, Outcome.TOKENS, Outcome.MESSAGES}

    @property
    def messages_missing(self) -> int | None:
        """How many more messages would start a run; None if no number of messages does (consolidation mode)."""
        if self.is_triggered:
            return 0
        if self.is_consolidation or self.new is None:
            return None
        return max(1, self.thresholds.max_messages - self.new.count + self._tail_to_fill())

    @property
    def tokens_missing(self) -> int:
        """How many more estimated tokens in new messages would start a run."""
        return 0 if self.is_triggered else max(0, self.thresholds.chunk_size - self.token_estimate)

    def _tail_to_fill(self) -> int:
        """Messages that only fill the tail before the first one becomes eligible."""
        assert self.new is not None
        if self.new.count:
            return 0
        younger = self.new.tail if self.new.age is None else self.new.age
        return max(0, self.thresholds.lookback - younger)


@dataclass(frozen=True, slots=True)
class Progress:
    """What a store knows of how far memory has got."""

    known: Collection[str] = ()
    """Progress hashes, newest first."""
    trail: Sequence[str] = ()
    file_existed: bool = True
    """Whether the memory file was there before the run; always True on the vector path."""


def decide(
    path: WriterPath,
    messages: Sequence[Message],
    *,
    thresholds: Thresholds,
    progress: Progress,
    has_discussion_id: bool = True,
) -> Decision:
    """The verdict for one run on all messages of a conversation, system messages included."""
    id_verdict = RuleVerdict(Rule.DISCUSSION_ID, has_discussion_id, int(has_discussion_id), 1)
    minimum = RuleVerdict(Rule.MESSAGE_MINIMUM, len(messages) >= MIN_MESSAGES, len(messages), MIN_MESSAGES)
    if not has_discussion_id:
        return Decision(path, Outcome.NO_DISCUSSION_ID, (id_verdict,), thresholds, None)
    if not minimum.is_met:
        return Decision(path, Outcome.FEWER_THAN_THREE_MESSAGES, (id_verdict, minimum), thresholds, None)
    return _decide_by_content(path, messages, thresholds, progress, (id_verdict, minimum))


def _decide_by_content(
    path: WriterPath,
    messages: Sequence[Message],
    thresholds: Thresholds,
    progress: Progress,
    before: tuple[RuleVerdict, ...],
) -> Decision:
    new = find_new_messages(SpokenMessages(messages), progress.known, thresholds.lookback, trail=progress.trail)
    chosen = new.list_messages()
    tokens = estimate_tokens(join_contents(chosen))
    consolidates = path is WriterPath.FILE and not progress.file_existed
    verdicts = _weigh(new, tokens, thresholds, counts_messages=not consolidates)
    outcome = _outcome(new, *verdicts[1:])
    return Decision(path, outcome, before + verdicts, thresholds, new, chosen, tokens, consolidates)


def _weigh(
    new: NewMessages, tokens: int, thresholds: Thresholds, *, counts_messages: bool
) -> tuple[RuleVerdict, RuleVerdict, RuleVerdict]:
    size, most = thresholds.chunk_size, thresholds.max_messages
    has_new = new.count > 0
    return (
        RuleVerdict(Rule.NEW_MESSAGES, has_new, new.count, 1),
        RuleVerdict(Rule.TOKEN_THRESHOLD, has_new and tokens >= size, tokens, size),
        RuleVerdict(Rule.MESSAGE_THRESHOLD, has_new and new.count >= most, new.count, most, counts_messages),
    )


def _outcome(new: NewMessages, tokens: RuleVerdict, messages: RuleVerdict) -> Outcome:
    by_messages = messages.is_met and messages.is_in_force
    if not new.count:
        return Outcome.NO_NEW_MESSAGES
    if tokens.is_met:
        return Outcome.BOTH if by_messages else Outcome.TOKENS
    return Outcome.MESSAGES if by_messages else Outcome.BELOW_THRESHOLDS


def is_history_lost(decision: Decision) -> bool:
    """Whether everything would be processed again because no stored hash occurs any more (W12)."""
    return decision.new is not None and decision.new.anchor is Anchor.LOST


def is_fresh_triggered(messages: Sequence[Message], thresholds: Thresholds) -> bool:
    """Whether these messages alone reach a threshold; for new messages beside chunks that failed before (W05)."""
    if not messages:
        return False
    tokens = estimate_tokens(join_contents(messages))
    return tokens >= thresholds.chunk_size or len(messages) >= thresholds.max_messages
