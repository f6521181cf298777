"""KoboldCpp: one prompt in, text out; streams as server-sent events."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from workflows_app.errors import ModelCallError
from workflows_app.llm.client import Reply, ReplyPiece, as_piece
from workflows_app.llm.limits import CallLimits
from workflows_app.llm.requests import HttpRequest
from workflows_app.llm.transport import hide_key, post_json, stream_events
from workflows_app.types import Target


@dataclass(frozen=True, slots=True)
class KoboldCppClient:
    """Speaks `koboldCppGenerate`."""

    limits: CallLimits

    def ask(self, request: HttpRequest, target: Target) -> Reply:  # noqa: ARG002
        """The whole answer."""
        return _parse_answer(post_json(request, self.limits), request)

    def stream(self, request: HttpRequest, target: Target) -> Iterator[ReplyPiece]:  # noqa: ARG002
        """The answer piece by piece; KoboldCpp does not always say how it ended."""
        for event in stream_events(request, self.limits):
            if "results" in event:
                yield as_piece(_parse_answer(event, request))
                return
            reason = event.get("finish_reason")
            yield ReplyPiece(str(event.get("token") or ""), finish_reason=str(reason) if reason else None)


def _parse_answer(answer: dict[str, Any], request: HttpRequest) -> Reply:
    results = answer.get("results")
    if not isinstance(results, list) or not results or not isinstance(results[0], dict):
        raise ModelCallError(f"{hide_key(request.url, request)} answered without `results`.")
    return Reply(str(results[0].get("text") or ""))
