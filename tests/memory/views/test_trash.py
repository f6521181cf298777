from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.test import Client
from django.urls import reverse

from memory.services import trash
from memory.types import DiscussionRef
from tests.html import fetch, fetch_partial, find, text_of, texts

Discuss = Callable[..., DiscussionRef]

LIST, ADD, PURGE = (reverse(f"memory:trash-{name}") for name in ("list", "confirm", "purge"))


def test_an_empty_trash_says_so(reader: Client, public: Path) -> None:
    assert text_of(fetch(reader, LIST), ".state-title") == "The trash is empty"
    assert fetch_partial(reader, LIST)["id"] == "trash-table"


def test_one_discussion_goes_with_a_click(reader: Client, discuss: Discuss) -> None:
    page = fetch(reader, f"{ADD}?ref={discuss().text}")
    assert "4 files" in text_of(page, ".card-body > p")

    response = reader.post(ADD, {"ref": "anna", "count": find(page, "[name=count]")["value"]}, follow=True)
    assert "1 discussion moved to the trash." in response.content.decode()
    assert trash.list_trash()[0].actor == "reader"


def test_several_ask_for_their_number(reader: Client, discuss: Discuss) -> None:
    refs = [discuss("anna").text, discuss("ben").text]

    response = reader.post(ADD, {"ref": refs, "count": "3"})
    assert response.status_code == 422
    assert "2 would go, not 3" in response.content.decode()
    assert 'value="3"' in response.content.decode()
    assert reader.post(ADD, {"ref": refs, "count": "2"}).status_code == 302
    assert len(trash.list_trash()) == 2


def test_nothing_ticked_is_told(reader: Client, public: Path) -> None:
    for url in (ADD, PURGE):
        assert "Tick at least one row first." in reader.get(url, follow=True).content.decode()


def test_a_deleted_discussion_is_put_back(reader: Client, discuss: Discuss) -> None:
    trash.trash_discussion(discuss("<b>"), actor="mona")
    page = fetch(reader, LIST)

    assert texts(page, "tbody td:nth-child(2)") == ["<b>"]
    response = reader.post(find(page, "tbody form")["action"])
    assert response["Location"] == reverse("memory:discussion-detail", args=["<b>"])


def test_purging_asks_for_the_number(reader: Client, discuss: Discuss) -> None:
    entry = trash.trash_discussion(discuss(), actor="mona")
    fetch(reader, f"{PURGE}?name={entry.name}")

    assert reader.post(PURGE, {"name": entry.name, "count": "x"}).status_code == 422
    assert trash.list_trash()
    assert reader.post(PURGE, {"name": entry.name, "count": "1"}).status_code == 302
    assert not trash.list_trash()


def test_read_only_deletes_nothing(reader: Client, discuss: Discuss, settings: Any) -> None:
    entry, ref = trash.trash_discussion(discuss("ben"), actor="mona"), discuss()
    settings.WILMER_READ_ONLY = True

    reader.post(ADD, {"ref": ref.text, "count": "1"})
    assert reader.post(reverse("memory:trash-undo", args=[entry.name])).status_code == 403
    assert reader.post(PURGE, {"name": entry.name, "count": "1"}).status_code == 403
    assert len(trash.list_trash()) == 1


def test_all_that_pass_the_filter_go_not_only_those_of_one_page(reader: Client, discuss: Discuss) -> None:
    for name in ("anna", "ben", "annabel"):
        discuss(name)
    listed = fetch(reader, f"{reverse('memory:discussion-list')}?text=ann&size=1")
    (offered,) = [link for link in listed.select(".ticked-actions a") if "all 2 to trash" in link.get_text()]

    page = fetch(reader, str(offered["href"]))
    refs = [field["value"] for field in page.select("[name=ref]")]
    reader.post(ADD, {"ref": refs, "count": "2"})

    assert sorted(entry.ref.text for entry in trash.list_trash() if entry.ref) == ["anna", "annabel"]


def test_all_that_pass_are_exported(reader: Client, discuss: Discuss) -> None:
    for name in ("anna", "ben", "annabel"):
        discuss(name)

    page = fetch(reader, f"{reverse('memory:archive-export')}?all=1&text=ann")
    sent = {field["name"]: field["value"] for field in page.select("form.card-body [type=hidden]")}
    response = reader.get(reverse("memory:archive-download"), sent)

    assert sent == {"all": "1", "text": "ann"}
    assert "2-discussions" in response["Content-Disposition"]


def test_read_only_offers_no_way_out_of_the_trash(reader: Client, discuss: Discuss, settings: Any) -> None:
    entry = trash.trash_discussion(discuss(), actor="mona")
    refs = f"ref={discuss('ben').text}"
    settings.WILMER_READ_ONLY = True

    assert fetch(reader, LIST).select("#trash-table button") == []
    for url in (f"{ADD}?{refs}", f"{PURGE}?name={entry.name}"):
        button = find(fetch(reader, url), ".form-actions button")
        assert (button.has_attr("disabled"), button["title"]) == (True, "The console is read-only.")
