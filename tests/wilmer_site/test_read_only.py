from __future__ import annotations

from bs4 import BeautifulSoup
from django.test import Client
from pytest_django import Settings


def test_read_only_mode_is_told_on_every_page(signed_in: Client, settings: Settings) -> None:
    settings.WILMER_READ_ONLY = True

    page = BeautifulSoup(signed_in.get("/account/").content, "html.parser")

    assert "Read-only." in page.select_one(".notice.is-locked").text  # type: ignore[union-attr]
