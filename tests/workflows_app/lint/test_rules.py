from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflows_app.lint.cases_configs import CONFIGS
from tests.workflows_app.lint.cases_files import FILES, REFERENCES
from tests.workflows_app.lint.cases_nodes import FLOW, HINTS, SHAPES, VARIABLES
from tests.workflows_app.lint.worlds import ROUTED, Case, World
from workflows_app.lint.rules import RULES

CASES = [*FILES, *REFERENCES, *SHAPES, *VARIABLES, *FLOW, *HINTS, *CONFIGS]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_failing_example_breaks_this_rule_alone(case: Case) -> None:
    assert case.bad.codes() == {case.code, *case.also}


@pytest.mark.parametrize("case", CASES, ids=str)
def test_passing_example_keeps_the_rule(case: Case) -> None:
    assert case.code not in case.good.codes()


def test_every_rule_has_examples() -> None:
    assert {case.code for case in CASES} == set(RULES)


@pytest.mark.parametrize("files", [{}, ROUTED], ids=["custom", "routed"])
def test_clean_folder_has_no_problem(files: dict[str, object]) -> None:
    assert World(files).check() == ()


def test_docs_tell_of_every_rule() -> None:
    told = (Path(__file__).parents[3] / "docs" / "config-checks.md").read_text("utf-8")

    rows = {f"| `{rule.code}` | {rule.severity} | {rule.title} |" for rule in RULES.values()}
    assert rows == {line for line in told.splitlines() if line.startswith("| `")}
