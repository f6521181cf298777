"""What the editor saves, on WilmerAI's own files and when two people write."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.conftest import SHARED
from tests.workflows_app.builders import write_workflow
from workflows_app.engine.line_ends import as_shown
from workflows_app.queries.editing import EditorRequest
from workflows_app.services import editor_opening
from workflows_app.services.editor_saving import Signature, save_edited, take_step
from workflows_app.services.workflow_editing import Operation

ME = Signature("ann", insist_reason="a test")
PATH = "Workflows/ann/Main.json"


def open_file(path: str) -> EditorRequest:
    return editor_opening.open_file(path, {"user": "ann", "discussion": ""}, {})


@pytest.fixture
def shipped(opened: Path) -> list[str]:
    """Every file that WilmerAI ships, in the folder that is open."""
    shutil.copytree(SHARED / "wilmer-public/Configs", opened / "Configs", dirs_exist_ok=True)
    found = (path.relative_to(opened / "Configs").as_posix() for path in (opened / "Configs").rglob("*.json"))
    return sorted(path for path in found if "/." not in f"/{path}")


def test_shipped_files_are_saved_unchanged_to_the_byte(opened: Path, shipped: list[str]) -> None:
    changed = [path for path in shipped if (saved := save_edited(open_file(path), ME).saved) and saved.is_changed]
    assert changed == []


def test_a_form_edit_of_a_shipped_workflow_changes_one_line(opened: Path, shipped: list[str]) -> None:
    for path in [path for path in shipped if path.startswith("Workflows/")][::12]:
        before = (opened / "Configs" / path).read_bytes()
        asked = open_file(path)
        step = take_step(asked, Operation("set", field="title", value="An edited title", path=path))
        if step.error:
            continue
        save_edited(editor_opening.with_step(asked, step.edited), ME)
        after = (opened / "Configs" / path).read_bytes()
        old, new = before.split(b"\n"), after.split(b"\n")
        assert len([line for line in new if line not in old]) == 1


A = {"title": "A", "type": "StaticResponse", "content": "a"}
B = {"title": "B", "type": "StaticResponse", "content": "b"}


def test_a_clash_offers_a_merge(opened: Path) -> None:
    write_workflow(opened, "Main", A, B)
    asked = open_file(PATH)
    (opened / "Configs" / PATH).write_text(json.dumps([A, {**B, "content": "theirs"}]))
    ours = json.dumps([{**A, "content": "ours"}, B])
    found = save_edited(EditorRequest(PATH, ours, asked.etag, user="ann"), ME).clash
    assert found is not None and found.merge is not None
    assert [node["content"] for node in json.loads(found.merge.text)] == ["ours", "theirs"]
    assert found.merge.conflicts == []


def test_a_clash_with_broken_json_cannot_be_merged(opened: Path) -> None:
    write_workflow(opened, "Main", A)
    asked = open_file(PATH)
    (opened / "Configs" / PATH).write_text("[")
    found = save_edited(EditorRequest(PATH, json.dumps([B]), asked.etag, user="ann"), ME).clash
    assert found is not None and found.merge is None and "JSON" in found.reason


def test_secrets_stay_masked_in_a_clash(opened: Path) -> None:
    node = {"type": "WebFetch", "url": "http://127.0.0.1/", "headers": {"Authorization": "s3cret"}}
    write_workflow(opened, "Main", node)
    asked = open_file(PATH)
    (opened / "Configs" / PATH).write_text(json.dumps([node, A]))
    ours = asked.text.replace("http://127.0.0.1/", "http://127.0.0.2/")
    found = save_edited(EditorRequest(PATH, ours, asked.etag, user="ann"), ME).clash
    assert found is not None and found.merge is not None
    assert "s3cret" not in found.ours + found.theirs + found.merge.text
    save_edited(EditorRequest(PATH, found.merge.text, found.etag, user="ann"), ME)
    saved = json.loads((opened / "Configs" / PATH).read_text())
    assert saved == [{**node, "url": "http://127.0.0.2/"}, A]


def test_a_text_begun_from_nothing_known_is_only_compared(opened: Path) -> None:
    write_workflow(opened, "Main", A)
    found = save_edited(EditorRequest(PATH, as_shown("[]"), "unknown", user="ann"), ME).clash
    assert found is not None and "never kept" in found.reason
