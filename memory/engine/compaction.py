"""The context compactor: which messages it summarises and what it keeps (memory.md §23)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from memory.engine.braces import to_plain_braces
from memory.engine.hashing import hash_text
from memory.engine.memory_settings import Target, as_int
from memory.engine.model_calls import ModelCall, Purpose, ResolveVariables
from memory.engine.prompts import build_prompt
from memory.engine.tokens import estimate_tokens, level_factor, scale_threshold
from memory.types import Entry, Message

DEFAULT_MAX_TOKENS = 750
DEFAULT_LOOKBACK = 5
DEFAULT_WINDOW_TOKENS = 20000
MIN_MESSAGES = 2
BOUNDARY = "__boundary__"
_MAX_DIGITS = 12

_OLD_SYSTEM = "You summarise the middle part of a conversation so that it can go on without that part."
_NEUTRAL_SYSTEM = "You summarise a part of a conversation in neutral words."
_OLDEST_SYSTEM = "You extend the summary of the beginning of a conversation by what happened next."


class CompactionReason(StrEnum):
    """Why a run happens, or why the kept text is given instead."""

    TOO_SHORT = "too-short"
    NOTHING_OLD = "nothing-old"
    FIRST_RUN = "first-run"
    SHIFTED = "shifted"
    RECENT_CHANGED = "recent-changed"
    UNCHANGED = "unchanged"


@dataclass(frozen=True, slots=True)
class CompactorSettings:
    """One compactor settings document."""

    values: Mapping[str, Any]

    @property
    def target(self) -> Target:
        """The model of all three calls."""
        size = as_int(self.values.get("maxResponseSizeInTokens"))
        return Target(
            str(self.values.get("endpointName") or ""),
            str(self.values.get("preset") or ""),
            DEFAULT_MAX_TOKENS if size is None else size,
        )

    @property
    def lookback(self) -> int:
        """How many of the newest messages are left alone."""
        value = as_int(self.values.get("lookbackStartTurn"))
        return DEFAULT_LOOKBACK if value is None else value

    def window_tokens(self, key: str) -> int:
        """`recentContextTokens` or `oldContextTokens`, times the level factor."""
        value = as_int(self.values.get(key))
        factor = level_factor(self.values.get("wilmerContextEstimationLevel"))
        return scale_threshold(DEFAULT_WINDOW_TOKENS if value is None else value, factor)

    def template(self, key: str, default: str) -> str:
        """A prompt template; the built-in one when the setting is absent."""
        value = self.values.get(key)
        return value if isinstance(value, str) else default


@dataclass(frozen=True, slots=True)
class CompactionState:
    """What the two compactor files hold, in order of their elements."""

    old: tuple[Entry, ...] = ()
    oldest: tuple[Entry, ...] = ()

    @property
    def old_text(self) -> str:
        """The summary of the old part; empty when there is none."""
        return self.old[0].text if self.old else ""

    @property
    def oldest_text(self) -> str:
        """The summary of the oldest part; empty when there is none."""
        return self.oldest[0].text if self.oldest else ""

    @property
    def boundary(self) -> tuple[int | None, str]:
        """Position and hash where the old part began; older files have no position in front of the hash."""
        stored = self._stored_boundary
        index, _, found = stored.partition(":")
        return (int(index), found) if index.isdecimal() and len(index) < _MAX_DIGITS else (None, stored)

    @property
    def boundary_hash(self) -> str:
        """What stands behind the first colon, whatever is in front of it; all of it without one."""
        head, colon, tail = self._stored_boundary.partition(":")
        return tail if colon else head

    @property
    def _stored_boundary(self) -> str:
        return next((entry.hash for entry in self.old if entry.text == BOUNDARY), "")


@dataclass(frozen=True, slots=True)
class CompactionPlan:
    """The verdict for one run: the windows and, if it runs, what is summarised."""

    reason: CompactionReason
    messages: tuple[Message, ...]
    """The working messages."""
    recent_start: int = 0
    old_start: int = 0
    oldest_from: int = 0
    """Where the part begins that moves into the oldest summary; it ends at `old_start`."""

    @property
    def is_due(self) -> bool:
        """Whether models are asked."""
        return self.reason in {CompactionReason.FIRST_RUN, CompactionReason.SHIFTED, CompactionReason.RECENT_CHANGED}

    @property
    def old_messages(self) -> tuple[Message, ...]:
        """What the old summary is made from."""
        return self.messages[self.old_start : self.recent_start]

    @property
    def recent_messages(self) -> tuple[Message, ...]:
        """What stays as it is."""
        return self.messages[self.recent_start :]

    @property
    def moved_messages(self) -> tuple[Message, ...]:
        """What moves into the oldest summary."""
        return self.messages[self.oldest_from : self.old_start]


def plan_compaction(messages: Sequence[Message], state: CompactionState, settings: CompactorSettings) -> CompactionPlan:
    """Which windows the messages fall into, and whether anything changed since the last run."""
    keep = settings.lookback
    working = tuple(messages[:-keep] if 0 < keep < len(messages) else messages)
    if len(working) < MIN_MESSAGES:
        return CompactionPlan(CompactionReason.TOO_SHORT, working)
    recent = _window_start(working, len(working), settings.window_tokens("recentContextTokens"))
    old = _window_start(working, recent, settings.window_tokens("oldContextTokens"))
    reason = _reason(working, state, recent, old)
    return CompactionPlan(reason, working, recent, old, _previous_boundary(working, state))


def build_old_call(plan: CompactionPlan, settings: CompactorSettings, resolve: ResolveVariables) -> ModelCall:
    """Call 1: summarise the old part, with the recent one beside it."""
    values = {
        "[MESSAGES_TO_SUMMARIZE]": format_messages(plan.old_messages),
        "[RECENT_MESSAGES]": format_messages(plan.recent_messages),
    }
    system = settings.template("oldSectionSystemPrompt", _OLD_SYSTEM)
    prompt = settings.template("oldSectionPrompt", "[MESSAGES_TO_SUMMARIZE]")
    return _call(settings, system, prompt, values, resolve)


def build_neutral_call(plan: CompactionPlan, settings: CompactorSettings, resolve: ResolveVariables) -> ModelCall:
    """Call 2: summarise the part that moves into the oldest summary."""
    values = {"[MESSAGES_TO_SUMMARIZE]": format_messages(plan.moved_messages)}
    system = settings.template("neutralSummarySystemPrompt", _NEUTRAL_SYSTEM)
    prompt = settings.template("neutralSummaryPrompt", "[MESSAGES_TO_SUMMARIZE]")
    return _call(settings, system, prompt, values, resolve)


def build_oldest_call(
    existing: str, new_content: str, settings: CompactorSettings, resolve: ResolveVariables
) -> ModelCall:
    """Call 3: merge what moved into the oldest summary."""
    values = {"[EXISTING_SUMMARY]": existing, "[NEW_CONTENT]": new_content}
    system = settings.template("oldestUpdateSystemPrompt", _OLDEST_SYSTEM)
    prompt = settings.template("oldestUpdatePrompt", "[EXISTING_SUMMARY]\n\n[NEW_CONTENT]")
    return _call(settings, system, prompt, values, resolve)


def build_old_entries(plan: CompactionPlan, text: str) -> list[Entry]:
    """The file of the old part: the summary and its boundary."""
    boundary = f"{plan.old_start}:{_hash(plan.messages[plan.old_start])}"
    return [Entry(text, _hash(plan.messages[plan.recent_start - 1])), Entry(BOUNDARY, boundary)]


def build_oldest_entries(plan: CompactionPlan, text: str) -> list[Entry]:
    """The file of the oldest part."""
    return [Entry(text, _hash(plan.messages[0]))]


def format_messages(messages: Sequence[Message]) -> str:
    """Messages as lines `role: content`, with the braces that were written."""
    return "\n".join(f"{message.role}: {to_plain_braces(message.text)}" for message in messages)


def format_compaction(state: CompactionState) -> str:
    """What the node gives: both parts in their tags, empty ones left out."""
    parts = (("context_compactor_old", state.old_text), ("context_compactor_oldest", state.oldest_text))
    return "\n".join(f"<{tag}>{text}</{tag}>" for tag, text in parts if text)


def _window_start(messages: Sequence[Message], end: int, budget: int) -> int:
    start, used = end, 0
    while start > 0:
        used += estimate_tokens(messages[start - 1].text)
        if used > budget:
            break
        start -= 1
    return start


def _reason(messages: Sequence[Message], state: CompactionState, recent: int, old: int) -> CompactionReason:
    if old >= recent:
        return CompactionReason.NOTHING_OLD
    if not state.old:
        return CompactionReason.FIRST_RUN
    if state.boundary_hash != _hash(messages[old]):
        return CompactionReason.SHIFTED
    if state.old[0].hash != _hash(messages[recent - 1]):
        return CompactionReason.RECENT_CHANGED
    return CompactionReason.UNCHANGED


def _previous_boundary(messages: Sequence[Message], state: CompactionState) -> int:
    if not state.old:
        return 0
    index, stored = state.boundary
    if index is not None and index < len(messages) and _hash(messages[index]) == stored:
        return index
    return next((at for at, message in enumerate(messages) if _hash(message) == stored), 0)


def _hash(message: Message) -> str:
    return hash_text(message.text)


def _call(
    settings: CompactorSettings, system: str, prompt: str, values: Mapping[str, str], resolve: ResolveVariables
) -> ModelCall:
    return ModelCall(
        settings.target,
        build_prompt(system, values, resolve),
        build_prompt(prompt, values, resolve),
        Purpose.COMPACTION,
    )
