"""Rebuilds the sample in place, or below a folder named on the command line."""

from __future__ import annotations

import sys
from pathlib import Path

from sample.build.workspace import SAMPLE_ROOT, build_workspace

if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLE_ROOT
    for written in build_workspace(target):
        sys.stdout.write(f"{written.relative_to(target)}\n")
