from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from wilmer_site.api_tokens import create_token, find_token
from wilmer_site.lib.clock import utc_now
from wilmer_site.models import ApiToken

SECRET = "a long enough secret"


def soup(response: HttpResponse) -> BeautifulSoup:
    return BeautifulSoup(response.content, "html.parser")


def test_account_shows_a_first_password_and_no_tokens(signed_in: Client) -> None:
    page = soup(signed_in.get("/account/"))  # type: ignore[arg-type]

    assert page.select_one("[name=new_password1]")
    assert not page.select("[name=old_password], table")


def test_account_needs_a_sign_in(client: Client, db: None) -> None:
    assert client.get("/account/")["Location"] == "/sign-in/?next=/account/"


def test_htmx_is_told_to_reload_when_the_sign_in_is_over(client: Client, db: None) -> None:
    response = client.get("/account/", headers={"HX-Request": "true"})

    assert response["HX-Refresh"] == "true"


def test_password_is_set_and_the_reader_stays(signed_in: Client, reader: User) -> None:
    response = signed_in.post("/account/password/", {"new_password1": SECRET, "new_password2": SECRET})

    assert (response.status_code, response["Location"]) == (302, "/account/")
    reader.refresh_from_db()
    assert reader.check_password(SECRET)
    assert soup(signed_in.get("/account/")).select_one("[name=old_password]")  # type: ignore[arg-type]


def test_short_password_is_refused(signed_in: Client) -> None:
    response = signed_in.post("/account/password/", {"new_password1": "short", "new_password2": "short"})

    assert response.status_code == 422
    assert "at least 10" in soup(response).select_one(".errorlist").text  # type: ignore[arg-type, union-attr]


def test_token_is_shown_this_once(signed_in: Client) -> None:
    response = signed_in.post("/account/tokens/", {"name": "export", "scope": "read", "days": "30"})

    secret = soup(response).select_one(".code-block pre").text  # type: ignore[arg-type, union-attr]
    token = ApiToken.objects.get()
    assert secret.startswith(token.hint)
    assert (token.expires_at - token.created_at).days == 30  # type: ignore[operator]
    assert secret not in signed_in.get("/account/").content.decode()


def test_token_may_last_for_ever(signed_in: Client) -> None:
    signed_in.post("/account/tokens/", {"name": "export", "scope": "write", "days": ""})

    assert ApiToken.objects.get().expires_at is None


@pytest.mark.parametrize("change", [{"name": ""}, {"scope": "root"}, {"days": "1000000"}])
def test_unusable_token_form_keeps_what_was_typed(signed_in: Client, change: dict[str, str]) -> None:
    response = signed_in.post("/account/tokens/", {"name": "export", "scope": "read", "days": "30", **change})

    assert (response.status_code, ApiToken.objects.count()) == (422, 0)
    assert change.get("name") == "" or soup(response).select_one("[value=export]")  # type: ignore[arg-type]


def test_token_is_revoked_and_a_strangers_is_not_found(signed_in: Client, reader: User) -> None:
    other = User.objects.create_user("other")
    facts = {"name": "t", "scope": "read", "created_at": utc_now()}
    mine = ApiToken.objects.create(user=reader, token_hash="a", **facts)
    theirs = ApiToken.objects.create(user=other, token_hash="b", **facts)

    assert signed_in.post(f"/account/tokens/{mine.pk}/delete/").status_code == 302
    assert signed_in.post(f"/account/tokens/{theirs.pk}/delete/").status_code == 404
    assert list(ApiToken.objects.all()) == [theirs]


@pytest.mark.parametrize("path", ["/account/password/", "/account/tokens/", "/account/keys/forget/"])
def test_changes_refuse_get(signed_in: Client, path: str) -> None:
    assert signed_in.get(path).status_code == 405


def test_keys_are_forgotten(signed_in: Client) -> None:
    response = signed_in.post("/account/keys/forget/", headers={"HX-Request": "true"})

    assert (response.status_code, "keys-changed" in response["HX-Trigger"]) == (204, True)


def test_another_password_leaves_tokens_valid_and_says_so(signed_in: Client, reader: User) -> None:
    _, secret = create_token(reader, name="t", scope="read", now=utc_now(), days=1)
    passwords = {"new_password1": SECRET, "new_password2": SECRET}

    response = signed_in.post("/account/password/", passwords, follow=True)

    assert "tokens stay valid" in soup(response).text  # type: ignore[arg-type]
    assert find_token(secret, now=utc_now())
