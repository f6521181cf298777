from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from tests.fakes.llm_server import FakeLlmServer
from tests.html import soup
from tests.workflows_app.builders import write_endpoint
from tests.workflows_app.runs import FIRST, answering, finish_run
from workflows_app.models import NodeAttempt, WorkflowRun
from workflows_app.queries.attempts import Word
from workflows_app.services.attempts import AttemptRequest, execute_attempt, start_attempt


@pytest.fixture
def url(opened: Path) -> str:
    """The node of a run that asked a model."""
    return f"/workflows/runs/{finish_run(opened, answering()).card.id}/nodes/1/"


def note_attempt() -> NodeAttempt:
    return start_attempt(WorkflowRun.objects.get().pk, 1, AttemptRequest(words=[Word("user", "Plant 3 < 4 leeks.")]))


def test_form_is_filled_with_the_request_as_it_was_sent(url: str, reader: Client) -> None:
    form = soup(reader.get(url, {"tab": "try"})).select_one(".try-form")

    assert [box.get_text().removeprefix("\n") for box in form.select("textarea")] == ["You are {name}.", "Hello there."]
    assert [form.select_one(f"[name={name}]")["value"] for name in ("endpoint", "preset", "response_tokens")] == [
        "built-in",
        "plain",
        "400",
    ]
    assert "built-in" in {option["value"] for option in form.select("#try-endpoints option")}


def test_attempt_start_sends_what_was_typed(url: str, reader: Client) -> None:
    said = {"role": ["system", "user"], "text": ["Be kind.", "One\r\ntwo"]}
    response = reader.post(
        f"{url}attempts/new/", {"call": 1, "endpoint": "built-in", "preset": "plain", "response_tokens": 9, **said}
    )

    attempt = NodeAttempt.objects.get()
    assert response["Location"] == f"{url}?tab=try&call=1&attempt=1"
    assert [word["content"] for word in attempt.words] == ["Be kind.", "One\ntwo"]
    assert (attempt.response_tokens, str(attempt.requested_by)) == (9, "mona")


@pytest.mark.parametrize(
    ("changes", "words"), [({"text": " "}, "nothing to send"), ({"endpoint": ""}, "Choose an endpoint")]
)
def test_attempt_start_shows_the_form_as_typed(url: str, reader: Client, changes: dict[str, str], words: str) -> None:
    typed = {"call": 1, "endpoint": "built-in", "preset": "mine", "role": "user", "text": "Hi", **changes}
    response = reader.post(f"{url}attempts/new/", typed)

    page = soup(response)
    assert response.status_code == 422
    assert words in page.select_one(".form-errors").get_text()
    assert page.select_one("#try-preset")["value"] == "mine"
    assert not NodeAttempt.objects.exists()


def test_answers_stand_beside_each_other(url: str, reader: Client) -> None:
    execute_attempt(note_attempt().pk)

    page = soup(reader.get(url, {"tab": "try", "attempt": 1}))

    old, new = page.select(".attempt")
    assert "Hello there." in old.get_text()
    assert "Plant 3 < 4 leeks." in new.select_one(".attempt-text").get_text()
    assert new.select_one("[name=mode]")["value"] == "attempt"
    assert page.select_one("textarea[name=text]").get_text().strip() == "Plant 3 < 4 leeks."


def test_attempt_list_asks_again_while_an_answer_is_coming(url: str, reader: Client) -> None:
    attempt = note_attempt()

    live = soup(reader.get(f"{url}attempts/")).select_one("#attempts")
    execute_attempt(attempt.pk)
    over = soup(reader.get(f"{url}attempts/")).select_one("#attempts")

    assert live["hx-get"] == f"{url}attempts/?call=1"
    assert "hx-get" not in over.attrs


def test_attempt_cancel_ends_it(url: str, reader: Client) -> None:
    note_attempt()

    assert reader.post(f"{url}attempts/1/cancel/").status_code == 302
    assert NodeAttempt.objects.get().state == "cancelled"
    assert reader.post(f"{url}attempts/2/cancel/").status_code == 404


def test_rerun_takes_the_answer_of_an_attempt(url: str, reader: Client) -> None:
    execute_attempt(note_attempt().pk)

    reader.post(f"{url}rerun/", {"mode": "attempt", "attempt": 1})

    assert WorkflowRun.objects.latest("pk").edited_output == "Plant 3 < 4 leeks."


def test_node_that_asked_no_model_has_nothing_to_try(opened: Path, reader: Client) -> None:
    page = soup(reader.get(f"/workflows/runs/{finish_run(opened, FIRST).card.id}/nodes/1/", {"tab": "try"}))

    assert "nothing to try again" in page.select_one("#node-pane").get_text()
    assert "Try again" not in [tab.get_text() for tab in page.select(".tab")]


def test_request_with_a_picture_is_a_shell_script_to_download(opened: Path, reader: Client) -> None:
    picture = "data:image/png;base64,iVBORw0KGgo="
    message = {"role": "user", "content": "What is this?", "images": [picture]}
    with FakeLlmServer("A leek.") as server:
        write_endpoint(opened, "server", server.url, apiKey="sk-secret")
        run = finish_run(opened, answering("server", acceptImages=True), messages=[message])
    page = soup(reader.get(f"/workflows/runs/{run.card.id}/nodes/1/"))

    command = reader.get(page.select_one("a[download]")["href"])

    assert picture in command.content.decode()
    assert picture not in str(page)
    assert "sk-secret" not in command.content.decode() + str(page)


def test_form_says_what_goes_along(opened: Path, reader: Client) -> None:
    picture = {"role": "user", "content": "What is this?", "images": ["data:image/png;base64,iVBORw0KGgo="]}
    tool = {"type": "function", "function": {"name": "find_plant"}}
    with FakeLlmServer("A leek.") as server:
        write_endpoint(opened, "server", server.url)
        node = answering("server", acceptImages=True, allowTools=True)
        run = finish_run(opened, node, messages=[picture], tools=[tool])

    form = soup(reader.get(f"/workflows/runs/{run.card.id}/nodes/1/", {"tab": "try"})).select_one(".try-form")

    assert "with 1 picture" in form.get_text()
    assert "find_plant" in form.get_text()
    assert [field["value"] for field in form.select("[name=origin]")] == ["1", "2"]
