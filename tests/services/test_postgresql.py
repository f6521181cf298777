"""The console's own database in a real PostgreSQL: DATABASE_URL."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.builders import API_KEY, build_discussion, build_public_folder
from tests.services.servers import run_manage

LIST = """
from django.db import connection
from memory.catalogue.refresh import refresh_fully
from memory.queries.discussions import count_chips, list_discussions
from memory.results import DiscussionFilter
from wilmer_site.lib.paging import PageRequest

refresh_fully()
print(connection.vendor)
for card in list_discussions(DiscussionFilter(sort="-chunks"), PageRequest()).items:
    print(card.ref.text, card.chunk_count, card.memory_count, card.health)
print([card.ref.text for card in list_discussions(DiscussionFilter(text="VÝLET"), PageRequest()).items])
print(count_chips(DiscussionFilter())["locked"])
"""

KEEP = """
from django.contrib.auth.models import User
from memory.models import CatalogueEntry
from wilmer_site import api_tokens
from wilmer_site.lib.clock import utc_now
from wilmer_site.sign_in_links import create_sign_in_link, ensure_first_user, use_sign_in_link

user = ensure_first_user()
print(use_sign_in_link(create_sign_in_link(user, now=utc_now()), now=utc_now()))
_, secret = api_tokens.create_token(user, name="t", scope="read", now=utc_now(), days=1)
print(api_tokens.find_token(secret, now=utc_now()).user)
"""


@pytest.fixture
def world(tmp_path: Path, postgresql: str) -> dict[str, str]:
    """The environment of a console whose database is the PostgreSQL, over a small public folder."""
    public = build_public_folder(tmp_path)
    build_discussion(public, "anna", chunks=3, memories=2)
    build_discussion(public, "Výlet-京都", chunks=5, memories=4)
    build_discussion(public, "secret", api_key=API_KEY, encrypted=True)
    place = {"WILMER_STATE_DIR": str(tmp_path / "state"), "WILMER_PUBLIC_DIR": str(public)}
    return {**os.environ, **place, "DATABASE_URL": postgresql}


def test_discussions_are_listed_from_postgresql(world: dict[str, str]) -> None:
    run_manage(world, "migrate", "-v", "0")

    lines = run_manage(world, "shell", "-v", "0", "-c", LIST)

    assert lines[:3] == ["postgresql", "Výlet-京都 5 4 ok", "anna 3 2 ok"]
    assert lines[-2:] == ["['Výlet-京都']", "1"]
    assert len(lines) == 6
    assert not (Path(world["WILMER_STATE_DIR"]) / "console.sqlite3").exists()


def test_people_links_and_tokens_live_in_postgresql(world: dict[str, str]) -> None:
    run_manage(world, "migrate", "-v", "0")

    assert run_manage(world, "shell", "-v", "0", "-c", KEEP) == ["admin", "admin"]


def test_migrations_and_models_agree_in_postgresql(world: dict[str, str]) -> None:
    run_manage(world, "migrate", "-v", "0")

    assert run_manage(world, "migrate", "--check", "-v", "0") == []
