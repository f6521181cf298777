from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import API_KEY
from tests.html import fetch, find, soup, text_of, texts

Discuss = Callable[..., DiscussionRef]


@pytest.fixture
def locked(discuss: Discuss) -> DiscussionRef:
    return discuss("anna", api_key=API_KEY, encrypted=True)


def test_locked_discussion_shows_a_way_to_unlock(reader: Client, locked: DiscussionRef) -> None:
    page = fetch(reader, reverse("memory:chunk-list", args=[locked]))

    assert find(page, "#chunk-table .state-box a")["href"] == reverse("memory:discussion-unlock", args=[locked])
    assert "locked" in texts(page, ".facts .pill")


def test_locked_discussion_shows_nothing_of_its_files(reader: Client, locked: DiscussionRef) -> None:
    for name in ("chunk-list", "summary-detail", "state-document-detail", "tracker-list"):
        assert "Anna" not in fetch(reader, reverse(f"memory:{name}", args=[locked])).get_text()


def test_vector_memories_need_no_key_and_say_so(reader: Client, locked: DiscussionRef) -> None:
    page = fetch(reader, reverse("memory:vector-memory-list", args=[locked]))

    assert len(page.select(".text-row")) == 2
    assert "never encrypts" in text_of(page, "#vector-memory-table .note")


def test_unlocking_opens_every_tab_for_this_sign_in(reader: Client, locked: DiscussionRef) -> None:
    url = reverse("memory:discussion-unlock", args=[locked])

    response = reader.post(url, {"api_key": API_KEY})

    assert response.headers["Location"] == reverse("memory:discussion-detail", args=[locked])
    assert len(fetch(reader, reverse("memory:chunk-list", args=[locked])).select(".text-row")) == 3


def test_another_sign_in_stays_locked(
    reader: Client, client: Client, locked: DiscussionRef, admin_user: object
) -> None:
    reader.post(reverse("memory:discussion-unlock", args=[locked]), {"api_key": API_KEY})
    client.force_login(admin_user)  # type: ignore[arg-type]

    assert not fetch(client, reverse("memory:chunk-list", args=[locked])).select(".text-row")


def test_the_key_is_kept_in_no_session_and_on_no_page(reader: Client, locked: DiscussionRef) -> None:
    reader.post(reverse("memory:discussion-unlock", args=[locked]), {"api_key": API_KEY})

    assert all(API_KEY not in str(session.get_decoded()) for session in Session.objects.all())
    assert API_KEY not in str(fetch(reader, reverse("memory:chunk-list", args=[locked])))


def test_a_wrong_key_is_refused_and_not_sent_back(reader: Client, locked: DiscussionRef) -> None:
    response = reader.post(reverse("memory:discussion-unlock", args=[locked]), {"api_key": "something else"})

    assert response.status_code == 422
    assert "does not open" in text_of(soup(response), ".field-error")
    assert "something else" not in response.content.decode()


def test_no_key_is_refused(reader: Client, locked: DiscussionRef) -> None:
    response = reader.post(reverse("memory:discussion-unlock", args=[locked]), {"api_key": " "})

    assert response.status_code == 422
    assert "Type the API key" in text_of(soup(response), ".field-error")


def test_locking_again_forgets_the_key(reader: Client, locked: DiscussionRef) -> None:
    reader.post(reverse("memory:discussion-unlock", args=[locked]), {"api_key": API_KEY})

    reader.post(reverse("memory:discussion-lock", args=[locked]))

    assert not fetch(reader, reverse("memory:chunk-list", args=[locked])).select(".text-row")


def test_locking_refuses_get(reader: Client, locked: DiscussionRef) -> None:
    assert reader.get(reverse("memory:discussion-lock", args=[locked])).status_code == 405
