"""The health checks of one discussion: what was looked at, what was found, what to do. Each trap has its check."""

from __future__ import annotations

from collections.abc import Iterable

from memory.engine.health_database import database_checks
from memory.engine.health_facts import HealthFacts
from memory.engine.health_files import file_checks
from memory.engine.health_links import link_checks
from memory.results import HealthCheck, HealthLevel

_RANKS = {HealthLevel.OK: 0, HealthLevel.WARNING: 1, HealthLevel.ERROR: 2}


def check_health(facts: HealthFacts) -> tuple[HealthCheck, ...]:
    """Every check, the clean ones too, worst first."""
    checks = [*file_checks(facts), *link_checks(facts), *database_checks(facts.database)]
    return tuple(sorted(checks, key=lambda check: -rank_of(check.level)))


def worst_level(checks: Iterable[HealthCheck]) -> HealthLevel:
    """The worst level of some checks; OK when there are none."""
    return max((check.level for check in checks), key=rank_of, default=HealthLevel.OK)


def rank_of(level: HealthLevel) -> int:
    """0 all well, 1 warning, 2 error: for sorting, and the exit status of `doctor`."""
    return _RANKS[level]


def level_of(rank: int) -> HealthLevel:
    """The reverse of `rank_of`."""
    return next(level for level, known in _RANKS.items() if known == rank)
