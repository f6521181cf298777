from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from django.test import RequestFactory

from memory.types import ApiKey, KeyHash
from wilmer_site import keyring


def build_request(**headers: str) -> Any:
    request: Any = RequestFactory().get("/", headers=headers)
    request.session = import_module(settings.SESSION_ENGINE).SessionStore()
    return request


def test_keys_live_as_long_as_the_sign_in(db: None) -> None:
    request = build_request()
    keyring.add_key(request, KeyHash("ab"), ApiKey("secret"))
    assert keyring.keys_of(request) == {"ab": "secret"}

    keyring.forget_keys(request)

    assert keyring.keys_of(request) == {}


def test_keys_of_another_sign_in_stay_unseen(db: None) -> None:
    keyring.add_key(build_request(), KeyHash("ab"), ApiKey("secret"))

    assert keyring.keys_of(build_request()) == {}


def test_key_sent_with_a_request_counts_for_that_request() -> None:
    request = build_request(**{keyring.KEY_HEADER: "secret"})

    assert keyring.keys_of(request) == {"2bb80d537b1da3e3": "secret"}
    assert keyring.keys_of(build_request()) == {}


def test_idle_keys_are_forgotten(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    request = build_request()
    keyring.add_key(request, KeyHash("ab"), ApiKey("secret"))

    monkeypatch.setattr(keyring, "IDLE_SECONDS", -1)

    assert keyring.keys_of(request) == {}


def test_keys_do_not_show_in_a_repr() -> None:
    assert "secret" not in repr(keyring._Ring(keys={KeyHash("ab"): ApiKey("secret")}))
