"""Build the developer guide's Example B from the palette, mend it, try it, save it, use it, and go back a version."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.journeys.console import Console, open_console

NAME = "my-vector-memory-workflow"
TOPICS = "You are a topic analyzer. List the 3 most important topics discussed. Chunk: {agent1Input}"
FACTS = "The chunk is: {agent1Input}. The topics were: {agent1Output}. Generate a JSON array of memory objects."
SENTENCES = ("Edda sowed the leeks.", "Otto mended the gate.", "Frost took the beans.", "They will sow again.")
TALK = [{"role": ("user", "assistant")[at % 2], "content": SENTENCES[at % 4]} for at in range(12)]
SETTINGS = "Workflows/gardener/_DiscussionId-MemoryFile-Workflow-Settings.json"


@pytest.fixture(scope="module")
def console(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Console]:
    """One console with the sample for all journeys of this file."""
    with open_console(tmp_path_factory.mktemp("console") / "state") as opened:
        yield opened


@pytest.fixture(scope="module")
def cookies() -> list[Any]:
    """The sign-in, which its link gives only once."""
    return []


@pytest.fixture
def context(browser: Browser, console: Console, cookies: list[Any]) -> Iterator[BrowserContext]:
    """A profile that is signed in to that console."""
    opened = browser.new_context(base_url=console.url, viewport={"width": 1400, "height": 950})
    opened.set_default_timeout(20_000)
    if not cookies:
        tab = opened.new_page()
        tab.goto(console.sign_in_link)
        tab.locator("form button[type=submit]").first.click()
        tab.wait_for_url(lambda url: "sign-in" not in url)
        cookies.extend(opened.cookies())
        tab.close()
    opened.add_cookies(cookies)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A tab whose scripts must neither break nor be refused."""
    faults: list[str] = []
    tab = context.new_page()
    tab.on("pageerror", lambda error: faults.append(str(error)))
    tab.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
    yield tab
    tab.close()
    assert faults == []


def edit(page: Page, name: str) -> None:
    page.goto(f"/workflows/edit/Workflows/gardener/{name}.json/")
    expect(page.locator(".cm-editor")).to_be_visible()


def add(page: Page, words: str, title: str) -> None:
    """A node from the palette, by keyboard."""
    page.locator("[data-palette-open]").click()
    page.keyboard.type(words)
    page.keyboard.press("Enter")
    expect(page.get_by_label("Title", exact=True)).to_be_focused()
    page.keyboard.type(title)
    page.keyboard.press("Tab")
    expect(page.locator(".node-item.is-selected .node-pick-title")).to_have_text(title)


def fill(page: Page, field: str, text: str) -> None:
    """A field, until its step is done."""
    control = page.locator(f"#field-{field}")
    with page.expect_response(lambda answer: "edit-change" in answer.url):
        control.fill(text)
        control.blur()


def counts(page: Page) -> Any:
    return page.locator("#editor-counts")


def build_example(page: Page, shoot: Callable[[str], None], check_accessible: Callable[[Page], None]) -> None:
    """Both nodes, with a mistake that the problem list leads to."""
    page.goto("/workflows/")
    page.get_by_role("link", name="New workflow").click()
    page.get_by_label("Folder", exact=True).select_option("gardener")
    page.get_by_label("Name", exact=True).fill(NAME)
    page.get_by_role("button", name="Make it").click()
    add(page, "standard", "Topics")
    page.locator(".problem", has_text="endpoint").first.get_by_role("button").click()
    expect(page.locator("#field-endpointName")).to_be_focused()
    fill(page, "endpointName", "Built-In")
    fill(page, "preset", "Recall")
    fill(page, "prompt", TOPICS)
    add(page, "standard", "Facts")
    expect(page.locator("#field-endpointName")).to_have_value("Built-In")
    fill(page, "prompt", FACTS.replace("agent1Output", "agent3Output"))
    expect(counts(page)).to_contain_text("1 error")
    shoot("problem")
    check_accessible(page)
    page.keyboard.press("Control+s")
    expect(page.locator("#insist-reason")).to_be_focused()
    page.locator(".problem.is-error").get_by_role("button").click()
    expect(page.locator("#field-prompt")).to_be_focused()
    fill(page, "prompt", FACTS)
    expect(counts(page)).to_contain_text("0 errors")


def dry_run(page: Page) -> None:
    """The text that is not saved yet, on a copy of a discussion."""
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Dry run").click()
    run = opened.value
    run.wait_for_url("**/workflows/runs/*/")
    expect(run.locator("#run-status .pill").first).to_have_text("finished", timeout=60_000)
    expect(run.locator(".tree-row", has_text="Facts").last).to_be_visible()
    run.close()


def save(page: Page, note: str) -> None:
    page.get_by_label("note").fill(note)
    page.keyboard.press("Control+s")
    expect(page.locator("[data-toast]").first).to_contain_text("Saved as version")


def run_memory(page: Page) -> None:
    """A conversation that is new to the memory, through a workflow with a memory node."""
    page.goto("/workflows/run/?workflow=gardener/Garden_Companion")
    page.get_by_label("Discussion", exact=True).fill("guide")
    page.get_by_role("textbox", name="Messages").fill(json.dumps(TALK))
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("#run-status .pill").first).to_have_text("finished", timeout=60_000)


