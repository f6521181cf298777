from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory.types import ApiKey, DiscussionRef
from tests.builders import API_KEY, build_discussion
from tests.memory.api.calls import error_of, url

ENCRYPTED = ["chunks", "chunks/1", "summary", "state-document", "trackers", "files/memories/raw"]


@pytest.fixture
def sealed(public: Path) -> DiscussionRef:
    return build_discussion(public, "kept", api_key=API_KEY, encrypted=True, condensed_up_to=1)


@pytest.mark.parametrize("part", ENCRYPTED)
def test_locked_data_needs_the_key(sealed: DiscussionRef, reader: Client, part: str) -> None:
    without = reader.get(url(sealed, part))
    wrong = reader.get(url(sealed, part), headers={"X-Discussion-Key": "wrong"})
    right = reader.get(url(sealed, part), headers={"X-Discussion-Key": API_KEY})

    assert [(answer.status_code, error_of(answer)["code"]) for answer in (without, wrong)] == [
        (403, "discussion-locked")
    ] * 2
    assert right.status_code == 200
    assert API_KEY not in right.content.decode()


def test_locked_header_tells_the_lock(sealed: DiscussionRef, reader: Client) -> None:
    locked = reader.get(url(sealed)).json()
    unlocked = reader.get(url(sealed), headers={"X-Discussion-Key": API_KEY}).json()

    assert (locked["is_locked"], locked["is_unlocked"], locked["discussion"]["chunk_count"]) == (True, False, None)
    assert (unlocked["is_locked"], unlocked["is_unlocked"]) == (False, True)


def test_etag_of_locked_and_unlocked_differ(sealed: DiscussionRef, reader: Client) -> None:
    locked = reader.get(url(sealed))
    unlocked = reader.get(url(sealed), headers={"X-Discussion-Key": API_KEY, "If-None-Match": locked["ETag"]})

    assert unlocked.status_code == 200
    assert unlocked["ETag"] != locked["ETag"]


def test_etag_of_unlocked_is_no_key(sealed: DiscussionRef, reader: Client) -> None:
    unlocked = reader.get(url(sealed, "chunks"), headers={"X-Discussion-Key": API_KEY})

    later = reader.get(url(sealed, "chunks"), headers={"If-None-Match": unlocked["ETag"]})

    assert later.status_code == 403


def test_locked_data_opens_for_a_session_that_was_unlocked(sealed: DiscussionRef, person: User) -> None:
    browser = Client()
    browser.force_login(person)

    before = browser.get(url(sealed, "chunks")).status_code
    browser.post(f"/discussions/{sealed.text}/unlock/", {"api_key": API_KEY})

    assert (before, browser.get(url(sealed, "chunks")).status_code) == (403, 200)


def test_key_in_the_url_opens_nothing(sealed: DiscussionRef, reader: Client) -> None:
    assert reader.get(url(sealed, "chunks"), {"X-Discussion-Key": API_KEY, "key": API_KEY}).status_code == 403


@pytest.mark.parametrize(("key", "sent"), [("klíč-京都", "klíč-京都".encode().decode("latin-1")), ("clé", "clé")])
def test_key_with_other_letters_opens(public: Path, reader: Client, key: ApiKey, sent: str) -> None:
    ref = build_discussion(public, "kept", api_key=key, encrypted=True)

    response = reader.get(url(ref, "chunks"), headers={"X-Discussion-Key": sent})

    assert response.status_code == 200
