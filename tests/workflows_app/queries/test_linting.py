from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.workflows_app.builders import write
from tests.workflows_app.lint.cases_files import REFERENCES
from tests.workflows_app.lint.worlds import CLEAN, MAIN, USER, answer, asking, model, node, user
from workflows_app.queries.linting import lint_file, lint_folder

PLANTED = {
    "Users/ann.json": {**user, "stream": True},
    "Endpoints/Bad.json": {**model, "endpoint": "ftp://x", "removeThinking": True},
    "Presets/P/Odd.json": {"messages": []},
    "Workflows/ann/Child.json": [{**answer, "prompt": "{agent2Output} {persona}"}],
    "Workflows/ann/Broken.json": b"[1,]",
    "MCPServers/S.json": {"transport": "sse"},
    MAIN: [
        node("CustomWorkflow", workflowName="Child"),
        node("Conditional", condition="1 = 1"),
        {**answer, "endpointName": "Gone", "prompt": "{agent1Output} {agent2Output}"},
    ],
}
FAULTS = {
    ("unused-field", "Users/ann.json"),
    ("endpoint-url", "Endpoints/Bad.json"),
    ("think-tags-missing", "Endpoints/Bad.json"),
    ("preset-overrides-request", "Presets/P/Odd.json"),
    ("output-beyond", "Workflows/ann/Child.json"),
    ("variable-unknown", "Workflows/ann/Child.json"),
    ("json-syntax", "Workflows/ann/Broken.json"),
    ("property-missing", "MCPServers/S.json"),
    ("condition-syntax", MAIN),
    ("endpoint-missing", MAIN),
}


@pytest.fixture
def configs(tmp_path: Path, db: None) -> Path:
    """A folder without problems, and with files that are no configs."""
    fill(tmp_path / "Configs", CLEAN)
    (tmp_path / "Configs/Workflows/_README.txt").write_text("{")
    return tmp_path / "Configs"


def fill(root: Path, files: dict[str, object]) -> None:
    for path, value in files.items():
        if isinstance(value, bytes):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(value)
        elif value is not None:
            write(root / path, value)


def test_planted_faults_are_found_and_nothing_else(configs: Path) -> None:
    fill(configs, PLANTED)

    assert {(problem.code, problem.path) for problem in lint_folder(configs)} == FAULTS


@pytest.mark.parametrize("case", REFERENCES[:6], ids=str)
def test_folder_on_disk_is_checked_as_the_one_in_memory(configs: Path, case: object) -> None:
    fill(configs, case.bad.files)  # type: ignore[attr-defined]

    assert {problem.code for problem in lint_folder(configs)} == {case.code, *case.also}  # type: ignore[attr-defined]


def test_unsaved_text_counts_instead_of_the_file(configs: Path) -> None:
    found = lint_file(configs, MAIN, json.dumps(asking(endpointName="Gone")))

    assert [problem.code for problem in found] == ["endpoint-missing"]
    assert lint_file(configs, MAIN) == ()


def test_unsaved_text_of_a_new_file_is_checked(configs: Path) -> None:
    found = lint_file(configs, "Workflows/ann/New.json", json.dumps(asking(preset="Gone")))

    assert {problem.code for problem in found} == {"preset-missing", "workflow-unreachable"}


def test_file_that_is_too_large_is_told_of(configs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workflows_app.stores.config_tree.LIMIT_BYTES", 100)

    [problem] = lint_file(configs, MAIN)

    assert (problem.code, problem.line) == ("json-syntax", 1)
    assert "100" in problem.message


def test_file_that_does_not_exist_has_no_problems(configs: Path) -> None:
    assert lint_file(configs, "Workflows/ann/None.json") == ()


def test_changed_file_is_read_again(configs: Path) -> None:
    lint_folder(configs)
    write(configs / MAIN, asking(endpointName="Somewhere else"))

    assert [problem.code for problem in lint_folder(configs)] == ["endpoint-missing"]


def test_one_user_is_checked_alone(configs: Path) -> None:
    write(configs / "Users/bob.json", {**user, "port": 5001, "customWorkflow": "Gone"})

    assert lint_folder(configs, "ann") == ()
    assert {problem.path for problem in lint_folder(configs, "bob")} == {"Users/bob.json"}


def test_switched_prefix_is_told_when_there_are_discussions(configs: Path, opened: Path) -> None:
    (opened / "DiscussionIds/anna").mkdir(parents=True)

    found = lint_file(configs, USER, json.dumps({**user, "chatCompleteAddUserAssistant": True}))

    assert [problem.code for problem in found] == ["prefix-changes-hashes"]
