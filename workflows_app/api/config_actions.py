"""Config files as a whole: what refers to what, made, copied, renamed with their references, tested, undone."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from ninja import Query, Router

from memory.api.writing import ANY, Writing, intent_of, writes
from wilmer_site.api_schemas import ErrorOut
from workflows_app.configs.source import format_pointer
from workflows_app.forms_configs import parse_kind
from workflows_app.queries import configs as queries
from workflows_app.queries.config_plans import RenamePlan, plan_rename
from workflows_app.queries.references import Reference, get_reference_map
from workflows_app.results import SavedConfig
from workflows_app.schemas.config_actions import (
    ConfigBlankIn,
    ConfigChangeOut,
    ConfigEntryList,
    ConfigNameIn,
    ConfigRenameIn,
    ConfigValuesIn,
    EndpointTestOut,
    ReferenceList,
    StarterIn,
    StarterList,
    UndoIn,
    UndoneOut,
)
from workflows_app.schemas.configs import SavedConfigOut
from workflows_app.services import config_files, starters
from workflows_app.services.blank_configs import BlankRequest, create_blank
from workflows_app.services.config_saving import find_config
from workflows_app.services.config_values import ValueChanges, change_values
from workflows_app.services.endpoint_testing import run_endpoint_test
from workflows_app.starters.catalogue import STARTERS
from workflows_app.starters.choices import StarterChoices

router = Router(tags=["Configs"])

_TAG = "Configs"
_ERRORS = {401: ErrorOut, 403: ErrorOut, 404: ErrorOut, 422: ErrorOut}


def _writing(url_name: str, summary: str, response: Any, **more: Any) -> Writing:
    usual = {"needs_match": False, "is_keyed": False, "has_dry_run": False}
    return Writing(url_name, _TAG, summary, response, **(usual | more))


@router.get(
    "/configs",
    response={200: ConfigEntryList, **_ERRORS},
    url_name="config-list",
    operation_id="config_list",
    summary="List the config files",
)
def list_configs(request: HttpRequest, kind: Query[str] = "", text: Query[str] = "") -> Any:
    """Every config file but workflows, with problems and users; of one kind, or with `text` in path or comment."""
    items = queries.list_configs(text, parse_kind(kind) if kind else None)
    return {"items": items, "total": len(items)}


@router.get(
    "/config-references",
    response={200: ReferenceList, **_ERRORS},
    url_name="config-reference-list",
    operation_id="config_reference_list",
    summary="List what refers to what",
)
def list_references(request: HttpRequest, path: Query[str] = "") -> Any:
    """Which file names which other one, for which user. With `path` only what leads to this file or from it; 404 for
    one that neither is there nor is named.
    """
    found = get_reference_map()
    chosen = (*found.list_to(path), *found.list_from(path)) if path else found.references
    if path and not chosen:
        queries.get_kind(path)
    unique = {(one.source, one.pointer, one.name): one for one in chosen}
    items = [_reference(reference, found.files) for reference in unique.values()]
    return {"items": items, "total": len(items)}


@writes(
    router,
    "PATCH",
    "/config-values/{path:path}",
    _writing(
        "config-values", "Change single values of a config file", SavedConfigOut, needs_match=True, has_dry_run=True
    ),
)
def patch_values(request: HttpRequest, path: str, body: ConfigValuesIn) -> Any:
    """Set or remove values by their JSON Pointers; every other byte of the file stays. Secrets can be set, not read."""
    intent, current = intent_of(request), find_config(path).etag
    is_known = intent.match is None or ANY in intent.match or current in intent.match
    saved = change_values(
        path,
        ValueChanges(**body.dict()),
        expected_etag=current if is_known or intent.match is None else intent.match[0],
        author=intent.actor,
        is_dry_run=intent.is_dry_run,
    )
    return _saved(saved)


@writes(router, "POST", "/config-blanks", _writing("config-blank", "Begin a config file", ConfigChangeOut, status=201))
def post_blank(request: HttpRequest, body: ConfigBlankIn) -> Any:
    """Make a new file with what its kind needs, to be filled in."""
    asked = BlankRequest(parse_kind(body.kind), body.name, body.folder, body.blank)
    return _change(create_blank(asked, author=intent_of(request).actor))


@writes(router, "POST", "/config-copies", _writing("config-copy", "Copy a config file", ConfigChangeOut, status=201))
def post_copy(request: HttpRequest, body: ConfigNameIn) -> Any:
    """A copy in the same folder, secrets included."""
    return _change(config_files.copy_config(body.path, body.name, author=intent_of(request).actor))


@writes(
    router,
    "POST",
    "/config-renames",
    _writing("config-rename", "Rename a config file everywhere", ConfigChangeOut, has_dry_run=True),
)
def post_rename(request: HttpRequest, body: ConfigRenameIn) -> Any:
    """Another name, followed by everything that names the file. 409 when something stands in the way, or breaks
    outside of the configs and that is not meant.
    """
    intent = intent_of(request)
    if intent.is_dry_run:
        return _plan(plan_rename(body.path, body.name))
    etag = find_config(body.path).etag
    change = config_files.rename_everywhere(
        body.path, body.name, expected_etag=etag, author=intent.actor, is_breaking_meant=body.is_breaking_meant
    )
    return _change(change)


@writes(router, "POST", "/config-undos", _writing("config-undo", "Take a change of configs back", UndoneOut))
def post_undo(request: HttpRequest, body: UndoIn) -> Any:
    """All files that the change wrote are as before. 409 when one of them was changed since."""
    return {"paths": config_files.undo_change(body.token, author=intent_of(request).actor)}


@router.post(
    "/endpoints/{path:path}/test",
    response={200: EndpointTestOut, 400: ErrorOut, **_ERRORS},
    url_name="endpoint-test",
    operation_id="endpoint_test",
    summary="Test an endpoint",
)
def post_test(request: HttpRequest, path: str) -> Any:
    """Ask the server for its models and for one token or one vector. `path` is below Endpoints, without `.json`."""
    return run_endpoint_test(f"Endpoints/{path}.json")


@router.get(
    "/config-starters",
    response={200: StarterList, **_ERRORS},
    url_name="config-starter-list",
    operation_id="config_starter_list",
    summary="List the starters",
)
def list_starters(request: HttpRequest) -> Any:
    """Ready workflows with their settings, to begin with."""
    return {"items": STARTERS, "total": len(STARTERS)}


@writes(
    router,
    "POST",
    "/config-starters/{slug}",
    _writing("config-starter", "Write a starter", ConfigChangeOut, status=201),
)
def post_starter(request: HttpRequest, slug: str, body: StarterIn) -> Any:
    """Write its workflows and settings into the user's folder, and the user's config. Nothing is written over."""
    choices = StarterChoices(body.name, body.endpoint, body.preset, body.embedding_endpoint)
    asked = starters.StarterRequest(slug, choices, body.user, body.is_set_up)
    return _change(starters.create_starter(asked, author=intent_of(request).actor))


def _reference(reference: Reference, files: Any) -> dict[str, Any]:
    return {
        "source": reference.source,
        "at": reference.json_pointer,
        "wanted": reference.wanted.value,
        "name": reference.name,
        "targets": dict(reference.targets),
        "is_missing": any(target not in files for target in reference.targets.values()),
        "is_switched_off": reference.is_switched_off,
    }


def _change(change: config_files.ConfigChange) -> dict[str, Any]:
    return {"path": change.path, "changed": change.changed, "undo": change.token}


def _plan(plan: RenamePlan) -> dict[str, Any]:
    edits = [
        {"path": edit.path, "values": {format_pointer(pointer): value for pointer, value in edit.values}}
        for edit in plan.edits
    ]
    mentions = [f"{mention.source} ({mention.place})" for mention in plan.mentions]
    changed = [edit.path for edit in plan.edits if edit.path != plan.path]
    found = {"edits": edits, "obstacles": plan.obstacles, "warnings": plan.warnings, "mentions": mentions}
    return {"path": plan.to, "changed": changed, **found}


def _saved(saved: SavedConfig) -> dict[str, Any]:
    return {
        "path": saved.path,
        "version": saved.etag,
        "number": saved.version,
        "is_changed": saved.is_changed,
        "problems": list(saved.problems),
    }
