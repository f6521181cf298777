"""The state document and its backup: plain text (memory.md §17)."""

from __future__ import annotations

from memory.stores.contents import Access, Content, bytes_of, check_usable, check_version, read_content, write_content
from memory.stores.encryption import encrypt
from memory.stores.layouts import Place
from memory.types import FileState, TextFile
from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.files import write_atomic


def read_text_file(place: Place, access: Access) -> TextFile:
    """A text file as it is; its text is empty unless it could be read. A blank text is given as it is."""
    content = read_content(place, access)
    is_read = content.report.state in {FileState.PRESENT, FileState.EMPTY}
    return TextFile(content.report, content.text if is_read else "")


def write_text_file(
    place: Place,
    access: Access,
    text: str,
    *,
    backup: Place | None = None,
    expected_etag: str | None = None,
) -> str:
    """Replace a text file and return its new ETag; its old bytes first go to `backup`, if there are any.

    The backup is encrypted whenever the new file is (W25). If it cannot be written, nothing is. Raises what
    `write_content` raises, and InvalidError for text that is not Unicode.
    """
    _check_unicode(text)
    content = read_content(place, access)
    check_usable(content.report)
    if expected_etag is not None:
        check_version(content.report, expected_etag)
    if backup is not None and content.report.state is not FileState.ABSENT:
        _write_backup(backup, access, content)
    return write_content(content, text, access, expected_etag=expected_etag)


def _write_backup(backup: Place, access: Access, content: Content) -> None:
    old = read_content(backup, access)
    check_usable(old.report)
    new_key = None if content.fernet_key else access.new_key
    data = encrypt(content.data, new_key) if new_key else content.data
    with access.journal.recording(backup.artefact, bytes_of(old), data):
        write_atomic(backup.path.resolve(), data)


def _check_unicode(text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidError(
            f"The text has half of a surrogate pair at character {error.start}; remove it and save again."
        ) from None
