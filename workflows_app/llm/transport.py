"""HTTP to model servers: bounded, retried, and failing in the server's own words (workflows.md §8.5)."""

from __future__ import annotations

import contextlib
import json
import time
import urllib.request
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote_plus, urlsplit

import httpx2

from workflows_app.engine.config_secrets import hides_secret, list_address_secrets
from workflows_app.errors import ModelCallError
from workflows_app.llm.hosts import is_clearly_public
from workflows_app.llm.limits import CallLimits
from workflows_app.llm.requests import HttpRequest

_RETRIED = frozenset({429, 500, 502, 503, 504})
_MAX_WORDS = 1_000
_HINTS = {
    401: "Check the endpoint's `apiKey`.",
    403: "Check the endpoint's `apiKey`.",
    404: "Check the endpoint's address, API type and model name.",
}


class _BoundedStream(httpx2.SyncByteStream):
    """A body that may not grow beyond a number of bytes, nor take longer than a number of seconds."""

    def __init__(self, inner: httpx2.SyncByteStream, limits: CallLimits) -> None:
        self._inner, self._limits, self._left = inner, limits, limits.answer_bytes
        self._until = time.monotonic() + limits.whole_seconds

    def __iter__(self) -> Iterator[bytes]:
        for chunk in self._inner:
            self._left -= len(chunk)
            if self._left < 0:
                size = self._limits.answer_bytes
                raise ModelCallError(f"The model server sent more than {size:,} bytes; the rest was not read.")
            if time.monotonic() > self._until:
                seconds = self._limits.whole_seconds
                raise ModelCallError(f"The model server was still answering after {seconds:,g} seconds.")
            yield chunk

    def close(self) -> None:
        self._inner.close()


class BoundedTransport(httpx2.BaseTransport):
    """Sends requests, tries again after passing troubles, and bounds what comes back."""

    def __init__(self, limits: CallLimits, inner: httpx2.BaseTransport) -> None:
        self._limits = limits
        self._inner = inner

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """The first answer that is no passing trouble, or the last one."""
        for pause in self._limits.retry_pauses:
            response = self._inner.handle_request(request)
            wanted = self._pause(response, pause)
            if wanted is None:
                return self._bounded(response)
            response.close()
            time.sleep(wanted)
        return self._bounded(self._inner.handle_request(request))

    def close(self) -> None:
        """Close all connections."""
        self._inner.close()

    def _pause(self, response: httpx2.Response, pause: float) -> float | None:
        if response.status_code not in _RETRIED:
            return None
        try:
            asked = float(response.headers.get("retry-after", pause))
        except ValueError:
            asked = pause
        return asked if 0 <= asked <= self._limits.longest_pause_seconds else None

    def _bounded(self, response: httpx2.Response) -> httpx2.Response:
        stream = response.stream
        if isinstance(stream, httpx2.SyncByteStream):
            response.stream = _BoundedStream(stream, self._limits)
        return response


def open_client(address: str, limits: CallLimits, *, is_streaming: bool) -> httpx2.Client:
    """A client for one call. The environment's proxies are used for public addresses only."""
    read = limits.silent_seconds if is_streaming else limits.answer_seconds
    timeout = httpx2.Timeout(read, connect=limits.connect_seconds)
    transport = BoundedTransport(limits, httpx2.HTTPTransport(proxy=find_proxy(address)))
    return httpx2.Client(timeout=timeout, transport=transport, trust_env=False)


def find_proxy(address: str) -> str | None:
    """The proxy that the environment wants for a public address; None for this machine and network."""
    parts = urlsplit(address)
    if not is_clearly_public(address) or urllib.request.proxy_bypass(parts.hostname or ""):
        return None
    proxies = urllib.request.getproxies()
    return proxies.get(parts.scheme) or proxies.get("all")


def post_json(request: HttpRequest, limits: CallLimits) -> dict[str, Any]:
    """The JSON object that a server answers. Raises ModelCallError."""
    with speaking(request), open_client(request.url, limits, is_streaming=False) as client:
        response = client.post(request.url, headers=sendable_headers(request), json=request.body)
        check_status(response, request)
        return parse_object(response.text, request)


def stream_lines(request: HttpRequest, limits: CallLimits) -> Iterator[str]:
    """The non-empty lines of a streamed answer as they come. Raises ModelCallError."""
    with (
        speaking(request),
        open_client(request.url, limits, is_streaming=True) as client,
        client.stream("POST", request.url, headers=sendable_headers(request), json=request.body) as response,
    ):
        if response.status_code >= 300:
            response.read()
        check_status(response, request)
        for line in response.iter_lines():
            if line.strip():
                yield line


