from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client

from wilmer_site.lib.clock import utc_now
from wilmer_site.models import SignInLink
from wilmer_site.sign_in_links import create_sign_in_link

SECRET = "a long enough secret"


@pytest.fixture
def named(reader: User) -> User:
    reader.set_password(SECRET)
    reader.save()
    return reader


def test_sign_in_shows_the_form(client: Client, db: None) -> None:
    page = BeautifulSoup(client.get("/sign-in/").content, "html.parser")

    assert page.select_one("#sign-in input[name=password]")


def test_sign_in_leads_to_where_one_wanted(client: Client, named: User) -> None:
    response = client.post("/sign-in/", {"username": "admin", "password": SECRET, "next": "/account/"})

    assert (response.status_code, response["Location"]) == (302, "/account/")


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_sign_in_never_leads_to_another_host(client: Client, named: User, elsewhere: str) -> None:
    response = client.post("/sign-in/", {"username": "admin", "password": SECRET, "next": elsewhere})

    assert response["Location"] == "/"


def test_sign_in_with_a_wrong_password_says_so(client: Client, named: User) -> None:
    response = client.post("/sign-in/", {"username": "admin", "password": "wrong"})

    page = BeautifulSoup(response.content, "html.parser")
    assert response.status_code == 422
    assert page.select_one("[role=alert]")
    assert page.select_one("input[name=username]")["value"] == "admin"  # type: ignore[index]


def test_sign_in_rests_after_five_failures(client: Client, named: User) -> None:
    statuses = [client.post("/sign-in/", {"username": "admin", "password": "no"}).status_code for _ in range(5)]

    assert statuses == [422, 422, 422, 422, 429]
    response = client.post("/sign-in/", {"username": "admin", "password": SECRET})
    assert (response.status_code, b"Too many wrong passwords" in response.content) == (429, True)


def test_sign_in_passes_a_reader_on(signed_in: Client) -> None:
    assert signed_in.get("/sign-in/?next=/account/")["Location"] == "/account/"


def test_sign_in_link_changes_nothing_until_the_button(client: Client, reader: User) -> None:
    token = create_sign_in_link(reader, now=utc_now())

    response = client.get(f"/sign-in/link/{token}/")

    assert BeautifulSoup(response.content, "html.parser").select_one("button[autofocus]")
    assert SignInLink.objects.get().used_at is None


def test_sign_in_link_signs_in_once(client: Client, reader: User) -> None:
    address = f"/sign-in/link/{create_sign_in_link(reader, now=utc_now())}/"

    assert client.post(address)["Location"] == "/"
    assert client.get(address)["Location"] == "/"
    assert Client().post(address).status_code == 404


def test_unknown_sign_in_link_is_explained(client: Client, db: None) -> None:
    response = client.get("/sign-in/link/nonsense/")

    assert (response.status_code, b"manage.py sign_in_link" in response.content) == (404, True)


def test_sign_out_forgets_keys_and_reader(signed_in: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    forgotten: list[object] = []
    monkeypatch.setattr("wilmer_site.keyring.forget_keys", forgotten.append)

    assert signed_in.post("/sign-out/")["Location"] == "/sign-in/"

    assert len(forgotten) == 1
    assert signed_in.get("/account/").status_code == 302


def test_sign_out_refuses_get(signed_in: Client) -> None:
    response = signed_in.get("/sign-out/")

    assert (response.status_code, response["Allow"]) == (405, "POST")
    assert b"does not answer GET" in response.content
