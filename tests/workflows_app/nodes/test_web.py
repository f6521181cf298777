"""WebFetch on real loopback pages, and what it does while it is off."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.web_server import FakeWebServer, Page
from tests.workflows_app.nodes.running import allowing, output_of
from workflows_app.errors import AddressRefusedError, NodeFailedError, SwitchedOffError, WebError
from workflows_app.net.web_client import WebRequest
from workflows_app.nodes.web.fetching import redirect
from workflows_app.nodes.web.pages import strip_html

ALLOWED = allowing(web_hosts=("*",), allow_private_addresses=True)
PAGES = {
    "/page": Page("hello"),
    "/to-other": Page(status=302, headers={"Location": "http://other.test/"}),
    "/json": Page('{"a": 1}'),
}


def fetch(public: Path, url: str, **values: Any) -> Any:
    facilities = values.pop("facilities", ALLOWED)
    return output_of(public, {"type": "WebFetch", "url": url, **values}, facilities=facilities)


def test_page(public: Path) -> None:
    with FakeWebServer(PAGES) as server:
        assert fetch(public, f"{server.url}/page") == "hello"
        assert json.loads(fetch(public, f"{server.url}/json", outputFormat="full"))["body"] == '{"a": 1}'


@pytest.mark.parametrize("on_error", ["raise", "return"])
def test_off_until_a_setting_allows_the_host(public: Path, on_error: str) -> None:
    with FakeWebServer(PAGES) as server:
        with pytest.raises(SwitchedOffError, match="WILMER_NODE_PRIVATE_ADDRESSES"):
            fetch(public, f"{server.url}/page", onError=on_error, facilities=allowing(web_hosts=("*",)))
        with pytest.raises(SwitchedOffError, match="WILMER_NODE_WEB_HOSTS"):
            fetch(public, f"{server.url}/page", facilities=allowing(allow_private_addresses=True))
        assert server.seen == []


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://a.test/x", "gopher:", "page.html"])
@pytest.mark.parametrize("facilities", [ALLOWED, allowing()])
def test_other_schemes_are_named(public: Path, url: str, facilities: Any) -> None:
    with pytest.raises(WebError, match=r"must begin with http:// or https://") as caught:
        fetch(public, url, facilities=facilities)

    assert url in caught.value.message


def test_redirect_to_a_host_that_no_setting_allows(public: Path) -> None:
    allowed = allowing(web_hosts=("127.0.0.1",), allow_private_addresses=True)
    with FakeWebServer(PAGES) as server, pytest.raises(SwitchedOffError, match=r"other\.test"):
        fetch(public, f"{server.url}/to-other", facilities=allowed)


def test_nodes_own_guard_holds_even_when_settings_allow_more(public: Path) -> None:
    with FakeWebServer(PAGES) as server:
        with pytest.raises(AddressRefusedError, match="disallowed address"):
            fetch(public, f"{server.url}/page", blockPrivateAddresses=True)
        said = fetch(public, f"{server.url}/page", allowedHosts=["a.test"], onError="return")

    assert said.endswith("'127.0.0.1' is not in the configured allowedHosts list.")


def test_failed_page(public: Path) -> None:
    with FakeWebServer(PAGES) as server:
        with pytest.raises(WebError, match="404 Client Error"):
            fetch(public, f"{server.url}/none")
        assert fetch(public, f"{server.url}/none", onError="return") == "nothing here"


def test_infinite_timeout_is_refused(public: Path) -> None:
    with pytest.raises(NodeFailedError, match="positive"):
        fetch(public, "http://a.test/", timeout="inf")


def test_redirect_rules() -> None:
    headers = {"Authorization": "s", "X-Keep": "1"}
    post = WebRequest("https://a.test/x", "POST", headers, "body")

    assert redirect(post, 307, "/y") == WebRequest("https://a.test/y", "POST", headers, "body")
    assert redirect(post, 302, "/y") == WebRequest("https://a.test/y", "GET", headers)
    assert redirect(post, 302, "http://a.test/y").headers == {"X-Keep": "1"}


def test_text_of_a_broken_page() -> None:
    assert strip_html("</script><p>a<script>no<p>b</script>c<iframe>no") == "a\nc"
