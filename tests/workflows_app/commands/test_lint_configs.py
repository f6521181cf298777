from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.workflows_app.builders import write
from tests.workflows_app.lint.worlds import CLEAN, MAIN, answer, asking


@pytest.fixture
def configs(tmp_path: Path, db: None) -> Path:
    """A folder without problems."""
    for path, value in CLEAN.items():
        write(tmp_path / "Configs" / path, value)
    return tmp_path / "Configs"


def lint(configs: Path, *options: str) -> tuple[str, int]:
    out, status = io.StringIO(), 0
    try:
        call_command("lint_configs", *options, "--configs", str(configs), stdout=out, stderr=io.StringIO())
    except SystemExit as stop:
        status = int(str(stop.code))
    return out.getvalue(), status


def test_clean_folder_prints_nothing_and_succeeds(configs: Path) -> None:
    assert lint(configs) == ("", 0)


def test_error_is_printed_with_its_place_and_fails(configs: Path) -> None:
    write(configs / MAIN, asking(endpointName="Gone"))

    out, status = lint(configs)

    assert (out.startswith(f"{MAIN}:1:"), "error endpoint-missing" in out, status) == (True, True, 1)


def test_hints_do_not_fail(configs: Path) -> None:
    write(configs / "Workflows/ann/Lonely.json", [answer])

    assert lint(configs)[1] == 0
    assert lint(configs, "--level", "warning")[0] == ""


def test_json_has_problems_and_counts(configs: Path) -> None:
    write(configs / MAIN, asking(endpointName="Gone"))

    body = json.loads(lint(configs, "--json")[0])

    assert body["counts"] == {"error": 1, "warning": 0, "hint": 0}
    assert (body["problems"][0]["code"], body["problems"][0]["at"]) == ("endpoint-missing", "/0/endpointName")


@pytest.mark.parametrize(
    "path", ["Workflows/ann/Main.json", "Workflows/ann/Main", "Workflows", "Configs/Workflows/ann"]
)
def test_paths_choose_files(configs: Path, path: str) -> None:
    write(configs / MAIN, asking(endpointName="Gone"))
    write(configs / "Presets/P/Plain.json", [])

    out, _ = lint(configs, path)

    assert [line.split(":")[0] for line in out.splitlines()] == [MAIN]


@pytest.mark.parametrize("options", [("Workflows/none",), ("--user", "nobody"), ("--schema", "nothing")])
def test_what_does_not_exist_is_refused(configs: Path, options: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match="There is no"):
        lint(configs, *options)


def test_schema_is_printed(db: None, capsys: Any) -> None:
    out = io.StringIO()
    call_command("lint_configs", "--schema", "endpoint", stdout=out)

    assert json.loads(out.getvalue())["properties"]["apiKey"]["writeOnly"] is True
