from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.workflows_app.builders import write
from tests.workflows_app.configs_world import furnish
from wilmer_site.lib.errors import ConflictError, InvalidError, NotFoundError
from workflows_app.queries.linting import list_problems
from workflows_app.queries.runs import get_run
from workflows_app.results import RunState, Severity
from workflows_app.services.config_files import undo_change
from workflows_app.services.execution import execute_run
from workflows_app.services.runs import RunRequest, start_run
from workflows_app.services.starters import StarterRequest, create_starter, get_starter
from workflows_app.starters.catalogue import STARTERS
from workflows_app.starters.choices import StarterChoices

SLUGS = [starter.slug for starter in STARTERS]
each = pytest.mark.parametrize("slug", SLUGS)


@pytest.fixture
def built_in(opened: Path) -> Path:
    """Endpoints that need no server, for text and for vectors."""
    configs = opened / "Configs"
    write(configs / "ApiTypes/vectors.json", {"type": "builtinEmbeddings"})
    vectors = {"endpoint": "http://127.0.0.1", "apiTypeConfigFileName": "vectors", "promptTemplate": None}
    write(configs / "Endpoints/vectors.json", {**vectors, "modelNameToSendToAPI": "wordllama-l2-256"})
    return configs


def ask_for(slug: str, **changes: Any) -> StarterRequest:
    embedding = "vectors" if get_starter(slug).uses_embeddings else ""
    usual = {"name": "Try", "endpoint": "built-in", "preset": "plain", "embedding_endpoint": embedding}
    choices = StarterChoices(**usual | changes.pop("choices", {}))
    return StarterRequest(slug, choices, **{"user": "ann", **changes})


def tell(count: int) -> list[dict[str, Any]]:
    said = [
        (f"On day {n} Marta paid {n * 10} euros for the roof.", f"I noted the {n * 10} euros.") for n in range(count)
    ]
    turns = [(role, text * 12) for pair in said for role, text in zip(("user", "assistant"), pair, strict=True)]
    return [{"role": role, "content": text} for role, text in turns] + [
        {"role": "user", "content": "What did it cost?"}
    ]


@each
def test_starter_runs_end_to_end_without_a_server(built_in: Path, slug: str) -> None:
    create_starter(ask_for(slug), author="mona")

    run_id = start_run(RunRequest("ann/Try", user="ann", discussion="roof", messages=tell(30), is_sandbox=False))

    assert execute_run(run_id) is RunState.FINISHED, get_run(run_id).card.error
    assert get_run(run_id).answer


@pytest.mark.parametrize(
    ("slug", "names"),
    [
        ("assistant", {"vector_memory.db"}),
        ("role-play", {"memories.json", "chat_summary.json"}),
        ("summary", {"memories.json", "chat_summary.json"}),
        ("no-memory", set()),
    ],
)
def test_starter_remembers_what_it_says_it_does(built_in: Path, slug: str, names: set[str]) -> None:
    create_starter(ask_for(slug), author="mona")

    run_id = start_run(RunRequest("ann/Try", user="ann", discussion="roof", messages=tell(30), is_sandbox=False))
    execute_run(run_id)

    found = {file.name for file in (built_in.parent / "DiscussionIds").rglob("*") if file.is_file()}
    assert {name for name in found if "memor" in name or "summary" in name} >= names
    assert names or not found


@each
def test_starter_has_neither_errors_nor_warnings(built_in: Path, slug: str) -> None:
    before = {(problem.path, problem.code) for problem in list_problems()}

    change = create_starter(ask_for(slug), author="mona")

    found = [p for p in list_problems() if p.severity is not Severity.HINT and (p.path, p.code) not in before]
    assert [(p.path, p.code, p.message) for p in found if p.code != "apitype-unknown-type"] == []
    assert change.path == "Workflows/ann/Try.json"


@each
def test_starter_is_taken_back_in_one_step(built_in: Path, slug: str) -> None:
    before = {file: file.read_bytes() for file in built_in.rglob("*.json")}

    change = create_starter(ask_for(slug), author="mona")
    undo_change(change.token, author="mona")

    assert {file: file.read_bytes() for file in built_in.rglob("*.json")} == before


@each
def test_starter_makes_a_new_user_who_sees_the_same_endpoints(built_in: Path, slug: str) -> None:
    create_starter(ask_for(slug, user="newcomer"), author="mona")

    user = json.loads((built_in / "Users/newcomer.json").read_text())
    assert user["customWorkflow"] == "Try"
    assert (built_in / "Workflows/newcomer/Try.json").exists()
    run_id = start_run(RunRequest("newcomer/Try", user="newcomer", messages=tell(2)))
    assert execute_run(run_id) is RunState.FINISHED, get_run(run_id).card.error


def test_user_stays_as_it_is_when_it_is_not_to_be_set_up(built_in: Path) -> None:
    before = (built_in / "Users/ann.json").read_bytes()

    create_starter(ask_for("role-play", is_set_up=False), author="mona")

    assert (built_in / "Users/ann.json").read_bytes() == before


def test_nothing_is_written_over(built_in: Path) -> None:
    write(built_in / "Workflows/ann/Try_Facts.json", [])

    with pytest.raises(ConflictError, match="Try_Facts"):
        create_starter(ask_for("assistant"), author="mona")
    assert not (built_in / "Workflows/ann/Try.json").exists()


@pytest.mark.parametrize(
    "choices", [{"name": "../x"}, {"endpoint": "none"}, {"preset": "none"}, {"endpoint": "vectors"}]
)
def test_names_that_cannot_be_are_refused(built_in: Path, choices: dict[str, str]) -> None:
    with pytest.raises(InvalidError):
        create_starter(ask_for("assistant", choices=choices), author="mona")


def test_unknown_starter_is_not_found(opened: Path) -> None:
    furnish(opened)

    with pytest.raises(NotFoundError):
        get_starter("nothing")
