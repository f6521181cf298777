"""New discussions that came from somewhere: what the console notes of them."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.db import transaction

from memory.catalogue.refresh import refresh_discussions
from memory.engine.discussion_ids import check_may_create
from memory.journal.authorship import Origin
from memory.journal.contents import keep_content
from memory.models import Revision, Transcript, TranscriptMessage
from memory.services.console_rows import folder_name
from memory.stores.belongings import exists, find_home
from memory.stores.contents import read_whole
from memory.stores.staging import DiscussionExistsError, delete_stale_stagings
from memory.types import Artefact, DiscussionId, DiscussionRef
from memory.wiring import get_discussion_folders, get_public_folder, is_read_only, open_discussion
from wilmer_site.lib.clock import utc_now

_BATCH = 500


def check_free(ref: DiscussionRef) -> None:
    """Raises UnsafeDiscussionIdError for an id that none may be created under (W24), DiscussionExistsError, or
    LinkedFolderError.
    """
    check_may_create(ref.discussion_id)
    home = find_home(get_public_folder(), ref)
    if get_discussion_folders().look(ref) is not None or exists(home):
        raise DiscussionExistsError(
            f"There is a discussion {ref.discussion_id!r} already. Choose another id, or move the other one to the "
            "trash first.",
            discussion=ref.text,
        )


def delete_old_stagings(now: datetime) -> int:
    """Remove what copies and imports of killed processes left half built more than a day ago; returns how many."""
    if is_read_only():
        return 0
    border = (now - timedelta(days=1)).timestamp()
    return delete_stale_stagings(get_public_folder(), older_than_ns=int(border * 1e9))


def build_ref(discussion_id: str, like: DiscussionRef) -> DiscussionRef:
    """Another id under the same key."""
    return DiscussionRef(DiscussionId(discussion_id), like.key_hash)


def note_arrival(ref: DiscussionRef, *, actor: str, action: str) -> uuid.UUID:
    """Keep the files of a new discussion as its first versions; returns their batch."""
    files, batch = open_discussion(ref), uuid.uuid4()
    for artefact in Artefact:
        data = None if artefact is Artefact.VECTOR_MEMORY else read_whole(files.place(artefact))
        if data is None:
            continue
        with transaction.atomic():
            content = keep_content(data)
            Revision.objects.create(
                folder=folder_name(),
                discussion=ref.text,
                artefact=artefact.value,
                created_at=utc_now(),
                actor=actor,
                origin=Origin.IMPORT,
                action=action,
                batch=batch,
                before=content,  # Nothing was replaced, and going back to nothing is what the trash is for.
                after=content,
                state=Revision.State.DONE,
            )
    refresh_discussions([ref])
    return batch


@transaction.atomic
def copy_transcript(source: DiscussionRef, target: DiscussionRef, *, up_to: int | None, actor: str) -> int:
    """Give a new discussion the transcript of another one, up to a message; returns how many messages."""
    old = Transcript.objects.filter(folder=folder_name(), discussion=source.text).first()
    if old is None:
        return 0
    rows = TranscriptMessage.objects.filter(transcript=old).order_by("number")
    rows = rows.filter(number__lte=up_to) if up_to is not None else rows
    fields = {field.name: getattr(old, field.name) for field in Transcript._meta.concrete_fields if field.name != "id"}
    count = rows.count()
    new = Transcript.objects.create(
        **{**fields, "discussion": target.text, "message_count": count, "imported_by": actor, "updated_at": utc_now()}
    )
    names = [field.name for field in TranscriptMessage._meta.concrete_fields if field.name not in {"id", "transcript"}]
    TranscriptMessage.objects.bulk_create(
        (TranscriptMessage(transcript=new, **values) for values in rows.values(*names).iterator(_BATCH)), _BATCH
    )
    return count
