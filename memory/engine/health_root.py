"""Health checks of the discussions folder as a whole."""

from __future__ import annotations

from memory.engine.health_facts import RootFacts
from memory.engine.health_files import case_check, finding, leftover_check
from memory.results import HealthCheck, HealthLevel


def check_root(facts: RootFacts) -> tuple[HealthCheck, ...]:
    """Whether it can be listed, and what lies about in it."""
    title = "Discussions folder can be listed"
    advice = "Give the user that runs the console read access, or name another folder in WILMER_DISCUSSIONS_DIR."
    unlisted = [f"{facts.path}: {facts.problem}"] if facts.problem else []
    return (
        finding(HealthCheck("folder-unreadable", HealthLevel.ERROR, title, "", advice), unlisted),
        leftover_check(facts.leftovers),
        case_check(facts.case_variants),
    )
