"""What can go wrong with the memory of a discussion, in words for people."""

from __future__ import annotations

from wilmer_site.lib.errors import ConflictError, InvalidError, NotFoundError, RefusedError, UpstreamError


class DiscussionNotFoundError(NotFoundError):
    """No discussion of that name in the folder that is open."""

    code = "discussion-not-found"


class ChunkNotFoundError(NotFoundError):
    """The ledger has no chunk of that number."""

    code = "chunk-not-found"


class MemoryNotFoundError(NotFoundError):
    """The vector database has no memory of that id."""

    code = "memory-not-found"


class UnsafeDiscussionIdError(InvalidError):
    """An id that no discussion may have or be created under (memory.md §2, W24)."""

    code = "unsafe-discussion-id"


class DamagedFileError(InvalidError):
    """A file cannot be parsed. `extra` has `file`, and `line` and `column` when they are known."""

    code = "damaged-file"


class DiscussionLockedError(RefusedError):
    """The files are encrypted and the key is missing or wrong (traps E1)."""

    code = "discussion-locked"


class ModelReplyError(UpstreamError):
    """A model answered with nothing that can be used. `extra` has the raw reply."""

    code = "model-reply"


class MissingContentError(InvalidError):
    """A message has no content at all, so it has no identity (memory.md §7)."""

    code = "missing-content"


class JobNotFoundError(NotFoundError):
    """There is no job of that number."""

    code = "job-not-found"


class DraftNotFoundError(NotFoundError):
    """The job has no draft of that number."""

    code = "draft-not-found"


class JobOpenError(ConflictError):
    """A job for the same layer of the discussion is open already. `extra` has its number as `job`."""

    code = "job-open"


class DraftStaleError(ConflictError):
    """What a draft was made from or would replace is no longer the same. `extra` has `job`, `draft` and `texts`."""

    code = "draft-stale"


class TranscriptMissingError(InvalidError):
    """The messages are needed, and no chat was imported."""

    code = "transcript-missing"
