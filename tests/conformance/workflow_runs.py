"""Whole requests of the workflow vectors, and what they left behind."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder
from memory.types import DiscussionRef
from tests.conformance.workflow_world import World
from wilmer_site.lib.errors import WilmerError
from workflows_app.engine import events
from workflows_app.engine.gateway import prepare_messages
from workflows_app.engine.router import answer_request
from workflows_app.nodes.registry import build_registry
from workflows_app.stores.message_times import DiscussionTimes

LIMIT_BYTES = 64 * 1024 * 1024


def check_requests(case: dict[str, Any], tmp_path: Path) -> None:
    """Runs the requests of a case and compares everything that the case tells of them."""
    world = World(tmp_path, case)
    given = case["input"].get("runs") or [case["input"]["run"]]
    wanted = case["expected"].get("runs") or [case["expected"]]
    state: dict[str, Any] = {"instance": "instance-one"}
    for run, expected in zip(given, wanted, strict=True):
        found = _Request(world, run, state).answer()
        _compare(found, _plain(expected, str(tmp_path)))


class _Request:
    def __init__(self, world: World, given: dict[str, Any], state: dict[str, Any]) -> None:
        self.world, self.given, self.state = world, given, state
        self.told: list[events.RunEvent] = []

    def answer(self) -> dict[str, Any]:
        world, given = self.world, self.given
        world.clock += timedelta(seconds=given.get("advance") or 0)
        if "llm" in given:
            world.model.replies = list(given["llm"].get("replies") or [])
        world.model.requests.clear()
        self._prepare_locks()
        error = self._run()
        is_full = world.input.get("request_detail") == "full"
        found = {"trace": self._trace(), "requests": world.model.shown_requests(is_full=is_full), "error": error}
        found["response"] = self._response() if error is None or given.get("stream") else None
        found["files"] = {name: self._file(name) for name in given.get("read_files") or []}
        rows = world.locks("any").list_rows()
        found["locks_left"] = [{"instance": r.instance, "lock": r.lock_id, "expires": str(r.expires)} for r in rows]
        return found

    def _prepare_locks(self) -> None:
        if "restart" in self.given:
            self.state["instance"] = self.given["restart"]
            self.world.locks(self.state["instance"]).delete_of_other_instances()
        if "hold_lock" in self.given:
            self.world.locks(self.state["instance"]).acquire("somebody else", self.given["hold_lock"])

    def _run(self) -> str | None:
        world, given = self.world, self.given
        incoming = prepare_messages(given.get("messages") or [], world.configs.user)
        run = world.run(
            messages=incoming.messages,
            discussion_id=incoming.discussion_id,
            is_streaming=bool(given.get("stream")),
            tools=given.get("tools"),
            tool_choice=given.get("tool_choice"),
            locks=world.locks(self.state["instance"]),
            times=self._times(incoming.discussion_id),
        )
        try:
            for event in answer_request(run, build_registry(), shared_folder=given.get("folder_override")):
                self.told.append(event)
        except WilmerError as error:
            return error.message
        return None

    def _times(self, discussion_id: Any) -> DiscussionTimes | None:
        if not discussion_id:
            return None
        public = self.world.public
        folders = DiscussionFolders(PublicFolder(public, public / "Configs", public / "DiscussionIds"))
        files = folders.open_or_create(DiscussionRef(discussion_id), limit_bytes=LIMIT_BYTES)
        return DiscussionTimes(files, lambda: self.world.clock)

    def _trace(self) -> list[dict[str, Any]]:
        trace: list[dict[str, Any]] = []
        open_nodes: list[dict[str, Any]] = []
        for event in self.told:
            if isinstance(event, events.NodeStarted):
                depth = len(event.path) - 1
                row = {"workflow": event.workflow, "node": event.path[-1], "type": event.type}
                trace.append(row | {"responder": event.is_responder, "depth": depth})
                open_nodes.append(trace[-1])
            elif isinstance(event, events.NodeFinished):
                open_nodes.pop()["output"] = event.output
            elif isinstance(event, events.NodeFailed):
                open_nodes.pop()["error"] = event.code
        return trace

    def _response(self) -> Any:
        if not self.given.get("stream"):
            return next((event.answer for event in self.told if isinstance(event, events.RunFinished)), None)
        ends = [event for event in self.told if isinstance(event, events.AnswerFinished)]
        calls = [
            call for event in self.told if isinstance(event, events.ToolCallsStreamed) for call in event.tool_calls
        ]
        text = "".join(event.text for event in self.told if isinstance(event, events.TokenStreamed))
        return {"text": text, "finish": ends[-1].finish_reason if ends else None, "tool_calls": calls}

    def _file(self, name: str) -> str | None:
        path = self.world.public / name
        return path.read_text(encoding="utf-8") if path.exists() else None


def _compare(found: dict[str, Any], expected: dict[str, Any]) -> None:
    assert (found["error"] is not None) == ("error" in expected), found["error"]
    assert found["requests"] == expected.get("requests", [])
    for row in [*found["trace"], *expected["trace"]]:
        # How a streamed or odd value and an error are written down is the recorder's own.
        if row.get("output") == "<stream>" or isinstance(row.get("output"), dict) or "error" in row:
            row.pop("output", None)
        row.pop("error", None)
    for mine, theirs in zip(found["trace"], expected["trace"], strict=True):
        assert {key: mine.get(key) for key in theirs} == theirs
    if "response" in expected:
        assert found["response"] == _framed(expected["response"]) or _is_broken_stream(expected)
    for name, content in (expected.get("files") or {}).items():
        assert _as_json(found["files"][name]) == _as_json(content)
    if "locks_left" in expected:
        assert found["locks_left"] == expected["locks_left"]


def _framed(response: Any) -> Any:
    """A streamed answer as it would be had WilmerAI framed it: here every answer is streamed properly."""
    if not isinstance(response, dict) or "done_marker" not in response:
        return response
    unframed = "".join(piece if isinstance(piece, str) else piece["token"] for piece in response.get("unframed") or [])
    finish = response["finish"] or ("stop" if unframed else None)
    return {"text": response["text"] + unframed, "finish": finish, "tool_calls": response.get("tool_calls") or []}


def _is_broken_stream(expected: dict[str, Any]) -> bool:
    return isinstance(expected["response"], dict) and "error" in expected and not expected["response"].get("text")


def _as_json(content: str | None) -> Any:
    try:
        return json.loads(content or "null")
    except ValueError:
        return content


def _plain(expected: dict[str, Any], public: str) -> dict[str, Any]:
    return json.loads(json.dumps(expected).replace("<PUBLIC>", public))
