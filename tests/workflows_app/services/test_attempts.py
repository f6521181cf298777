from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.llm_server import Endless, FakeLlmServer, Status
from tests.workflows_app.builders import write, write_endpoint
from tests.workflows_app.runs import answering, finish_rerun, finish_run
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import ConflictError, InvalidError
from workflows_app.errors import AttemptNotFoundError
from workflows_app.models import NodeAttempt
from workflows_app.queries.attempts import AttemptDetail, Word, get_attempt, get_sheet, list_attempts
from workflows_app.results import RunState
from workflows_app.services import attempts
from workflows_app.services.attempts import AttemptRequest, cancel_attempt, execute_attempt, start_attempt


def send(run_id: int, number: int = 1, **values: Any) -> AttemptDetail:
    """One try from being asked for to its answer."""
    attempt = start_attempt(run_id, number, AttemptRequest(**values))
    execute_attempt(attempt.pk)
    return get_attempt(run_id, number, attempt.number)


def test_sheet_is_the_request_as_it_was_sent(opened: Path) -> None:
    with FakeLlmServer("Hello.") as server:
        write_endpoint(opened, "server", server.url, addTextToStartOfSystem=True, textToAddToStartOfSystem="Be brief. ")
        run_id = finish_run(opened, answering("server")).card.id

    sheet = get_sheet(run_id, 1)
    assert (sheet.endpoint, sheet.preset, sheet.response_tokens) == ("server", "plain", 400)
    assert sheet.words == (Word("system", "Be brief. You are {name}.", 1), Word("user", "Hello there.", 2))


def test_attempt_sends_the_changed_words_as_they_stand(opened: Path) -> None:
    with FakeLlmServer("Hello.", "Good day.") as server:
        write_endpoint(opened, "server", server.url, addTextToStartOfSystem=True, textToAddToStartOfSystem="Be brief. ")
        run_id = finish_run(opened, answering("server")).card.id
        attempt = send(run_id, words=[Word("system", "Be polite."), Word("user", "{hello}")], response_tokens=7)

    assert (attempt.state, attempt.output.strip()) == (RunState.FINISHED, "Good day.")
    assert server.seen[1].body["messages"] == [
        {"role": "system", "content": "Be polite."},
        {"role": "user", "content": "{hello}"},
    ]
    assert (server.seen[1].body["max_tokens"], server.seen[1].body["temperature"]) == (7, 0.5)
    assert (attempt.milliseconds or 0) > 0
    assert (attempt.prompt_tokens or 0) > 0


PICTURE = "data:image/png;base64,iVBORw0KGgo="
TOOL = {"type": "function", "function": {"name": "find_plant", "parameters": {"type": "object"}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "find_plant", "arguments": "{}"}}
EXCHANGE = (
    {"role": "user", "content": "What is this?", "images": [PICTURE]},
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "content": "A leek.", "tool_call_id": "c1"},
)


def test_attempt_sends_tools_pictures_and_tool_turns_like_the_request_did(opened: Path) -> None:
    asks = {"prompt": "", "allowTools": True, "acceptImages": True, "lastMessagesToSendInsteadOfPrompt": 5}
    with FakeLlmServer("Hello.") as server:
        write_endpoint(opened, "server", server.url)
        run_id = finish_run(
            opened, answering("server", **asks), messages=EXCHANGE, tools=[TOOL], tool_choice="auto"
        ).card.id
        send(run_id)
        send(run_id, words=[Word("user", "And this?", 2)])
        finish_rerun(run_id, 1)

    first, again, changed, rerun = (seen.body for seen in server.seen)
    assert PICTURE in str(first["messages"]) and first["messages"][2]["tool_calls"] == [CALL]
    assert (first["tools"], first["tool_choice"]) == ([TOOL], "auto")
    assert again == first == rerun
    assert PICTURE in str(changed["messages"]) and "And this?" in str(changed["messages"])
    assert PICTURE not in str(list_attempts(run_id, 1))


def test_attempt_may_go_to_an_endpoint_that_takes_one_prompt(opened: Path) -> None:
    write(opened / "Configs/ApiTypes/single.json", {"type": "openAIV1Completion", "presetType": "P"})
    write(opened / "Configs/PromptTemplates/tagged.json", {"promptTemplateUserPrefix": "<u>"})
    run_id = finish_run(opened, answering()).card.id
    with FakeLlmServer("Good day.") as server:
        write_endpoint(opened, "single", server.url, apiTypeConfigFileName="single", promptTemplate="tagged")
        send(run_id, endpoint="single", words=[Word("user", "Hello?")])

    assert server.seen[0].body["prompt"] == "<u>Hello?"


