from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.workflows_app.lint.worlds import MAIN, World, as_bytes, node, using
from workflows_app.configs import source
from workflows_app.configs.documents import read_document
from workflows_app.lint import templates
from workflows_app.lint.check import check_folder


def count_work(nodes: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many templates are taken apart for a workflow of so many nodes."""
    texts = [node("StaticResponse", content=f"{{chat_user_prompt_last_one}} {n}", title=str(n)) for n in range(nodes)]
    calls = 0
    parse: Callable[..., Any] = templates.find_failure

    def counted(*args: Any) -> str:
        nonlocal calls
        calls += 1
        return str(parse(*args))

    monkeypatch.setattr("workflows_app.lint.template_rules.find_failure", counted)
    World({MAIN: using(*texts)}).check()
    monkeypatch.undo()
    return calls


def test_work_grows_with_the_number_of_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    few, many = count_work(50, monkeypatch), count_work(500, monkeypatch)

    assert many <= 10 * few


def test_folder_parses_each_file_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    parse = source.parse_source
    monkeypatch.setattr("workflows_app.configs.documents.parse_source", lambda text: parsed.append(text) or parse(text))

    folder = World({MAIN: using(node("StaticResponse", content="x"))}).build()
    check_folder(folder)

    assert len(parsed) == len(folder.documents)


def test_five_megabytes_are_read() -> None:
    document = read_document(MAIN, as_bytes([node("StaticResponse", content="x" * 10_000) for _ in range(500)]))

    assert document.source is not None
    assert document.locate((499, "content"))[0] == 1 + 499 * 5 + 4
