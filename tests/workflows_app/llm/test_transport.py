"""Proxies, and what servers say."""

from __future__ import annotations

import httpx2
import pytest

from workflows_app.errors import ModelCallError
from workflows_app.llm.requests import HttpRequest
from workflows_app.llm.transport import find_proxy, find_words, hide_key, parse_object, speaking


def test_proxy_only_for_public_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "http://proxy:3128")
    monkeypatch.setenv("http_proxy", "http://proxy:3128")
    monkeypatch.setenv("no_proxy", "inside.example.com")

    assert find_proxy("https://api.example.com/v1") == "http://proxy:3128"
    assert find_proxy("https://inside.example.com/v1") is None
    assert find_proxy("http://127.0.0.1:8080") is None


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('{"error": {"message": "no such model"}}', "no such model"),
        ('{"error": "out of memory"}', "out of memory"),
        ('{"detail": [{"msg": "bad"}]}', '[{"msg": "bad"}]'),
        ("plain words", "plain words"),
        ("{}", "{}"),
        ("", ""),
    ],
)
def test_words_of_an_error(body: str, words: str) -> None:
    assert find_words(body) == words


@pytest.mark.parametrize(
    "url", ["https://h/v1?key=s%20cret", "https://h/v1?x=1&api_key=s%20cret", "https://me:s%20cret@h/v1"]
)
@pytest.mark.parametrize("text", ["Cannot GET {url}", "no such key: s cret"])
def test_keys_of_an_address_are_left_out_of_what_a_server_says(url: str, text: str) -> None:
    said = hide_key(text.format(url=url), HttpRequest(url, {}, {}))

    assert "s%20cret" not in said
    assert "s cret" not in said


def test_answer_that_is_no_object_is_told_without_the_key() -> None:
    request = HttpRequest("https://h/v1", {"Authorization": "Bearer sk-secret"}, {})

    with pytest.raises(ModelCallError) as caught:
        parse_object("<p>sk-secret is wrong</p>", request)

    assert "sk-secret" not in caught.value.message


def test_what_is_no_address_is_told_without_its_key() -> None:
    with pytest.raises(ModelCallError) as caught, speaking(HttpRequest("http://h:x/?key=s3cret", {}, {})):
        raise httpx2.InvalidURL("Invalid port in http://h:x/?key=s3cret")

    assert "s3cret" not in caught.value.message
