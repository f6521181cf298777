"""Workflow locks: the table, and runs that meet them."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.vectors import cases
from tests.conformance.workflow_runs import check_requests
from tests.conformance.workflow_world import CLOCK
from workflows_app.stores.workflow_locks import WorkflowLocks


class Steps:
    """Takes and frees locks as a case says."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.clock = datetime.fromisoformat(CLOCK)

    def locks(self, instance: str) -> WorkflowLocks:
        return WorkflowLocks(self.path, instance, lambda: self.clock)

    def do(self, name: str, *given: Any) -> bool | None:
        if name == "advance":
            self.clock += timedelta(seconds=given[0])
        elif name == "acquire":
            return self.locks(given[0]).acquire(given[1], given[2])
        elif name == "held":
            return self.locks("any").is_held(given[0])
        elif name == "purge_other_instances":
            self.locks(given[0]).delete_of_other_instances()
        elif "workflow_lock_id" in given[0]:
            self.locks("any").release_lock(given[0]["workflow_lock_id"])
        elif given[0]:
            self.locks(given[0]["wilmer_session_id"]).release(given[0]["workflow_id"])
        return None


@pytest.mark.parametrize("case", cases("workflows", "locks"))
def test_locks(case: dict[str, Any], tmp_path: Path) -> None:
    if "steps" not in case["input"]:
        check_requests(case, tmp_path)
        return
    steps = Steps(tmp_path / "locks.sqlite")

    results = [steps.do(*step) for step in case["input"]["steps"]]

    rows = steps.locks("any").list_rows()
    assert results == case["expected"]["results"]
    shown = [{"instance": row.instance, "lock": row.lock_id, "expires": str(row.expires)} for row in rows]
    assert shown == case["expected"]["rows"]
