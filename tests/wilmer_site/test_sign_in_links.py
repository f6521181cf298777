from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from wilmer_site.models import SignInLink
from wilmer_site.sign_in_links import SignInLinkError, create_sign_in_link, ensure_first_user, use_sign_in_link

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_link_signs_in_once(reader: User) -> None:
    token = create_sign_in_link(reader, now=NOW)
    assert use_sign_in_link(token, now=NOW) == reader

    with pytest.raises(SignInLinkError, match="sign_in_link"):
        use_sign_in_link(token, now=NOW)


def test_link_expires(reader: User) -> None:
    token = create_sign_in_link(reader, now=NOW, minutes=5)

    with pytest.raises(SignInLinkError):
        use_sign_in_link(token, now=NOW + timedelta(minutes=6))


def test_link_of_somebody_switched_off_is_refused(reader: User) -> None:
    token = create_sign_in_link(reader, now=NOW)
    User.objects.update(is_active=False)

    with pytest.raises(SignInLinkError):
        use_sign_in_link(token, now=NOW)


def test_only_a_hash_is_stored_and_old_links_go(reader: User) -> None:
    old = create_sign_in_link(reader, now=NOW - timedelta(days=1))
    new = create_sign_in_link(reader, now=NOW)

    stored = SignInLink.objects.get()

    assert stored.token_hash not in {old, new}
    assert "link for" in str(stored)


def test_first_user_is_made_once_without_a_password(db: None) -> None:
    first = ensure_first_user()

    assert ensure_first_user() == first
    assert (first.is_superuser, first.has_usable_password()) == (True, False)
