"""One-time links: made on the machine, used once in a browser."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import transaction

from wilmer_site.lib.errors import NotFoundError
from wilmer_site.models import SignInLink

LINK_MINUTES = 60
"""Long enough to come back to a terminal, short enough for a forgotten one."""

FIRST_USER = "admin"


class SignInLinkError(NotFoundError):
    """The link is unknown, used or too old."""

    code = "sign-in-link"


def hash_of(token: str) -> str:
    """What is stored of a secret. The secrets are long and random, so a plain hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()


def create_sign_in_link(user: User, *, now: datetime, minutes: int = LINK_MINUTES) -> str:
    """A new token for one sign-in; it cannot be read back later. Links that are over are cleaned away."""
    SignInLink.objects.filter(expires_at__lt=now).delete()
    token = secrets.token_urlsafe(32)
    SignInLink.objects.create(
        user=user, token_hash=hash_of(token), created_at=now, expires_at=now + timedelta(minutes=minutes)
    )
    return token


def get_sign_in_link(token: str, *, now: datetime) -> SignInLink:
    """The link that a token opens. Raises SignInLinkError unless it can still be used."""
    link = SignInLink.objects.select_related("user").filter(token_hash=hash_of(token)).first()
    if link is None or link.used_at or link.expires_at < now or not link.user.is_active:
        raise SignInLinkError(
            "This sign-in link was used already or is too old. Make a new one on the machine that runs the "
            "console: python manage.py sign_in_link"
        )
    return link


def use_sign_in_link(token: str, *, now: datetime) -> User:
    """The person a token signs in, once: a second use raises SignInLinkError, also when both come at once."""
    with transaction.atomic():
        link = get_sign_in_link(token, now=now)
        if not SignInLink.objects.filter(pk=link.pk, used_at=None).update(used_at=now):
            return get_sign_in_link(token, now=now).user
    return link.user


def ensure_first_user() -> User:
    """The administrator that a fresh installation starts with; has no password until one is set."""
    people = get_user_model().objects
    found = people.filter(is_superuser=True, is_active=True).order_by("pk").first()
    if found is not None:
        return found
    user: User = people.create_superuser(FIRST_USER)
    user.set_unusable_password()
    user.save(update_fields=["password"])
    return user
