"""Pages of docs/ whose code is run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent.parent / "docs"


def list_blocks(page: str, language: str) -> list[str]:
    """The code blocks of one language, in order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def run_code(page: str, imports: str, **names: Any) -> dict[str, Any]:
    """What the Python blocks of a page define, run behind `imports`."""
    written: dict[str, Any] = dict(names)
    code = "\n".join(["from __future__ import annotations", imports, *list_blocks(page, "python")])
    exec(compile(code, page, "exec"), written)
    return written
