from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from wilmer_site.api_tokens import create_token
from wilmer_site.lib.clock import utc_now


def build_client(scope: str) -> Client:
    user, _ = User.objects.get_or_create(username="program")
    _, secret = create_token(user, name=scope, scope=scope, now=utc_now(), days=1)
    return Client(headers={"Authorization": f"Bearer {secret}"})


@pytest.fixture
def reader(db: None) -> Client:
    """A program that may only read."""
    return build_client("read")


@pytest.fixture
def writer(db: None) -> Client:
    """A program that may start runs."""
    return build_client("write")
