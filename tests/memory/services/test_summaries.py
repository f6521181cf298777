from __future__ import annotations

from pathlib import Path

import pytest

from memory.engine.summary_plan import SummaryNode
from memory.errors import DamagedFileError
from memory.services.summaries import SummaryRun, SummaryStatus, update_summary
from memory.types import Entry
from tests.memory.services.worlds import FakeModel, entries, open_files
from wilmer_site.lib.errors import UpstreamError

NODE = SummaryNode("", "[CHAT_SUMMARY]|[LATEST_MEMORIES]", min_memories=1, loop_limit=1)


def test_a_run_that_fails_goes_on_from_the_last_saved_batch(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    files.write_memories(entries("a", "b", "c"))

    def fail_at_b(prompt: str) -> str:
        if prompt.endswith("|b"):
            raise UpstreamError("The model is gone.")
        return f"<{prompt}>"

    with pytest.raises(UpstreamError):
        update_summary(SummaryRun(files, NODE, FakeModel(fail_at_b)))
    saved = files.read_summary().entries
    update_summary(SummaryRun(files, NODE, FakeModel(lambda prompt: prompt)))

    assert saved == (Entry("<There is not yet a summary file|a>", "h1"),)
    assert files.read_summary().entries == (Entry(f"{saved[0].text}|b|c", "h3"),)


def test_cancelling_between_batches_keeps_what_is_saved(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    files.write_memories(entries("a", "b"))
    model = FakeModel(lambda _: "S")

    result = update_summary(SummaryRun(files, NODE, model, is_cancelled=lambda: bool(model.calls)))

    assert (result.status, result.batches_done, result.batches_total) == (SummaryStatus.CANCELLED, 1, 2)


def test_a_damaged_ledger_stops_the_run(tmp_path: Path) -> None:
    files = open_files(tmp_path)
    files.write_memories(entries("a"))
    files.read_memories().report.path.write_text("{}", encoding="utf-8")

    with pytest.raises(DamagedFileError):
        update_summary(SummaryRun(files, NODE, FakeModel()))
