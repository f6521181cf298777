from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client


@pytest.fixture
def reader(db: None) -> Client:
    """A browser that is signed in."""
    client = Client()
    client.force_login(User.objects.create(username="mona"))
    return client
