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
from memory.services.permission import require_changes_allowed
from memory.services.repairs import Repairer, find_repair, list_repairable, may_repair, repair
from memory.types import DiscussionRef
from wilmer_site.lib.errors import InvalidError, WilmerError

ALL = "all"
NOT_CHECKED = 3
"""Exit status when the checks could not be made at all."""

_STATUS = {HealthLevel.OK: 0, HealthLevel.WARNING: 1, HealthLevel.ERROR: 2}


class Command(BaseCommand):
    """Prints what is wrong with the discussions and how to mend it; with --fix it mends what is safe to mend."""

    help = (
        "Check every discussion of the public folder and say what is wrong and what to do about it. Changes nothing "
        "without --fix; what --fix changes is kept in the history and can be taken back. "
        "Exit status: 0 all is well, 1 there are warnings, 2 there are errors, 3 the checks could not be made. "
        "With --verbosity 2 the checks that found nothing are printed, too."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
        parser.add_argument("--discussion", metavar="ID", help="check only this discussion: its id, or keyhash:id")
        parser.add_argument(
            "--fix",
            metavar="CODE",
            nargs="?",
            const=ALL,
            help="mend the findings of this check; without CODE all safe ones",
        )
        parser.add_argument("--dry-run", action="store_true", help="with --fix: only tell what would be done")
        parser.add_argument("--chunk", type=int, help="the newest chunk that a lost link shall name; 0 for none")

    def handle(self, *args: object, **options: Any) -> None:
        try:
            mended = _fix(options) if options["fix"] else []
            findings = list(_gather(options["discussion"]))
        except WilmerError as error:
            raise CommandError(error.message, returncode=NOT_CHECKED) from None
        shown = [
            finding for finding in findings if options["verbosity"] > 1 or finding.check.level is not HealthLevel.OK
        ]
        discussions = len({finding.discussion for finding in findings} - {""})
        if options["json"]:
            self.stdout.write(_format_json(shown, discussions, mended))
        else:
            self.stdout.write("\n".join([*(item.format() for item in mended), _format_table(shown, discussions)]))
        sys.exit(max((_STATUS[finding.check.level] for finding in findings), default=0))


@dataclass(frozen=True, slots=True)
class _Mended:
    """What became of one finding."""

    outcome: str
    """`mended`, `would` be, or `left`."""
    discussion: str
    check: str
    text: str

    def format(self) -> str:
        """As a line of the table."""
        return f"{self.outcome:<8} {self.discussion:<32} {self.check:<26} {self.text}"


@dataclass(frozen=True, slots=True)
class _Finding:
    discussion: str
    """Empty for the folder as a whole."""
    check: HealthCheck


def _fix(options: dict[str, Any]) -> list[_Mended]:
    """Mend one finding after the other; one that cannot be mended is told with the reason."""
    wanted = list_repairable() if options["fix"] == ALL else (options["fix"],)
    if not set(wanted) <= set(list_repairable()):
        raise InvalidError(f"{wanted[0]!r} is no check with a repair. Those are: {', '.join(list_repairable())}.")
    if not options["dry_run"]:
        require_changes_allowed()
    found = [item for item in _gather(options["discussion"]) if item.discussion and may_repair(item.check)]
    return [_mend(item, options) for item in found if item.check.code in wanted]


def _mend(item: _Finding, options: dict[str, Any]) -> _Mended:
    repairer, code = Repairer(DiscussionRef.parse(item.discussion), "doctor", chunk=options["chunk"]), item.check.code
    plan = find_repair(repairer, code)
    if plan is None:  # A repair before this one mended it, too.
        return _Mended("mended", item.discussion, code, "Mended together with another finding.")
    if plan.problem or (plan.asks_for_chunk and options["chunk"] is None):
        return _Mended("left", item.discussion, code, plan.problem or "Say which chunk the link shall name: --chunk.")
    if options["dry_run"]:
        told = (plan.explanation, *plan.steps, *(follows.text for follows in plan.radius.consequences))
        return _Mended("would", item.discussion, code, " ".join(told))
    try:
        return _Mended("mended", item.discussion, code, f"{repair(repairer, code).action}.")
    except WilmerError as error:
        return _Mended("left", item.discussion, code, error.message)


def _gather(discussion: str | None) -> Iterator[_Finding]:
    if discussion is not None:
        ref = DiscussionRef.parse(discussion)
        yield from (_Finding(ref.text, check) for check in list_checks(ref, {}))
        return
    yield from (_Finding("", check) for check in check_discussions_folder())
    for ref, checks in iterate_checks():
        yield from (_Finding(ref.text, check) for check in checks)


def _format_json(findings: Iterable[_Finding], discussions: int, mended: Iterable[_Mended]) -> str:
    rows = [{"discussion": finding.discussion, **asdict(finding.check)} for finding in findings]
    repairs = [asdict(item) for item in mended]
    return json.dumps({"discussions": discussions, "findings": rows, "repairs": repairs}, indent=2)


def _format_table(findings: list[_Finding], discussions: int) -> str:
    counts = {level: sum(finding.check.level is level for finding in findings) for level in HealthLevel}
    lines = [line for finding in findings for line in _format_finding(finding)]
    total = f"{discussions} checked: {counts[HealthLevel.ERROR]} errors, {counts[HealthLevel.WARNING]} warnings."
    return "\n".join([*lines, total])


def _format_finding(finding: _Finding) -> Iterator[str]:
    check = finding.check
    evidence = " ".join(check.evidence.split())
    yield f"{check.level.value:<8} {finding.discussion or '(folder)':<32} {check.code:<26} {evidence}"
    if check.advice:
        yield f"{'':<8} {'':<32} {'':<26} → {check.advice}"
