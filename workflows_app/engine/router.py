"""Which workflow answers a request, and running it (workflows.md §11)."""

from __future__ import annotations

from collections.abc import Mapping

from workflows_app.engine.events import RunFinished
from workflows_app.engine.node import NodeHandler, Steps
from workflows_app.engine.routing import build_routing_variables, match_category
from workflows_app.engine.run import Run
from workflows_app.engine.runner import Runner
from workflows_app.errors import ConfigInvalidError, NodeFailedError

DEFAULT_WORKFLOW = "_DefaultWorkflow"


def answer_request(run: Run, handlers: Mapping[str, NodeHandler], *, shared_folder: str | None = None) -> Steps:
    """Run the workflow that the model name, the user's config or the categoriser chooses.

    Yields every event, RunFinished at last; returns the answer. Raises what ends the run.
    """
    runner = Runner(run, handlers)
    user = run.configs.user
    if shared_folder is not None:
        steps = runner.start(DEFAULT_WORKFLOW, f"{run.configs.shared_folder}/{shared_folder}")
    elif user.get("customWorkflowOverride"):
        steps = runner.start(str(user.get("customWorkflow") or ""))
    else:
        name = yield from _categorise(run, runner)
        steps = runner.start(name)
    answer = yield from steps
    yield RunFinished(answer)
    return answer


def _categorise(run: Run, runner: Runner) -> Steps:
    """The name of the workflow that stands for the category a model names."""
    user = run.configs.user
    routing = run.configs.read_routing(str(user.get("routingConfig") or ""))
    run.routing = build_routing_variables(routing)
    try:
        for _ in range(_count_attempts(user.get("maxCategorizationAttempts"))):
            reply = yield from runner.run_quietly(str(user.get("categorizationWorkflow") or ""))
            category = match_category(_as_text(reply), routing)
            if category is not None:
                return routing[category]["workflow"]
    finally:
        run.routing = {}
    return DEFAULT_WORKFLOW


def _count_attempts(value: object) -> int:
    try:
        return max(1, int(str(value or 1)))
    except ValueError:
        raise ConfigInvalidError(f"`maxCategorizationAttempts` must be a whole number, not {value!r}.") from None


def _as_text(reply: object) -> str:
    if isinstance(reply, dict | list):
        raise NodeFailedError("The categorisation workflow must answer with text; it called a tool or gave a list.")
    return "" if reply is None else str(reply)
