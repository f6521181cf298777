"""Readers and clients for the pages of the project."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.memory.conftest import public
from wilmer_site.sign_in_links import ensure_first_user

__all__ = ["public"]


@pytest.fixture
def reader(db: None) -> User:
    return ensure_first_user()


@pytest.fixture
def signed_in(client: Client, reader: User) -> Client:
    client.force_login(reader)
    return client
