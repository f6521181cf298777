"""OpenAI-compatible servers, chat and completions, through the `openai` SDK, which is loaded when first needed."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from workflows_app.errors import ModelCallError
from workflows_app.llm.client import Reply, ReplyPiece, Usage, as_piece
from workflows_app.llm.limits import CallLimits
from workflows_app.llm.requests import HttpRequest
from workflows_app.types import Target

if TYPE_CHECKING:
    from openai import OpenAI


@dataclass(frozen=True, slots=True)
class OpenAiClient:
    """Speaks `openAIChatCompletion` and `openAIV1Completion`."""

    limits: CallLimits

    def ask(self, request: HttpRequest, target: Target) -> Reply:  # noqa: ARG002
        """The whole answer."""
        with self._connected(request, is_streaming=False) as sdk:
            answer = sdk.post(urlsplit(request.url).path, cast_to=object, body=request.body)
        return _parse_answer(answer, request)

    def stream(self, request: HttpRequest, target: Target) -> Iterator[ReplyPiece]:  # noqa: ARG002
        """The answer piece by piece. Raises ModelCallError when the server stops before it said that it is done."""
        from openai import Stream

        is_finished = False
        with self._connected(request, is_streaming=True) as sdk:
            path = urlsplit(request.url).path
            with sdk.post(path, cast_to=object, body=request.body, stream=True, stream_cls=Stream[object]) as pieces:
                if _is_whole(pieces.response):
                    yield _read_whole(pieces.response, request)
                    return
                for event in pieces:
                    piece = _parse_piece(event)
                    is_finished = is_finished or piece.finish_reason is not None
                    yield piece
        if not is_finished:
            raise ModelCallError("The model server ended its answer in the middle.")

    @contextlib.contextmanager
    def _connected(self, request: HttpRequest, *, is_streaming: bool) -> Iterator[OpenAI]:
        import httpx2
        import openai

        from workflows_app.llm.transport import build_status_error, describe_failure, hide_key, open_client

        try:
            with open_client(request.url, self.limits, is_streaming=is_streaming) as http:
                yield _open_sdk(request, http)
        except openai.APIStatusError as error:
            raise build_status_error(error.status_code, error.response.text, request) from None
        except openai.APIConnectionError as error:
            raise _describe_connection(error, request) from None
        except openai.APIError as error:
            raise ModelCallError(f"The model server says: {hide_key(error.message, request)}") from None
        except httpx2.HTTPError as error:
            raise describe_failure(error, request.url) from None
        except (json.JSONDecodeError, UnicodeError, RecursionError) as error:
            raise ModelCallError(f"The model server sent something that is no JSON: {error}.") from None


def _open_sdk(request: HttpRequest, http: Any) -> OpenAI:
    from openai import OpenAI

    from workflows_app.llm.transport import sendable_headers

    parts = urlsplit(request.url)
    # The key is in the request's own headers; it may be empty, which the SDK would refuse.
    return OpenAI(
        api_key="unused",
        base_url=f"{parts.scheme}://{parts.netloc}",
        max_retries=0,
        default_headers=sendable_headers(request),
        http_client=http,
    )


def _describe_connection(error: Exception, request: HttpRequest) -> ModelCallError:
    import httpx2

    from workflows_app.llm.transport import describe_failure

    cause = error.__cause__
    if isinstance(cause, ModelCallError):
        return cause
    if isinstance(cause, httpx2.HTTPError):
        return describe_failure(cause, request.url)
    return ModelCallError(f"The model server cannot be reached: {cause or error}.")


def _is_whole(response: Any) -> bool:
    """Whether a server that cannot stream answers as if it had not been asked to."""
    kind: str = response.headers.get("content-type", "")
    return kind.partition(";")[0].strip().lower() == "application/json"


def _read_whole(response: Any, request: HttpRequest) -> ReplyPiece:
    from workflows_app.llm.transport import parse_object

    response.read()
    return as_piece(_parse_answer(parse_object(response.text, request), request))


def _parse_answer(answer: Any, request: HttpRequest) -> Reply:
    from workflows_app.llm.transport import hide_key

    choice = _first_choice(answer)
    if choice is None:
        shown = json.dumps(answer, default=str)[:200]
        raise ModelCallError(hide_key(f"{request.url} answered something else than a completion: {shown}", request))
    message = choice.get("message")
    said = message if isinstance(message, Mapping) else {"content": choice.get("text")}
    calls = tuple(dict(call) for call in said.get("tool_calls") or ())
    return Reply(
        text=_text(said.get("content")),
        tool_calls=calls,
        finish_reason="tool_calls" if calls else str(choice.get("finish_reason") or "stop"),
        usage=_usage(answer) or Usage(),
    )


def _parse_piece(event: Any) -> ReplyPiece:
    choice = _first_choice(event) or {}
    delta = choice.get("delta")
    said = delta if isinstance(delta, Mapping) else {"content": choice.get("text")}
    return ReplyPiece(
        text=_text(said.get("content")),
        tool_calls=tuple(dict(call) for call in said.get("tool_calls") or ()),
        finish_reason=choice.get("finish_reason"),
        usage=_usage(event),
    )


def _first_choice(answer: Any) -> Mapping[str, Any] | None:
    choices = answer.get("choices") if isinstance(answer, Mapping) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, Mapping) else None


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, Mapping))
    return "" if content is None else str(content)


def _usage(answer: Any) -> Usage | None:
    usage = answer.get("usage") if isinstance(answer, Mapping) else None
    if not isinstance(usage, Mapping) or not usage:
        return None
    return Usage(usage.get("prompt_tokens"), usage.get("completion_tokens"))
