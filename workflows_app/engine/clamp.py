"""Keeping a prompt inside the endpoint's context window (workflows.md §8.4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memory.engine.tokens import estimate_tokens, level_factor
from workflows_app.engine.conversation import text_of
from workflows_app.types import ChatMessage, JsonObject, Target

RESERVE_TOKENS = 512
PER_MESSAGE_TOKENS = 8
_TRUE_WORDS = {"true", "1", "yes", "on"}


@dataclass(frozen=True, slots=True)
class PromptBudget:
    """How many tokens of conversation fit, or no limit at all."""

    tokens: int | None = None
    factor: float = 1.0

    @classmethod
    def of(cls, node: JsonObject, target: Target, user: JsonObject) -> PromptBudget:
        """The budget of one node: the switch of the node, else the endpoint, else the user decides."""
        window = target.endpoint.get("maxContextTokenSize")
        if not _is_on(node, target, user) or not isinstance(window, int):
            return cls()
        factor = level_factor(target.endpoint.get("wilmerContextEstimationLevel"))
        response = node.get("maxResponseSizeInTokens", 400)
        return cls(int((window - response) * factor) - RESERVE_TOKENS, factor)

    @property
    def is_on(self) -> bool:
        """Whether there is a limit."""
        return self.tokens is not None

    def limit_tokens(self, wanted: int) -> int:
        """A node's token setting, stretched by the level and cut to the budget."""
        if self.tokens is None:
            return wanted
        return min(int(wanted * self.factor), self.tokens)

    def fit(self, messages: Sequence[ChatMessage], *, used: int = 0, overhead: int = 0) -> Sequence[ChatMessage]:
        """The newest messages that fit beside `used` tokens, each with its overhead; the newest always stays."""
        if self.tokens is None:
            return messages
        left = self.tokens - used
        start = len(messages)
        while start > 0:
            left -= estimate_tokens(text_of(messages[start - 1])) + overhead
            if left < 0 and start < len(messages):
                break
            start -= 1
        return messages[start:]


def _is_on(node: JsonObject, target: Target, user: JsonObject) -> bool:
    for source in (node, target.endpoint, user):
        value = source.get("clampPromptToContextWindow")
        if value is not None:
            return value.strip().lower() in _TRUE_WORDS if isinstance(value, str) else bool(value)
    return False
