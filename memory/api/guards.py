"""A file that cannot be read is an error here, never an empty answer."""

from __future__ import annotations

from memory.errors import DamagedFileError, DiscussionLockedError
from memory.results import DatabaseState, VectorStore
from memory.types import FileReport, FileState
from wilmer_site.lib.files import FileTooLargeError, FileUnreadableError


def require_readable(report: FileReport) -> None:
    """Let a present, empty or absent file pass.

    Raises DiscussionLockedError, DamagedFileError (with file, line and column), FileUnreadableError or
    FileTooLargeError, each with the artefact in `extra`.
    """
    file = report.path.name
    facts = {"file": file, "artefact": report.artefact.value}
    match report.state:
        case FileState.LOCKED:
            raise DiscussionLockedError(
                f"{file} is encrypted, and the key is missing or wrong. Send the discussion's API key in the header "
                "X-Discussion-Key.",
                **facts,
            )
        case FileState.DAMAGED:
            raise DamagedFileError(
                report.problem or f"{file} cannot be parsed. Mend it by hand or restore an older version.",
                **facts,
                line=report.problem_line,
                column=report.problem_column,
            )
        case FileState.UNREADABLE:
            raise FileUnreadableError(report.problem or f"{file} may not be read by the console.", **facts)
        case FileState.TOO_LARGE:
            raise FileTooLargeError(report.problem or f"{file} is larger than the console loads.", **facts)


def require_unlocked(report: FileReport) -> None:
    """Let everything pass but a locked file; raises DiscussionLockedError."""
    if report.state is FileState.LOCKED:
        require_readable(report)


def require_database(store: VectorStore) -> None:
    """Let a database pass whose memories can be read, or that is not there.

    Raises as `require_readable`; a file that is no working database raises DamagedFileError.
    """
    require_readable(store.report)
    if store.state is DatabaseState.UNREADABLE:
        raise _broken(store, "is no database that can be read")


def require_index(store: VectorStore) -> None:
    """As `require_database`, and keywords can be searched for; raises DamagedFileError when the index is broken."""
    require_database(store)
    if store.state is DatabaseState.INDEX_BROKEN:
        raise _broken(store, "has a broken search index; search with mode=exact-text, or rebuild the index")


def _broken(store: VectorStore, what: str) -> DamagedFileError:
    file = store.report.path.name
    sentence = store.problem or f"{file} {what}."
    return DamagedFileError(
        sentence, file=file, artefact=store.report.artefact.value, state=store.state.value, line=None, column=None
    )
