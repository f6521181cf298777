"""The editor's page and its steps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.builders import build_discussion
from tests.chats import attach_chat
from tests.html import soup
from tests.workflows_app.builders import write_workflow
from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.models import WorkflowRun
from workflows_app.services import config_saving

PATH = "Workflows/ann/Main.json"
URL = f"/workflows/edit/{PATH}/"
NODE = {"title": "Say", "type": "StaticResponse", "content": "Hello"}
MODEL = {"title": "Ask", "type": "Standard", "endpointName": "built-in", "preset": "plain", "prompt": "{agent1Output}"}


@pytest.fixture
def file(opened: Path) -> Path:
    """A workflow of two nodes."""
    write_workflow(opened, "Main", NODE, MODEL)
    return opened / "Configs" / PATH


def post(reader: Client, action: str, /, **values: Any) -> Any:
    document = config_saving.find_config(PATH)
    usual = {"text": document.text, "etag": document.etag, "node": "0", "user": "ann", "discussion": ""}
    return reader.post(f"/workflows/{action}/{PATH}/", usual | values)


def step(reader: Client, op: str, **values: Any) -> Any:
    return soup(post(reader, "edit-change", op=op, **values))


def text_of(page: Any) -> Any:
    return json.loads(page.select_one("#editor-next").text)


def test_page_shows_cards_form_problems_and_the_text(file: Path, reader: Client) -> None:
    page = soup(reader.get(URL, {"node": "2"}))
    assert [card.text for card in page.select(".node-pick-title")] == ["Say", "Ask"]
    assert page.select_one("#field-endpointName")["value"] == "built-in"
    assert "built-in" in [option["value"] for option in page.select("#names-endpoint option")]
    assert json.loads(page.select_one("#editor-text").text) == [NODE, MODEL]
    assert len(page.select("[data-add-type]")) == len(NODE_TYPES)
    assert page.select_one("#editor-budget progress") is not None


def test_line_of_the_chosen_node_is_told(file: Path, reader: Client) -> None:
    text = '\ufeff[\r\n{"type": "StaticResponse"},\r\n  {"type": "Standard"}]'
    assert step(reader, "refresh", text=text, node="1").select_one("#editor-live")["data-line"] == "3"
    assert step(reader, "refresh", text="[", node="1").select_one("#editor-live")["data-line"] == "1"


def test_opening_keeps_the_text_so_that_changes_can_be_told(file: Path, reader: Client) -> None:
    reader.get(URL)
    assert [version.number for version in config_saving.list_versions(PATH)] == [1]


def test_missing_file_is_not_found(opened: Path, reader: Client) -> None:
    assert reader.get(URL).status_code == 404


@pytest.mark.parametrize("path", ["..%2f..%2fx.json", "Workflows/../x.json", "Workflows/ann/.hidden.json", "README.md"])
def test_paths_that_are_no_config_are_refused(opened: Path, reader: Client, path: str) -> None:
    assert reader.get(f"/workflows/edit/{path}/").status_code in {404, 422}


def test_broken_json_is_shown_with_its_place(file: Path, reader: Client) -> None:
    file.write_text('[{"title": "A",}]')
    page = soup(reader.get(URL))
    assert "json-syntax" in page.select_one("#editor-problems").text
    assert page.select_one("#editor-text").text.strip() == '[{"title": "A",}]'


def test_hostile_text_is_only_text(file: Path, reader: Client) -> None:
    file.write_text(json.dumps([{**NODE, "title": "</textarea><script>alert(1)</script>"}]))
    response = reader.get(URL)
    assert b"<script>alert" not in response.content


def test_step_gives_the_new_text_and_saves_nothing(file: Path, reader: Client) -> None:
    before = file.read_bytes()
    page = step(reader, "set", field="content", value="Bye")
    assert text_of(page) == [{**NODE, "content": "Bye"}, MODEL]
    assert file.read_bytes() == before


def test_step_that_cannot_be_done_says_why_at_its_field(file: Path, reader: Client) -> None:
    page = step(reader, "set", node="1", field="maxResponseSizeInTokens", value="many")
    live = page.select_one("#editor-live")
    assert (live["data-error-field"], text_of(page)) == ("maxResponseSizeInTokens", [NODE, MODEL])
    assert "many" in live["data-error"]


def test_steps_work_on_the_posted_text(file: Path, reader: Client) -> None:
    page = step(reader, "add", text="[]", value="Conditional", to="0")
    assert text_of(page)[0]["type"] == "Conditional"
    assert page.select_one("#editor-live")["data-selected"] == "0"


def test_problems_are_those_of_the_posted_text(file: Path, reader: Client) -> None:
    page = step(reader, "refresh", text=json.dumps([NODE, {**MODEL, "endpointName": "gone"}]))
    assert "endpoint-missing" in page.select_one("#editor-problems").text
    assert page.select_one("#editor-live")["data-errors"] != "0"


def test_variables_are_shown_with_values_of_the_discussion(file: Path, opened: Path, reader: Client) -> None:
    attach_chat(opened, "anna", ["The keys are gone."])
    page = soup(post(reader, "edit-look", what="variables", node="1", discussion="anna"))
    assert "The keys are gone." in page.text
    assert page.select_one('[data-insert="agent1Output"]') is not None


def test_memory_node_shows_what_it_would_return(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", {"type": "GetCurrentMemoryFromFile"}, NODE)
    build_discussion(opened, "anna", chunks=2)
    page = soup(post(reader, "edit-look", what="returns", discussion="anna"))
    assert "tokens" in page.text and "--ChunkBreak--" in page.text
    assert "Choose a discussion" in soup(post(reader, "edit-look", what="returns")).text
    assert "dry run" in soup(post(reader, "edit-look", what="returns", node="1", discussion="anna")).text


def test_variables_have_what_memory_readers_give_now(opened: Path, reader: Client) -> None:
    search = {"type": "MemoryKeywordSearchPerformerTool", "keywords": "{agent2Output}"}
    write_workflow(opened, "Main", {"type": "GetCurrentMemoryFromFile", "title": "All"}, MODEL, search, NODE)
    build_discussion(opened, "anna", chunks=2)
    rows = soup(post(reader, "edit-look", what="variables", node="3", discussion="anna")).select(".scope-list li")
    shown = {row.select_one("[data-insert]")["data-insert"]: row.select_one(".scope-value").text for row in rows}
    assert "--ChunkBreak--" in shown["agent1Output"] and "as the discussion is now" in shown["agent1Output"]
    assert shown["agent2Output"].startswith("–") and shown["agent3Output"].startswith("–")


def test_save_writes_the_text_and_returns_to_the_node(file: Path, reader: Client) -> None:
    response = post(reader, "edit-save", text=json.dumps([MODEL, NODE]), node="1", insist_reason="as it is")
    assert response.status_code == 302
    assert response["Location"].startswith(f"{URL}?node=2")
    assert json.loads(file.read_text()) == [MODEL, NODE]
    assert config_saving.get_version(PATH, 2).author == "mona"


def test_save_keeps_every_byte_of_what_was_not_changed(file: Path, reader: Client) -> None:
    file.write_bytes(b'[\r\n\t{"type":"StaticResponse" ,"content":"caf\\u00e9", "n": 1.50}\r\n]')
    before = file.read_bytes()
    shown = soup(reader.get(URL)).select_one("#editor-text").text.removeprefix("\n").replace("\n", "\r\n")
    post(reader, "edit-save", text=shown)
    assert file.read_bytes() == before
    edited = step(reader, "set", field="content", value="ü").select_one("#editor-next").text
    post(reader, "edit-save", text=edited.removeprefix("\n").replace("\n", "\r\n"))
    assert file.read_bytes() == before.replace(b"caf\\u00e9", b"\\u00fc")


def test_errors_block_a_save_and_keep_what_was_typed(file: Path, reader: Client) -> None:
    before = file.read_bytes()
    response = post(reader, "edit-save", text='[{"title": "Half"', note="On the way")
    page = soup(response)
    assert (response.status_code, file.read_bytes()) == (422, before)
    assert page.select_one("#editor-text").text.strip() == '[{"title": "Half"'
    assert page.select_one("input[name=note]")["value"] == "On the way"


def test_clash_shows_both_texts_and_a_merge(file: Path, reader: Client) -> None:
    reader.get(URL)
    etag = config_saving.find_config(PATH).etag
    theirs = json.dumps([NODE, {**MODEL, "title": "Theirs"}])
    file.write_text(theirs)
    response = post(reader, "edit-save", text=json.dumps([{**NODE, "content": "Ours"}, MODEL]), etag=etag)
    page = soup(response)
    assert (response.status_code, file.read_text()) == (409, theirs)
    merged = json.loads(page.select_one("form textarea[name=text]").text)
    assert [merged[0]["content"], merged[1]["title"]] == ["Ours", "Theirs"]


def test_text_of_a_file_that_was_deleted_meanwhile_is_not_lost(file: Path, reader: Client) -> None:
    etag = config_saving.find_config(PATH).etag
    file.unlink()
    response = post(reader, "edit-save", text=json.dumps([NODE]), etag=etag, insist_reason="as it is")
    page = soup(response)
    assert (response.status_code, text_of_area(page)) == (422, [NODE])
    assert "deleted" in page.select_one(".form-errors").text
    post(reader, "edit-save", text=json.dumps([NODE]), etag=page.select_one("input[name=etag]")["value"])
    assert json.loads(file.read_text()) == [NODE]


def text_of_area(page: Any) -> Any:
    return json.loads(page.select_one("#editor-text").text)


def test_posted_text_can_be_edited_on(file: Path, reader: Client) -> None:
    page = soup(reader.post(URL, {"text": "[]", "etag": "e", "user": "ann"}))
    assert page.select_one("#editor-text").text.strip() == "[]"
    assert page.select_one("input[name=etag]")["value"] == "e"


def test_read_only_console_saves_nothing(file: Path, reader: Client, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True
    before = file.read_bytes()
    assert reader.get(URL).status_code == 200
    assert post(reader, "edit-save", text="[]").status_code == 403
    assert file.read_bytes() == before


def test_dry_run_runs_the_text_that_is_not_saved(file: Path, opened: Path, reader: Client) -> None:
    attach_chat(opened, "anna", ["Hello."])
    response = post(reader, "edit-dry-run", text=json.dumps([{**NODE, "content": "Unsaved"}]), discussion="anna")
    run = WorkflowRun.objects.get()
    assert response["Location"] == f"/workflows/runs/{run.pk}/"
    assert run.is_sandbox


def test_dry_run_without_a_conversation_is_refused(file: Path, reader: Client) -> None:
    assert post(reader, "edit-dry-run").status_code == 422


def test_completions_are_those_of_the_node_types(file: Path, reader: Client) -> None:
    found = reader.get(f"/workflows/edit-schema/{PATH}/").json()
    assert sorted(found["types"]) == sorted(NODE_TYPES)
    assert "raise" in found["types"]["WebFetch"]["onError"]["values"]


def test_other_configs_can_be_edited_as_json(opened: Path, reader: Client) -> None:
    page = soup(reader.get("/workflows/edit/Users/ann.json/"))
    assert page.select_one("#editor-nodes") is None
    assert "customWorkflow" in page.select_one("#editor-text").text


def test_secrets_are_masked_and_kept(opened: Path, reader: Client) -> None:
    node = {"title": "Get", "type": "WebFetch", "url": "http://127.0.0.1/", "headers": {"Authorization": "s3cret"}}
    write_workflow(opened, "Main", node)
    response = reader.get(URL)
    assert b"s3cret" not in response.content
    shown = soup(response).select_one("#editor-text").text
    post(reader, "edit-save", text=shown.replace('"Get"', '"Fetch"'), insist_reason="as it is")
    saved = json.loads((opened / "Configs" / PATH).read_text())
    assert saved == [{**node, "title": "Fetch"}]
    assert b"s3cret" not in reader.get("/workflows/files/ann/Main/").content


def test_settings_among_the_workflows_have_no_nodes(opened: Path, reader: Client) -> None:
    path = opened / "Configs/Workflows/ann/Memory-Settings.json"
    path.parent.mkdir(parents=True)
    path.write_text('{"lookbackStartTurn": 3}')
    page = soup(reader.get("/workflows/edit/Workflows/ann/Memory-Settings.json/"))
    assert page.select_one("#editor-nodes") is None


def test_five_megabytes_open_and_more_are_refused(file: Path, reader: Client) -> None:
    nodes = [{**NODE, "title": f"Step {at}", "content": "x" * 9_000} for at in range(500)]
    file.write_text(json.dumps(nodes))
    assert len(soup(reader.get(URL)).select(".node-item")) == 500
    file.write_text(json.dumps(nodes + nodes))
    assert reader.get(URL).status_code == 413
    file.write_text("[]")
    assert post(reader, "edit-save", text="x" * 6_000_000).status_code == 413


def test_a_link_to_a_place_opens_its_node(file: Path, reader: Client) -> None:
    page = soup(reader.get(URL, {"at": "/1/endpointName"}))
    assert page.select_one("#editor-live")["data-selected"] == "1"


def test_step_answers_only_what_changed(file: Path, reader: Client) -> None:
    marks = {f"{name}_mark": reader_mark(reader, name) for name in ("nodes", "problems")}
    text = json.dumps([{**NODE, "content": "ü😀"}, MODEL], ensure_ascii=False)
    page = step(reader, "set", text=text, field="title", value="Tell", length=len(text) + 1, **marks)
    change = page.select_one("#editor-next")
    assert change.text.strip() in "Tell" and int(change["data-end"]) < text.index("ü")
    assert "Tell" in page.select_one("#editor-nodes").text
    assert page.select_one("#editor-problems[data-same]") is not None
    assert step(reader, "refresh", node="1", **marks).select_one("#editor-nodes[data-same]") is not None


def test_step_answers_the_whole_text_when_the_page_has_another_one(file: Path, reader: Client) -> None:
    text = json.dumps([NODE])
    page = step(reader, "set", text=text, field="title", value="Tell", length=len(text) + 3)
    assert text_of(page)[0]["title"] == "Tell"


def reader_mark(reader: Client, piece: str) -> str:
    return str(soup(reader.get(URL)).select_one(f"#editor-{piece}")["data-mark"])
