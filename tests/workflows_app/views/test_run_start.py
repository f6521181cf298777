from __future__ import annotations

from pathlib import Path
from typing import Any

from django.test import Client

from tests.chats import attach_chat
from tests.html import soup
from tests.workflows_app.builders import write_workflow
from tests.workflows_app.runs import FIRST
from workflows_app.models import WorkflowRun

URL = "/workflows/run/"


def post(reader: Client, **changes: Any) -> Any:
    values = {"workflow": "ann/Main", "user": "ann", "discussion": "", "messages": "Hello.", "is_sandbox": "on"}
    return reader.post(URL, values | changes)


def test_run_start_shows_the_form_with_what_the_url_names(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", FIRST)

    page = soup(reader.get(URL, {"workflow": "ann/Main", "discussion": "anna"}))

    assert page.select_one("#id_workflow option[selected]")["value"] == "ann/Main"
    assert page.select_one("#id_discussion")["value"] == "anna"
    assert page.select_one("input[name=is_sandbox]").has_attr("checked")


def test_run_start_starts_a_run_and_leads_to_it(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", FIRST)

    response = post(reader, discussion="anna")

    run = WorkflowRun.objects.get()
    assert (response.status_code, response["Location"]) == (302, f"/workflows/runs/{run.pk}/")
    assert (run.is_sandbox, run.discussion, run.messages) == (True, "anna", [{"role": "user", "content": "Hello."}])
    assert run.requested_by and run.requested_by.get_username() == "mona"


def test_run_start_works_on_real_files_only_when_asked(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", FIRST)

    reader.post(URL, {"workflow": "ann/Main", "user": "ann", "messages": "Hello."})

    assert not WorkflowRun.objects.get().is_sandbox


def test_run_start_keeps_what_was_typed_when_it_is_wrong(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", FIRST)

    response = post(reader, messages='[{"role": "nobody"}]')

    assert response.status_code == 422
    page = soup(response)
    assert page.select_one("#id_messages").get_text().strip() == '[{"role": "nobody"}]'
    assert "no usable `role`" in page.get_text()


def test_run_start_appends_a_message_to_the_discussion(opened: Path, reader: Client) -> None:
    attach_chat(opened, "anna", ["How are the leeks?", "They grow."])
    write_workflow(opened, "Main", FIRST)

    post(reader, discussion="anna", messages="And now?")

    messages = WorkflowRun.objects.get().messages
    assert [message["content"] for message in messages] == ["How are the leeks?", "They grow.", "And now?"]


def test_run_start_takes_a_part_of_the_discussion(opened: Path, reader: Client) -> None:
    attach_chat(opened, "anna", ["one", "two", "three", "four"])
    write_workflow(opened, "Main", FIRST)

    post(reader, discussion="anna", messages="And now?", up_to_message=3, last_messages=2)

    messages = WorkflowRun.objects.get().messages
    assert [message["content"] for message in messages] == ["two", "three", "And now?"]


def test_run_start_with_a_message_number_that_is_not_there(opened: Path, reader: Client) -> None:
    attach_chat(opened, "anna", ["one", "two"])
    write_workflow(opened, "Main", FIRST)

    response = post(reader, discussion="anna", messages="Hm?", up_to_message=9)

    page = soup(response)
    assert response.status_code == 422
    assert "there is no number 9" in page.select_one(".run-part .errorlist").get_text()
    assert page.select_one("#id_messages").get_text().strip() == "Hm?"


def test_run_start_without_messages_says_what_to_do(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", FIRST)

    response = post(reader, messages="", discussion="anna")

    assert response.status_code == 422
    assert "paste the conversation" in soup(response).get_text()


def test_run_start_takes_a_long_conversation(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", FIRST)

    post(reader, messages="leeks and beans " * 300_000)

    assert len(WorkflowRun.objects.get().messages[0]["content"]) > 4_000_000


def test_run_start_refuses_what_is_too_large_and_says_how_much_may_be_sent(
    opened: Path, reader: Client, settings: Any
) -> None:
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 1024**2
    response = post(reader, messages="leeks and beans " * 100_000)

    assert response.status_code == 413
    assert "larger than 1 MB" in soup(response).get_text()
