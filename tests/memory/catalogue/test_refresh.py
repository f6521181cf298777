from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memory.catalogue import facts, refresh
from memory.catalogue.refresh import refresh_catalogue, refresh_discussions, refresh_fully
from memory.models import CatalogueEntry, CatalogueProblem
from memory.stores import vector_state
from memory.stores.folder_facts import find_stamp
from memory.types import Generation
from memory.wiring import get_discussion_folders
from tests.builders import API_KEY, build_discussion, build_entry, build_ref, write_entries

pytestmark = pytest.mark.django_db


def test_refresh_catalogue_counts_what_is_there(public: Path) -> None:
    build_discussion(public, "anna", chunks=3, summary_up_to=2, memories=4)

    refresh_catalogue()

    entry = CatalogueEntry.objects.get(ref="anna")
    assert (entry.chunk_count, entry.memory_count, entry.summary_behind, entry.problem_count) == (3, 4, 1, 0)


@pytest.mark.parametrize("layout", [Generation.NESTED, Generation.GUIDE_NESTED, Generation.FLAT, Generation.GUIDE_FLAT])
def test_refresh_catalogue_reads_every_layout(public: Path, layout: Generation) -> None:
    build_discussion(public, "anna", layout=layout, chunks=3, memories=2)

    refresh_catalogue()

    entry = CatalogueEntry.objects.get()
    assert (entry.ref, entry.generation, entry.chunk_count, entry.memory_count) == ("anna", layout.value, 3, 2)


def test_refresh_catalogue_lists_an_encrypted_discussion_as_locked(public: Path) -> None:
    ref = build_discussion(public, api_key=API_KEY, encrypted=True, memories=2)

    refresh_catalogue()

    entry = CatalogueEntry.objects.get(ref=ref.text)
    assert (entry.is_locked, entry.chunk_count, entry.memory_count, entry.is_keyed) == (True, None, 2, True)


def test_refresh_catalogue_notices_a_rewritten_file(public: Path) -> None:
    build_discussion(public, "anna", chunks=1, summary_up_to=None)
    refresh_catalogue()

    write_entries(public / "DiscussionIds/anna/memories.json", [build_entry(1), build_entry(2)])
    refresh_catalogue()

    assert CatalogueEntry.objects.get().chunk_count == 2


def test_refresh_catalogue_forgets_a_deleted_discussion(public: Path) -> None:
    build_discussion(public, "anna")
    build_discussion(public, "ben")
    refresh_catalogue()

    shutil.rmtree(public / "DiscussionIds/anna")
    refresh_catalogue()

    assert [entry.ref for entry in CatalogueEntry.objects.all()] == ["ben"]


