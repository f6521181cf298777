"""`python -m benchmarks [name …]`: print tables, write benchmarks/results/<name>.json."""

from __future__ import annotations

import importlib
import json
import os
import platform
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks import Table

FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER / "results"


def main(names: Sequence[str]) -> int:
    """Run one benchmark here, several in a process each; the number of those that failed."""
    known = list_names()
    unknown = sorted(set(names) - set(known))
    if unknown:
        print(f"There is no benchmark {', '.join(unknown)}. There are: {', '.join(known)}.", file=sys.stderr)
        return 2
    if len(names) == 1:
        run(names[0])
        return 0
    commands = [[sys.executable, "-m", "benchmarks", name] for name in names or known]
    return sum(subprocess.run(command, cwd=FOLDER.parent, check=False).returncode != 0 for command in commands)


def list_names() -> list[str]:
    """Every module of this package that has a `measure` function."""
    modules = sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("_"))
    return [name for name in modules if "\ndef measure(" in (FOLDER / f"{name}.py").read_text(encoding="utf-8")]


def run(name: str) -> None:
    """Measure, print, write."""
    table: Table = importlib.import_module(f"benchmarks.{name}").measure()
    print_table(table)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"{name}.json").write_text(json.dumps(describe(table), indent=2) + "\n", encoding="utf-8")


def print_table(table: Table) -> None:
    """Columns as wide as their widest cell, numbers to the right."""
    columns = list(dict.fromkeys(column for row in table.rows for column in row))
    lines = [columns, *([_text(row.get(column, "")) for column in columns] for row in table.rows)]
    widths = [max(len(line[place]) for line in lines) for place in range(len(columns))]
    print(f"\n{table.title}\n{table.setup}\n")
    for line in lines:
        first, *rest = (
            cell.ljust(width) if not place else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(line, widths, strict=True))
        )
        print("  ".join([first, *rest]))


def describe(table: Table) -> dict[str, object]:
    """The table with what one must know to compare it with another."""
    machine = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version, "cpus": os.cpu_count()}
    when = datetime.now(UTC).isoformat(timespec="seconds")
    rows = [dict(row) for row in table.rows]
    return {"title": table.title, "setup": table.setup, "when": when, "machine": machine, "rows": rows}


def _text(cell: object) -> str:
    return f"{cell:,.2f}" if isinstance(cell, float) else f"{cell:,}" if isinstance(cell, int) else str(cell)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
