"""What a model server says of itself: whether it is there, and which models it has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workflows_app.errors import ConfigInvalidError, ModelCallError
from workflows_app.llm.limits import CallLimits
from workflows_app.llm.requests import HttpRequest, wire_format
from workflows_app.types import Target

MAX_NAMES = 500


def reach_server(target: Target, limits: CallLimits) -> int:
    """The status of the endpoint's base address; any answer will do. Raises ModelCallError, ConfigInvalidError."""
    from workflows_app.llm.transport import open_client, speaking

    request = HttpRequest(_base(target), {}, {})
    with speaking(request), open_client(request.url, limits, is_streaming=False) as client:
        return client.get(request.url).status_code


def list_models(target: Target, limits: CallLimits) -> tuple[str, ...]:
    """The names of the models, at most MAX_NAMES. Raises ModelCallError with the server's own words."""
    from workflows_app.llm.transport import check_status, open_client, parse_object, sendable_headers, speaking

    path, read = _LISTS.get(wire_format(target), _OPEN_AI)
    request = HttpRequest(f"{_base(target)}{path}", _headers(target), {})
    with speaking(request), open_client(request.url, limits, is_streaming=False) as client:
        response = client.get(request.url, headers=sendable_headers(request))
        check_status(response, request)
        answer = parse_object(response.text, request)
    return tuple(name for name in read(answer) if name)[:MAX_NAMES]


def _base(target: Target) -> str:
    address = str(target.endpoint.get("endpoint") or "").strip().rstrip("/")
    if not address.startswith(("http://", "https://")):
        raise ConfigInvalidError("The address must begin with http:// or https://.", endpoint=target.name)
    return address


def _headers(target: Target) -> dict[str, str]:
    key = str(target.endpoint.get("apiKey") or "")
    if wire_format(target) == "claudeMessages":
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}
    return {"Authorization": f"Bearer {key}"} if key else {}


def _read_open_ai(answer: dict[str, Any]) -> list[str]:
    return _names(answer.get("data"), "id")


def _read_ollama(answer: dict[str, Any]) -> list[str]:
    return _names(answer.get("models"), "name")


def _read_kobold(answer: dict[str, Any]) -> list[str]:
    return [str(answer.get("result") or "")]


def _names(rows: Any, key: str) -> list[str]:
    if not isinstance(rows, list):
        raise ModelCallError("The server answered without a list of models.")
    return [str(row.get(key) or "") for row in rows if isinstance(row, dict)]


_OPEN_AI: tuple[str, Callable[[dict[str, Any]], list[str]]] = ("/v1/models", _read_open_ai)
_OLLAMA: tuple[str, Callable[[dict[str, Any]], list[str]]] = ("/api/tags", _read_ollama)
_LISTS = {
    "ollamaApiChat": _OLLAMA,
    "ollamaApiGenerate": _OLLAMA,
    "ollamaEmbeddings": _OLLAMA,
    "koboldCppGenerate": ("/api/v1/model", _read_kobold),
}
