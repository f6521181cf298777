"""The recorded cases, one pytest parameter each.

`WILMER_CONFORMANCE_DIR` names another folder with the same file names, so that other vectors can be run.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest

_OWN = Path(__file__).resolve().parent / "vectors"


@cache
def load(family: str, name: str) -> dict[str, Any]:
    """One vector file: `load("memory", "tokens")`."""
    root = Path(os.environ.get("WILMER_CONFORMANCE_DIR") or _OWN)
    for path in (root / family / f"{name}.json", root / f"{name}.json"):
        if path.is_file():
            return json.loads(path.read_text(encoding="utf-8"))
    raise FileNotFoundError(f"{root} has neither {family}/{name}.json nor {name}.json")


def cases(family: str, name: str, kind: str | None = None) -> list[Any]:
    """The cases of a file as parameters whose id is the case's name; with `kind`, only those of `input.kind`."""
    return [
        pytest.param(case, id=case["name"])
        for case in load(family, name)["cases"]
        if kind is None or case["input"].get("kind") == kind
    ]
