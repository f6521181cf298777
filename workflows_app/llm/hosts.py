"""Whether an address is one of this machine or network (workflows.md §8.5)."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

_LOCAL_ENDINGS = (
    ".local",
    ".localhost",
    ".localdomain",
    ".lan",
    ".internal",
    ".intranet",
    ".home",
    ".home.arpa",
    ".test",
    ".invalid",
)


def is_clearly_public(address: str) -> bool:
    """Whether a URL leads off the local network, judged by its host alone; nothing is looked up."""
    try:
        host = (urlsplit(address if "://" in address else f"//{address}").hostname or "").rstrip(".").lower()
    except ValueError:
        return False
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(_LOCAL_ENDINGS)
