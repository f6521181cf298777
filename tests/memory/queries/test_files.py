from __future__ import annotations

from pathlib import Path

from memory.queries.files import RAW_LIMIT_BYTES, get_raw_file, list_files
from memory.types import Artefact, FileState
from tests.builders import API_KEY, build_discussion


def test_list_files_names_every_artefact(public: Path) -> None:
    files = list_files(build_discussion(public), {})

    assert {report.artefact for report in files} == set(Artefact)
    assert {report.artefact for report in files if report.state is FileState.PRESENT} >= {Artefact.MEMORIES}


def test_get_raw_file_shows_damage_as_it_is(public: Path) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/memories.json").write_bytes(b'[{"text_block": "\xff')

    raw = get_raw_file(ref, Artefact.MEMORIES, {})

    assert (raw.text, raw.is_cut, raw.report.state) == ('[{"text_block": "�', False, FileState.DAMAGED)


def test_get_raw_file_cuts_a_long_file(public: Path) -> None:
    ref = build_discussion(public, state_document="x" * (RAW_LIMIT_BYTES + 1))

    raw = get_raw_file(ref, Artefact.STATE_DOCUMENT, {})

    assert (len(raw.text), raw.is_cut) == (RAW_LIMIT_BYTES, True)


def test_get_raw_file_of_an_encrypted_file_is_its_token(public: Path) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True)

    assert get_raw_file(ref, Artefact.MEMORIES, {}).text.startswith("gAAAAA")


def test_get_raw_file_of_what_is_absent_is_empty(public: Path) -> None:
    raw = get_raw_file(build_discussion(public), Artefact.TIMESTAMPS, {})

    assert (raw.text, raw.is_cut, raw.report.state) == ("", False, FileState.ABSENT)


def test_get_raw_file_shows_no_database(public: Path) -> None:
    raw = get_raw_file(build_discussion(public), Artefact.VECTOR_MEMORY, {})

    assert (raw.text, raw.is_cut) == ("", True)
