from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client, RequestFactory

from memory.types import ApiKey, KeyHash
from wilmer_site import keyring
from wilmer_site.lib.clock import utc_now
from wilmer_site.sign_in_links import create_sign_in_link


def build_request(*, session_key: str | None = None, **headers: str) -> Any:
    request: Any = RequestFactory().get("/", headers=headers)
    request.session = import_module(settings.SESSION_ENGINE).SessionStore(session_key)
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


def test_keys_of_a_session_id_that_is_over_open_nothing(db: None) -> None:
    request = build_request()
    keyring.add_key(request, KeyHash("ab"), ApiKey("secret"))
    old = build_request(session_key=request.session.session_key)

    request.session.cycle_key()

    assert keyring.keys_of(request) == keyring.keys_of(old) == {}


def test_signing_in_as_somebody_else_drops_the_keys_of_the_old_session_id(signed_in: Client, reader: User) -> None:
    old = unlock_in(signed_in, reader)

    other = User.objects.create_user("other")
    signed_in.post(f"/sign-in/link/{create_sign_in_link(other, now=utc_now())}/")

    assert old not in keyring._rings
    assert signed_in.session.session_key not in {None, old}


def test_signing_out_drops_the_keys(signed_in: Client, reader: User) -> None:
    old = unlock_in(signed_in, reader)

    signed_in.post("/sign-out/")

    assert old not in keyring._rings


def test_another_password_drops_the_keys_of_every_sign_in(signed_in: Client, reader: User) -> None:
    elsewhere, stranger = Client(), Client()
    elsewhere.force_login(reader)
    other = User.objects.create_user("other")
    stranger.force_login(other)
    mine = {unlock_in(signed_in, reader), unlock_in(elsewhere, reader)}
    theirs = unlock_in(stranger, other)

    signed_in.post(
        "/account/password/", {"new_password1": "a long enough secret", "new_password2": "a long enough secret"}
    )

    assert mine.isdisjoint(keyring._rings)
    assert theirs in keyring._rings
    assert elsewhere.get("/account/").status_code == 302


def test_keys_unlocked_under_another_password_open_nothing_in_any_process(db: None, reader: User) -> None:
    request = build_request()
    request.user = reader
    keyring.add_key(request, KeyHash("ab"), ApiKey("secret"))

    reader.set_password("a long enough secret")

    assert keyring.keys_of(request) == {}
    keyring.add_key(request, KeyHash("cd"), ApiKey("another"))
    assert keyring.keys_of(request) == {"cd": "another"}


def unlock_in(client: Client, user: User) -> str:
    """The session id of a browser that has unlocked something."""
    request = build_request(session_key=client.session.session_key)
    request.user = user
    keyring.add_key(request, KeyHash("ab"), ApiKey("secret"))
    assert keyring.keys_of(request) == {"ab": "secret"}
    return str(client.session.session_key)
