"""`manage.py doctor`: check every discussion of the public folder, from disk."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from memory.queries.health import check_discussions_folder, iterate_checks, list_checks
from memory.results import HealthCheck, HealthLevel
from memory.services.repairs import Repairer, may_repair, repair
from memory.types import DiscussionRef
from wilmer_site.lib.errors import WilmerError

NOT_CHECKED = 3
"""Exit status when the checks could not be made at all."""

_STATUS = {HealthLevel.OK: 0, HealthLevel.WARNING: 1, HealthLevel.ERROR: 2}


class Command(BaseCommand):
    """Prints what is wrong with the discussions and how to mend it; with --fix it mends one kind of finding."""

    help = (
        "Check every discussion of the public folder and say what is wrong and what to do about it. Changes nothing "
        "without --fix. "
        "Exit status: 0 all is well, 1 there are warnings, 2 there are errors, 3 the checks could not be made. "
        "With --verbosity 2 the checks that found nothing are printed, too."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        parser.add_argument("--discussion", metavar="ID", help="check only this discussion: its id, or keyhash:id")

        parser.add_argument("--fix", metavar="CODE", help="mend every finding of this check, where that is safe")
        parser.add_argument("--chunk", type=int, help="the newest chunk that a lost link shall name; 0 for none")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            if options["fix"]:
                self._fix(options["fix"], options["discussion"], options["chunk"])
            findings = list(_gather(options["discussion"]))
        except WilmerError as error:
            raise CommandError(error.message, returncode=NOT_CHECKED) from None
        shown = [
            finding for finding in findings if options["verbosity"] > 1 or finding.check.level is not HealthLevel.OK
        ]
        discussions = len({finding.discussion for finding in findings} - {""})
        write = _format_json if options["json"] else _format_table
        self.stdout.write(write(shown, discussions))
        sys.exit(max((_STATUS[finding.check.level] for finding in findings), default=0))

    def _fix(self, code: str, discussion: str | None, chunk: int | None) -> None:
        found = [item for item in _gather(discussion) if item.check.code == code and may_repair(item.check)]
        for item in found:
            if item.discussion:
                repaired = repair(Repairer(DiscussionRef.parse(item.discussion), "doctor", chunk=chunk), code)
                self.stdout.write(f"{'mended':<8} {item.discussion:<32} {code:<26} {repaired.action}.")


@dataclass(frozen=True, slots=True)
class _Finding:
    discussion: str
    """Empty for the folder as a whole."""
    check: HealthCheck


def _gather(discussion: str | None) -> Iterator[_Finding]:
    if discussion is not None:
        ref = DiscussionRef.parse(discussion)
        yield from (_Finding(ref.text, check) for check in list_checks(ref, {}))
        return
    yield from (_Finding("", check) for check in check_discussions_folder())
    for ref, checks in iterate_checks():
        yield from (_Finding(ref.text, check) for check in checks)


def _format_json(findings: Iterable[_Finding], discussions: int) -> str:
    rows = [{"discussion": finding.discussion, **asdict(finding.check)} for finding in findings]
    return json.dumps({"discussions": discussions, "findings": rows}, indent=2)


def _format_table(findings: list[_Finding], discussions: int) -> str:
    counts = {level: sum(finding.check.level is level for finding in findings) for level in HealthLevel}
    lines = [line for finding in findings for line in _format_finding(finding)]
    total = f"{discussions} checked: {counts[HealthLevel.ERROR]} errors, {counts[HealthLevel.WARNING]} warnings."
    return "\n".join([*lines, total])


def _format_finding(finding: _Finding) -> Iterator[str]:
    check = finding.check
    yield f"{check.level.value:<8} {finding.discussion or '(folder)':<32} {check.code:<26} {check.evidence}"
    if check.advice:
        yield f"{'':<8} {'':<32} {'':<26} → {check.advice}"
