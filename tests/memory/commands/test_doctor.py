from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.builders import build_discussion


def run(*arguments: str) -> tuple[int, str]:
    out = StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("doctor", *arguments, stdout=out)
    return int(stopped.value.code or 0), out.getvalue()


def test_doctor_of_a_sound_folder_exits_with_0(public: Path) -> None:
    build_discussion(public)

    status, text = run()

    assert (status, text) == (0, "1 checked: 0 errors, 0 warnings.\n")


def test_doctor_with_warnings_exits_with_1_and_gives_advice(public: Path) -> None:
    build_discussion(public, summary_up_to=99)

    status, text = run()

    assert status == 1
    assert "summary-link-lost" in text
    assert "→" in text


def test_doctor_with_errors_exits_with_2(public: Path) -> None:
    build_discussion(public)
    (public / "DiscussionIds/anna/memories.json").write_text("[", encoding="utf-8")

    assert run()[0] == 2


def test_doctor_as_json(public: Path) -> None:
    build_discussion(public, summary_up_to=99)

    report = json.loads(run("--json")[1])

    assert report["discussions"] == 1
    assert [(row["discussion"], row["code"], row["level"]) for row in report["findings"]] == [
        ("anna", "summary-link-lost", "warning")
    ]


def test_doctor_of_one_discussion_looks_at_no_other(public: Path) -> None:
    build_discussion(public, "anna")
    build_discussion(public, "ben", summary_up_to=99)

    assert run("--discussion", "anna")[0] == 0
    assert run("--discussion", "ben")[0] == 1


def test_doctor_shows_clean_checks_when_asked(public: Path) -> None:
    build_discussion(public)

    assert "fts-orphans" in run("--verbosity", "2")[1]


def test_doctor_of_an_unknown_discussion_exits_with_3(public: Path) -> None:
    with pytest.raises(CommandError) as failed:
        call_command("doctor", "--discussion", "nobody")

    assert failed.value.returncode == 3


def test_doctor_without_discussions_folder_is_clean(public: Path) -> None:
    (public / "DiscussionIds").rmdir()

    assert run() == (0, "0 checked: 0 errors, 0 warnings.\n")
