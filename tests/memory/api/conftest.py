from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.builders import build_public_folder
from wilmer_site.api_tokens import create_token
from wilmer_site.lib.clock import utc_now


@pytest.fixture
def open_folder(settings: Any, db: None) -> Callable[[Path], Path]:
    """Makes a public folder the one that is open."""

    def open_it(public: Path) -> Path:
        settings.WILMER_PUBLIC_DIR = public
        settings.WILMER_CONFIG_DIR = public / "Configs"
        settings.WILMER_DISCUSSIONS_DIR = public / "DiscussionIds"
        settings.WILMER_DISCUSSIONS_DIR_SETTING = None
        settings.WILMER_USER = ""
        return public

    return open_it


@pytest.fixture
def public(tmp_path: Path, open_folder: Callable[[Path], Path]) -> Path:
    return open_folder(build_public_folder(tmp_path))


@pytest.fixture
def person(db: None) -> User:
    return User.objects.create_user("reader", is_staff=True)


@pytest.fixture
def reader(person: User) -> Client:
    """A program with a token that may only read."""
    _, secret = create_token(person, name="test", scope="read", now=utc_now(), days=1)
    return Client(headers={"Authorization": f"Bearer {secret}"})


@pytest.fixture
def writer(person: User) -> Client:
    """A program with a token that may write."""
    _, secret = create_token(person, name="writer", scope="write", now=utc_now(), days=1)
    return Client(headers={"Authorization": f"Bearer {secret}"})
