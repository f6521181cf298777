"""The versions of a config file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.html import soup
from tests.workflows_app.builders import write_workflow
from workflows_app.services import config_saving

PATH = "Workflows/ann/Main.json"
NODE = {"title": "Say", "type": "StaticResponse", "content": "Hello"}


@pytest.fixture
def file(opened: Path) -> Path:
    """A workflow that was saved once."""
    write_workflow(opened, "Main", NODE)
    etag = config_saving.read_config(PATH).etag
    text = json.dumps([{**NODE, "content": "Bye"}, NODE])
    config_saving.save_config(PATH, text, expected_etag=etag, author="ann", note="Two words", insist_reason="x")
    return opened / "Configs" / PATH


def test_list_shows_who_and_why(file: Path, reader: Client) -> None:
    page = soup(reader.get(f"/workflows/versions/{PATH}/"))
    rows = [row.text for row in page.select("tbody tr")]
    assert "Two words" in rows[0] and "on disk now" in rows[0]
    assert "as found" in rows[1] and "another program" not in rows[1]


def test_only_the_newest_of_the_same_bytes_is_on_disk_now(file: Path, reader: Client) -> None:
    reader.post(f"/workflows/version-restore/1/{PATH}/", {"etag": config_saving.read_config(PATH).etag})
    rows = [row.text for row in soup(reader.get(f"/workflows/versions/{PATH}/")).select("tbody tr")]
    assert ["on disk now" in row for row in rows] == [True, False, False]
    first = soup(reader.get(f"/workflows/version/1/{PATH}/"))
    assert "same bytes" in first.select_one(".page-lead").text
    assert first.select_one("form[action*=version-restore]") is None


def test_a_later_change_by_others_is_told_from_the_first_content(file: Path, reader: Client) -> None:
    file.write_text("[]")
    assert "another program" in soup(reader.get(f"/workflows/versions/{PATH}/")).select_one("tbody tr").text


def test_file_without_versions_has_an_empty_list(opened: Path, reader: Client) -> None:
    write_workflow(opened, "Main", NODE)
    assert "No versions yet" in soup(reader.get(f"/workflows/versions/{PATH}/")).text


def test_version_shows_what_changed_by_node_and_by_line(file: Path, reader: Client) -> None:
    page = soup(reader.get(f"/workflows/version/2/{PATH}/"))
    assert "added" in page.select_one("[aria-label='By node']").text
    assert page.select(".diff-line.is-added")


def test_version_is_compared_with_any_other(file: Path, reader: Client) -> None:
    page = soup(reader.get(f"/workflows/version/1/{PATH}/", {"against": "2"}))
    assert "removed" in page.select_one("[aria-label='By node']").text


def test_version_gets_a_name(file: Path, reader: Client) -> None:
    response = reader.post(f"/workflows/version-name/1/{PATH}/", {"name": "Before"})
    assert response.status_code == 302
    assert config_saving.get_version(PATH, 1).name == "Before"


def test_restore_writes_the_bytes_again(file: Path, reader: Client) -> None:
    etag = config_saving.read_config(PATH).etag
    response = reader.post(f"/workflows/version-restore/1/{PATH}/", {"etag": etag})
    assert response["Location"] == f"/workflows/edit/{PATH}/"
    assert json.loads(file.read_text()) == [NODE]


def test_restore_over_another_change_is_a_clash(file: Path, reader: Client) -> None:
    assert reader.post(f"/workflows/version-restore/1/{PATH}/", {"etag": "old"}).status_code == 409


def test_clash_of_a_restore_is_reviewed_and_can_go_on(file: Path, reader: Client) -> None:
    seen = config_saving.read_config(PATH).etag
    file.write_text(json.dumps([{**NODE, "content": "Written meanwhile"}]))
    answer: Any = reader.post(f"/workflows/version-restore/1/{PATH}/", {"etag": seen})
    page = soup(answer)
    assert answer.status_code == 409 and "changed since you opened it" in page.select_one("[role=alert]").text
    assert "Written meanwhile" in page.select_one("[aria-label='By node']").text
    etag = page.select_one("form[action*='version-restore'] [name=etag]")["value"]
    assert reader.post(f"/workflows/version-restore/1/{PATH}/", {"etag": etag}).status_code == 302
    assert json.loads(file.read_text()) == [NODE]


def test_restore_of_a_file_deleted_meanwhile_is_reviewed(file: Path, reader: Client) -> None:
    seen = config_saving.read_config(PATH).etag
    file.unlink()
    answer: Any = reader.post(f"/workflows/version-restore/1/{PATH}/", {"etag": seen})
    assert answer.status_code == 409 and "was deleted" in soup(answer).select_one("[role=alert]").text
    assert not file.exists()


def test_words_of_a_version_are_kept_without_nul(file: Path) -> None:
    assert config_saving.name_version(PATH, 1, "be\0fore").name == "before"
    etag = config_saving.read_config(PATH).etag
    config_saving.save_config(PATH, json.dumps([NODE, NODE]), expected_etag=etag, author="ann", note="wh\0y")
    assert config_saving.list_versions(PATH)[0].note == "why"


@pytest.mark.parametrize("number", [7, 0])
def test_unknown_version_is_not_found(file: Path, reader: Client, number: int) -> None:
    assert reader.get(f"/workflows/version/{number}/{PATH}/").status_code == 404


def test_secrets_show_in_no_version(opened: Path, reader: Client) -> None:
    path = "Endpoints/e.json"
    (opened / "Configs" / path).write_text('{"apiKey": "s3cret-one"}')
    etag = config_saving.read_config(path).etag
    config_saving.save_config(path, '{"apiKey": "s3cret-two"}', expected_etag=etag, author="ann", insist_reason="x")
    answer: Any = reader.get(f"/workflows/version/2/{path}/")
    assert answer.status_code == 200
    assert b"s3cret" not in answer.content


def test_a_secret_that_changed_is_seen_to_be_another_one(opened: Path, reader: Client) -> None:
    path = "Endpoints/E.json"
    file = opened / "Configs" / path
    file.parent.mkdir(exist_ok=True)
    file.write_text('{"apiKey": "first"}')
    etag = config_saving.read_config(path).etag
    config_saving.save_config(path, '{"apiKey": "second"}', expected_etag=etag, author="ann", insist_reason="x")
    page = soup(reader.get(f"/workflows/version/2/{path}/"))
    assert len(page.select(".diff-line.is-added")) == 1
    assert "second" not in page.text and "first" not in page.select_one("main").text.replace("first found", "")


def test_read_only_version_has_no_dead_forms(file: Path, reader: Client, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True
    page = soup(reader.get(f"/workflows/version/1/{PATH}/"))
    assert page.select_one("main form[method=post]") is None
