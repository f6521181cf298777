"""What nodes may reach beyond the discussion and its models. Everything is off until a setting switches it on."""

from __future__ import annotations

from dataclasses import dataclass

from workflows_app.engine.run import Run
from workflows_app.errors import SwitchedOffError

ALL = "*"
"""In a list of names: every name."""
THIS_MACHINE = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class Permissions:
    """What an operator allows; a run carries it as a facility. Python files are never run, whatever this says."""

    file_folders: tuple[str, ...] = ()
    """Folders below which `GetCustomFile` and `SaveCustomFile` may work (WILMER_NODE_FILE_FOLDERS)."""
    web_hosts: tuple[str, ...] = ()
    """Hosts for `WebFetch`; `*` is all of them, `*.example.org` one and those below it (WILMER_NODE_WEB_HOSTS)."""
    allow_private_addresses: bool = False
    """Whether `WebFetch` may reach this machine and network (WILMER_NODE_PRIVATE_ADDRESSES)."""
    allow_curl: bool = False
    """Whether `CurlCommand` runs; curl can read files and reach every host that this machine can (WILMER_NODE_CURL)."""
    mcp_servers: tuple[str, ...] = ()
    """Names of MCP servers that may be started or asked; `*` is all of them (WILMER_NODE_MCP_SERVERS)."""
    wiki_hosts: tuple[str, ...] = THIS_MACHINE
    """Hosts of the offline Wikipedia and researcher services (WILMER_NODE_WIKI_HOSTS)."""

    def check_web_host(self, host: str) -> None:
        """Raises SwitchedOffError for a host that is not allowed."""
        if not _matches(host, self.web_hosts):
            raise _switched_off(f"WebFetch may not ask the host {host!r}", "WILMER_NODE_WEB_HOSTS", "add the host to")

    def check_wiki_host(self, host: str) -> None:
        """Raises SwitchedOffError for a knowledge service at a host that is not allowed."""
        if not _matches(host, self.wiki_hosts):
            what = f"No knowledge service may be asked at the host {host!r}"
            raise _switched_off(what, "WILMER_NODE_WIKI_HOSTS", "add the host to")

    def check_mcp_server(self, name: str) -> None:
        """Raises SwitchedOffError for an MCP server that is not allowed."""
        if ALL not in self.mcp_servers and name not in self.mcp_servers:
            what = f"The MCP server {name!r} may not be used"
            raise _switched_off(what, "WILMER_NODE_MCP_SERVERS", "add its name to")

    def check_curl(self) -> None:
        """Raises SwitchedOffError unless curl may run."""
        if not self.allow_curl:
            raise _switched_off("CurlCommand runs a program on the server and is off", "WILMER_NODE_CURL", "switch on")


def permissions_of(run: Run) -> Permissions:
    """What this run may do; a run that was given nothing may do nothing."""
    given = run.facilities.get(Permissions)
    return given if isinstance(given, Permissions) else Permissions()


def _matches(host: str, allowed: tuple[str, ...]) -> bool:
    wanted = host.strip("[]").rstrip(".").lower()
    for name in (pattern.lower() for pattern in allowed):
        is_below = name.startswith("*.") and (wanted == name[2:] or wanted.endswith(name[1:]))
        if name in (ALL, wanted) or is_below:
            return True
    return False


def _switched_off(what: str, setting: str, how: str) -> SwitchedOffError:
    return SwitchedOffError(f"{what}. To allow it, {how} the setting {setting}; until then pin the node's output.")
