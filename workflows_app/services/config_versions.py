"""Every content that a config file had: kept before each write, and when somebody else's write is noticed."""

from __future__ import annotations

import zlib

from django.db.models import Max, QuerySet

from wilmer_site.lib.clock import utc_now
from workflows_app import wiring
from workflows_app.errors import ConfigVersionNotFoundError
from workflows_app.models import ConfigVersion
from workflows_app.results import ConfigVersionCard
from workflows_app.stores.config_writes import decode, version_of

OUTSIDE = "another program"
FOUND = "as found"
"""The author of a file's first version that the console did not write: nobody knows who did."""
MAX_NAME = 200


def list_versions(path: str, *, limit: int = 200) -> tuple[ConfigVersionCard, ...]:
    """The kept versions of a file, the newest first; a change made outside since the last one is kept first."""
    notice_outside(path)
    current = _find_current(path)
    rows = _rows(path).defer("data").order_by("-number")[:limit]
    return tuple(_card(row, current) for row in rows)


def has_versions(path: str) -> bool:
    """Whether anything is kept of a file."""
    return _rows(path).exists()


def get_version(path: str, number: int) -> ConfigVersionCard:
    """One version with its text, secrets included. Raises ConfigVersionNotFoundError."""
    row = _get(path, number)
    data = read_data(row)
    return _card(row, _find_current(path), text=None if data is None else decode(data)[0])


def name_version(path: str, number: int, name: str) -> ConfigVersionCard:
    """Give a version a name, or take its name away with an empty one."""
    wiring.check_may_write()
    row = _get(path, number)
    row.name = _storable(name)[:MAX_NAME]
    row.save(update_fields=["name"])
    return get_version(path, number)


def notice_outside(path: str) -> None:
    """Keep what another program wrote, if the newest version of a file is no longer what is on disk."""
    tree = wiring.get_config_writer()
    newest = _rows(path).defer("data").order_by("-number").first()
    if newest is None or newest.digest == version_of(tree.find(path)) or wiring.is_read_only():
        return
    with tree.lock():
        keep_as_found(path, tree.find(path))


def keep_opened(path: str) -> None:
    """Keep what a person is about to edit, so that later changes by others can be told from theirs."""
    tree = wiring.get_config_writer()
    data = tree.find(path)
    newest = _rows(path).defer("data").order_by("-number").first()
    if data is None or wiring.is_read_only() or (newest and newest.digest == version_of(data)):
        return
    with tree.lock():
        keep_as_found(path, tree.find(path))


def keep_as_found(path: str, data: bytes | None) -> None:
    """Keep a content that this console did not write, unless it is the newest version. The caller holds the lock."""
    newest = _rows(path).defer("data").order_by("-number").first()
    if newest.digest != version_of(data) if newest else data is not None:
        add_version(path, data, author=OUTSIDE if newest else FOUND, is_outside=True)


def add_version(path: str, data: bytes | None, *, author: str, note: str = "", is_outside: bool = False) -> int:
    """Keep a content as the newest version and give its number. The caller holds the lock."""
    number = _last_number(path) + 1
    ConfigVersion.objects.create(
        root=_root(),
        path=path,
        number=number,
        digest=version_of(data),
        data=None if data is None else zlib.compress(data, 6),
        author=author,
        note=_storable(note),
        is_outside=is_outside,
        created_at=utc_now(),
    )
    return number


def move_versions(path: str, to: str) -> None:
    """Let the versions of a file follow it to its new path, behind those that another file had there."""
    shift = _last_number(to)
    for row in _rows(path).defer("data").order_by("-number"):
        row.path, row.number = to, row.number + shift
        row.save(update_fields=["path", "number"])


def read_data(row: ConfigVersion) -> bytes | None:
    """The bytes of a version; None when the file was deleted in it."""
    return None if row.data is None else zlib.decompress(bytes(row.data))


def find_content(path: str, etag: str) -> bytes | None:
    """The bytes that a file had under this ETag; None when they were not kept."""
    row = _rows(path).filter(digest=etag).exclude(digest="").first()
    return read_data(row) if row else None


def get_content(path: str, number: int) -> bytes | None:
    """The bytes of one version. Raises ConfigVersionNotFoundError."""
    return read_data(_get(path, number))


def _rows(path: str) -> QuerySet[ConfigVersion]:
    return ConfigVersion.objects.filter(root=_root(), path=path)


def _get(path: str, number: int) -> ConfigVersion:
    row = _rows(path).filter(number=number).first()
    if row is None:
        raise ConfigVersionNotFoundError(f"No version {number} of {path} is kept.", path=path, version=number)
    return row


def _storable(words: str) -> str:
    """The words without NUL, which PostgreSQL refuses."""
    return words.replace("\x00", "").strip()


def _last_number(path: str) -> int:
    return _rows(path).aggregate(last=Max("number"))["last"] or 0


def _root() -> str:
    return str(wiring.get_config_writer().root.resolve())


def _find_current(path: str) -> int:
    """The number of the newest version that has the bytes on disk; 0 for none."""
    digest = version_of(wiring.get_config_writer().find(path))
    rows = _rows(path).filter(digest=digest).exclude(digest="")
    return rows.aggregate(last=Max("number"))["last"] or 0


def _card(row: ConfigVersion, current: int, *, text: str | None = None) -> ConfigVersionCard:
    return ConfigVersionCard(
        path=row.path,
        number=row.number,
        digest=row.digest,
        author=row.author,
        is_outside=row.is_outside,
        name=row.name,
        note=row.note,
        created_at=row.created_at,
        is_deletion=not row.digest,
        is_current=row.number == current,
        text=text,
    )
