"""Checks of one discussion, and the problems of all."""

from __future__ import annotations

from collections.abc import Iterator

from memory.catalogue.facts import gather_facts
from memory.catalogue.refresh import refresh_catalogue
from memory.catalogue.rows import check_of
from memory.engine.health import check_health
from memory.engine.health_root import check_root
from memory.errors import DiscussionNotFoundError
from memory.models import CatalogueProblem
from memory.results import ApiKeys, HealthCheck
from memory.stores.folder_facts import read_root_facts
from memory.types import DiscussionRef
from memory.wiring import get_discussion_folders, get_public_folder, open_discussion
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.paging import Page, PageRequest


def list_checks(ref: DiscussionRef, keys: ApiKeys) -> tuple[HealthCheck, ...]:
    """Every check of one discussion, clean ones too, worst first; read from disk. Raises DiscussionNotFoundError."""
    return check_health(gather_facts(open_discussion(ref, keys), get_public_folder()))


def list_problems(page: PageRequest) -> Page[tuple[DiscussionRef, HealthCheck]]:
    """One page of the problems of all discussions, errors first, as of the last look at their files.

    What is inside encrypted files is not checked here.
    """
    refresh_catalogue()
    rows = CatalogueProblem.objects.select_related("entry").order_by("-rank", "-pk")
    shown = [
        (DiscussionRef.parse(problem.entry.ref), check_of(problem))
        for problem in rows[page.offset : page.offset + page.size]
    ]
    return Page(shown, CatalogueProblem.objects.count(), page.number, page.size)


def iterate_checks() -> Iterator[tuple[DiscussionRef, tuple[HealthCheck, ...]]]:
    """Every discussion in the order of its name with all its checks, read from disk; the catalogue is not used."""
    folders, folder = get_discussion_folders(), get_public_folder()
    for ref in sorted(folders.scan(), key=lambda ref: ref.text):
        try:
            discussion = open_discussion(ref, folders=folders)
        except DiscussionNotFoundError:
            continue  # deleted since the scan
        yield ref, check_health(gather_facts(discussion, folder))


def check_discussions_folder() -> tuple[HealthCheck, ...]:
    """Checks of the discussions folder as a whole: whether it can be listed, and what was left behind in it."""
    return check_root(read_root_facts(get_public_folder().discussions_root, now=utc_now()))
