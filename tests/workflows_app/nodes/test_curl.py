"""CurlCommand, with a program called curl that only tells its arguments."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.workflows_app.nodes.running import allowing, output_of
from workflows_app.errors import NodeFailedError, SwitchedOffError, ToolCallError
from workflows_app.nodes.tools.config import CurlSettings
from workflows_app.nodes.tools.curl_guard import check_hosts

CURL = """#!{python}
import sys
if "fail" in sys.argv: print("no luck", file=sys.stderr); sys.exit(7)
print("|".join(sys.argv[1:]))
"""


@pytest.fixture(autouse=True)
def curl(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path_factory.mktemp("bin") / "curl"
    program.write_text(CURL.format(python=sys.executable), encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def run(public: Path, *args: str, **values: Any) -> Any:
    facilities = values.pop("facilities", allowing(allow_curl=True))
    return output_of(public, {"type": "CurlCommand", "args": list(args), **values}, facilities=facilities)


def test_off_until_a_setting_allows_it(public: Path) -> None:
    with pytest.raises(SwitchedOffError, match="WILMER_NODE_CURL"):
        run(public, "http://a.test", onError="return", facilities=allowing())


def test_arguments_are_passed_without_a_shell(public: Path) -> None:
    assert run(public, "-s", "{chat_user_prompt_last_one}; rm -rf", proxy="http://p.test") == (
        "-q|--proxy|http://p.test|-s|hi; rm -rf\n"
    )


def test_failure(public: Path) -> None:
    with pytest.raises(ToolCallError, match="exit code 7: no luck"):
        run(public, "fail")
    full = json.loads(run(public, "fail", onError="return", outputFormat="full"))
    assert full == {"stdout": "", "stderr": "no luck\n", "returncode": 7}


def test_too_much_is_said(public: Path) -> None:
    assert run(public, "x" * 50, maxResponseBytes=20, onError="return").endswith("20-byte cap (maxResponseBytes).")


def settings(*args: str, **values: Any) -> CurlSettings:
    pairs = tuple((arg, arg) for arg in args)
    guard = {"blocks_private": True, "allowed_hosts": None, **values}
    return CurlSettings(pairs, "stdout", False, 30, 0, "", blocks_options=False, allows_schemes=False, **guard)


def test_hosts_are_bound_to_the_address_that_was_checked() -> None:
    found = check_hosts(settings("-s", "-H", "A: b", "https://a.test/x"), lambda _: ["93.184.216.34"])

    assert found == ["--resolve", "a.test:443:93.184.216.34"]


@pytest.mark.parametrize(
    "args",
    [
        ("-L", "http://a.test"),
        ("-sL", "http://a.test"),
        ("--resolve", "a.test:80:127.0.0.1", "http://a.test"),
        ("-K", "file"),
        ("--url=http://10.0.0.1",),
        ("-o", "file", "http://a.test", "http://[::1]/"),
        ("-sXPOST", "http://169.254.169.254"),
        ("http://{a.test,127.0.0.1}/",),
    ],
)
def test_ways_around_the_guard(args: tuple[str, ...]) -> None:
    with pytest.raises(NodeFailedError, match="CurlCommand"):
        check_hosts(settings(*args), lambda _: ["93.184.216.34"])


def test_values_of_options_are_no_hosts() -> None:
    args = ("-d", "http://10.0.0.1", "--data", "10.0.0.1", "--url", "http://a.test")

    assert check_hosts(settings(*args, blocks_private=False, allowed_hosts=frozenset({"a.test"}))) == []
