from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from memory import wiring
from memory.types import DiscussionRef, Entry
from tests.html import fetch, find, text_of, texts

Discuss = Callable[..., DiscussionRef]

EXPORT, DOWNLOAD, IMPORT = (reverse(f"memory:archive-{name}") for name in ("export", "download", "import"))


@pytest.fixture(autouse=True)
def _state(tmp_path: Any, settings: Any) -> None:
    settings.WILMER_STATE_DIR = tmp_path / "state"


def download(client: Client, *refs: str) -> bytes:
    response = client.get(DOWNLOAD, {"ref": refs})
    assert response.status_code == 200
    return b"".join(response.streaming_content)  # type: ignore[attr-defined]


def upload(client: Client, data: bytes) -> str:
    response = client.post(IMPORT, {"file": SimpleUploadedFile("my archive.zip", data)})
    assert response.status_code == 302
    return response["Location"]


def test_a_discussion_is_downloaded(reader: Client, discuss: Discuss) -> None:
    ref = discuss("my chat")
    page = fetch(reader, f"{EXPORT}?ref={ref.text}")
    assert find(page, "[name=ref]")["value"] == "my chat"

    response = reader.get(DOWNLOAD, {"ref": ref.text, "history": "0"})
    assert response["Content-Disposition"].startswith('attachment; filename="wilmer-memory-my_chat-')
    data = b"".join(response.streaming_content)  # type: ignore[attr-defined]
    assert "manifest.json" in zipfile.ZipFile(io.BytesIO(data)).namelist()


def test_an_archive_is_looked_at_and_imported(reader: Client, discuss: Discuss) -> None:
    review = upload(reader, download(reader, discuss().text))
    page = fetch(reader, review)
    assert text_of(page, "h1") == "What is in my archive.zip"
    assert "already" in text_of(page, "td .note")

    response = reader.post(review, {"0-action": "take", "0-new_id": "berta"})
    assert response.status_code == 302
    assert len(wiring.open_discussion(DiscussionRef.parse("berta")).read_memories().entries) == 3
    assert reader.get(review)["Location"] == IMPORT


def test_a_clash_is_asked_about(reader: Client, discuss: Discuss) -> None:
    ref = discuss()
    review = upload(reader, download(reader, ref.text))
    wiring.open_discussion(ref).write_memories([Entry("newer", "a")])

    response = reader.post(review, {"0-action": "take", "0-new_id": "anna"})
    assert response.status_code == 422
    assert "was not: There is a discussion" in response.content.decode()
    reader.post(review, {"0-action": "replace", "0-new_id": "anna"})
    assert len(wiring.open_discussion(ref).read_memories().entries) == 3


def test_many_are_exported_at_once(reader: Client, discuss: Discuss) -> None:
    names = [discuss(name).text for name in ("a", "b", "c")]
    page = fetch(reader, upload(reader, download(reader, *names)))

    assert texts(page, "tbody td:nth-child(2)") == ["4 files"] * 3


def test_what_is_no_archive_is_refused_with_the_reason(reader: Client, public: Any) -> None:
    page = fetch(reader, upload(reader, b"hello"), status=422)
    assert "no ZIP file" in text_of(page, ".note")
    assert reader.post(IMPORT, {}).status_code == 422


def test_nothing_ticked_is_told(reader: Client, public: Any) -> None:
    for url in (EXPORT, DOWNLOAD):
        assert "Tick at least one row first." in reader.get(url, follow=True).content.decode()
    fetch(reader, f"{DOWNLOAD}?ref=nobody", status=404)


def test_read_only_takes_nothing_in(reader: Client, discuss: Discuss, settings: Any) -> None:
    data = download(reader, discuss().text)
    settings.WILMER_READ_ONLY = True

    assert reader.post(IMPORT, {"file": SimpleUploadedFile("x.zip", data)}).status_code == 403
    assert download(reader, "anna")
