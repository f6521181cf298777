"""ImageProcessor asks once a picture and may leave the descriptions in the conversation."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory.queries.retrieval import OpenDiscussion
from tests.fakes.llm_server import FakeLlmServer
from tests.memory.services.worlds import open_files
from tests.workflows_app.builders import write_endpoint
from tests.workflows_app.nodes.running import output_in, output_of, prepare_run
from workflows_app.errors import NodeFailedError
from workflows_app.nodes.images.handler import SEPARATOR

NODE = {"type": "ImageProcessor", "endpointName": "eyes", "preset": "plain", "prompt": "Describe."}
STORED = {**NODE, "saveVisionResponsesToDiscussionId": True}


@pytest.fixture
def eyes(public: Path) -> Iterator[FakeLlmServer]:
    with FakeLlmServer("a cat", "a dog", "a cow") as server:
        write_endpoint(public, "eyes", server.url)
        yield server


def picture(name: str, text: str = "look") -> dict[str, Any]:
    return {"role": "user", "content": text, "images": [f"http://img.test/{name}"]}


def run_stored(public: Path, messages: list[dict[str, Any]], node: dict[str, Any] = STORED) -> Any:
    facilities = {OpenDiscussion: OpenDiscussion(open_files(public))}
    changes = {"messages": messages, "discussion_id": "amber", "facilities": facilities}
    return output_in(prepare_run(public, node, **changes))


def test_one_call_a_picture(public: Path, eyes: FakeLlmServer) -> None:
    messages = [picture("1"), {"role": "assistant", "content": "ok"}, picture("2")]

    assert output_of(public, NODE, messages=messages) == SEPARATOR.join(["a cat", "a dog"])
    assert [len(asked.body["messages"][0]["content"]) for asked in eyes.seen] == [2, 2]


def test_known_pictures_are_not_asked_about_again(public: Path, eyes: FakeLlmServer) -> None:
    first = run_stored(public, [picture("1")])
    second = run_stored(public, [picture("1"), picture("2")])

    assert (first, second) == ("a cat", SEPARATOR.join(["a cat", "a dog"]))
    assert len(eyes.seen) == 2


def test_descriptions_go_right_behind_their_picture(public: Path, eyes: FakeLlmServer) -> None:
    messages = [picture("1"), {"role": "assistant", "content": "ok"}]

    run_stored(public, messages, {**STORED, "addAsUserMessage": True, "message": "Seen: [IMAGE_BLOCK]"})

    assert [message["content"] for message in messages] == ["look", "Seen: a cat", "ok"]


def test_only_the_newest_messages_are_looked_at(public: Path, eyes: FakeLlmServer) -> None:
    later = [{"role": "user", "content": str(number)} for number in range(12)]

    assert run_stored(public, [picture("1"), *later]) == "There were no images attached to the message"
    assert len(eyes.seen) == 1
    assert run_stored(public, [picture("2"), *later], {**STORED, "visionScanMessageLimit": 3})
    assert len(eyes.seen) == 1


def test_node_without_an_endpoint(public: Path) -> None:
    with pytest.raises(NodeFailedError, match="endpointName"):
        output_of(public, {"type": "ImageProcessor"}, messages=[picture("1")])
