"""How a writing operation is put on a router: If-Match, dry_run, Idempotency-Key, documented errors.

An operation gets what the client said beside the body from `intent_of(request)`, and compares versions with
`require_match`. Answers to writes hold no conversation text, because they may be kept for a day.
"""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.http import parse_etags
from ninja import Router
from ninja.decorators import decorate_view
from ninja.utils import contribute_operation_callback

from memory.api.registration import KEY_PARAMETER, Operation, private
from memory.api.validators import list_versions
from memory.services.kept_answers import MAX_KEY_LENGTH, Answer, claim_answer, keep_answer, release_answer
from memory.services.permission import require_changes_allowed
from wilmer_site.api_schemas import ErrorOut
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.errors import InvalidError, PreconditionFailedError, PreconditionRequiredError
from wilmer_site.lib.etags import ETAG_SLOT

ERRORS = dict.fromkeys((400, 401, 403, 409, 422, 503, 507), ErrorOut)
"""What every write may answer: not understood, not signed in, refused, a clash, not usable, busy, disk full."""

DISCUSSION_ERRORS = {**ERRORS, 404: ErrorOut, 413: ErrorOut}
MATCH_ERRORS = {412: ErrorOut, 428: ErrorOut}

ANY = "*"
"""An If-Match that fits every version."""

_MATCH_PARAMETER = {
    "name": "If-Match",
    "in": "header",
    "required": False,
    "description": "The ETag or version that was read; `*` changes whatever is there. Without it: 428.",
    "schema": {"type": "string"},
}
_OPTIONAL_MATCH_PARAMETER = {
    **_MATCH_PARAMETER,
    "description": "The `version` or ETag of the discussion that was read: 412 when it was changed since.",
}
_DRY_RUN_PARAMETER = {
    "name": "dry_run",
    "in": "query",
    "required": False,
    "description": "`true` tells what would be caused and changes nothing; If-Match is not needed then.",
    "schema": {"type": "boolean", "default": False},
}
_KEY_HEADER_PARAMETER = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key with the same request gets the same answer again for 24 hours; nothing is done twice.",
    "schema": {"type": "string", "maxLength": MAX_KEY_LENGTH},
}


@dataclass(frozen=True, slots=True)
class Writing:
    """How one writing operation is named, documented and guarded."""

    url_name: str
    tag: str
    summary: str
    response: Any
    """Schema of the answer; None answers without a body."""
    needs_match: bool = True
    """Whether If-Match is asked for (428 without it), unless it is a dry run."""
    takes_match: bool = False
    """Whether If-Match may name the version of the whole discussion; without it whatever is there is changed."""
    has_dry_run: bool = True
    is_keyed: bool = True
    """Whether it is about one discussion, so that a key may be needed and the discussion may be missing."""
    status: int = 200
    """Of the answer when it was done; a dry run that has an answer creates nothing, so it says 200."""


@dataclass(frozen=True, slots=True)
class Intent:
    """What a client said beside the body of a write."""

    actor: str
    """The name of who is signed in, or whose token it is."""
    is_dry_run: bool
    match: tuple[str, ...] | None
    """The entity tags of If-Match without quotes, `*` for any; None when it was not sent."""


def writes(router: Router, method: str, path: str, writing: Writing) -> Callable[[Operation], Operation]:
    """Register an operation that changes something. Its result is turned into the answer by `writing.response`."""

    def register(operation: Operation) -> Operation:
        decorate_view(private)(operation)
        contribute_operation_callback(operation, functools.partial(_guard, writing=writing))
        return router.api_operation(
            [method],
            path,
            response={**_successes(writing), **_errors(writing)},
            url_name=writing.url_name,
            operation_id=writing.url_name.replace("-", "_"),
            tags=[writing.tag],
            summary=writing.summary,
            openapi_extra={"parameters": _parameters(writing)},
        )(operation)

    return register


def intent_of(request: HttpRequest) -> Intent:
    """Who asks, whether it is a dry run, and which version was seen; raises InvalidError for an unclear dry_run."""
    given = request.headers.get("If-Match", "").strip()
    match = tuple(_bare(tag) for tag in (parse_etags(given) or [given])) if given else None
    # The user is signed in: an operation is only reached with a session or a token.
    return Intent(request.user.get_username(), _is_dry_run(request), match)


def require_match(request: HttpRequest, current: Iterable[str], **theirs: Any) -> None:
    """Let pass who names one of the current versions, says `*`, or only tries.

    `current` are versions, quoted or not; the ETag that GET gives at the same address always counts. `theirs` goes
    into the error: what is stored now. Raises PreconditionFailedError (412).
    """
    intent = intent_of(request)
    if intent.match is None or ANY in intent.match:
        return
    read = request.META.get(ETAG_SLOT)
    versions = [_bare(version) for version in (*current, read) if version]
    if not set(intent.match) & set(versions):
        raise PreconditionFailedError(
            "This was changed since you read it. Read it again, and decide which text shall stay.",
            **theirs,
            versions=versions,
        )


