"""One HTTP request and its answer, bounded in size and time, with the address checked before connecting."""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

import httpx2

from workflows_app.errors import WebError
from workflows_app.llm.transport import find_proxy
from workflows_app.net.addresses import LookUp, find_public_address, look_up

CEILING_BYTES = 256 * 1024 * 1024
"""What is read at most, whatever a node allows itself."""


@dataclass(frozen=True, slots=True)
class WebRequest:
    """What is asked, and within which limits."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: str | None = None
    timeout_seconds: float = 30.0
    """For the whole answer."""
    limit_bytes: int = 0
    """Where the body is cut; 0: at the ceiling."""
    refuses_private: bool = True
    """Whether a host of this machine or network is refused, by the address that is connected to."""
    refuses_private_proxy: bool = True
    verify: bool = True
    ca_bundle: str = ""
    proxy: str = ""


@dataclass(frozen=True, slots=True)
class WebResponse:
    """An answer of any status. `is_cut`: the body was longer than the limit."""

    status: int
    reason: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    is_cut: bool = False

    @property
    def text(self) -> str:
        """The body as text, in the charset it names, else UTF-8."""
        kind = next((value for name, value in self.headers.items() if name.lower() == "content-type"), "")
        charset = kind.partition("charset=")[2].partition(";")[0].strip(" \"'") or "utf-8"
        try:
            return self.body.decode(charset, "replace")
        except LookupError:
            return self.body.decode("utf-8", "replace")


class WebClient(Protocol):
    """Sends requests; redirects are answers like any other. Raises WebError, AddressRefusedError."""

    def send(self, request: WebRequest) -> WebResponse:
        """The answer, whatever its status."""
        ...


@dataclass(frozen=True, slots=True)
class WebAccess:
    """The way to the web that a run is given as a facility."""

    client: WebClient


@dataclass(frozen=True, slots=True)
class HttpWebClient:
    """The real web."""

    look_up: LookUp = look_up

    def send(self, request: WebRequest) -> WebResponse:
        """The answer, whatever its status. Raises WebError, AddressRefusedError."""
        url = _parse(request.url)
        deadline = time.monotonic() + request.timeout_seconds
        target = url.copy_with(host=find_public_address(url.host, self.look_up)) if request.refuses_private else url
        headers = {"Host": url.netloc.decode("ascii"), **request.headers}
        with _own_words(url), _open(request, self.look_up) as client:
            # The name stays in the Host header and in what TLS checks; only the connection goes to the address.
            message = client.build_request(
                request.method,
                target,
                headers=headers,
                content=None if request.body is None else request.body.encode(),
                extensions={"sni_hostname": url.host},
            )
            response = client.send(message, stream=True)
            try:
                body, is_cut = _read(response, request.limit_bytes or CEILING_BYTES, deadline)
            finally:
                response.close()
        named = {name.decode("latin-1"): value.decode("latin-1") for name, value in response.headers.raw}
        return WebResponse(response.status_code, response.reason_phrase, named, body, is_cut)


def check_scheme(url: str, scheme: str) -> None:
    """Raises WebError for an address that is no web page, such as `file:///etc/passwd`."""
    if scheme not in ("http", "https"):
        raise WebError(f"{url!r} is no address of a web page; it must begin with http:// or https://.")


def _parse(text: str) -> httpx2.URL:
    try:
        url = httpx2.URL(text)
    except (httpx2.InvalidURL, UnicodeError, ValueError) as error:
        raise WebError(f"{text!r} is no address of a web page: {error}.") from None
    check_scheme(text, url.scheme if url.host else "")
    return url


def _open(request: WebRequest, look_up: LookUp) -> httpx2.Client:
    try:
        if request.proxy and request.refuses_private_proxy:
            find_public_address(httpx2.URL(request.proxy).host, look_up)
        context: ssl.SSLContext | bool = request.verify
        if request.verify and request.ca_bundle:
            context = ssl.create_default_context(cafile=request.ca_bundle)
        transport = httpx2.HTTPTransport(verify=context, proxy=request.proxy or find_proxy(request.url))
    except (OSError, ssl.SSLError) as error:
        raise WebError(f"The CA bundle {request.ca_bundle!r} cannot be used: {error}.") from None
    except (ValueError, ImportError, httpx2.InvalidURL) as error:
        raise WebError(f"The proxy {request.proxy!r} cannot be used: {error}") from None
    return httpx2.Client(transport=transport, timeout=request.timeout_seconds, trust_env=False, follow_redirects=False)


def _read(response: httpx2.Response, limit: int, deadline: float) -> tuple[bytes, bool]:
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > limit:
            return bytes(body[:limit]), True
        if time.monotonic() > deadline:
            raise WebError("The page did not arrive completely in time.", is_timeout=True)
    return bytes(body), False


@contextmanager
def _own_words(url: httpx2.URL) -> Iterator[None]:
    try:
        yield
    except httpx2.TimeoutException:
        raise WebError(f"{url.host} did not answer in time.", is_timeout=True) from None
    except httpx2.HTTPError as error:
        raise WebError(f"{url.host} could not be asked: {error}") from None
    except (UnicodeError, ValueError) as error:
        raise WebError(f"The request to {url.host} cannot be sent: {error}") from None