def test_refresh_catalogue_opens_only_what_changed(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_discussion(public, "anna")
    build_discussion(public, "ben")
    refresh_catalogue()
    opened: list[str] = []
    monkeypatch.setattr(refresh, "gather_facts", _recording(refresh.gather_facts, opened))

    os.utime(public / "DiscussionIds/ben/memories.json", ns=(1, 1))
    refresh_catalogue()

    assert opened == ["ben"]


def test_refresh_catalogue_keeps_findings_and_drops_them_when_mended(public: Path) -> None:
    build_discussion(public, "anna")
    memories = public / "DiscussionIds/anna/memories.json"
    memories.write_text("[{", encoding="utf-8")
    refresh_catalogue()
    found = list(CatalogueProblem.objects.values_list("code", flat=True))

    write_entries(memories, [build_entry(1), build_entry(2)])
    refresh_catalogue()

    assert found == ["file-damaged"]
    assert not CatalogueProblem.objects.exists()


def test_refresh_catalogue_tries_an_unreadable_database_again(public: Path) -> None:
    build_discussion(public, "anna", memories=2)
    database = public / "DiscussionIds/anna/vector_memory.db"
    whole, stat = database.read_bytes(), database.stat()
    _replace_in_place(database, b"x" * len(whole), stat)
    refresh_catalogue()
    before = CatalogueEntry.objects.get().memory_count

    _replace_in_place(database, whole, stat)
    refresh_catalogue()

    assert (before, CatalogueEntry.objects.get().memory_count) == (None, 2)


def test_refresh_discussions_drops_what_is_gone_and_reads_what_changed(public: Path) -> None:
    gone, changed = build_discussion(public, "anna"), build_discussion(public, "ben", chunks=1)
    refresh_catalogue()

    shutil.rmtree(public / "DiscussionIds/anna")
    write_entries(public / "DiscussionIds/ben/memories.json", [build_entry(1), build_entry(2)])
    refresh_discussions([gone, changed])

    assert list(CatalogueEntry.objects.values_list("ref", "chunk_count")) == [("ben", 2)]


@pytest.mark.parametrize("layout", [Generation.NESTED, Generation.GUIDE_FLAT])
def test_look_agrees_with_a_scan(public: Path, layout: Generation) -> None:
    ref = build_discussion(public, layout=layout)

    assert get_discussion_folders().look(ref) == get_discussion_folders().scan()[ref]


def test_refresh_catalogue_without_a_discussions_folder_lists_nothing(public: Path) -> None:
    (public / "DiscussionIds").rmdir()

    refresh_catalogue()

    assert not CatalogueEntry.objects.exists()
    assert not (public / "DiscussionIds").exists()


def test_refresh_catalogue_pauses_after_a_scan_that_took_long(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refresh_catalogue()
    monkeypatch.setattr(refresh, "SMALL_FOLDER", -1)
    monkeypatch.setattr(refresh._schedule, "cost_seconds", 100.0)
    build_discussion(public, "anna")  # even though the folder itself has changed

    refresh_catalogue()

    assert not CatalogueEntry.objects.exists()


def test_schedule_hurries_when_the_folder_itself_has_changed(tmp_path: Path) -> None:
    schedule = refresh._Schedule(tmp_path, find_stamp(tmp_path), count=1_000_000, cost_seconds=1.0)
    schedule.finished_at = time.monotonic() - 5.0
    before = schedule.is_due(tmp_path)

    os.utime(tmp_path, ns=(1, 1))

    assert (before, schedule.is_due(tmp_path)) == (False, True)


@pytest.mark.django_db(transaction=True)
def test_refresh_catalogue_leaves_a_long_scan_to_the_background(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refresh_catalogue()
    monkeypatch.setattr(refresh, "SMALL_FOLDER", -1)
    monkeypatch.setattr(refresh._schedule, "cost_seconds", 1.0)
    monkeypatch.setattr(refresh._schedule, "finished_at", -1000.0)
    build_discussion(public, "anna")

    refresh_catalogue()
    _wait_for_background()

    assert CatalogueEntry.objects.get().is_read


@pytest.mark.django_db(transaction=True)
def test_refresh_catalogue_from_several_threads_lists_each_discussion_once(public: Path) -> None:
    for name in ("anna", "ben", "carol"):
        build_discussion(public, name)
    threads = [threading.Thread(target=_refresh_and_close) for _ in range(4)]

    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(CatalogueEntry.objects.values_list("ref", flat=True)) == ["anna", "ben", "carol"]


def test_refresh_fully_reads_everything(public: Path) -> None:
    build_discussion(public, "anna")

    refresh_fully()

    assert CatalogueEntry.objects.get(ref=build_ref("anna").text).is_read


@pytest.mark.django_db(transaction=True)
def test_refresh_catalogue_leaves_large_discussions_to_the_background(
    public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(refresh, "QUICK_BYTES", 0)
    ref = build_discussion(public, "anna")
    opened: list[str] = []
    monkeypatch.setattr(refresh, "_find_reading", _note_thread(refresh._find_reading, opened))

    refresh_catalogue()
    refresh_discussions([ref])
    _wait_for_background()

    assert opened == ["catalogue"]
    assert CatalogueEntry.objects.get().is_read


def test_a_locked_database_does_not_hold_up_every_call(public: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_state, "READ_TIMEOUT_SECONDS", 0.05)
    monkeypatch.setattr(facts, "PAUSE_FACTOR", 1000.0)
    build_discussion(public, "anna")
    waits: list[str] = []
    monkeypatch.setattr(facts, "_check_quietly", _note_thread(facts._check_quietly, waits))

    with closing(sqlite3.connect(public / "DiscussionIds/anna/vector_memory.db")) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        for _ in range(3):
            refresh_catalogue()

    assert len(waits) == 1
    assert CatalogueEntry.objects.get().memory_count is None


def _note_thread(function: Callable[..., Any], names: list[str]) -> Callable[..., Any]:
    """The same function, noting in which thread it is called."""

    def call(*values: Any) -> Any:
        names.append(threading.current_thread().name)
        return function(*values)

    return call


def _replace_in_place(path: Path, data: bytes, stat: os.stat_result) -> None:
    """Other bytes, while everything that a scan looks at stays as it was."""
    path.write_bytes(data)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def _recording(gather: Any, opened: list[str]) -> Any:
    def record(discussion: Any, folder: Any) -> Any:
        opened.append(discussion.ref.text)
        return gather(discussion, folder)

    return record


def _wait_for_background() -> None:
    for thread in threading.enumerate():
        if thread.name == "catalogue":
            thread.join()


def _refresh_and_close() -> None:
    from django.db import connections

    refresh_catalogue()
    connections.close_all()
