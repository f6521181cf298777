"""`builtinExtractive`: a stand-in for a model that needs no server and is no language model.

It picks sentences from its prompt, always the same for the same prompt. It cannot converse, invent or follow
instructions; it makes memories and summaries possible on a machine without any model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from workflows_app.engine.conversation import text_of
from workflows_app.llm.client import Reply, ReplyPiece
from workflows_app.llm.extractive import answer, read_material
from workflows_app.llm.requests import HttpRequest
from workflows_app.types import Target

MAX_CHARACTERS = 300_000
"""Of longer texts only beginning and end are looked at; the time it takes grows with them."""


@dataclass(frozen=True, slots=True)
class ExtractiveClient:
    """Answers from the prompt alone; never fails, never waits."""

    def ask(self, request: HttpRequest, target: Target) -> Reply:
        """The picked sentences."""
        messages = request.body.get("messages") or []
        system = "\n".join(text_of(message) for message in messages if message.get("role") == "system")
        prompt = next((text_of(message) for message in reversed(messages) if message.get("role") == "user"), "")
        limit = request.body.get(str(target.api_type.get("maxNewTokensPropertyName") or ""))
        material = read_material(_bounded(system), _bounded(prompt))
        return Reply(answer(material, limit if isinstance(limit, int) else None))

    def stream(self, request: HttpRequest, target: Target) -> Iterator[ReplyPiece]:
        """The same, word by word."""
        for piece in re.findall(r"\s*\S+\s*$|\s*\S+", self.ask(request, target).text):
            yield ReplyPiece(piece)
        yield ReplyPiece(finish_reason="stop")


def _bounded(text: str) -> str:
    half = MAX_CHARACTERS // 2
    return text if len(text) <= MAX_CHARACTERS else f"{text[:half]}\n\n{text[-half:]}"
