from __future__ import annotations

from pathlib import Path

from memory.engine.state_document_guard import StateDocumentOutcome
from memory.services.state_documents import update_state_document
from tests.memory.services.worlds import FakeModel, build_workshop, open_files
from wilmer_site.lib.errors import UpstreamError

SETTINGS = {"useStateDocument": True, "stateDocumentWorkflowName": "merge"}


def test_an_edit_made_meanwhile_is_kept(tmp_path: Path) -> None:
    def edit(_: str) -> str:
        open_files(tmp_path).write_state_document("edited by hand")
        return "merged"

    workshop = build_workshop(tmp_path, FakeModel(edit), SETTINGS)
    workshop.files.write_state_document("old")

    verdict = update_state_document(workshop, ["new"])

    assert verdict.outcome is StateDocumentOutcome.FAILED
    assert workshop.files.read_state_document().text == "edited by hand"


def test_a_failing_workflow_changes_nothing(tmp_path: Path) -> None:
    def fail(_: str) -> str:
        raise UpstreamError("The workflow is gone.")

    workshop = build_workshop(tmp_path, FakeModel(fail), SETTINGS)

    assert update_state_document(workshop, ["new"]).outcome is StateDocumentOutcome.FAILED


def test_a_document_that_needs_a_key_is_never_overwritten(tmp_path: Path) -> None:
    workshop = build_workshop(tmp_path, FakeModel(), SETTINGS)
    workshop.files.write_state_document("old")
    path = workshop.files.read_state_document().report.path
    path.write_text("gAAAAAB" + "x" * 100, encoding="ascii")

    assert update_state_document(workshop, ["new"]).outcome is StateDocumentOutcome.FAILED
    assert path.read_text(encoding="ascii").startswith("gAAAAAB")
