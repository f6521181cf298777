"""The recipe of docs/adding-a-node-kind.md works as it is written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.recipes import list_blocks, run_code
from tests.workflows_app.nodes.running import prepare_run
from workflows_app.engine.events import NodeFinished
from workflows_app.engine.router import answer_request
from workflows_app.errors import NodeFailedError
from workflows_app.nodes.registry import build_registry

PAGE = "adding-a-node-kind.md"
IMPORTS = """
from dataclasses import dataclass
from workflows_app.engine.node import NodeContext, at_once
from workflows_app.errors import NodeFailedError
"""


@pytest.fixture(scope="module")
def recipe() -> dict[str, Any]:
    return run_code(PAGE, IMPORTS, __name__=__name__)


def run(recipe: dict[str, Any], public: Path, *texts: str, **values: Any) -> Any:
    node = {**json.loads(list_blocks(PAGE, "json")[0]), **values}
    events = answer_request(prepare_run(public, node, *texts), {**build_registry(), **recipe["HANDLERS"]})
    return next(event.output for event in events if isinstance(event, NodeFinished))


def test_the_node_counts(recipe: dict[str, Any], public: Path) -> None:
    assert run(recipe, public, "three little words") == "3"
    assert run(recipe, public, "three little words", limit=2) == "too many"


def test_a_mistake_is_named(recipe: dict[str, Any], public: Path) -> None:
    with pytest.raises(NodeFailedError, match="'limit' must be an integer >= 1; got 0"):
        run(recipe, public, limit=0)
