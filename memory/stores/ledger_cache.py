"""List files that were read before and are still the same on disk, for those who only look.

A turn of a conversation asks for the ledger each time and seldom finds it changed; parsing thousands of entries again
would make turns dearer as the history grows. Nothing decrypted is kept.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from memory.stores.contents import Access
from memory.stores.layouts import Place
from memory.stores.ledger import read_list_file
from memory.types import FileState, ListFile

MAX_BYTES = 64 * 1024 * 1024
"""How large all kept files may be together, on disk."""

SETTLED_NS = 2_000_000_000
"""A file changed more recently may change again within one tick of its clock, unseen, and is not kept."""


@dataclass(frozen=True, slots=True)
class _Stamp:
    """What tells one version of a file from the next. The time of the last change cannot be set from outside."""

    device: int
    inode: int
    size_bytes: int
    modified_ns: int
    changed_ns: int


class LedgerCache:
    """List files by path and version. Safe to share between threads."""

    def __init__(self, clock: Callable[[], int] = time.time_ns) -> None:
        self._clock = clock
        self._kept: OrderedDict[Place, tuple[_Stamp, ListFile]] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, place: Place, access: Access) -> ListFile:
        """The file as it is, read only if it is not the version that was read last. Raises nothing."""
        stamp = self._find_stamp(place)
        kept = self._find(place, stamp)
        if kept and stamp and stamp.size_bytes <= access.limit_bytes:
            return kept
        ledger = read_list_file(place, access)
        if stamp and stamp == self._find_stamp(place) and _is_plain(ledger):
            self._keep(place, stamp, ledger)
        return ledger

    def _find_stamp(self, place: Place) -> _Stamp | None:
        """The version of a file that has settled; None for all others."""
        try:
            found = place.path.stat()
        except (OSError, ValueError):
            return None
        if self._clock() - max(found.st_mtime_ns, found.st_ctime_ns) < SETTLED_NS:
            return None
        return _Stamp(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)

    def _find(self, place: Place, stamp: _Stamp | None) -> ListFile | None:
        with self._lock:
            known, ledger = self._kept.get(place, (None, None))
            if stamp is None or known != stamp:
                return None
            self._kept.move_to_end(place)
            return ledger

    def _keep(self, place: Place, stamp: _Stamp, ledger: ListFile) -> None:
        with self._lock:
            self._kept[place] = stamp, ledger
            self._kept.move_to_end(place)
            while sum(known.size_bytes for known, _ in self._kept.values()) > MAX_BYTES:
                self._kept.popitem(last=False)


LEDGERS = LedgerCache()
"""What this process keeps."""


def _is_plain(ledger: ListFile) -> bool:
    return ledger.report.state is FileState.PRESENT and not ledger.report.is_encrypted
