"""Two people change a file with secrets: every side keeps its own, and none is ever shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from tests.workflows_app.builders import write_workflow
from workflows_app.queries.editing import EditorRequest
from workflows_app.services import editor_opening
from workflows_app.services.editor_clash import Clash, review_clash
from workflows_app.services.editor_saving import Signature, save_edited

PATH = "Workflows/ann/Main.json"
ME = Signature("ann", insist_reason="a test")
SAY = {"title": "Say", "type": "StaticResponse", "content": "a"}


def fetch(title: str, secret: str) -> dict[str, Any]:
    return {"title": title, "type": "WebFetch", "url": "http://a/", "headers": {"Authorization": secret}}


ONE, TWO = fetch("One", "KEY1"), fetch("Two", "KEY2")


def clash_of(opened: Path, ours: Callable[[str], str], *theirs: dict[str, Any]) -> tuple[Clash, EditorRequest]:
    write_workflow(opened, "Main", ONE, TWO, SAY)
    request = editor_opening.open_file(PATH, {"user": "ann", "discussion": ""}, {})
    mine = replace(request, text=ours(request.text))
    write_workflow(opened, "Main", *theirs)
    return review_clash(mine), mine


def saved(opened: Path, request: EditorRequest, clash: Clash, text: str) -> list[str]:
    """The secrets of the file after going on with a text from the page."""
    outcome = save_edited(replace(request, text=text, etag=clash.etag), ME)
    assert outcome.saved is not None, outcome
    nodes = json.loads((opened / "Configs" / PATH).read_text())
    return [node["headers"]["Authorization"] for node in nodes if "headers" in node]


def without_first(text: str) -> str:
    return json.dumps(json.loads(text)[1:], ensure_ascii=False)


def typed(text: str) -> str:
    return text.replace("••••••••#2", "TYPED")


def titled(text: str) -> str:
    return text.replace('"Two"', '"Second"')


MERGES = [
    (without_first, (ONE, TWO, {**SAY, "content": "b"}), ["KEY2"]),
    (titled, (fetch("New", "KEY0"), ONE, TWO, SAY), ["KEY0", "KEY1", "KEY2"]),
    (titled, (ONE, fetch("Two", "NEW"), SAY), ["KEY1", "NEW"]),
    (typed, (ONE, TWO, {**SAY, "content": "b"}), ["KEY1", "TYPED"]),
    (typed, (ONE, fetch("Two", "NEW"), SAY), ["KEY1", "TYPED"]),
    (titled, (ONE, SAY), ["KEY1", ""]),
]


@pytest.mark.parametrize(("ours", "theirs", "secrets"), MERGES)
def test_a_merge_keeps_the_secrets_of_each_side(opened: Path, ours: Any, theirs: Any, secrets: list[str]) -> None:
    clash, request = clash_of(opened, ours, *theirs)
    assert clash.merge is not None
    assert saved(opened, request, clash, clash.merge.text) == secrets


@pytest.mark.parametrize(("ours", "theirs"), [row[:2] for row in MERGES])
def test_no_secret_is_shown(opened: Path, ours: Any, theirs: Any) -> None:
    clash, _ = clash_of(opened, ours, *theirs)
    shown = asdict(replace(clash, ours_to_edit="", merge=None))
    conflicts = clash.merge.conflicts if clash.merge else []
    assert not any(word in f"{shown}{conflicts}" for word in ("KEY", "TYPED", "NEW"))


def test_our_text_keeps_our_secrets_on_top_of_theirs(opened: Path) -> None:
    clash, request = clash_of(opened, titled, fetch("New", "KEY0"), ONE, TWO, SAY)
    assert saved(opened, request, clash, clash.ours_to_edit) == ["KEY1", "KEY2"]


def test_a_secret_that_is_gone_must_be_typed_again(opened: Path) -> None:
    clash, _ = clash_of(opened, titled, ONE, SAY)
    assert clash.lost_secrets == 1 and '"Authorization": ""' in clash.ours_to_edit
