"""What the engine itself costs: per node without a model, per streamed token, and with a long conversation.

"engine" is the runner alone; "recorded" is a run as pages start it, with every node, prompt and event written to the
console's database. The model of these runs answers at once, so that all time is the engine's own. The plain way beside
it makes all variables of every node at once, as a program without lazy variables would.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from benchmarks import Cell, Table, best_milliseconds

NODES = int(os.environ.get("BENCH_NODES", "100"))
MESSAGES = int(os.environ.get("BENCH_MESSAGES", "30000"))
TOKENS = int(os.environ.get("BENCH_TOKENS", "20000"))
ROUNDS = 3
NOW = datetime(2026, 3, 1, 12, 0)  # noqa: DTZ001 - local time without offset, as WilmerAI has it
LIMIT = 50.0
"""Milliseconds of its own that the engine may spend on a node of the longest conversation."""

FIXED = {"type": "StaticResponse", "content": "The leeks stand in row {Discussion_Id}."}
ASKING = {
    "type": "Standard",
    "endpointName": "model",
    "preset": "plain",
    "systemPrompt": "Today is {todays_date_pretty}. {chat_system_prompt}",
    "prompt": "{chat_user_prompt_last_twenty}\n{chat_user_prompt_estimated_token_limit}\n{agent1Output}",
    "maxResponseSizeInTokens": 200,
}
DATED = {**ASKING, "addDiscussionIdTimestampsForLLM": True, "useRelativeTimestamps": True}


def measure() -> Table:
    """One row per kind of workflow; no node may cost more than LIMIT."""
    folder = Path(tempfile.mkdtemp(prefix="wilmer-bench-"))
    try:
        _start_django(folder)
        rows = [
            _measure_nodes(folder, "no model", 10, FIXED),
            _measure_nodes(folder, "no model, long conversation", MESSAGES, FIXED),
            _measure_nodes(folder, "asks a model", 10, ASKING),
            _measure_nodes(folder, "asks a model, long conversation", MESSAGES, ASKING),
            _measure_nodes(folder, "with message times, long conversation", MESSAGES, DATED, discussion="bench"),
            _measure_tokens(folder),
        ]
    finally:
        shutil.rmtree(folder)
    setup = (
        f"{NODES} nodes, at most {LIMIT:.0f} ms each; long is {MESSAGES:,} messages; "
        f"{TOKENS:,} tokens in one answer; best of {ROUNDS}"
    )
    return Table("Workflow engine, milliseconds of its own per node or token", setup, rows)


def _start_django(folder: Path) -> None:
    os.environ |= {"WILMER_STATE_DIR": str(folder / "state"), "DJANGO_SETTINGS_MODULE": "wilmer_site.settings"}
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)


def _measure_nodes(
    folder: Path, what: str, messages: int, node: Mapping[str, Any], *, discussion: str = ""
) -> Mapping[str, Cell]:
    public = _lay_out(folder, [dict(node)] * NODES)
    conversation = _build_messages(messages)
    recorded, events, size = _run_recorded(public, conversation, discussion)
    return {
        "work": what,
        "messages": messages,
        "engine": round(best_milliseconds(lambda: _run_engine(public, conversation), rounds=ROUNDS) / NODES, 3),
        "recorded": round(recorded / NODES, 3),
        "all variables at once": round(_make_all_variables(public, conversation), 3),
        "events": events,
        "kB stored per node": round(size / NODES / 1024, 1),
    }


def _measure_tokens(folder: Path) -> Mapping[str, Cell]:
    """One node that streams a long answer."""
    public = _lay_out(folder, [{**ASKING, "prompt": "Go on."}])
    conversation = _build_messages(10)
    recorded, events, size = _run_recorded(public, conversation)
    return {
        "work": "streamed token",
        "messages": len(conversation),
        "engine": round(best_milliseconds(lambda: _run_engine(public, conversation), rounds=ROUNDS) / TOKENS, 4),
        "recorded": round(recorded / TOKENS, 4),
        "events": events,
        "kB stored per node": round(size / 1024, 1),
    }


def _run_engine(public: Path, conversation: list[dict[str, Any]]) -> None:
    """The runner and nothing else."""
    from workflows_app.engine.run import Run
    from workflows_app.engine.runner import Runner
    from workflows_app.nodes.registry import build_registry
    from workflows_app.stores.config_files import ConfigFiles
    from workflows_app.stores.workflow_locks import WorkflowLocks

    configs = ConfigFiles(public / "Configs", "ann")
    locks = WorkflowLocks(public / "locks.sqlite", "bench", lambda: NOW)
    run = Run(configs, locks, conversation, lambda: NOW, is_streaming=True, facilities=_build_facilities())
    for _ in Runner(run, build_registry()).start("Main"):
        pass


def _run_recorded(public: Path, conversation: list[dict[str, Any]], discussion: str = "") -> tuple[float, int, int]:
    """Milliseconds of a whole run as pages start it, its events, and bytes stored of its nodes."""
    from django.conf import settings

    from tests.builders import open_public_folder
    from workflows_app import wiring
    from workflows_app.models import NodeRun, RunEventRow
    from workflows_app.services.execution import execute_run
    from workflows_app.services.runs import RunRequest, start_run

    open_public_folder(settings, public)
    settings.WILMER_USER = "ann"
    given = wiring.build_facilities
    wiring.build_facilities = lambda configs: {**given(configs), **_build_facilities()}
    try:
        run_ids = [
            start_run(RunRequest("ann/Main", discussion=discussion, messages=conversation)) for _ in range(ROUNDS)
        ]
        best = min(_milliseconds(lambda run_id=run_id: execute_run(run_id)) for run_id in run_ids)  # type: ignore[misc]
    finally:
        wiring.build_facilities = given
    nodes = NodeRun.objects.filter(run_id=run_ids[0])
    assert nodes.filter(state="finished").count() == nodes.count() > 0, "The run that was measured did not finish."
    size = sum(len(json.dumps([row.prompts, row.variables, row.calls, row.output])) for row in nodes)
    return best, RunEventRow.objects.filter(run_id=run_ids[0]).count(), size


def _make_all_variables(public: Path, conversation: list[dict[str, Any]]) -> float:
    """Every variable of one node, wanted or not."""
    from workflows_app.engine.variables import NodeVariables, VariableScope
    from workflows_app.stores.config_files import ConfigFiles

    target = ConfigFiles(public / "Configs", "ann").read_target("model")
    scope = VariableScope(now=NOW, messages=conversation)
    return best_milliseconds(lambda: dict(NodeVariables(scope, ASKING, target)), rounds=ROUNDS)


def _build_facilities() -> dict[type[Any], Any]:
    from workflows_app.llm.client import ModelClients

    return {ModelClients: ModelClients({"openAIChatCompletion": _AtOnce()})}


class _AtOnce:
    """A model that answers without thinking."""

    def ask(self, request: Any, target: Any) -> Any:  # noqa: ARG002
        """One short answer."""
        from workflows_app.llm.client import Reply

        return Reply("Yes.")

    def stream(self, request: Any, target: Any) -> Iterator[Any]:  # noqa: ARG002
        """Many pieces where the prompt asks to go on, else a few."""
        from workflows_app.llm.client import ReplyPiece

        goes_on = request.body["messages"][-1]["content"] == "Go on."
        for _ in range(TOKENS if goes_on else 1):
            yield ReplyPiece("and on ")


def _build_messages(count: int) -> list[dict[str, Any]]:
    roles = ("user", "assistant")
    text = "We rake the beds, carry the compost over and water what was sown last week in the cold frame. "
    turns = [{"role": roles[at % 2], "content": f"{at}: {text * 3}"} for at in range(count - 1)]
    return [{"role": "system", "content": "You keep a garden."}, *turns]


def _lay_out(folder: Path, nodes: list[dict[str, Any]]) -> Path:
    """A Public folder with one workflow and one endpoint."""
    public = Path(tempfile.mkdtemp(dir=folder)) / "Public"
    api_type = {"type": "openAIChatCompletion", "presetType": "P", "streamPropertyName": "stream"}
    files: dict[str, Any] = {
        "Users/ann.json": {"customWorkflowOverride": True, "customWorkflow": "Main"},
        "Presets/P/plain.json": {"temperature": 0.5},
        "ApiTypes/chat.json": api_type,
        "Endpoints/model.json": {
            "endpoint": "http://127.0.0.1:9",
            "apiTypeConfigFileName": "chat",
            "promptTemplate": None,
            "modelNameToSendToAPI": "m",
        },
        "Workflows/ann/Main.json": nodes,
    }
    for name, content in files.items():
        path = public / "Configs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    (public / "DiscussionIds").mkdir()
    return public


def _milliseconds(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return (time.perf_counter() - started) * 1000
