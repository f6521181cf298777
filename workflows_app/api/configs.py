"""Config files: read, checked, saved, deleted, and their versions."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router

from memory.api.writing import ANY, Writing, intent_of, writes
from wilmer_site.api_auth import SessionOrToken
from wilmer_site.api_schemas import ErrorOut
from wilmer_site.lib.errors import PreconditionRequiredError
from workflows_app.queries import config_checks, config_plans
from workflows_app.results import SavedConfig
from workflows_app.schemas.configs import (
    ConfigChecksOut,
    ConfigIn,
    ConfigOut,
    ConfigTextIn,
    ConfigVersionList,
    ConfigVersionOut,
    DeletedConfigOut,
    RestoreIn,
    SavedConfigOut,
    VersionNameIn,
)
from workflows_app.services import config_saving, editor_opening, version_looks

router = Router(tags=["Configs"])

_TAG = "Configs"
_ERRORS = {401: ErrorOut, 403: ErrorOut, 404: ErrorOut, 413: ErrorOut, 422: ErrorOut}


@router.get(
    "/configs/{path:path}",
    response={200: ConfigOut, **_ERRORS},
    url_name="config",
    operation_id="config",
    summary="Get one config file",
)
def get_config(request: HttpRequest, response: HttpResponse, path: str) -> Any:
    """The text exactly as it is on disk, with masks in the place of secrets. The ETag is that of the bytes."""
    document = config_saving.read_config(path)
    response["ETag"] = f'"{document.etag}"'
    return {
        "path": document.path,
        "kind": document.kind,
        "version": document.etag,
        "encoding": document.encoding,
        "text": editor_opening.masked_text(document),
    }


@writes(
    router,
    "PUT",
    "/configs/{path:path}",
    Writing("config-save", _TAG, "Save a config file", SavedConfigOut, needs_match=False, is_keyed=False),
)
def put_config(request: HttpRequest, path: str, body: ConfigIn) -> Any:
    """Write a text. A file that is there needs If-Match (428 without it); another version on disk answers 409 with
    both texts, errors that nobody insists on answer 422 with the problems. With `dry_run` nothing is written.
    """
    intent = intent_of(request)
    etag = _expected(request, path)
    if intent.is_dry_run:
        return _saved(config_saving.preview_save(path, body.text, expected_etag=etag))
    saved = config_saving.save_config(
        path, body.text, expected_etag=etag, author=intent.actor, note=body.note, insist_reason=body.insist_reason
    )
    return _saved(saved)


@writes(
    router,
    "DELETE",
    "/configs/{path:path}",
    Writing("config-delete", _TAG, "Delete a config file", DeletedConfigOut, needs_match=False, is_keyed=False),
)
def delete_config(request: HttpRequest, path: str) -> Any:
    """Remove a file; its versions stay, and restoring one brings it back. The answer names what would break, or is
    broken now. With `dry_run` nothing is removed.
    """
    intent = intent_of(request)
    breaks = [f"{one.source} ({one.place})" for one in config_plans.plan_delete(path).breaks]
    if not intent.is_dry_run:
        config_saving.delete_config(path, expected_etag=_expected(request, path), author=intent.actor)
    return {"path": path, "breaks": breaks}


@router.post(
    "/config-checks/{path:path}",
    response={200: ConfigChecksOut, **_ERRORS},
    auth=SessionOrToken(is_reading=True),
    url_name="config-check",
    operation_id="config_check",
    summary="Check a text of a config file",
)
def check_config(request: HttpRequest, path: str, body: ConfigTextIn) -> Any:
    """What the checks say of a text that would be at this path, or of the file that is there. Nothing is written."""
    text = config_saving.read_config(path).text if body.text is None else body.text
    problems = config_checks.find_problems(path, config_saving.reveal_text(path, text))
    return {"items": problems, "total": len(problems)}


@router.get(
    "/config-versions/{path:path}",
    response={200: ConfigVersionList, **_ERRORS},
    url_name="config-version-list",
    operation_id="config_version_list",
    summary="List the versions of a config file",
)
def list_versions(request: HttpRequest, path: str, number: Query[int | None] = None) -> Any:
    """The newest 200, the newest first, without their texts; with `number` that one with its text, secrets masked."""
    if number is None:
        found = version_looks.list_known_versions(path)
    else:
        found = (version_looks.get_masked_version(path, number),)
    return {"items": found, "total": len(found)}


@writes(
    router,
    "PATCH",
    "/config-versions/{path:path}",
    Writing(
        "config-version-name",
        _TAG,
        "Name a version of a config file",
        ConfigVersionOut,
        needs_match=False,
        has_dry_run=False,
        is_keyed=False,
    ),
)
def name_version(request: HttpRequest, path: str, body: VersionNameIn) -> Any:
    """Give a version a name that people find it by."""
    config_saving.name_version(path, body.number, body.name)
    return version_looks.get_masked_version(path, body.number)


@writes(
    router,
    "POST",
    "/config-restores/{path:path}",
    Writing(
        "config-restore",
        _TAG,
        "Restore a version of a config file",
        SavedConfigOut,
        needs_match=False,
        has_dry_run=False,
        is_keyed=False,
    ),
)
def restore_version(request: HttpRequest, path: str, body: RestoreIn) -> Any:
    """Write the bytes of a version again, also of a deleted file. A file that is there needs If-Match."""
    etag, actor = _expected(request, path), intent_of(request).actor
    saved = config_saving.restore_version(path, body.number, expected_etag=etag, author=actor, note=body.note)
    return _saved(saved)


def _expected(request: HttpRequest, path: str) -> str:
    """The version that the client saw: of If-Match, or none for a file that is not there."""
    intent = intent_of(request)
    current = config_saving.find_config(path).etag
    if intent.match is None:
        if current and not intent.is_dry_run:
            raise PreconditionRequiredError(
                "Send the ETag you read as If-Match, so that nobody's change is lost; * changes whatever is there."
            )
        return current
    return current if ANY in intent.match or current in intent.match else intent.match[0]


def _saved(saved: SavedConfig) -> dict[str, Any]:
    return {
        "path": saved.path,
        "version": saved.etag,
        "number": saved.version,
        "is_changed": saved.is_changed,
        "problems": list(saved.problems),
    }
