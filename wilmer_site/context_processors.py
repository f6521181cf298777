"""What the frame around every page shows."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.module_loading import import_string

_PLACES = (
    ("Discussions", "messages", "memory:discussion-list"),
    ("Search", "search", "memory:search"),
    ("Workflows", "route", "workflows:workflow-list"),
    ("Configs", "adjustments", "workflows:config-list"),
    ("Jobs", "stack-2", "memory:job-list"),
    ("Problems", "health-recognition", "memory:problem-list"),
)
"""Label, icon, URL name. A place that is not mounted is not shown."""


_COUNTS = {"memory:job-list": "memory.queries.jobs.count_open_jobs"}
"""Who counts what waits at a place."""


@dataclass(frozen=True, slots=True)
class NavItem:
    """One entry of the bar on top."""

    label: str
    icon: str
    url: str
    is_current: bool
    count: Callable[[], int] = lambda: 0
    """How many things wait there; asked only where it is shown."""


@dataclass(frozen=True, slots=True)
class Shell:
    """The frame: where one can go, and which folder is open."""

    places: tuple[NavItem, ...]
    public_folder: str
    is_sample: bool
    is_read_only: bool
    search_url: str


def shell(request: HttpRequest) -> dict[str, Shell]:
    """Give `shell` to every template."""
    return {
        "shell": Shell(
            places=_places(request.path),
            public_folder=_short(settings.WILMER_PUBLIC_DIR),
            is_sample=settings.WILMER_IS_SAMPLE,
            is_read_only=settings.WILMER_READ_ONLY,
            search_url=_find_url("memory:search"),
        )
    }


def _places(path: str) -> tuple[NavItem, ...]:
    found = ((label, icon, _find_url(name), _COUNTS.get(name)) for label, icon, name in _PLACES)
    return tuple(
        NavItem(label, icon, url, path.startswith(url), *([_build_count(source)] if source else []))
        for label, icon, url, source in found
        if url
    )


def _build_count(source: str) -> Callable[[], int]:
    """Counts at most once for a page."""

    @functools.cache
    def count() -> int:
        return int(import_string(source)())

    return count


def _find_url(name: str) -> str:
    try:
        return reverse(name)
    except NoReverseMatch:
        return ""


def _short(folder: Path) -> str:
    """The folder as people write it, with ~ for their home."""
    home = Path.home()
    return f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) and folder != home else str(folder)
