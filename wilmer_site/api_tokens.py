"""Bearer tokens for programs: made, listed, recognised, revoked."""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q

from wilmer_site.lib.errors import NotFoundError
from wilmer_site.models import ApiToken
from wilmer_site.sign_in_links import hash_of

PREFIX = "wmc_"
"""Lets secret scanners and people recognise a token."""

USE_STEP = timedelta(minutes=1)
"""How exactly the last use is known; a write for every request would cost more than it tells."""


class TokenNotFoundError(NotFoundError):
    """The person has no such token."""

    code = "token-not-found"


def create_token(user: User, *, name: str, scope: str, now: datetime, days: int | None) -> tuple[ApiToken, str]:
    """A new token and its secret, which cannot be read back later. Without `days` it never expires."""
    secret = PREFIX + secrets.token_urlsafe(30)
    token = ApiToken.objects.create(
        user=user,
        name=name,
        token_hash=hash_of(secret),
        hint=secret[:8],
        scope=scope,
        created_at=now,
        expires_at=now + timedelta(days=days) if days else None,
    )
    return token, secret


def list_tokens(user: User) -> list[ApiToken]:
    """The tokens of one person, by name."""
    return list(ApiToken.objects.filter(user=user))


def find_token(secret: str, *, now: datetime) -> ApiToken | None:
    """The valid token that a secret belongs to, its last use noted; None when unknown, expired or its owner gone."""
    valid = Q(expires_at=None) | Q(expires_at__gt=now)
    token = ApiToken.objects.select_related("user").filter(valid, token_hash=hash_of(secret)).first()
    if token is None or not token.user.is_active:
        return None
    if token.last_used_at is not None and now - token.last_used_at <= USE_STEP:
        return token
    token.last_used_at = now
    # Nothing is updated when the token was revoked since it was read.
    return token if ApiToken.objects.filter(pk=token.pk).update(last_used_at=now) else None


def delete_token(user: User, *, token_id: int) -> None:
    """Revoke a token at once. Raises TokenNotFoundError when it is not this person's."""
    if not ApiToken.objects.filter(user=user, pk=token_id).delete()[0]:
        raise TokenNotFoundError("You have no such token; perhaps it was revoked already.")
