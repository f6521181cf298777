from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.chats import attach_chat
from tests.workflows_app.builders import write_workflow
from tests.workflows_app.runs import FIRST, SECOND
from workflows_app.models import WorkflowRun


@pytest.fixture
def messages(opened: Path) -> str:
    """A conversation in a file, and a workflow to run on it."""
    write_workflow(opened, "Main", FIRST, SECOND)
    path = opened / "chat.json"
    path.write_text(json.dumps({"messages": [{"role": "user", "content": "Hello."}]}))
    return str(path)


def run(*options: str, **more: Any) -> tuple[str, str]:
    out, err = io.StringIO(), io.StringIO()
    call_command("run_workflow", *options, stdout=out, stderr=err, **more)
    return out.getvalue(), err.getvalue()


def test_run_workflow_prints_nodes_and_answer(messages: str) -> None:
    out, err = run("Main", "--messages", messages)

    assert out.splitlines()[0] == "one+two"
    assert "1 StaticResponse  First" in err


def test_run_workflow_prints_outputs_when_asked(messages: str) -> None:
    assert "→ one" in run("Main", "--messages", messages, verbosity=2)[1]


def test_run_workflow_prints_the_record_as_json(messages: str) -> None:
    out, _ = run("Main", "--folder", "ann", "--messages", messages, "--json")

    assert [node["output"] for node in json.loads(out)["nodes"]] == ["one", "one+two"]


def test_run_workflow_works_on_a_copy_unless_told_otherwise(messages: str) -> None:
    run("ann/Main", "--messages", messages, "--discussion", "anna")
    run("ann/Main", "--messages", messages, "--discussion", "anna", "--real")

    assert list(WorkflowRun.objects.order_by("pk").values_list("is_sandbox", flat=True)) == [True, False]


def test_run_workflow_reads_standard_input(messages: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("User: Hi\nAssistant: Hello\nUser: And now?"))

    run("Main", "--messages", "-")

    assert [message["role"] for message in WorkflowRun.objects.get().messages] == ["user", "assistant", "user"]


def test_failed_run_ends_with_1(opened: Path, messages: str) -> None:
    write_workflow(opened, "Main", {"type": "Standard", "endpointName": "nowhere"})

    with pytest.raises(SystemExit, match="1"):
        run("Main", "--messages", messages)


@pytest.mark.parametrize("options", [["None"], ["Main", "--messages", "/nowhere.json"], ["Main"]])
def test_run_workflow_says_what_is_missing(messages: str, options: list[str]) -> None:
    with pytest.raises(CommandError, match=r"workflow 'ann/None'|cannot be read|no messages"):
        run(*options, *([] if len(options) != 1 or options == ["Main"] else ["--messages", messages]))


def test_part_of_the_discussion(opened: Path) -> None:
    attach_chat(opened, "anna", ["one", "two", "three", "four"])
    write_workflow(opened, "Main", {"type": "StaticResponse", "content": "{chat_user_prompt_last_twenty}"})

    run("Main", "--discussion", "anna", "--up-to", "3", "--last", "2")

    assert WorkflowRun.objects.get().answer == "two\nthree"


def test_run_workflow_names_the_file_that_is_no_json(messages: str) -> None:
    Path(messages).write_text('[{"role": "user"')

    with pytest.raises(CommandError, match=r"chat\.json: The messages look like JSON"):
        run("Main", "--messages", messages)
