"""Contents that are kept for the journal: once each, compressed, found by their digest."""

from __future__ import annotations

import zlib

from django.db import IntegrityError, transaction

from memory.models import RevisionContent
from wilmer_site.lib.errors import NotFoundError
from wilmer_site.lib.files import etag_of

_LEVEL = 6


class ContentDroppedError(NotFoundError):
    """The bytes of this version are no longer kept."""

    code = "content-dropped"


def keep_content(data: bytes | None) -> RevisionContent | None:
    """The row of these bytes, made if it is new; None for no content."""
    if data is None:
        return None
    digest = etag_of(data)
    known = RevisionContent.objects.filter(pk=digest).defer("data").first()
    if known is not None and known.stored_bytes:
        return known
    packed = zlib.compress(data, _LEVEL)
    if known is not None:  # Dropped to save space, and now it is needed again.
        known.data, known.stored_bytes = packed, len(packed)
        known.save(update_fields=["data", "stored_bytes"])
        return known
    row = RevisionContent(digest=digest, data=packed, size_bytes=len(data), stored_bytes=len(packed))
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:  # Another process kept the same bytes just now.
        return RevisionContent.objects.defer("data").get(pk=digest)
    return row


def read_bytes(content: RevisionContent | None) -> bytes | None:
    """The bytes as they were; None for no content. Raises ContentDroppedError."""
    if content is None:
        return None
    if not content.stored_bytes:
        raise ContentDroppedError(
            "This version was dropped to keep the history below its limit (WILMER_HISTORY_MB).", digest=content.pk
        )
    return zlib.decompress(bytes(content.data))