def test_build_mend_try_save_use_and_restore_the_guides_example(
    page: Page, console: Console, shoot: Callable[[str], None], check_accessible: Callable[[Page], None]
) -> None:
    file = console.public / f"Configs/Workflows/gardener/{NAME}.json"
    build_example(page, shoot, check_accessible)
    before = file.read_text()
    dry_run(page)
    assert file.read_text() == before
    save(page, "Two steps")
    built = file.read_text()
    assert [node["title"] for node in json.loads(built)["nodes"]] == ["Topics", "Facts"]

    settings = json.loads((console.public / "Configs" / SETTINGS).read_text())
    small = {"vectorMemoryChunkEstimatedTokenSize": 30, "lookbackStartTurn": 2, "useVectorForQualityMemory": True}
    console.write_config(SETTINGS, settings | small | {"vectorMemoryWorkflowName": NAME})
    run_memory(page)
    expect(page.locator(".tree-row", has_text="Topics").first).to_be_visible()
    shoot("used")

    edit(page, NAME)
    fill(page, "title", "Subjects")
    save(page, "Another word")
    assert "Subjects" in file.read_text()
    page.goto(f"/workflows/versions/Workflows/gardener/{NAME}.json/")
    check_accessible(page)
    page.locator("tr", has_text="Two steps").get_by_role("link", name="What changed").click()
    expect(page.locator(".change").first).to_contain_text("added")
    shoot("version")
    check_accessible(page)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Restore").click()
    page.wait_for_url("**/workflows/edit/**")
    assert file.read_text() == built


def test_a_change_made_meanwhile_is_merged(
    page: Page, console: Console, shoot: Callable[[str], None], check_accessible: Callable[[Page], None]
) -> None:
    file = console.public / "Configs/Workflows/gardener/Recall_Recent.json"
    edit(page, "Recall_Recent")
    fill(page, "title", "My words")
    theirs = file.read_text().replace("}\n", "}\n")
    document = json.loads(theirs)
    nodes = document["nodes"] if isinstance(document, dict) else document
    nodes[0]["agentName"] = "Their words"
    file.write_text(json.dumps(document, indent=4))
    page.keyboard.press("Control+s")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Somebody else changed Recall_Recent")
    shoot("clash")
    check_accessible(page)
    page.get_by_role("button", name="Edit the merged text").click()
    expect(page.locator("#field-title")).to_have_value("My words")
    save(page, "Both")
    assert '"My words"' in file.read_text()
    assert '"Their words"' in file.read_text()


def test_keyboard_alone_moves_doubles_shelves_and_takes_back(page: Page) -> None:
    edit(page, "Garden_Companion")
    titles = page.locator(".node-pick-title")
    first, second = titles.nth(0).inner_text(), titles.nth(1).inner_text()
    page.locator("[data-select='0']").focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(titles.nth(0)).to_have_text(second)
    expect(page.locator("[aria-current=true][data-select]")).to_be_focused()
    page.keyboard.press("Alt+ArrowUp")
    expect(titles.nth(0)).to_have_text(first)
    page.get_by_role("button", name="Duplicate").press("Enter")
    expect(titles).to_have_count(9)
    page.get_by_role("button", name="Switch off: put on the shelf").press("Enter")
    expect(titles).to_have_count(8)
    page.get_by_role("button", name="Put back").press("Enter")
    expect(titles).to_have_count(9)
    page.locator("[aria-current=true][data-select]").press("Delete")
    expect(titles).to_have_count(8)
    page.keyboard.press("Control+z")
    expect(titles).to_have_count(9)


def test_undo_takes_nodes_to_the_shelf_and_back(page: Page) -> None:
    edit(page, "Garden_Companion")
    text, shelf = page.locator("#editor-text"), page.get_by_role("button", name="Put back")
    before = text.input_value()
    page.get_by_role("button", name="Switch off: put on the shelf").click()
    expect(shelf).to_have_count(1)
    shelf.click()
    expect(shelf).to_have_count(0)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(shelf).to_have_count(1)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(shelf).to_have_count(0)
    assert text.input_value() == before


def test_form_and_json_are_one_document(page: Page, check_accessible: Callable[[Page], None]) -> None:
    edit(page, "Garden_Companion")
    fill(page, "title", "From the form")
    expect(page.locator(".cm-content")).to_contain_text('"From the form"')
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text('[{"title": "From the JSON", "type": "StaticResponse", "content": "{agent1Output}"},]')
    expect(page.locator(".problem.is-error")).to_contain_text("JSON")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.insert_text("]")
    expect(page.locator("#field-title")).to_have_value("From the JSON")
    check_accessible(page)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_narrow_page_is_usable(
    page: Page, shoot: Callable[[str], None], check_accessible: Callable[[Page], None], theme: str
) -> None:
    page.set_viewport_size({"width": 400, "height": 800})
    page.add_init_script(f"localStorage.setItem('theme', '{theme}')")
    page.goto("/workflows/edit/Workflows/gardener/Garden_Companion.json/")
    expect(page.locator("#editor-pane h2").first).to_have_text("Node 1")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    shoot("narrow")
    check_accessible(page)


def test_five_hundred_nodes_stay_usable(page: Page, console: Console) -> None:
    nodes = [{"title": f"Step {at}", "type": "StaticResponse", "content": "x" * 200} for at in range(500)]
    console.write_config("Workflows/gardener/Long.json", nodes)
    edit(page, "Long")
    expect(page.locator(".node-item")).to_have_count(500)
    assert page.locator("#editor-pane [data-field]").count() < 60
    page.locator("[data-select='400']").click()
    expect(page.locator("#field-title")).to_have_value("Step 400")
    fill(page, "content", "changed")
    expect(page.locator("#editor-dirty")).to_be_visible()
