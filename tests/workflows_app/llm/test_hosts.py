"""Which addresses lead off the local network."""

from __future__ import annotations

import pytest

from workflows_app.llm.hosts import is_clearly_public


@pytest.mark.parametrize(
    "address",
    [
        "http://localhost:1",
        "http://127.0.0.1",
        "http://[::1]:8080",
        "http://10.0.0.4",
        "http://box",
        "http://nas.local",
    ],
)
def test_local(address: str) -> None:
    assert not is_clearly_public(address)


@pytest.mark.parametrize(
    "address", ["https://api.example.com", "http://8.8.8.8:80", "http://[2606:4700::1]/v1", "a.com"]
)
def test_public(address: str) -> None:
    assert is_clearly_public(address)
