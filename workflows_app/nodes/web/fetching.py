"""Following a page through its redirects, every host checked before it is asked (workflows.md §10.13)."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urljoin, urlsplit

from workflows_app.engine.permissions import Permissions
from workflows_app.errors import AddressRefusedError, SwitchedOffError, WebError
from workflows_app.net.addresses import check_literal_host
from workflows_app.net.web_client import WebClient, WebRequest, WebResponse, check_scheme
from workflows_app.nodes.web.config import FetchSettings

MAX_REDIRECTS = 10
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BECOME_GET = frozenset({301, 302, 303})
_CREDENTIALS = frozenset({"authorization", "cookie", "proxy-authorization"})
_OF_BODY = frozenset({"content-type", "content-length", "content-encoding", "transfer-encoding"})


def fetch(settings: FetchSettings, permissions: Permissions, client: WebClient) -> tuple[WebResponse, str]:
    """The answer and the address it came from. Raises WebError, AddressRefusedError, SwitchedOffError."""
    request = WebRequest(
        url=settings.url,
        method=settings.method,
        headers=settings.headers,
        body=settings.body,
        timeout_seconds=settings.timeout_seconds,
        limit_bytes=settings.limit_bytes,
        refuses_private=settings.blocks_private or not permissions.allow_private_addresses,
        refuses_private_proxy=not permissions.allow_private_addresses,
        verify=settings.verify,
        ca_bundle=settings.ca_bundle,
        proxy=settings.proxy,
    )
    if settings.proxy:
        permissions.check_web_host(_host_of(settings.proxy))
    for _ in range(MAX_REDIRECTS + 1):
        response = _send(request, settings, permissions, client)
        target = _find_target(response)
        if not target or not settings.follows_redirects:
            return response, request.url
        request = redirect(request, response.status, target)
    raise WebError(f"WebFetch exceeded the maximum of {MAX_REDIRECTS} redirects.")


def redirect(request: WebRequest, status: int, target: str) -> WebRequest:
    """The request that a redirect leads to: other hosts get no credentials, and most statuses ask with GET."""
    url = urljoin(request.url, target)
    headers = dict(request.headers)
    if _host_of(url) != _host_of(request.url) or _leaves_tls(request.url, url):
        headers = _without(headers, _CREDENTIALS)
    if status in _BECOME_GET and request.method not in ("GET", "HEAD"):
        return replace(request, url=url, method="GET", body=None, headers=_without(headers, _OF_BODY))
    return replace(request, url=url, headers=headers)


def _send(request: WebRequest, settings: FetchSettings, permissions: Permissions, client: WebClient) -> WebResponse:
    host = _host_of(request.url)
    check_scheme(request.url, urlsplit(request.url).scheme if host else "")
    if settings.allowed_hosts is not None and host not in settings.allowed_hosts:
        raise _blocked(f"host {host!r} is not in the configured allowedHosts list")
    try:
        if request.refuses_private:
            check_literal_host(host)
        permissions.check_web_host(host)
        return client.send(request)
    except AddressRefusedError as error:
        if settings.blocks_private:
            raise _blocked(error.message) from None
        raise SwitchedOffError(
            f"WebFetch may not reach this machine or network: {error.message}. To allow it, switch on the setting "
            "WILMER_NODE_PRIVATE_ADDRESSES; until then pin the node's output."
        ) from None


def _blocked(reason: str) -> AddressRefusedError:
    return AddressRefusedError(f"WebFetch blocked a request to a disallowed address: {reason}.")


def _find_target(response: WebResponse) -> str:
    if response.status not in _REDIRECTS:
        return ""
    return next((value for name, value in response.headers.items() if name.lower() == "location"), "")


def _host_of(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError as error:
        raise WebError(f"{url!r} is no address of a web page: {error}.") from None


def _leaves_tls(old: str, new: str) -> bool:
    return old.lower().startswith("https:") and not new.lower().startswith("https:")


def _without(headers: dict[str, str], names: frozenset[str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name.lower() not in names}
