"""Nothing is allowed until somebody allows it, and a refusal names the setting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.workflows_app.builders import build_run
from workflows_app.engine.permissions import Permissions, permissions_of
from workflows_app.errors import SwitchedOffError

CHECKS: dict[str, Callable[[Permissions], None]] = {
    "WILMER_NODE_WEB_HOSTS": lambda permissions: permissions.check_web_host("a.test"),
    "WILMER_NODE_WIKI_HOSTS": lambda permissions: permissions.check_wiki_host("wiki.test"),
    "WILMER_NODE_MCP_SERVERS": lambda permissions: permissions.check_mcp_server("files"),
    "WILMER_NODE_CURL": lambda permissions: permissions.check_curl(),
}


@pytest.mark.parametrize("setting", CHECKS)
def test_refusal_names_the_setting(setting: str) -> None:
    with pytest.raises(SwitchedOffError, match=setting):
        CHECKS[setting](Permissions())


@pytest.mark.parametrize("check", CHECKS.values())
def test_what_is_allowed_passes(check: Callable[[Permissions], None]) -> None:
    check(Permissions(web_hosts=("a.test",), wiki_hosts=("*",), mcp_servers=("files",), allow_curl=True))


@pytest.mark.parametrize("host", ["example.org", "www.example.org", "WWW.Example.ORG."])
def test_a_host_and_those_below_it(host: str) -> None:
    Permissions(web_hosts=("*.example.org",)).check_web_host(host)


@pytest.mark.parametrize("host", ["badexample.org", "example.org.evil.test", ""])
def test_hosts_that_only_look_alike(host: str) -> None:
    with pytest.raises(SwitchedOffError):
        Permissions(web_hosts=("*.example.org",)).check_web_host(host)


def test_knowledge_services_of_this_machine_need_no_setting() -> None:
    Permissions().check_wiki_host("127.0.0.1")


def test_a_run_that_was_given_nothing_may_do_nothing(public: Path) -> None:
    assert permissions_of(build_run(public)) == Permissions()
