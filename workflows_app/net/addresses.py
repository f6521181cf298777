"""Which addresses belong to this machine or network, judged after names were looked up."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Sequence

from workflows_app.errors import AddressRefusedError, WebError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
LookUp = Callable[[str], Sequence[str]]
"""The addresses of a host name, as texts."""


def look_up(host: str) -> list[str]:
    """Every address of a host name. Raises WebError."""
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise WebError(f"The host {host!r} cannot be found: {error}.") from None
    return list(dict.fromkeys(str(address[0]).partition("%")[0] for *_, address in found))


def check_literal_host(host: str) -> None:
    """Raises AddressRefusedError for a host that is written as an address of this machine or network."""
    kind = "loopback" if _is_localhost(host) else _describe_text(host)
    if kind:
        raise AddressRefusedError(f"host {host!r} is {_with_article(kind)} address")


def find_public_address(host: str, look_up: LookUp = look_up) -> str:
    """The address to connect to. Raises AddressRefusedError when any of the host's addresses is not public.

    Whoever connects to the address given here, and not to the name, cannot be sent elsewhere by a second look-up.
    """
    check_literal_host(host)
    addresses = [host] if _parse(host) else list(look_up(host))
    for address in addresses:
        kind = _describe_text(address)
        if kind:
            raise AddressRefusedError(f"host {host!r} resolves to {address}, which is {_with_article(kind)} address")
    if not addresses:
        raise WebError(f"The host {host!r} has no address.")
    return addresses[0]


def describe_address(address: Address) -> str:
    """The kind of an address that is not public, such as `loopback`; empty for a public one."""
    address = _unwrapped(address)
    kinds = {
        "loopback": address.is_loopback,
        "link-local": address.is_link_local,
        "unspecified": address.is_unspecified,
        "multicast": address.is_multicast,
        "reserved": address.is_reserved,
        "private": address.is_private,
        "non-public": not address.is_global,
    }
    return next((kind for kind, is_one in kinds.items() if is_one), "")


def _describe_text(text: str) -> str:
    address = _parse(text)
    return describe_address(address) if address else ""


def _parse(text: str) -> Address | None:
    try:
        return ipaddress.ip_address(text.strip("[]").partition("%")[0])
    except ValueError:
        return None


def _unwrapped(address: Address) -> Address:
    """The IPv4 address inside an IPv6 one that only carries it."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    teredo = address.teredo[1] if address.teredo else None
    return address.ipv4_mapped or address.sixtofour or teredo or _translated(address) or address


def _translated(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    """The IPv4 address behind NAT64."""
    if address in ipaddress.IPv6Network("64:ff9b::/96"):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def _is_localhost(host: str) -> bool:
    name = host.rstrip(".").lower()
    return name == "localhost" or name.endswith(".localhost")


def _with_article(kind: str) -> str:
    return f"an {kind}" if kind == "unspecified" else f"a {kind}"
