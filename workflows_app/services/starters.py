"""Write a starter into the configs folder: its workflows, its settings and the user's config, in one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wilmer_site.lib.errors import ConflictError, NotFoundError, WilmerError
from workflows_app import wiring
from workflows_app.configs.kinds import Reference
from workflows_app.engine import json_text
from workflows_app.errors import ConfigInvalidError
from workflows_app.queries.config_plans import path_beside
from workflows_app.queries.pickers import list_names
from workflows_app.services.blank_configs import format_document
from workflows_app.services.config_files import ConfigChange, ConfigWork
from workflows_app.services.config_saving import read_config
from workflows_app.starters.blanks import USER
from workflows_app.starters.catalogue import STARTERS, Built, Starter
from workflows_app.starters.choices import StarterChoices

_INHERITED = ("endpointConfigsSubDirectory", "chatPromptTemplateName", "userWideWorkflowVariables")


@dataclass(frozen=True, slots=True)
class StarterRequest:
    """What a person chose."""

    slug: str
    choices: StarterChoices
    user: str
    """The WilmerAI user the files are for; one that does not exist is made."""
    is_set_up: bool = True
    """Whether the user answers with it from now on."""


@dataclass(frozen=True, slots=True)
class StarterPlan:
    """What would be written."""

    files: Mapping[str, Any]
    """Path → document, in the order of writing."""
    user_path: str
    is_new_user: bool
    user_values: Mapping[str, Any]


def get_starter(slug: str) -> Starter:
    """One starter. Raises NotFoundError."""
    found = next((starter for starter in STARTERS if starter.slug == slug), None)
    if found is None:
        raise NotFoundError(f"There is no template called {slug[:60]!r}.", starter=slug)
    return found


def plan_starter(request: StarterRequest) -> StarterPlan:
    """What would be written. Raises NotFoundError, and ConfigInvalidError for names that cannot be."""
    built = get_starter(request.slug).build(request.choices)
    user_path = path_beside("Users/x.json", request.user)
    is_new = not wiring.get_config_library().exists(user_path)
    values = {**_new_user(), **built.user_values} if is_new else built.user_values
    folder = request.user if is_new else wiring.open_configs(request.user).paths.workflow_folder
    files = {path_beside(f"Workflows/{folder}/x.json", name): document for name, document in built.files.items()}
    _check_names(request, built)
    return StarterPlan(files, user_path, is_new, values if is_new or request.is_set_up else {})


def create_starter(request: StarterRequest, *, author: str) -> ConfigChange:
    """Write all of it or nothing. Raises ConflictError when one of the files is there already."""
    plan = plan_starter(request)
    library = wiring.get_config_library()
    taken = [path for path in plan.files if library.exists(path)]
    if taken:
        raise ConflictError(f"There is already a file {taken[0]}. Choose another name.", paths=taken)
    work = ConfigWork(author, f"From the template {get_starter(request.slug).title}")
    with work:
        for path, document in plan.files.items():
            work.create(path, format_document(document))
        _write_user(work, plan)
    return work.result(list(plan.files)[-1])


def list_endpoints(user: str) -> tuple[str, ...]:
    """Endpoints that a user could answer with; for one that does not exist yet, those of the user that counts."""
    return list_names(Reference.ENDPOINT, _known(user), {})


def list_embedding_endpoints(user: str) -> tuple[str, ...]:
    """Endpoints that make vectors."""
    return list_names(Reference.EMBEDDING_ENDPOINT, _known(user), {})


def list_presets(user: str, endpoint: str) -> tuple[str, ...]:
    """Presets that go with an endpoint."""
    return list_names(Reference.PRESET, _known(user), {"endpointName": endpoint})


def _write_user(work: ConfigWork, plan: StarterPlan) -> None:
    if plan.is_new_user:
        work.create(plan.user_path, format_document(plan.user_values))
        return
    document = read_config(plan.user_path)
    text = document.text
    for key, value in plan.user_values.items():
        text = json_text.set_value(text, (key,), value)
    work.save(plan.user_path, text, document.etag)


def _new_user() -> dict[str, Any]:
    """A new user that sees the endpoints and presets of the one whose config counts."""
    try:
        configs = wiring.open_configs()
        known = configs.user
    except WilmerError:
        return dict(USER)
    inherited = {key: known[key] for key in _INHERITED if key in known}
    preset_folder = known.get("presetConfigsSubDirectoryOverride") or configs.user_name
    return {**USER, **inherited, "presetConfigsSubDirectoryOverride": preset_folder}


def _check_names(request: StarterRequest, built: Built) -> None:
    choices, user = request.choices, request.user
    if choices.endpoint not in list_endpoints(user):
        raise ConfigInvalidError(f"{user} has no endpoint {choices.endpoint[:60]!r}.", field="endpoint")
    if choices.preset not in list_presets(user, choices.endpoint):
        raise ConfigInvalidError(f"{choices.endpoint} has no preset {choices.preset[:60]!r}.", field="preset")
    if choices.embedding_endpoint and choices.embedding_endpoint not in list_embedding_endpoints(user):
        text = f"{user} has no embeddings endpoint {choices.embedding_endpoint[:60]!r}."
        raise ConfigInvalidError(text, field="embedding_endpoint")
    if len(set(map(str.lower, built.files))) != len(built.files):
        raise ConfigInvalidError("Choose another name.", field="name")


def _known(user: str) -> str:
    return user if user.lower() in {name.lower() for name in wiring.list_user_names()} else ""
