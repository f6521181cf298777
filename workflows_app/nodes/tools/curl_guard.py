"""What a `CurlCommand` node may not be made to do by the texts put into it (workflows.md §10.14)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import SplitResult, urlsplit

from workflows_app.errors import AddressRefusedError, NodeFailedError
from workflows_app.net.addresses import LookUp, check_literal_host, find_public_address, look_up
from workflows_app.nodes.tools.config import CurlSettings

_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):(//)?")
_CURL_SCHEMES = frozenset(
    [
        "dict",
        "file",
        "ftp",
        "ftps",
        "gopher",
        "gophers",
        "imap",
        "imaps",
        "ipfs",
        "ipns",
        "ldap",
        "ldaps",
        "mqtt",
        "pop3",
        "pop3s",
        "rtmp",
        "rtmpe",
        "rtmps",
        "rtmpt",
        "rtsp",
        "scp",
        "sftp",
        "smb",
        "smbs",
        "smtp",
        "smtps",
        "telnet",
        "tftp",
        "ws",
        "wss",
    ]
)
_SHORT_WITH_VALUE = frozenset("AbcCdDeEFHhKmoPQrtTuUwxXyYz")
_LONG_WITH_VALUE = frozenset(
    [
        "--cacert",
        "--cert",
        "--connect-timeout",
        "--cookie",
        "--cookie-jar",
        "--data",
        "--data-ascii",
        "--data-binary",
        "--data-raw",
        "--data-urlencode",
        "--form",
        "--form-string",
        "--header",
        "--json",
        "--key",
        "--limit-rate",
        "--max-filesize",
        "--max-time",
        "--oauth2-bearer",
        "--output",
        "--proxy",
        "--range",
        "--referer",
        "--request",
        "--retry",
        "--retry-delay",
        "--upload-file",
        "--user",
        "--user-agent",
        "--write-out",
    ]
)
_EVADING = ("--resolve", "--connect-to", "--config", "--location", "--location-trusted", "--next", "--unix-socket")
"""Options with which curl would ask other hosts than those in its arguments."""


def check_substitutions(settings: CurlSettings) -> None:
    """Raises NodeFailedError for what variables may not bring in."""
    for template, text in settings.args:
        if text == template:
            continue
        if settings.blocks_options:
            _check_option(template, text)
        if not settings.allows_schemes:
            _check_scheme(template, text)


def check_hosts(settings: CurlSettings, look_up: LookUp = look_up) -> list[str]:
    """More arguments that bind every host to the address that was checked; none without a guard.

    Raises NodeFailedError for a host that the node's guards forbid, or an option that would lead around them.
    """
    if not settings.has_guard:
        return []
    args = [text for _, text in settings.args]
    _check_evasions(args)
    bindings: list[str] = []
    for url in _list_urls(args):
        try:
            bindings += _check_url(url, settings, look_up)
        except AddressRefusedError as error:
            raise NodeFailedError(
                f"CurlCommand blocked a request to a disallowed address: {error.message}. Adjust the URL, extend "
                "'allowedHosts', or disable 'blockPrivateAddresses'."
            ) from None
    return bindings


def _check_option(template: str, text: str) -> None:
    if text.startswith("-") and not template.startswith("-"):
        raise NodeFailedError(
            f"CurlCommand blocked an option-like argument produced by variable substitution: {text!r} (from template "
            f"{template!r}). A substituted value starting with '-' is treated by curl as an option. Disable "
            "'blockOptionInjection' if this is intentional."
        )
    if text.startswith("@") and not template.startswith("@"):
        raise NodeFailedError(
            f"CurlCommand blocked an '@'-prefixed argument produced by variable substitution: {text!r} (from template "
            f"{template!r}). curl reads a local file when a data/upload value begins with '@' (e.g. -d @file), so a "
            "substituted '@' value can read or exfiltrate a local file. Use '--data-raw' to send variable content "
            "literally, or disable 'blockOptionInjection' if this is intentional."
        )


def _check_scheme(template: str, text: str) -> None:
    scheme = _find_scheme(text)
    if scheme and scheme not in ("http", "https") and scheme != _find_scheme(template):
        raise NodeFailedError(
            f"CurlCommand blocked a '{scheme}:' URL produced by variable substitution: {text!r} (from template "
            f"{template!r}). Only http/https schemes may be introduced via substitution; a scheme like file://, "
            "ftp://, scp://, dict://, or gopher:// can read local files or reach internal services. Write the scheme "
            "literally in the args template, or set 'allowSchemeInjection': true to permit substituted schemes."
        )


def _find_scheme(text: str) -> str:
    """The scheme that curl would see; a word with a colon, such as a header, is none."""
    match = _SCHEME.match(text)
    scheme = match[1].lower() if match else ""
    return scheme if match and (match[2] or scheme in _CURL_SCHEMES) else ""


def _check_evasions(args: Sequence[str]) -> None:
    for arg in args:
        is_short = arg.startswith("-") and not arg.startswith("--") and any(letter in arg[1:] for letter in "LK:")
        if arg.partition("=")[0] in _EVADING or is_short:
            raise NodeFailedError(
                f"CurlCommand cannot check where {arg!r} leads. Leave it out, or do without 'blockPrivateAddresses' "
                "and 'allowedHosts'."
            )


def _list_urls(args: Sequence[str]) -> Iterator[str]:
    """Every argument that curl takes for an address; a value of an unknown option counts as one."""
    rest = iter(args)
    for arg in rest:
        if arg.startswith("--url="):
            yield arg.removeprefix("--url=")
        elif not arg.startswith("-") or arg == "-":
            yield arg
        elif _takes_next(arg):
            next(rest, None)


def _takes_next(option: str) -> bool:
    if option.startswith("--"):
        return option in _LONG_WITH_VALUE
    position = next((at for at, letter in enumerate(option[1:]) if letter in _SHORT_WITH_VALUE), None)
    return position == len(option) - 2


def _check_url(url: str, settings: CurlSettings, look_up: LookUp) -> list[str]:
    parts = _split(url)
    host = (parts.hostname or "").lower()
    if settings.allowed_hosts is not None and host not in settings.allowed_hosts:
        raise AddressRefusedError(f"host {host!r} is not in the configured allowedHosts list")
    if not settings.blocks_private:
        return []
    check_literal_host(host)
    address = find_public_address(host, look_up)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return [] if address == host else ["--resolve", f"{host}:{port}:{address}"]


def _split(url: str) -> SplitResult:
    if any(letter in url for letter in "{}[]\\") and "://[" not in url:
        raise AddressRefusedError(f"the hosts of {url!r} cannot be told, since curl makes several addresses of it")
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        _ = parts.port
    except ValueError as error:
        raise AddressRefusedError(f"{url!r} is no address: {error}") from None
    return parts
