"""`manage.py lint_configs`: say what is wrong with the config files."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.schema import build_schema
from workflows_app.queries.linting import find_config_root, lint_folder, list_paths, list_user_names
from workflows_app.results import Problem, Severity

USAGE = 2
"""Exit status when it was asked for something that is not there."""
_LEVELS = [str(severity) for severity in Severity]


class Command(BaseCommand):
    """Prints one line a problem; exits with 1 when there is an error, with 2 when nothing could be checked."""

    help = (
        "Check the config files below Public/Configs by the rules that WilmerAI follows. PATH is a file or folder "
        "below Configs; without one everything is checked. The exit status is 1 when there is any error, 2 when "
        "nothing could be checked."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("paths", nargs="*", metavar="PATH", help="such as Workflows/ann or Users/ann.json")
        parser.add_argument("--user", default="", help="only what this WilmerAI user reaches")
        parser.add_argument("--configs", default="", metavar="DIR", help="another Configs folder than the open one")
        parser.add_argument("--level", default="hint", choices=_LEVELS, help="leave out what is less severe")
        parser.add_argument("--json", action="store_true", help="print the problems as JSON")
        parser.add_argument("--schema", default="", metavar="KIND", help="print the JSON Schema of a kind, and stop")

    def handle(self, *args: object, **options: Any) -> None:
        if options["schema"]:
            self._print_schema(options["schema"])
            return
        problems = self._find(options)
        shown = [problem for problem in problems if problem.severity.rank <= _LEVELS.index(options["level"])]
        if options["json"]:
            self.stdout.write(json.dumps(_as_json(shown), indent=2, ensure_ascii=False))
        else:
            self._print(shown)
        if any(problem.severity is Severity.ERROR for problem in problems):
            sys.exit(1)

    def _find(self, options: dict[str, Any]) -> list[Problem]:
        root = Path(options["configs"]) if options["configs"] else find_config_root()
        if not root.is_dir():
            raise CommandError(f"There is no folder {root}.", returncode=USAGE)
        user = options["user"]
        if user and user.lower() not in (name.lower() for name in list_user_names(root)):
            raise CommandError(f"There is no user {user!r} in {root}.", returncode=USAGE)
        wanted = [_below(root, path) for path in options["paths"]]
        known = list_paths(root)
        for path in wanted:
            if not any(_is_within(each, path) for each in known):
                raise CommandError(f"There is no config file {path!r} below {root}.", returncode=USAGE)
        found = lint_folder(root, user or None)
        return [p for p in found if not wanted or any(_is_within(p.path, path) for path in wanted)]

    def _print(self, problems: Sequence[Problem]) -> None:
        for problem in problems:
            where = f"{problem.path}:{problem.line}:{problem.column}"
            mend = f" {problem.mend}" if problem.mend else ""
            self.stdout.write(f"{where}: {problem.severity} {problem.code}: {problem.message}{mend}")
        counts = Counter(problem.severity for problem in problems)
        self.stderr.write(", ".join(_counted(counts[severity], severity) for severity in Severity) + ".")

    def _print_schema(self, kind: str) -> None:
        if kind not in list(ConfigKind):
            raise CommandError(f"There is no kind {kind!r}; use one of {', '.join(ConfigKind)}.", returncode=USAGE)
        self.stdout.write(json.dumps(build_schema(ConfigKind(kind)), indent=2, ensure_ascii=False))


def _counted(count: int, severity: Severity) -> str:
    return f"{count:,} {severity}{'' if count == 1 else 's'}"


def _below(root: Path, path: str) -> str:
    """A path as a person may write it, below `Configs`."""
    given = Path(path)
    if given.is_absolute() and given.is_relative_to(root):
        path = given.relative_to(root).as_posix()
    return path.strip("/").removeprefix("Configs/")


def _is_within(path: str, wanted: str) -> bool:
    return path in (wanted, f"{wanted}.json") or path.startswith(f"{wanted}/")


def _as_json(problems: Sequence[Problem]) -> dict[str, Any]:
    counts = Counter(str(problem.severity) for problem in problems)
    return {
        "problems": [asdict(problem) for problem in problems],
        "counts": {str(severity): counts[str(severity)] for severity in Severity},
    }
