"""Contents that are kept for the journal: once each, compressed, found by their digest."""

from __future__ import annotations

import zlib

from django.db import IntegrityError, transaction

from memory.models import RevisionContent
from wilmer_site.lib.files import etag_of

_LEVEL = 6


def keep_content(data: bytes | None) -> RevisionContent | None:
    """The row of these bytes, made if it is new; None for no content."""
    if data is None:
        return None
    digest = etag_of(data)
    known = RevisionContent.objects.filter(pk=digest).defer("data").first()
    if known is not None:
        return known
    packed = zlib.compress(data, _LEVEL)
    row = RevisionContent(digest=digest, data=packed, size_bytes=len(data), stored_bytes=len(packed))
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:  # Another process kept the same bytes just now.
        return RevisionContent.objects.defer("data").get(pk=digest)
    return row


def read_bytes(content: RevisionContent | None) -> bytes | None:
    """The bytes as they were; None for no content."""
    return None if content is None else zlib.decompress(bytes(content.data))