def test_attempt_keeps_the_servers_words_and_no_secret(opened: Path) -> None:
    run_id = finish_run(opened, answering()).card.id
    with FakeLlmServer(Status(401, '{"error": "bad key sk-secret"}')) as server:
        write_endpoint(opened, "server", server.url, apiKey="sk-secret", backupEndpointName="built-in")
        attempt = send(run_id, endpoint="server")

    assert (attempt.state, len(server.seen)) == (RunState.FAILED, 1)
    assert "bad key …" in attempt.error
    assert "sk-secret" not in repr(attempt)


def test_attempt_with_an_unknown_endpoint_fails_with_a_sentence(opened: Path) -> None:
    attempt = send(finish_run(opened, answering()).card.id, endpoint="../../etc/passwd")

    assert (attempt.state, bool(attempt.error)) == (RunState.FAILED, True)


def test_attempt_is_cancelled_in_the_middle_of_its_answer(opened: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_id = finish_run(opened, answering()).card.id
    monkeypatch.setattr(attempts, "FLUSH_SECONDS", 0)
    with FakeLlmServer(Endless()) as server:
        write_endpoint(opened, "server", server.url)
        attempt = start_attempt(run_id, 1, AttemptRequest(endpoint="server"))
        take = attempts._Writer.take

        def take_and_cancel(writer: Any, event: Any) -> None:
            take(writer, event)
            cancel_attempt(run_id, 1, 1)

        monkeypatch.setattr(attempts._Writer, "take", take_and_cancel)
        assert execute_attempt(attempt.pk) is RunState.CANCELLED


def test_waiting_attempt_is_cancelled_at_once_and_never_sent(opened: Path) -> None:
    run_id = finish_run(opened, answering()).card.id
    attempt = start_attempt(run_id, 1, AttemptRequest())
    cancel_attempt(run_id, 1, 1)

    assert execute_attempt(attempt.pk) is None
    assert get_attempt(run_id, 1, 1).state is RunState.CANCELLED


def test_one_attempt_at_a_time(opened: Path) -> None:
    run_id = finish_run(opened, answering()).card.id
    start_attempt(run_id, 1, AttemptRequest())

    with pytest.raises(ConflictError):
        start_attempt(run_id, 1, AttemptRequest())


@pytest.mark.parametrize("values", [{"call": 2}, {"words": [Word("user", " ")]}, {"endpoint": ""}])
def test_what_cannot_be_sent_is_refused(opened: Path, values: dict[str, Any]) -> None:
    run_id = finish_run(opened, answering()).card.id

    with pytest.raises(InvalidError):
        start_attempt(run_id, 1, AttemptRequest(**values))


def test_only_the_newest_attempts_are_kept(opened: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "MAX_KEPT", 2)
    run_id = finish_run(opened, answering()).card.id
    for _ in range(3):
        send(run_id)

    assert [attempt.number for attempt in list_attempts(run_id, 1)] == [3, 2]


def test_attempt_whose_process_died_fails(opened: Path) -> None:
    run_id = finish_run(opened, answering()).card.id
    start_attempt(run_id, 1, AttemptRequest())
    NodeAttempt.objects.update(state=RunState.RUNNING, lease_until=utc_now() - timedelta(seconds=1))

    assert attempts.reap_stale_attempts() == 1
    assert "Send it again" in get_attempt(run_id, 1, 1).error


def test_run_goes_on_with_the_answer_of_an_attempt(opened: Path) -> None:
    last = {"type": "StringConcatenator", "strings": ["{agent1Output}", "!"], "returnToUser": True}
    run_id = finish_run(opened, answering(), last).card.id
    send(run_id, words=[Word("user", "Plant the leeks.")])

    run = finish_rerun(run_id, 1, attempt=1)

    assert run.answer.startswith("Plant the leeks.")
    assert [node.is_edited for node in run.nodes] == [True, False]


def test_run_goes_on_with_no_attempt_that_is_not_there(opened: Path) -> None:
    run_id = finish_run(opened, answering()).card.id

    with pytest.raises(AttemptNotFoundError):
        finish_rerun(run_id, 1, attempt=1)


def test_run_goes_on_with_no_attempt_that_failed(opened: Path) -> None:
    run_id = finish_run(opened, answering()).card.id
    send(run_id, endpoint="nowhere")

    with pytest.raises(ConflictError):
        finish_rerun(run_id, 1, attempt=1)