def _guard(operation: Any, *, writing: Writing) -> None:
    """Put the checks between ninja's parsing and the operation, where it is known who asks."""
    run = operation.view_func

    @functools.wraps(run)
    def answer(request: HttpRequest, **values: Any) -> HttpResponse:
        intent = intent_of(request)
        if intent.is_dry_run and not writing.has_dry_run:
            raise InvalidError("This operation cannot be tried without being done.", field="dry_run")
        if not intent.is_dry_run:
            require_changes_allowed()
        if writing.needs_match and intent.match is None and not intent.is_dry_run:
            raise PreconditionRequiredError(
                "Send the ETag or version you read as If-Match, so that nobody's change is lost; * changes whatever "
                "is there."
            )
        return _run_once(
            request, intent, lambda: _respond(writing, checked(request, **values), is_dry_run=intent.is_dry_run)
        )

    def checked(request: HttpRequest, **values: Any) -> Any:
        if writing.takes_match and (versions := list_versions(request, values["ref"])):
            require_match(request, versions)
        return run(request, **values)

    operation.view_func = answer


def _run_once(request: HttpRequest, intent: Intent, run: Callable[[], HttpResponse]) -> HttpResponse:
    key = request.headers.get("Idempotency-Key", "").strip()
    if not key or intent.is_dry_run:
        return run()
    if len(key) > MAX_KEY_LENGTH:
        raise InvalidError(f"An Idempotency-Key has at most {MAX_KEY_LENGTH} characters.", field="Idempotency-Key")
    user_id = int(request.user.pk or 0)
    known = claim_answer(user_id, key, _fingerprint(request), now=utc_now())
    if known is not None:
        response = HttpResponse(known.body, status=known.status, content_type="application/json; charset=utf-8")
        response["Idempotent-Replayed"] = "true"
        return response
    try:
        response = run()
    except BaseException:
        release_answer(user_id, key)
        raise
    keep_answer(user_id, key, Answer(response.status_code, response.content.decode("utf-8")))
    return response


def _respond(writing: Writing, result: Any, *, is_dry_run: bool) -> HttpResponse:
    if isinstance(result, HttpResponse):
        return result
    if writing.response is None:
        return HttpResponse(status=writing.status)
    body = writing.response.model_validate(result).model_dump(mode="json")
    response = JsonResponse(body, status=200 if is_dry_run else writing.status)
    if body.get("version"):
        response["ETag"] = f'"{body["version"]}"'
    return response


def _fingerprint(request: HttpRequest) -> str:
    parts = [request.method, request.get_full_path(), request.headers.get("If-Match", ""), _digest_body(request)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _digest_body(request: HttpRequest) -> str:
    """Of what was sent; of a form its fields and files, because what stands between them differs each time.

    Of a body that is too large to be held only the length counts: it is read once, by the operation.
    """
    if request.content_type != "multipart/form-data":
        try:
            return hashlib.sha256(request.body).hexdigest()
        except RequestDataTooBig:
            return f"{request.META.get('CONTENT_LENGTH')} bytes"
    digest = hashlib.sha256(json.dumps(sorted(request.POST.lists())).encode())
    for name, file in _list_files(request):
        digest.update(json.dumps([name, file.name, file.size]).encode())
        for part in file.chunks():
            digest.update(part)
    return digest.hexdigest()


def _list_files(request: HttpRequest) -> list[tuple[str, UploadedFile[Any]]]:
    return [(name, file) for name, files in sorted(request.FILES.lists()) for file in files]


def _is_dry_run(request: HttpRequest) -> bool:
    like = [name for name in request.GET if name != "dry_run" and name.lower().translate(_JOINTS) == "dryrun"]
    if like:
        raise InvalidError(f"The parameter is called dry_run, not {like[0]}; nothing was changed.", field="dry_run")
    text = request.GET.get("dry_run", "false").lower()
    if text not in {"true", "false", "1", "0", ""}:
        raise InvalidError(f"dry_run is true or false; {text[:20]!r} is neither.", field="dry_run")
    return text in {"true", "1"}


_JOINTS = str.maketrans("", "", "-_ ")


def _bare(tag: str) -> str:
    return tag.removeprefix("W/").strip('"')


def _successes(writing: Writing) -> Mapping[int, Any]:
    tried = {200: writing.response} if writing.has_dry_run and writing.response is not None else {}
    return {**tried, writing.status: writing.response}


def _errors(writing: Writing) -> Mapping[int, Any]:
    errors = DISCUSSION_ERRORS if writing.is_keyed else {**ERRORS, 404: ErrorOut}
    if writing.needs_match:
        return {**errors, **MATCH_ERRORS}
    return {**errors, 412: ErrorOut} if writing.takes_match else errors


def _parameters(writing: Writing) -> list[dict[str, Any]]:
    parameters = [_KEY_HEADER_PARAMETER]
    if writing.needs_match:
        parameters.append(_MATCH_PARAMETER)
    elif writing.takes_match:
        parameters.append(_OPTIONAL_MATCH_PARAMETER)
    if writing.has_dry_run:
        parameters.append(_DRY_RUN_PARAMETER)
    return [*parameters, KEY_PARAMETER] if writing.is_keyed else parameters
