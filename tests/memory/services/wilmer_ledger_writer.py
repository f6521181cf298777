"""A program that appends chunks as WilmerAI does: `python -m tests.memory.services.wilmer_ledger_writer FILE TEXT`.

It knows no lock of the console, reads the whole file and renames a temp file over it (memory.md §3.7, §10.4).
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path


def main(path: Path, text: str) -> None:
    """Append one chunk that ends with a message of the same text."""
    entries = json.loads(path.read_text("utf-8"))
    entries.append({"text_block": text, "hash": hashlib.sha256(text.encode()).hexdigest()})
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        json.dump(entries, stream, indent=4)
        stream.flush()
        os.fsync(stream.fileno())
    Path(name).replace(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
