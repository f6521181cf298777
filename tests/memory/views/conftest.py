from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from memory.types import DiscussionRef
from tests.builders import build_discussion


@pytest.fixture
def reader(db: None) -> Client:
    """A browser that is signed in."""
    client = Client()
    client.force_login(User.objects.create(username="reader", is_staff=True))
    return client


@pytest.fixture
def discuss(public: Path, db: None) -> Callable[..., DiscussionRef]:
    """Writes a discussion into the folder that is open."""

    def write(discussion_id: str = "anna", **options: Any) -> DiscussionRef:
        return build_discussion(public, discussion_id, **options)

    return write