def stream_events(request: HttpRequest, limits: CallLimits) -> Iterator[dict[str, Any]]:
    """The JSON objects of server-sent events, up to `[DONE]`; of a server that cannot stream its one whole answer.

    Raises ModelCallError.
    """
    lines = stream_lines(request, limits)
    for line in lines:
        if line.startswith("{"):
            yield parse_object("\n".join([line, *lines]), request)
            return
        if not line.startswith("data:"):
            continue
        data = line.removeprefix("data:").strip()
        if data == "[DONE]":
            return
        yield parse_object(data, request)


def sendable_headers(request: HttpRequest) -> dict[str, str]:
    """The headers without the blank that an empty key leaves at the end, which HTTP does not allow.

    Raises ModelCallError for a key that no header can have; the error of the HTTP client would quote it.
    """
    headers = {name: value.strip() for name, value in request.headers.items()}
    if not all(value.isascii() and value.isprintable() for value in headers.values()):
        raise ModelCallError("The endpoint's `apiKey` has a character that cannot be sent, such as a line break.")
    return headers


def parse_object(text: str, request: HttpRequest) -> dict[str, Any]:
    """A JSON object from a server. Raises ModelCallError for anything else, and for an error told with status 200."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ModelCallError(f"{_server(request.url)} answered no JSON object but: {_quoted(text, request)}.")
    if value.get("error"):
        raise ModelCallError(f"{_server(request.url)} says: {hide_key(find_words(text), request)}")
    return value


def check_status(response: httpx2.Response, request: HttpRequest) -> None:
    """Raises ModelCallError with the server's words for any status that is no success."""
    if not response.is_success:
        raise build_status_error(response.status_code, response.text, request)


def build_status_error(status: int, body: str, request: HttpRequest) -> ModelCallError:
    """A failed call as an error for people."""
    words = hide_key(find_words(body), request)
    said = f"{_server(request.url)} answered {status}{f': {words}' if words else ''}"
    hint = _HINTS.get(status, "")
    ended = said if said.endswith((".", "!", "?")) or (words and not hint) else f"{said}."
    return ModelCallError(f"{ended} {hint}".rstrip(), status=status)


def describe_failure(error: httpx2.HTTPError, url: str) -> ModelCallError:
    """A call that got no whole answer as an error for people."""
    if isinstance(error, httpx2.ConnectTimeout | httpx2.PoolTimeout):
        return ModelCallError(f"{_server(url)} could not be reached in time. Is it running?")
    if isinstance(error, httpx2.TimeoutException):
        return ModelCallError(f"{_server(url)} was silent for {_tell_wait(error)}.")
    if isinstance(error, httpx2.ConnectError):
        return ModelCallError(f"{_server(url)} cannot be reached: {error}. Is it running?")
    return ModelCallError(f"{_server(url)} broke the connection: {str(error).rstrip('.')}.")


def _tell_wait(error: httpx2.TimeoutException) -> str:
    """How long was waited in vain."""
    try:
        seconds = error.request.extensions["timeout"]["read"]
    except (RuntimeError, KeyError):
        return "too long"
    return f"{seconds:g} second{'' if seconds == 1 else 's'}, which is too long"


def find_words(body: str) -> str:
    """What an error body says, without its wrapping."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return body.strip()[:_MAX_WORDS]
    return _words_of(value).strip()[:_MAX_WORDS] or body.strip()[:_MAX_WORDS]


def hide_key(text: str, request: HttpRequest) -> str:
    """The text without the key that was sent, which some servers repeat."""
    for name in ("Authorization", "x-api-key"):
        key = request.headers.get(name, "").removeprefix("Bearer ").strip()
        if key:
            text = text.replace(key, "…")
    with contextlib.suppress(ValueError):
        for key in list_address_secrets(request.url):
            text = text.replace(key, "…").replace(unquote_plus(key), "…")
    return text


def _quoted(text: str, request: HttpRequest) -> str:
    return repr(hide_key(text, request).strip()[:200])


def _words_of(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        found = next((value[key] for key in ("error", "message", "detail", "msg") if value.get(key)), "")
        return _words_of(found)
    return json.dumps(value) if value else ""


def _server(url: str) -> str:
    parts = httpx2.URL(url)
    return f"The model server at {parts.host}{'' if parts.port is None else f':{parts.port}'}"


@contextlib.contextmanager
def speaking(request: HttpRequest) -> Iterator[None]:
    """Turns what goes wrong on the way to a server into ModelCallError."""
    try:
        yield
    except httpx2.HTTPError as error:
        raise describe_failure(error, request.url) from None
    except (httpx2.InvalidURL, UnicodeError) as error:
        shown = "The address, which has a key in it," if hides_secret(request.url) else repr(request.url)
        raise ModelCallError(hide_key(f"{shown} is no address of a model server: {error}.", request)) from None
