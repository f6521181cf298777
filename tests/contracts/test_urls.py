"""What every page of the project promises: a name, an answer, and no action by GET."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from memory import wiring
from memory.engine.regeneration import DraftSpec, Found, Kind, RegenerationRequest
from memory.journal.authorship import writing_as
from memory.models import Draft, Job, Revision
from memory.services.jobs import NewJob, create_job
from memory.types import DiscussionRef, Entry
from tests.builders import build_discussion

SOME_BATCH = uuid.UUID(int=1)
SAMPLES = {
    "RefConverter": "anna",
    "UUIDConverter": SOME_BATCH,
    "ArtefactConverter": "memories",
    "NumberConverter": 1,
    "IntConverter": 1,
}
ACTIONS = (
    *("-create", "-delete", "-lock", "-forget", "-password", "-cancel", "-rerun", "-pin", "sign-out", "-undo"),
    *("config-change", "config-look", "config-save", "config-dry-run", "config-restore", "config-version-name"),
    *("-resume", "-retry", "-accept", "-reject", "-keep", "-apply", "draft-compare"),
)
"""Ends of the names of URLs that only change something."""


def list_pages(
    resolver: URLResolver, namespace: str = "", converters: dict[str, object] | None = None
) -> Iterator[pytest.param]:
    """Every URL outside the API with its name and the values it needs."""
    for entry in resolver.url_patterns:
        needed = {**(converters or {}), **getattr(entry.pattern, "converters", {})}
        if isinstance(entry, URLResolver) and entry.app_name != "ninja":
            yield from list_pages(entry, f"{entry.namespace}:" if entry.namespace else namespace, needed)
        elif isinstance(entry, URLPattern):
            values = {name: SAMPLES.get(type(kind).__name__, "x") for name, kind in needed.items()}
            yield pytest.param(f"{namespace}{entry.name}", values, id=f"{namespace}{entry.name}")


PAGES = list(list_pages(get_resolver()))
each = pytest.mark.parametrize(("name", "values"), PAGES)


@pytest.fixture
def reader(public: Path, db: None) -> Client:
    """A browser of an administrator, with one discussion in the folder."""
    ref = build_discussion(public, "anna")
    keep_one_write(ref)
    keep_one_job(ref)
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.create(username="admin", is_staff=True, is_superuser=True))
    return client


def keep_one_write(ref: DiscussionRef) -> None:
    """A history of one write, under the numbers that the addresses name."""
    with writing_as("mona", "Edited chunk 1", batch=SOME_BATCH):
        wiring.open_discussion(ref).write_memories([Entry("one", "a")])
    Revision.objects.update(id=1)


def keep_one_job(ref: DiscussionRef) -> None:
    """A job with one draft, under the numbers that the addresses name."""
    found = Found("old", "", "")
    job_id = create_job(NewJob(ref, RegenerationRequest(Kind.CHUNKS, 1), [DraftSpec("Chunk 1", {}, found)], 1))
    draft = Draft.objects.get(job_id=job_id)
    Job.objects.filter(pk=job_id).update(state=Job.State.CANCELLED)
    job = Job.objects.get(pk=job_id)
    job.pk = 1
    job.save()
    draft.job = job
    draft.save()


def test_names_are_noun_verb_and_used_once() -> None:
    names = [str(page.id) for page in PAGES]

    assert len(names) == len(set(names))
    assert not [name for name in names if "None" in name or "_" in name]


@each
def test_page_answers_or_redirects(reader: Client, name: str, values: dict[str, object]) -> None:
    response = reader.get(reverse(name, kwargs=values))

    expected = {200, 302, 405} if name.startswith("memory:") else {200, 302, 404, 405}
    assert response.status_code in expected


@each
def test_page_needs_a_sign_in(client: Client, public: Path, db: None, name: str, values: dict[str, object]) -> None:
    response = client.get(reverse(name, kwargs=values))

    is_open = name.startswith("sign-in")
    assert is_open or response.status_code in {302, 401, 403, 405}


@each
def test_action_refuses_get(reader: Client, name: str, values: dict[str, object]) -> None:
    response = reader.get(reverse(name, kwargs=values))

    assert (response.status_code == 405) == name.endswith(ACTIONS)
