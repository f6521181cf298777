"""What a clean folder looks like: WilmerAI's own configs (configs.md §13.5)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.conftest import SHARED
from workflows_app.lint.check import check_folder
from workflows_app.lint.folder import ConfigFolder
from workflows_app.lint.reach import Workshop
from workflows_app.queries.linting import read_folder
from workflows_app.results import Problem, Severity

CONFIGS = SHARED / "wilmer-public" / "Configs"
pytestmark = pytest.mark.skipif(not CONFIGS.is_dir(), reason="WilmerAI's own configs are not beside the checkout")


@pytest.fixture
def shipped(settings: object) -> ConfigFolder:
    return read_folder(CONFIGS)


@pytest.fixture
def problems(shipped: ConfigFolder) -> tuple[Problem, ...]:
    return check_folder(shipped)


def reached(problems: tuple[Problem, ...], shipped: ConfigFolder, code: str) -> Iterator[Problem]:
    workshop = Workshop(shipped)
    return (problem for problem in problems if problem.code == code and workshop.reached_by(problem.path))


def test_one_example_endpoint_is_the_only_error(problems: tuple[Problem, ...]) -> None:
    [error] = [problem for problem in problems if problem.severity is Severity.ERROR]

    assert (error.code, error.path) == ("apitype-missing", "Endpoints/_example-endpoints/chatgpt-4o-example.json")


@pytest.mark.parametrize(
    ("code", "everywhere", "among_reached"),
    [
        ("responder-ignored-key", 6, 3),
        ("title-duplicate", None, 5),
        ("responder-none", None, 7),
        ("type-absent", 59, 28),
        ("workflow-unreachable", 19, 0),
        ("responder-several", 0, 0),
        ("output-later", 0, 0),
        ("variable-unknown", 0, 0),
        ("unknown-field", 0, 0),
    ],
)
def test_counts(
    problems: tuple[Problem, ...], shipped: ConfigFolder, code: str, everywhere: int | None, among_reached: int
) -> None:
    found = [problem for problem in problems if problem.code == code]

    assert everywhere in (None, len(found))
    assert len(list(reached(problems, shipped, code))) == among_reached


@pytest.mark.parametrize("code", ["routing-missing", "default-workflow-missing"])
def test_four_users_work_through_shared_folders_only(problems: tuple[Problem, ...], code: str) -> None:
    found = [problem for problem in problems if problem.code == code]

    assert len(found) == 4
    assert {problem.severity for problem in found} == {Severity.WARNING}


def test_dead_fields_are_in_every_user_and_text_endpoint(problems: tuple[Problem, ...], shipped: ConfigFolder) -> None:
    paths = {problem.path for problem in problems if problem.code == "unused-field"}

    assert {user.path for user in shipped.users} <= paths


def test_every_shipped_position_is_that_of_its_key(problems: tuple[Problem, ...], shipped: ConfigFolder) -> None:
    for problem in problems:
        source = shipped.documents[problem.path].source
        key = problem.at.rpartition("/")[2]
        if source is None or not key or key.isdecimal():
            continue
        line = source.text.split("\n")[problem.line - 1][problem.column - 1 :]
        assert line.startswith(f'"{key}"') or key not in source.text
