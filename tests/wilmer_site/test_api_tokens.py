from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth.models import User

from wilmer_site.api_tokens import TokenNotFoundError, create_token, delete_token, find_token, list_tokens
from wilmer_site.models import ApiToken

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_token_is_found_by_its_secret_and_notes_its_use(reader: User) -> None:
    token, secret = create_token(reader, name="export", scope="read", now=NOW, days=30)

    found = find_token(secret, now=NOW)

    assert found == token
    assert ApiToken.objects.get().last_used_at == NOW
    assert secret not in ApiToken.objects.get().token_hash
    assert str(token) == f"export ({secret[:8]}…)"


def test_last_use_is_written_once_a_minute(reader: User) -> None:
    _, secret = create_token(reader, name="export", scope="read", now=NOW, days=None)
    find_token(secret, now=NOW)

    find_token(secret, now=NOW + timedelta(seconds=30))

    assert ApiToken.objects.get().last_used_at == NOW


@pytest.mark.parametrize("days", [1, 30])
def test_expired_token_is_unknown(reader: User, days: int) -> None:
    _, secret = create_token(reader, name="export", scope="read", now=NOW, days=days)

    assert find_token(secret, now=NOW + timedelta(days=days, seconds=1)) is None


def test_token_of_somebody_switched_off_is_unknown(reader: User) -> None:
    _, secret = create_token(reader, name="export", scope="read", now=NOW, days=None)
    User.objects.update(is_active=False)

    assert find_token(secret, now=NOW) is None


def test_delete_token_is_the_owners_alone(reader: User) -> None:
    other = User.objects.create_user("other")
    token, _ = create_token(reader, name="export", scope="read", now=NOW, days=None)
    with pytest.raises(TokenNotFoundError):
        delete_token(other, token_id=token.pk)

    delete_token(reader, token_id=token.pk)

    assert list_tokens(reader) == []


@pytest.mark.parametrize("used_at", [None, NOW - timedelta(hours=1)])
def test_token_revoked_while_it_is_looked_up_is_unknown(
    reader: User, monkeypatch: pytest.MonkeyPatch, used_at: datetime | None
) -> None:
    _, secret = create_token(reader, name="export", scope="read", now=NOW, days=None)
    ApiToken.objects.update(last_used_at=used_at)
    revoking = property(lambda _: ApiToken.objects.all().delete(), lambda *_: None)
    monkeypatch.setattr(User, "is_active", revoking)

    assert find_token(secret, now=NOW) is None
