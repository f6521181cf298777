"""`manage.py run_workflow`: run a workflow in the foreground and print what its nodes did."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from wilmer_site.lib.errors import InvalidError, WilmerError
from workflows_app.engine.events import (
    AnswerFinished,
    NodeFailed,
    NodeFinished,
    NodeStarted,
    RunEvent,
    TokenStreamed,
    ToolCallsStreamed,
)
from workflows_app.forms import MAX_TEXT_BYTES, PastedChat, parse_chat
from workflows_app.llm.tool_calls import ToolCallCollector
from workflows_app.queries import runs as run_queries
from workflows_app.queries import workflows as workflow_queries
from workflows_app.results import NodeState, RunState
from workflows_app.run_results import format_output
from workflows_app.services.execution import execute_run
from workflows_app.services.runs import RunRequest, start_run

STANDARD_INPUT = "-"


class Command(BaseCommand):
    """Prints one line a node, and the answer; exits with 1 when the run failed."""

    help = (
        "Run a workflow once, as a worker would, and record it. NAME is a workflow of the user's folder, or a path "
        "below Configs/Workflows. Memory is read and written in a copy of the discussion's files unless --real is "
        "given. Messages are a JSON list of {role, content}, a chat request, or plain text."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", metavar="NAME")
        parser.add_argument("--user", default="", help="WilmerAI user; else the one whose config counts")
        parser.add_argument("--folder", default="", help="folder below Configs/Workflows; else the user's")
        parser.add_argument("--discussion", default="", metavar="ID", help="its id, or keyhash:id")
        parser.add_argument("--messages", default="", metavar="FILE", help="- reads standard input")
        parser.add_argument("--up-to", type=int, metavar="N", help="the discussion's messages up to number N")
        parser.add_argument("--last", type=int, metavar="N", help="of those only the last N")
        parser.add_argument("--real", action="store_true", help="work on the real files of the discussion")
        parser.add_argument("--json", action="store_true", help="print the recorded run as JSON")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            state = self._run(options)
        except WilmerError as error:
            raise CommandError(error.message) from None
        if state is not RunState.FINISHED:
            sys.exit(1)

    def _run(self, options: Mapping[str, Any]) -> RunState | None:
        chat = _read_chat(options["messages"]) if options["messages"] else PastedChat()
        run_id = start_run(
            RunRequest(
                workflow=workflow_queries.find_path(options["name"], options["folder"], options["user"]),
                user=options["user"],
                discussion=options["discussion"],
                messages=chat.messages,
                tools=chat.tools,
                tool_choice=chat.tool_choice,
                is_sandbox=not options["real"],
                up_to_message=options["up_to"],
                last_messages=options["last"],
            )
        )
        state = execute_run(run_id, (lambda _: None) if options["json"] else self._tell)
        run = run_queries.get_run(run_id)
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(run_id), indent=2, ensure_ascii=False, default=str))
        elif run.card.error:
            self.stderr.write(f"\n{run.card.state}: {run.card.error}")
        else:
            self.stdout.write(f"\nrun {run_id} {run.card.state}; see /workflows/runs/{run_id}/")
        return state

    def _tell(self, event: RunEvent) -> None:
        if isinstance(event, NodeStarted):
            indent = "  " * (len(event.path) - 1)
            self.stderr.write(f"{indent}{event.path[-1]} {event.type}  {event.title}")
        elif isinstance(event, NodeFinished):
            for warning in event.warnings:
                self.stderr.write(f"    warning: {warning}")
            if self._is_wordy:
                self.stderr.write(f"    → {format_output(event.output)}")
        elif isinstance(event, NodeFailed):
            self.stderr.write(f"    failed: {event.message}")
        elif isinstance(event, TokenStreamed):
            self.stdout.write(event.text, ending="")
            self.stdout.flush()
        elif isinstance(event, ToolCallsStreamed):
            self._tool_calls.add(event.tool_calls)
        elif isinstance(event, AnswerFinished):
            self.stdout.write("")
            for call in self._tool_calls.calls:
                self.stdout.write(f"calls {call['function'].get('name')} with {call['function'].get('arguments')}")

    _is_wordy = False
    _tool_calls = ToolCallCollector()

    def execute(self, *args: Any, **options: Any) -> Any:
        """Remember how much is to be told."""
        self._is_wordy = int(options.get("verbosity") or 1) > 1
        self._tool_calls = ToolCallCollector()
        return super().execute(*args, **options)


def _as_json(run_id: int) -> dict[str, Any]:
    run = run_queries.get_run(run_id)
    nodes = [run_queries.get_node(run_id, row.number) for row in run.nodes]
    return {
        "id": run_id,
        "workflow": run.card.workflow_path,
        "state": run.card.state,
        "error": run.card.error,
        "answer": run.answer,
        "nodes": [
            {
                "path": node.row.path,
                "type": node.row.type,
                "title": node.row.title,
                "state": node.row.state,
                "milliseconds": node.row.milliseconds,
                "output": node.output,
                "warnings": node.warnings,
                "files": [{"name": touch.name, "action": touch.action} for touch in node.files],
                "error": node.error if node.row.state is NodeState.FAILED else "",
            }
            for node in nodes
        ],
    }


def _read_chat(name: str) -> PastedChat:
    try:
        return parse_chat(_read(name))
    except InvalidError as error:
        where = "Standard input" if name == STANDARD_INPUT else name
        raise CommandError(f"{where}: {error.message}") from None


def _read(name: str) -> str:
    try:
        if name == STANDARD_INPUT:
            return sys.stdin.read()
        path = Path(name)
        if path.stat().st_size > MAX_TEXT_BYTES:
            raise CommandError(f"{path} has more than {MAX_TEXT_BYTES:,} bytes.")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise CommandError(f"{name} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise CommandError(f"{name} is no UTF-8 text.") from None
