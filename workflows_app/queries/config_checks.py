"""What the checks say of a config that is about to be saved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from workflows_app import wiring
from workflows_app.queries.linting import lint_file
from workflows_app.results import Problem, Severity


def find_problems(path: str, text: str) -> tuple[Problem, ...]:
    """Everything that is wrong with a text that is to be at this path, the worst first, then in order of lines."""
    found = lint_file(wiring.get_config_root(), path, text)
    return tuple(sorted(found, key=lambda problem: (problem.severity.rank, problem.line, problem.column)))


def list_errors(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """The errors among the problems, as plain values."""
    return [asdict(problem) for problem in problems if problem.severity is Severity.ERROR]
