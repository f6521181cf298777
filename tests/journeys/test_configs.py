"""Look through the configs, edit and test an endpoint, rename it everywhere, begin from a template, undo."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.fakes.llm_server import FakeLlmServer
from tests.workflows_app.builders import lay_out, write, write_endpoint
from tests.workflows_app.configs_world import SECRET, add_user, furnish

MAIN = "/configs/files/Endpoints/Main.json/"
SETTINGS = "/configs/files/Workflows/ann/Settings.json/"
PAGES = (
    "/configs/", "/configs/?text=zz", "/configs/kinds/endpoint/", "/configs/kinds/routing/", MAIN, SETTINGS,
    "/configs/files/Users/ann.json/", "/configs/files/Presets/P/plain.json/", "/configs/files/MCPServers/m.json/",
    "/configs/files/Endpoints/Bad.json/", "/configs/rename/Endpoints/Main.json/?name=Big",
    "/configs/rename/Endpoints/Main.json/?name=Other", "/configs/removal/Endpoints/Main.json/",
    "/configs/copy/Endpoints/Main.json/", "/configs/new/", "/configs/new/?kind=endpoint", "/configs/templates/",
    "/configs/templates/assistant/", "/configs/test/Endpoints/Main.json/", "/configs/files/Routing/r.json/",
    "/configs/rename/Users/bob.json/?name=rob",
)  # fmt: skip
LOOKS = (("light", 1280), ("dark", 1280), ("light", 400), ("dark", 400))


@pytest.fixture
def configs(tmp_path: Path, settings: Any) -> Path:
    """A configs folder of many files, open in the console."""
    public = lay_out(tmp_path / "Public")
    settings.WILMER_PUBLIC_DIR = public
    settings.WILMER_CONFIG_DIR = public / "Configs"
    settings.WILMER_DISCUSSIONS_DIR = public / "DiscussionIds"
    settings.WILMER_DISCUSSIONS_DIR_SETTING = None
    settings.WILMER_IS_SAMPLE = False
    settings.WILMER_USER = "ann"
    settings.WILMER_STATE_DIR = tmp_path / "state"
    write(public / "Configs/MCPServers/m.json", {"transport": "sse", "url": "http://u", "headers": {"Key": SECRET}})
    (public / "Configs/Endpoints/Bad.json").parent.mkdir(parents=True, exist_ok=True)
    (public / "Configs/Endpoints/Bad.json").write_text('{"endpoint": ')
    routes = {name: {"workflow": "Main", "description": f"Talk of {name}"} for name in ("GARDEN", "HOUSE")}
    write(public / "Configs/Routing/r.json", routes)
    found = furnish(public)
    add_user(found, "bob", routingConfig="r")
    return found


@pytest.mark.parametrize(("theme", "width"), LOOKS)
def test_every_page_of_configs_can_be_read_by_everybody(
    signed_in: Page, configs: Path, check_accessible: Callable[[Page], None], theme: str, width: int
) -> None:
    signed_in.set_viewport_size({"width": width, "height": 900})
    signed_in.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    for url in PAGES:
        signed_in.goto(url)
        check_accessible(signed_in)
        assert signed_in.evaluate("document.documentElement.scrollWidth") <= width, url


def test_an_endpoint_is_edited_tested_and_keeps_its_secret(
    signed_in: Page, configs: Path, shoot: Callable[[str], None]
) -> None:
    with FakeLlmServer("OK") as server:
        server.models = ["Main", "Second"]
        write_endpoint(configs.parent, "Main", server.url, promptTemplate=None, apiKey=SECRET)
        signed_in.goto("/configs/")
        signed_in.locator("#config-text").fill("main")
        signed_in.get_by_role("link", name="Main", exact=True).click()
        signed_in.get_by_label("Model name", exact=True).fill("Second")
        shoot("form")
        signed_in.get_by_role("button", name="Save").click()
        expect(signed_in.get_by_text("Saved.")).to_be_visible()
        signed_in.get_by_role("link", name="Test", exact=True).click()
        signed_in.get_by_role("button", name="Test now").click()
        expect(signed_in.get_by_text("It works")).to_be_visible()
        shoot("test")

    stored = json.loads((configs / "Endpoints/Main.json").read_text())
    assert (stored["modelNameToSendToAPI"], stored["apiKey"]) == ("Second", SECRET)
    assert SECRET not in signed_in.content()


def test_an_endpoint_is_renamed_everywhere_and_back(signed_in: Page, configs: Path) -> None:
    before = {file: file.read_bytes() for file in configs.rglob("*.json")}
    signed_in.goto(MAIN)
    signed_in.get_by_label("More").click()
    signed_in.get_by_role("link", name="Rename everywhere…").click()
    signed_in.get_by_label("New name").fill("Big")
    signed_in.get_by_role("button", name="Show what would change").click()
    expect(signed_in.get_by_text("4 values will be written")).to_be_visible()
    signed_in.get_by_role("button", name="Rename everywhere").click()
    expect(signed_in.get_by_text("4 other files follow")).to_be_visible()
    assert json.loads((configs / "Workflows/ann/Settings.json").read_text())["endpointName"] == "Big"

    signed_in.get_by_role("button", name="Undo").click()
    expect(signed_in.get_by_text("Taken back.")).to_be_visible()
    assert {file: file.read_bytes() for file in configs.rglob("*.json")} == before


def test_memory_settings_speak_plainly_while_one_types(signed_in: Page, configs: Path) -> None:
    signed_in.goto(SETTINGS)

    signed_in.locator('[name="v:/maxMessagesBetweenChunks"]').fill("12")
    signed_in.locator('[name="v:/lookbackStartTurn"]').fill("4")

    words = "One memory per about 1,000 tokens or 12 messages, the last 4 messages never."
    expect(signed_in.get_by_text(words)).to_be_visible()


def test_a_template_makes_a_new_user_with_everything(signed_in: Page, configs: Path) -> None:
    signed_in.goto("/configs/")
    signed_in.get_by_role("link", name="Start from a template").click()
    signed_in.get_by_label("Role-play with file memory").get_by_role("link").click()
    signed_in.get_by_label("WilmerAI user").select_option("")
    signed_in.get_by_label("Name of the new user").fill("robin")
    signed_in.get_by_label("Endpoint", exact=True).select_option("built-in")
    expect(signed_in.get_by_label("Name of the new user")).to_have_value("robin")
    signed_in.get_by_role("button", name="Write these files").click()

    expect(signed_in.get_by_role("heading", name="The last scenes")).to_be_visible()
    assert json.loads((configs / "Users/robin.json").read_text())["customWorkflow"] == "Role_Play"
    signed_in.goto("/configs/")
    signed_in.get_by_role("button", name="Undo").click()
    expect(signed_in.get_by_text("Taken back.")).to_be_visible()
    assert not (configs / "Users/robin.json").exists()


def test_categories_are_put_into_another_order(signed_in: Page, configs: Path) -> None:
    signed_in.goto("/configs/files/Routing/r.json/")
    expect(signed_in.get_by_role("button", name="Move GARDEN up")).to_be_disabled()

    signed_in.get_by_role("button", name="Move GARDEN down").click()
    expect(signed_in.get_by_role("button", name="Move GARDEN up")).to_be_focused()
    expect(signed_in.locator(".config-group h2").first).to_have_text("HOUSE")
    signed_in.get_by_role("button", name="Save").click()

    expect(signed_in.get_by_text("Saved.")).to_be_visible()
    assert list(json.loads((configs / "Routing/r.json").read_text())) == ["HOUSE", "GARDEN"]
