"""Two tabs, a REST client and a WilmerAI-like writer on one discussion: nothing lost, every clash asked about."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from django.urls import reverse

from memory.queries.lost_edits import list_lost_edits
from memory.services import editing
from memory.services.chunks_editing import Removal, delete_chunks, edit_chunk
from memory.services.editing import Clash, Edited, Editor
from memory.types import DiscussionRef
from tests.builders import build_discussion
from wilmer_site.lib import files as floor

pytestmark = pytest.mark.django_db


@pytest.fixture
def ref(public: Path) -> DiscussionRef:
    return build_discussion(public, chunks=4, summary_up_to=2)


@pytest.fixture
def ledger(public: Path, ref: DiscussionRef) -> Path:
    return public / "DiscussionIds" / ref.discussion_id / "memories.json"


def texts(ledger: Path) -> list[str]:
    return [entry["text_block"] for entry in json.loads(ledger.read_text())]


def append_as_wilmer(ledger: Path, text: str) -> None:
    command = [sys.executable, "-m", "tests.memory.services.wilmer_ledger_writer", str(ledger), text]
    subprocess.run(command, check=True, cwd=Path(__file__).resolve().parents[3])


def open_tab() -> Client:
    tab = Client()
    tab.force_login(User.objects.get_or_create(username="mona")[0])
    return tab


def load(tab: Client, ref: DiscussionRef, number: int) -> dict[str, Any]:
    """What a tab has in its box."""
    form = tab.get(reverse("memory:chunk-edit", args=[ref, number])).context["page"].form
    return {bound.name: bound.value() for bound in form}


def save(tab: Client, ref: DiscussionRef, number: int, seen: dict[str, Any], text: str) -> int:
    return tab.post(reverse("memory:chunk-edit", args=[ref, number]), {**seen, "text": text}).status_code


def test_two_tabs_on_one_chunk_are_asked(ref: DiscussionRef, ledger: Path) -> None:
    first, second = open_tab(), open_tab()
    seen_by_first, seen_by_second = load(first, ref, 2), load(second, ref, 2)

    assert save(first, ref, 2, seen_by_first, "from the first tab") == 302
    assert save(second, ref, 2, seen_by_second, "from the second tab") == 409

    assert texts(ledger)[1] == "from the first tab"


def test_two_tabs_on_two_chunks_do_not_disturb_each_other(ref: DiscussionRef, ledger: Path) -> None:
    first, second = open_tab(), open_tab()
    seen_by_first, seen_by_second = load(first, ref, 2), load(second, ref, 3)

    assert save(first, ref, 2, seen_by_first, "two") == 302
    assert save(second, ref, 3, seen_by_second, "three") == 302

    assert texts(ledger)[1:3] == ["two", "three"]


def test_a_chunk_that_wilmer_added_stays_and_is_no_clash(ref: DiscussionRef, ledger: Path) -> None:
    tab = open_tab()
    seen = load(tab, ref, 2)
    append_as_wilmer(ledger, "theirs")

    assert save(tab, ref, 2, seen, "mine") == 302

    assert (texts(ledger)[1], texts(ledger)[-1]) == ("mine", "theirs")


def _once(run: Callable[[], None]) -> Callable[[], None]:
    ran: list[bool] = []

    def maybe() -> None:
        if not ran:
            ran.append(True)
            run()

    return maybe


@pytest.mark.parametrize("moment", ["after-reading", "while-flushing"])
def test_a_write_in_between_makes_ours_start_over(
    ref: DiscussionRef, ledger: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    interfere = _once(lambda: append_as_wilmer(ledger, "theirs"))
    read, flush = editing.read_layers, floor.os.fsync

    def reading(*args: Any, **options: Any) -> Any:
        found = read(*args, **options)
        interfere()
        return found

    def flushing(handle: int) -> None:
        interfere()
        flush(handle)

    if moment == "after-reading":
        monkeypatch.setattr(editing, "read_layers", reading)
    else:
        monkeypatch.setattr(floor.os, "fsync", flushing)
    outcome = edit_chunk(Editor(ref, "mona"), 2, "mine")

    assert isinstance(outcome, Edited)
    assert (texts(ledger)[1], texts(ledger)[-1]) == ("mine", "theirs")


def test_a_deletion_hits_what_was_seen_though_numbers_moved(ref: DiscussionRef, ledger: Path) -> None:
    tab = open_tab()
    page = tab.get(reverse("memory:chunk-removal", args=[ref, 3])).context["page"]
    seen = page.form["version"].value()
    ledger.write_text(json.dumps(json.loads(ledger.read_text())[1:]))

    tab.post(reverse("memory:chunk-removal", args=[ref, 3]), {"version": seen, "keep_links": "on"})

    assert [text[:7] for text in texts(ledger)] == ["Chunk 2", "Chunk 4"]


@pytest.mark.django_db(transaction=True)
def test_many_at_once_lose_nothing(ref: DiscussionRef, ledger: Path) -> None:
    results: list[Edited | Clash] = []

    def work(name: str, number: int) -> None:
        for at in range(6):
            results.append(edit_chunk(Editor(ref, name), number, f"{name} {at}"))
        connections.close_all()

    workers = [threading.Thread(target=work, args=(f"tab {number}", number)) for number in (1, 2, 3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()

    assert len(results) == 18
    assert texts(ledger)[:3] == ["tab 1 5", "tab 2 5", "tab 3 5"]


def test_f10_an_edit_that_condensation_wrote_over_is_kept_and_offered(ref: DiscussionRef, ledger: Path) -> None:
    stale = json.loads(ledger.read_text())
    edit_chunk(Editor(ref, "mona"), 4, "mended by hand")
    merged = {"text_block": "condensed", "hash": stale[1]["hash"]}
    ledger.write_text(json.dumps([merged, *stale[2:]]))

    (lost,) = list_lost_edits(ref, {})
    page = open_tab().get(reverse("memory:lost-edit-list", args=[ref]))

    assert (lost.text, lost.number, lost.actor) == ("mended by hand", 3, "mona")
    assert "mended by hand" in page.content.decode()


def test_f10_it_is_applied_again_on_its_page(ref: DiscussionRef, ledger: Path) -> None:
    stale = ledger.read_bytes()
    edit_chunk(Editor(ref, "mona"), 4, "mended by hand")
    ledger.write_bytes(stale)
    tab = open_tab()
    row = tab.get(reverse("memory:lost-edit-list", args=[ref])).context["page"].rows[0]

    form = tab.get(row.again_url).context["page"].form
    tab.post(reverse("memory:chunk-edit", args=[ref, 4]), {bound.name: bound.value() for bound in form})

    assert texts(ledger)[3] == "mended by hand"
    assert not list_lost_edits(ref, {})


def test_what_this_console_took_back_is_not_lost(ref: DiscussionRef, ledger: Path) -> None:
    edit_chunk(Editor(ref, "mona"), 4, "one")
    edit_chunk(Editor(ref, "mona"), 4, "two")
    delete_chunks(Editor(ref, "mona"), Removal({4: None}))

    assert not list_lost_edits(ref, {})
    assert len(texts(ledger)) == 3


def test_f10_a_lost_edit_can_be_let_go(ref: DiscussionRef, ledger: Path) -> None:
    stale = ledger.read_bytes()
    edit_chunk(Editor(ref, "mona"), 4, "mended by hand")
    ledger.write_bytes(stale)
    (lost,), address = list_lost_edits(ref, {}), reverse("memory:lost-edit-forget", args=[ref])
    sent = {"again": lost.revision_id, "hash": lost.hash}

    left = open_tab().post(address, sent, headers={"HX-Request": "true"})

    assert (left.status_code, "mended by hand" in left.content.decode()) == (200, False)
    assert not list_lost_edits(ref, {})
    assert open_tab().post(address, sent).status_code == 404


def test_a_lost_edit_is_let_go_by_rest(ref: DiscussionRef, ledger: Path) -> None:
    stale = ledger.read_bytes()
    edit_chunk(Editor(ref, "mona"), 4, "mended by hand")
    ledger.write_bytes(stale)
    (lost,) = list_lost_edits(ref, {})
    body = {"revision_id": lost.revision_id, "hash": lost.hash}

    answer = open_tab().post(f"/api/v1/discussions/{ref.text}/lost-edits/dismiss", body, "application/json")

    assert (answer.status_code, list_lost_edits(ref, {})) == (204, ())
