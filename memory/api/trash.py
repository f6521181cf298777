"""Deleting discussions, and taking that back."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Router

from memory.api import discussions
from memory.api.pages import page_object, whole_list
from memory.api.registration import Reading, reads
from memory.api.requests import RefText, parse_ref
from memory.api.writing import Writing, intent_of, writes
from memory.schemas.trash import PurgedSchema, TrashEntrySchema, TrashingSchema, TrashPage
from memory.services import trash

router = Router()

_TAG = "Trash"
TrashName = Annotated[str, Path(max_length=120, description="`name` of the entry.")]


@reads(router, "/trash", Reading("trash-list", _TAG, "List deleted discussions", TrashPage, is_keyed=False))
def list_trash(request: HttpRequest) -> Any:
    """Everything in the trash, what went last first. Nothing goes from here by itself."""
    return page_object(request, whole_list([TrashEntrySchema.build(entry) for entry in trash.list_trash()]))


# All methods of one address must stand on one router.
@writes(
    discussions.router,
    "DELETE",
    "/discussions/{ref}",
    Writing(
        "discussion-delete", _TAG, "Move a discussion to the trash", TrashingSchema, needs_match=False, takes_match=True
    ),
)
def delete_discussion(request: HttpRequest, ref: RefText) -> Any:
    """All its files, whatever generation, and nothing else in the folder; history and transcript wait beside them."""
    discussion, intent = parse_ref(ref), intent_of(request)
    plan = trash.plan_trashing(discussion)
    facts = {"files": plan.files, "size_bytes": plan.size_bytes, "stays": plan.others, "problem": plan.problem}
    if intent.is_dry_run:
        return {"entry": None, **facts}
    entry = trash.trash_discussion(discussion, actor=intent.actor)
    return {"entry": TrashEntrySchema.build(entry), **facts}


@writes(
    router,
    "POST",
    "/trash/{name}/restore",
    Writing(
        "trash-restore",
        _TAG,
        "Put a deleted discussion back",
        TrashEntrySchema,
        needs_match=False,
        is_keyed=False,
    ),
)
def restore(request: HttpRequest, name: TrashName) -> Any:
    """Where it was, with its history. A file that lies there by now is a clash (409), in a dry run too."""
    intent = intent_of(request)
    if intent.is_dry_run:
        return TrashEntrySchema.build(trash.plan_restore(name))
    return TrashEntrySchema.build(trash.restore_trashed(name, actor=intent.actor))


@writes(
    router,
    "DELETE",
    "/trash/{name}",
    Writing(
        "trash-purge",
        _TAG,
        "Delete a discussion for ever",
        PurgedSchema,
        needs_match=False,
        is_keyed=False,
    ),
)
def purge(request: HttpRequest, name: TrashName) -> Any:
    """Its files, its history and its transcript. This cannot be taken back."""
    intent, entry = intent_of(request), trash.get_trashed(name)
    if not intent.is_dry_run:
        trash.purge_trashed([name], actor=intent.actor, count=1)
    return {"count": 1, "files": entry.file_count, "size_bytes": entry.size_bytes}
