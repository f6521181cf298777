"""Proxies, and what servers say."""

from __future__ import annotations

import pytest

from workflows_app.llm.transport import find_proxy, find_words


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
