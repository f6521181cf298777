"""Runs of a text that is not saved, on a copy of a discussion."""

from __future__ import annotations

import json
import re

from memory.engine.braces import to_sentinels
from wilmer_site.lib.errors import InvalidError
from workflows_app.engine.config_secrets import restore_text
from workflows_app.queries.node_bench import Bench, BenchRequest, open_bench
from workflows_app.run_results import EXAMPLE_SUFFIX
from workflows_app.services.config_saving import find_config
from workflows_app.services.runs import RunRequest

_INPUT = re.compile(r"agent([1-9])Input")


def build_dry_run(asked: BenchRequest, text: str) -> RunRequest:
    """The run of an unsaved text: its secrets put back, always on a copy of the discussion.

    A text that uses inputs is started by a workflow of one node that hands it what memory workflows are given.
    Raises InvalidError without a discussion that has messages.
    """
    if not asked.path.startswith("Workflows/"):
        raise InvalidError("Only workflows can be run.", field="path")
    bench = open_bench(asked)
    if not bench.messages:
        raise InvalidError(
            "Choose a discussion whose messages the console has; a dry run needs a conversation.", field="discussion"
        )
    drafts = {asked.path: restore_text(asked.path, text, find_config(asked.path).text)}
    workflow = asked.path.removeprefix("Workflows/").removesuffix(".json")
    if _INPUT.search(text):
        workflow += EXAMPLE_SUFFIX
        drafts[f"Workflows/{workflow}.json"] = _caller(asked.path, text, bench)
    return RunRequest(workflow=workflow, user=asked.user, discussion=asked.discussion, drafts=drafts)


def _caller(path: str, text: str, bench: Bench) -> str:
    """A workflow that starts the other one. The inputs are variables of it, so that nothing in them is replaced."""
    folder, _, name = path.removeprefix("Workflows/").removesuffix(".json").rpartition("/")
    count = max(int(number) for number in _INPUT.findall(text))
    names = [f"input{number}" for number in range(1, count + 1)]
    values = {name: to_sentinels(bench.inputs.get(f"agent{at}Input", "")) for at, name in enumerate(names, start=1)}
    node = {
        "title": f"Start {name}",
        "type": "CustomWorkflow",
        "workflowName": name,
        "workflowUserFolderOverride": folder,
        "scoped_variables": [f"{{{name}}}" for name in names],
    }
    return json.dumps({"nodes": [node], **values}, indent=4)
