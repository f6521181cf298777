"""Run a workflow of the sample, watch it, look inside, change an output, cancel a slow one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.fakes.llm_server import Endless, FakeLlmServer
from tests.journeys.console import Console, open_console

ENDPOINT = {"apiTypeConfigFileName": "OpenAI-Compatible", "promptTemplate": "_chatonly", "modelNameToSendToAPI": "m"}
SLOW = [
    {"title": "Quick", "type": "StaticResponse", "content": "ready"},
    {"title": "Slow answer", "type": "Standard", "endpointName": "Slow", "preset": "Voice", "prompt": "{agent1Output}"},
]


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """One console for all journeys of this file."""
    with open_console(tmp_path_factory.mktemp("console") / "state") as opened:
        yield opened


@pytest.fixture
def context(browser: Browser, console: Console) -> Iterator[BrowserContext]:
    """A fresh profile that looks at that console."""
    opened = browser.new_context(base_url=console.url, viewport={"width": 1280, "height": 900})
    opened.set_default_timeout(20_000)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A tab whose scripts must not break."""
    faults: list[str] = []
    tab = context.new_page()
    tab.on("pageerror", lambda error: faults.append(str(error)))
    yield tab
    tab.close()
    assert faults == []


@pytest.fixture
def at_workflows(page: Page, console: Console, state: dict[str, Any]) -> Page:
    """A tab that is signed in and shows the workflows."""
    if "cookies" in state:
        page.context.add_cookies(state["cookies"])
    else:
        page.goto(console.sign_in_link)
        page.locator("form button[type=submit]").first.click()
        page.wait_for_url(lambda url: "sign-in" not in url)
        state["cookies"] = page.context.cookies()
    page.goto("/workflows/")
    return page


@pytest.fixture(scope="module")
def state() -> dict[str, Any]:
    """What later journeys need of earlier ones: the link to sign in works once."""
    return {}


def start(page: Page, workflow: str) -> None:
    """From the list of workflows to a run on a discussion of the sample."""
    page.get_by_role("link", name=f"Run {workflow}", exact=True).click()
    page.get_by_label("Discussion", exact=True).fill("allotment-diary")
    page.get_by_role("button", name="Run", exact=True).click()


def test_run_the_sample_and_go_on_from_an_edited_output(
    at_workflows: Page, shoot: Callable[[str], None], check_accessible: Callable[[Page], None]
) -> None:
    page = at_workflows
    start(page, "Garden_Companion")
    expect(page.locator("#run-status .pill").first).to_have_text("finished", timeout=60_000)
    expect(page.locator(".tree-row")).to_have_count(9)

    page.locator(".tree-link", has_text="Look in the memories").click()
    expect(page.locator("#node-pane .node-name")).to_have_text("Look in the memories")
    page.locator(".variable summary").first.click()
    expect(page.locator(".variable pre").first).to_be_visible()
    shoot("prompt")
    check_accessible(page)

    page.locator(".tree-link", has_text="Pick search words").click()
    expect(page.locator("#node-pane .node-name")).to_have_text("Pick search words")
    page.get_by_role("link", name="Change and try again").click()
    page.get_by_label("User", exact=True).fill("Has the garlic been planted?")
    page.get_by_role("button", name="Send again").click()
    expect(page.locator(".attempt .pill").first).to_have_text("finished", timeout=60_000)
    expect(page.get_by_role("article", name="Attempt 1")).to_contain_text("Has the garlic been planted?")
    shoot("try")
    check_accessible(page)

    page.get_by_text("Edit output, run from there").click()
    page.get_by_label("Output to use instead").fill("garlic; pH")
    page.get_by_role("button", name="Run on with this output").click()
    expect(page.locator("#run-status .pill").first).to_have_text("finished", timeout=60_000)
    expect(page.locator(".tree-row", has_text="used again")).to_have_count(1)
    expect(page.locator(".tree-row", has_text="· edited")).to_contain_text("Pick search words")

    page.get_by_role("link", name="Compare with run").click()
    expect(page.locator(".compare-row", has_text="Pick search words")).to_contain_text("different output")
    shoot("compare")
    check_accessible(page)


def test_output_older_than_its_prompt_is_marked(
    at_workflows: Page, console: Console, shoot: Callable[[str], None], check_accessible: Callable[[Page], None]
) -> None:
    page = at_workflows
    console.write_config("Workflows/gardener/Quick.json", SLOW[:1])
    page.reload()
    start(page, "Quick")
    expect(page.locator("#run-status .pill").first).to_have_text("finished", timeout=60_000)
    expect(page.locator(".tree-stale")).to_have_count(0)

    console.write_config("Workflows/gardener/Quick.json", [{**SLOW[0], "content": "changed"}])
    page.reload()
    page.locator(".tree-link", has_text="older than its inputs").click()
    expect(page.locator("#node-pane .note.is-stale")).to_contain_text("changed in gardener/Quick")
    shoot("stale")
    check_accessible(page)


def test_cancel_a_run_in_the_middle_of_its_answer(
    at_workflows: Page, console: Console, shoot: Callable[[str], None]
) -> None:
    page = at_workflows
    with FakeLlmServer(Endless()) as server:
        console.write_config("Endpoints/Slow.json", {**ENDPOINT, "endpoint": server.url})
        console.write_config("Workflows/gardener/Slow.json", SLOW)
        page.reload()
        start(page, "Slow")
        expect(page.locator(".tree-row", has_text="Quick").locator("[aria-label=finished]")).to_be_visible()
        expect(page.locator("[data-stream]")).not_to_be_empty()
        shoot("live")
        page.get_by_role("button", name="Cancel").click()
        expect(page.locator("#run-status .pill").first).to_have_text("cancelled")
        expect(page.locator(".tree-row", has_text="Slow answer").locator("[aria-label=cancelled]")).to_be_visible()


def test_pages_work_without_script(browser: Browser, console: Console, at_workflows: Page, tmp_path: Path) -> None:
    plain = browser.new_context(base_url=console.url, java_script_enabled=False)
    plain.add_cookies(at_workflows.context.cookies())
    page = plain.new_page()
    page.goto("/workflows/")

    start(page, "Remember_Scene")
    page.locator(".tree-home").click()

    expect(page.locator("#run-status")).to_be_visible()
    plain.close()
