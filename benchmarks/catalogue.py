"""The list of discussions as the folder grows: first page ever, scan, list page, page after a new discussion."""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks import Cell, Table

SIZES = tuple(int(size) for size in os.environ.get("BENCH_DISCUSSIONS", "1000,10000").split(","))
PAGE_ROUNDS = 30


def measure() -> Table:
    """One row per size. The list page must not grow with the folder."""
    folder = Path(tempfile.mkdtemp(prefix="wilmer-bench-"))
    try:
        _start_django(folder)
        rows = [_measure_size(folder, size) for size in SIZES]
    finally:
        shutil.rmtree(folder)
    setup = f"8 chunks and a summary each, every tenth with 20 vector memories; 50 rows a page; median of {PAGE_ROUNDS}"
    return Table("List of discussions, milliseconds", setup, rows)


def _start_django(folder: Path) -> None:
    os.environ |= {"WILMER_STATE_DIR": str(folder / "state"), "DJANGO_SETTINGS_MODULE": "wilmer_site.settings"}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def _measure_size(folder: Path, size: int) -> Mapping[str, Cell]:
    from django.conf import settings

    from memory.catalogue import refresh
    from memory.queries.overview import get_overview
    from tests.builders import open_public_folder

    public = _build(folder / str(size), size)
    open_public_folder(settings, public)
    refresh.forget_schedule()
    return {
        "discussions": size,
        "first page ever": _milliseconds(_show_page),
        "reading all": _milliseconds(refresh.refresh_fully),
        "scan": _milliseconds(refresh.refresh_fully),
        "list page": statistics.median(_milliseconds(_show_page) for _ in range(PAGE_ROUNDS)),
        "overview": statistics.median(_milliseconds(get_overview) for _ in range(PAGE_ROUNDS)),
        "page after a new one": _after_new_discussion(public),
    }


def _show_page() -> None:
    from memory.queries.discussions import count_chips, list_discussions
    from memory.results import DiscussionFilter
    from wilmer_site.lib.paging import PageRequest

    list_discussions(DiscussionFilter(), PageRequest())
    count_chips(DiscussionFilter())


def _after_new_discussion(public: Path) -> float:
    from tests.builders import build_discussion

    build_discussion(public, "brand-new", memories=None)
    return _milliseconds(_show_page)


def _build(folder: Path, size: int) -> Path:
    """The vector databases are copies of one, because making thousands anew would take minutes."""
    from tests.builders import build_discussion, build_public_folder, build_vector_database

    public = build_public_folder(folder)
    database = build_vector_database(folder / "model.db", "model", memories=20)
    for number in range(size):
        name = f"discussion-{number:05}"
        build_discussion(public, name, chunks=8, memories=None)
        if number % 10 == 0:
            shutil.copy(database, public / "DiscussionIds" / name / "vector_memory.db")
    return public


def _milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return round((time.perf_counter() - started) * 1000, 1)
