"""Values that the workflow engine works on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

JsonObject = Mapping[str, Any]
ChatMessage = dict[str, Any]
"""One message as a chat front end sends it: role, content, and perhaps images, tool_calls, tool_call_id, name."""

SINGLE_PROMPT_TYPES = frozenset(
    {"openAIV1Completion", "ollamaApiGenerate", "koboldCppGenerate", "koboldCppGenerateImageSpecific"}
)
"""API types that take one text instead of a list of messages (workflows.md §8.5)."""


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
