from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from memory.models import AuditEntry
from memory.services import trash
from memory.services.audit import note
from memory.types import DiscussionRef
from tests.html import fetch, fetch_partial, text_of, texts

URL = reverse("memory:audit-list")


def test_staff_see_what_was_done(admin_client: Client, discuss: Callable[..., DiscussionRef]) -> None:
    trash.trash_discussion(discuss("<b>"), actor="mona")
    page = fetch(admin_client, URL)

    assert texts(page, "tbody td")[1:4] == ["mona", "discussion deleted", "<b>"]
    assert fetch_partial(admin_client, URL)["id"] == "audit-table"


def test_lines_are_filtered(admin_client: Client, public: object) -> None:
    note("mona", "chunk-deleted", "anna")
    note("otto", "chunk-edited", "anna")

    assert texts(fetch(admin_client, f"{URL}?actor=otto"), "tbody td:nth-child(3)") == ["chunk edited"]
    assert texts(fetch(admin_client, f"{URL}?action=chunk-deleted"), "tbody td:nth-child(2)") == ["mona"]
    assert text_of(fetch(admin_client, f"{URL}?target=nobody"), ".state-title") == "Nothing was done by this choice"


def test_others_are_refused(db: None, public: object) -> None:
    person = Client()
    person.force_login(User.objects.create(username="ada"))

    fetch(person, URL, status=403)
    assert person.get("/api/v1/audit").status_code == 403


def test_the_api_lists_it(admin_client: Client, public: object) -> None:
    note("mona", "chunk-deleted", "anna", count=3)

    (item,) = admin_client.get("/api/v1/audit").json()["items"]
    assert (item["action"], item["details"]) == ("chunk-deleted", {"count": 3})


def test_nothing_clears_it(admin_client: Client, public: object) -> None:
    note("mona", "chunk-deleted", "anna")
    for method in ("post", "delete", "put"):
        assert getattr(admin_client, method)(URL).status_code == 405
    assert AuditEntry.objects.count() == 1
