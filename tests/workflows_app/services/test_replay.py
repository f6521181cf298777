from __future__ import annotations

import pytest

from workflows_app.models import NodeRun
from workflows_app.services.replay import format_path, parse_output, parse_path


@pytest.mark.parametrize(
    ("recorded", "typed", "output"),
    [('"text"', "[1]", "[1]"), ("[1, 2]", "[3]", [3]), ("[1, 2]", "no JSON", "no JSON"), ("", "x", "x")],
)
def test_typed_output_has_the_form_of_the_recorded_one(recorded: str, typed: str, output: object) -> None:
    assert parse_output(typed, like=NodeRun(output=recorded)) == output


def test_paths_survive_being_written() -> None:
    assert parse_path(format_path((3, 1, 12))) == (3, 1, 12)
