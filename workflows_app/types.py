"""Values that the workflow engine works on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

JsonObject = Mapping[str, Any]
ChatMessage = dict[str, Any]
"""One message as a chat front end sends it: role, content, and perhaps images, tool_calls, tool_call_id, name."""

SINGLE_PROMPT_TYPES = frozenset(
    {"openAIV1Completion", "ollamaApiGenerate", "koboldCppGenerate", "koboldCppGenerateImageSpecific"}
)
"""API types that take one text instead of a list of messages (workflows.md §8.5)."""


class LazyObject(Mapping[str, Any]):
    """A JSON object that is read when somebody first looks into it, and only then may turn out to be missing."""

    def __init__(self, read: Callable[[], JsonObject]) -> None:
        self._read = read
        self._found: JsonObject | None = None

    def _values(self) -> JsonObject:
        if self._found is None:
            self._found = self._read()
        return self._found

    def __getitem__(self, key: str) -> Any:
        return self._values()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())


@dataclass(frozen=True, slots=True)
class Target:
    """Where a node's model call goes: an endpoint with everything its configs say.

    The default stands for a node without an endpoint, which counts as taking messages (workflows.md §6.7).
    """

    name: str = ""
    endpoint: JsonObject = field(default_factory=dict)
    api_type: JsonObject = field(default_factory=dict)
    template: JsonObject = field(default_factory=dict)
    """The endpoint's prompt template, else the user's `chatPromptTemplateName`."""

    @property
    def type(self) -> str:
        """The wire format, e.g. `openAIChatCompletion`; empty without an endpoint."""
        return str(self.api_type.get("type", ""))

    @property
    def takes_single_prompt(self) -> bool:
        """Whether the server wants one text rather than messages."""
        return self.type in SINGLE_PROMPT_TYPES
