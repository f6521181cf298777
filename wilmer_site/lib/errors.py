"""The errors a person may see, and the families that decide their HTTP status.

Domain code raises these and knows nothing of HTTP; `wilmer_site.lib.http` maps each family to a status.
"""

from __future__ import annotations

from typing import Any, ClassVar


class WilmerError(Exception):
    """Something went wrong that a person can understand and mend.

    `code` is stable and for machines, the message is a sentence for people, `extra` holds named facts.
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: str, **extra: Any) -> None:
        super().__init__(message)
        self.message = message
        self.extra = extra


class NotFoundError(WilmerError):
    """What was asked for does not exist."""

    code = "not-found"


class InvalidError(WilmerError):
    """The input, or the stored data it names, cannot be used as it is."""

    code = "invalid"


class TooLargeError(WilmerError):
    """The input or the stored file exceeds a stated limit."""

    code = "too-large"


class RefusedError(WilmerError):
    """The caller may not do this, or the installation has it switched off."""

    code = "refused"


class ConflictError(WilmerError):
    """The stored state is no longer the one the caller saw."""

    code = "conflict"


class BusyError(WilmerError):
    """Somebody else is working on the same thing; trying again later may succeed."""

    code = "busy"


class UpstreamError(WilmerError):
    """A server that we depend on failed or answered nonsense."""

    code = "upstream"


class PreconditionRequiredError(WilmerError):
    """The caller must say which version it saw before it may change anything."""

    code = "precondition-required"


class PreconditionFailedError(ConflictError):
    """The version the caller named is not the stored one. `extra` has both texts where there are two."""

    code = "precondition-failed"


class StorageError(WilmerError):
    """The disk took nothing more; what was there is unchanged."""

    code = "storage"
