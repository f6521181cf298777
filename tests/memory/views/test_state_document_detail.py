from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.test import Client
from django.urls import reverse

from memory.types import DiscussionRef
from tests.builders import base_folder
from tests.html import fetch, fetch_partial, find, text_of, texts

Discuss = Callable[..., DiscussionRef]


def url_of(ref: DiscussionRef) -> str:
    return reverse("memory:state-document-detail", args=[ref])


def test_state_document_detail_shows_markdown_rendered_and_raw(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(state_document="# People\n\n*Anna* lives here.")))

    assert text_of(page, ".prose h3") == "People"
    assert find(page, ".card-footer pre").get_text() == "# People\n\n*Anna* lives here."


def test_state_document_detail_runs_nothing_of_the_document(reader: Client, discuss: Discuss) -> None:
    hostile = "<script>x</script><img src=x onerror=y> [a](javascript:alert(1)) ![b](http://elsewhere/x.png)"

    prose = find(fetch(reader, url_of(discuss(state_document=hostile))), ".prose")

    assert not prose.select("script, img, [onerror], [href^='javascript:']")


def test_state_document_detail_shows_what_changed_since_the_backup(
    reader: Client, discuss: Discuss, public: Path
) -> None:
    ref = discuss(state_document="one\ntwo\nthree")
    (base_folder(public) / "anna" / "state_document.md.bak").write_text("one\n2\nthree")

    page = fetch(reader, url_of(ref))

    assert texts(page, ".diff ins") == ["two"]
    assert texts(page, ".diff del") == ["2"]


def test_state_document_detail_without_backup_says_so(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss()))

    assert text_of(page, "[aria-labelledby=diff-title] .card-empty") == "The backup is absent."


def test_state_document_detail_without_document_says_so(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, url_of(discuss(state_document=None)))

    assert text_of(page, ".state-title") == "State document: no file yet"


def test_state_document_detail_gives_htmx_only_the_document(reader: Client, discuss: Discuss) -> None:
    assert fetch_partial(reader, url_of(discuss()))["id"] == "state-document"
