"""What a fresh checkout needs before it can serve, done once and checked cheaply afterwards."""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command

_IGNORED = ["CVS", ".*", "*~", "*.map", "build", "htmax-4*", "*-4.js", "*-4.min.js"]
"""What no page asks for: source maps, our build folder, the htmx that we do not use."""

_SAMPLE_SOURCE = settings.BASE_DIR / "sample" / "Public"


def copy_sample(source: Path = _SAMPLE_SOURCE, target: Path = settings.WILMER_SAMPLE_DIR) -> bool:
    """Give the reader an own copy of the sample workspace, whole or not at all; False when there is one already."""
    if target.exists():
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".sample-") as folder:
        copy = Path(folder) / "Public"
        if source.is_dir():
            shutil.copytree(source, copy)
        else:
            (copy / "DiscussionIds").mkdir(parents=True)
        copy.rename(target)
    return True


def collect_static() -> bool:
    """Collect the static files when one of them has changed; False when nothing had."""
    stamp = settings.WILMER_STATE_DIR / "static-stamp"
    current = _fingerprint(_static_sources())
    manifest = settings.STATIC_ROOT / "staticfiles.json"
    if manifest.exists() and stamp.exists() and stamp.read_text(encoding="ascii") == current:
        return False
    call_command("collectstatic", interactive=False, clear=True, verbosity=0, ignore_patterns=list(_IGNORED))
    stamp.write_text(current, encoding="ascii")
    return True


def _static_sources() -> Iterable[Path]:
    for finder in get_finders():
        for name, storage in finder.list(ignore_patterns=_IGNORED):
            yield Path(storage.path(name))


def _fingerprint(files: Iterable[Path]) -> str:
    """Changes when a file is added, removed, or has another size or time."""
    digest = hashlib.sha256()
    for file in sorted(files):
        facts = file.stat()
        digest.update(f"{file}|{facts.st_size}|{facts.st_mtime_ns}\n".encode())
    return digest.hexdigest()
