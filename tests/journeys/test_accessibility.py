from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.builders import API_KEY, base_folder, build_ref
from tests.journeys.folders import open_house

CAROL = f"/discussions/{build_ref('carol', API_KEY).text}"
PAGES = (
    "/", "/discussions/", "/discussions/?text=zz", "/problems/", "/search/", "/search/?query=number%202%3B%20tree",
    "/search/?query=a&limit=0", "/search/?query=lante", "/search/?query=lante&mode=exact-text",
    "/discussions/anna/chunks/", "/discussions/anna/chunks/2/", "/discussions/anna/summary/",
    "/discussions/anna/vector-memories/", "/discussions/anna/vector-memories/1/", "/discussions/anna/trackers/",
    "/discussions/anna/state-document/", "/discussions/anna/files/", "/discussions/anna/files/memories/",
    "/discussions/anna/health/", "/discussions/bert/chunks/", "/discussions/bert/files/memories/",
    f"{CAROL}/chunks/", f"{CAROL}/unlock/", "/discussions/nobody/chunks/",
)  # fmt: skip
LOOKS = (("light", 1280), ("dark", 1280), ("light", 400), ("dark", 400))


@pytest.fixture
def house(tmp_path: Path, settings: Any) -> Path:
    public = open_house(tmp_path, settings)
    (base_folder(public) / "bert" / "memories.json").write_text('[\n{"text_block": "a",}\n]')
    return public


@pytest.mark.parametrize(("theme", "width"), LOOKS)
def test_every_page_can_be_read_by_everybody(
    signed_in: Page, house: Path, check_accessible: Callable[[Page], None], theme: str, width: int
) -> None:
    signed_in.set_viewport_size({"width": width, "height": 900})
    signed_in.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    for url in PAGES:
        signed_in.goto(url)
        check_accessible(signed_in)
        assert signed_in.evaluate("document.documentElement.scrollWidth") <= width, url
