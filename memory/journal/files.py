"""Revisions of the files of discussions, written to the console's database."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet

from memory.engine.wording import FILE_NAMES
from memory.journal.authorship import OUTSIDE, Authorship, Origin, current_authorship
from memory.journal.contents import keep_content
from memory.journal.permission import check_may_write
from memory.journal.rows import recording_rows
from memory.models import Revision, RevisionContent
from memory.stores.journaling import FileJournal, RowRecord, RowState
from memory.types import Artefact, DiscussionRef
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.files import etag_of


@dataclass(frozen=True, slots=True)
class DatabaseJournal:
    """The journal of every discussion below one root."""

    discussions_root: Path
    is_read_only: bool = False

    def open(self, ref: DiscussionRef) -> FileJournal:
        """The journal of one discussion."""
        return DiscussionJournal(str(self.discussions_root), ref, self.is_read_only)


@dataclass(frozen=True, slots=True)
class DiscussionJournal:
    """The journal of one discussion. Used under the discussion's lock."""

    folder: str
    ref: DiscussionRef
    is_read_only: bool = False

    @contextlib.contextmanager
    def recording(self, artefact: Artefact, before: bytes | None, after: bytes | None) -> Iterator[None]:
        """Keep both contents and note the write as begun; it is done when the block is left without an error.

        A write by another program since our last one is noted first. Raises RefusedError when the console may
        change nothing.
        """
        check_may_write(is_read_only=self.is_read_only)
        self.notice(artefact, before)
        revision = self._note(artefact, before, after, current_authorship())
        try:
            yield
        except BaseException:
            revision.delete()
            raise
        revision.state = Revision.State.DONE
        revision.save(update_fields=["state"])

    def recording_rows(self, before: RowState) -> AbstractContextManager[RowRecord]:
        """The same for rows of the vector database (see `rows.recording_rows`)."""
        return recording_rows(self.folder, self.ref, before, is_read_only=self.is_read_only)

    @transaction.atomic
    def notice(self, artefact: Artefact, now: bytes | None) -> Revision | None:
        """Note that another program wrote this file, if it is not what the newest revision left; returns the note.

        A revision of ours that was begun and never ended (a killed process) is settled first.
        """
        settle(self.revisions(artefact), now)
        newest = self.revisions(artefact).order_by("-id").first()
        if newest is None or newest.after_id == _digest(now):
            return None
        action = f"{'Wrote' if now is not None else 'Removed'} {FILE_NAMES[artefact]}"
        return Revision.objects.create(
            folder=self.folder,
            discussion=self.ref.text,
            artefact=artefact.value,
            created_at=utc_now(),
            actor=OUTSIDE,
            origin=Origin.OUTSIDE,
            action=action,
            batch=Authorship().batch,
            before_id=newest.after_id,
            after=keep_content(now),
            state=Revision.State.DONE,
        )

    def revisions(self, artefact: Artefact) -> QuerySet[Revision]:
        """All revisions of one file."""
        return Revision.objects.filter(folder=self.folder, discussion=self.ref.text, artefact=artefact.value)

    @transaction.atomic  # The contents must not be dropped before the revision names them.
    def _note(self, artefact: Artefact, before: bytes | None, after: bytes | None, signed: Authorship) -> Revision:
        return Revision.objects.create(
            folder=self.folder,
            discussion=self.ref.text,
            artefact=artefact.value,
            created_at=utc_now(),
            actor=signed.actor,
            origin=signed.origin,
            action=signed.action,
            batch=signed.batch,
            undoes=signed.undoes,
            before=keep_content(before),
            after=keep_content(after),
        )


def settle(revisions: QuerySet[Revision], now: bytes | None) -> None:
    """Decide about revisions that a killed process left begun, by what the file holds now."""
    found = _digest(now)
    for revision in revisions.filter(state=Revision.State.PENDING):
        if revision.after_id == found:
            revision.state = Revision.State.DONE
            revision.save(update_fields=["state"])
        else:
            revision.delete()


def _digest(data: bytes | None) -> str | None:
    return None if data is None else etag_of(data)


__all__ = ["DatabaseJournal", "DiscussionJournal", "RevisionContent", "check_may_write", "settle"]
