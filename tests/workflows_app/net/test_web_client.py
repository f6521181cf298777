"""Real requests to loopback."""

from __future__ import annotations

import pytest

from tests.fakes.web_server import FakeWebServer, Page
from workflows_app.errors import AddressRefusedError, WebError
from workflows_app.net import web_client
from workflows_app.net.web_client import HttpWebClient, WebRequest, WebResponse

PAGES = {
    "/page": Page("žába"),
    "/latin": Page("x", headers={"Content-Type": "text/plain; charset=nonsense"}),
    "/moved": Page(status=302, headers={"Location": "/page"}),
}


def ask(server: FakeWebServer, path: str, **changes: object) -> WebResponse:
    values = {"url": f"{server.url}{path}", "refuses_private": False, "refuses_private_proxy": False, **changes}
    return HttpWebClient().send(WebRequest(**values))  # type: ignore[arg-type]


def test_page_with_its_charset_and_headers() -> None:
    with FakeWebServer(PAGES) as server:
        response = ask(server, "/page", method="POST", headers={"X-A": "b"}, body="ahoj")

    assert (response.status, response.text) == (200, "žába")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert (server.seen[0].method, server.seen[0].headers["X-A"], server.seen[0].body) == ("POST", "b", "ahoj")


def test_unknown_charset_reads_as_utf8_and_redirects_are_not_followed() -> None:
    with FakeWebServer(PAGES) as server:
        assert ask(server, "/latin").text == "x"
        assert ask(server, "/moved").status == 302


def test_body_is_cut_at_the_limit() -> None:
    with FakeWebServer({"/big": Page("x" * 100)}) as server:
        response = ask(server, "/big", limit_bytes=10)

    assert (response.body, response.is_cut) == (b"x" * 10, True)


def test_private_address_is_refused_before_connecting() -> None:
    with FakeWebServer(PAGES) as server:
        with pytest.raises(AddressRefusedError, match="loopback"):
            ask(server, "/page", refuses_private=True)
        assert server.seen == []


def test_connection_goes_to_the_address_that_was_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web_client, "find_public_address", lambda host, look_up: "127.0.0.1")
    with FakeWebServer(PAGES) as server:
        request = WebRequest(f"http://pages.test:{server.port}/page")
        assert HttpWebClient().send(request).text == "žába"

    assert server.seen[0].headers["Host"] == f"pages.test:{server.port}"


@pytest.mark.parametrize("url", ["ftp://a.test/", "file:///etc/passwd", "a.test", "http://", "http://a.test/\n"])
def test_no_address_of_a_page(url: str) -> None:
    with pytest.raises(WebError, match="no address"):
        HttpWebClient().send(WebRequest(url, refuses_private=False))


def test_nobody_listens() -> None:
    with FakeWebServer({}) as server:
        url = server.url
    with pytest.raises(WebError, match="could not be asked"):
        HttpWebClient().send(WebRequest(url, refuses_private=False))


@pytest.mark.parametrize("proxy", ["http://127.0.0.1:1", "http://localhost:1"])
def test_proxy_of_this_machine_is_refused(proxy: str) -> None:
    with pytest.raises(AddressRefusedError):
        HttpWebClient().send(WebRequest("http://93.184.216.34/", proxy=proxy))


def test_impossible_proxy_and_bundle() -> None:
    with FakeWebServer(PAGES) as server:
        with pytest.raises(WebError, match="proxy"):
            ask(server, "/page", proxy="gopher://a.test")
        with pytest.raises(WebError, match="CA bundle"):
            ask(server, "/page", ca_bundle="/none.pem")
