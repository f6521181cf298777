"""Config files by the API."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.workflows_app.builders import write_workflow
from workflows_app.services import config_saving

PATH = "Workflows/ann/Main.json"
URL = f"/api/v1/configs/{PATH}"
NODE = {"title": "Say", "type": "StaticResponse", "content": "Hello"}
OTHER = json.dumps([{**NODE, "content": "Bye"}])


@pytest.fixture
def file(opened: Path) -> Path:
    """A workflow of one node."""
    write_workflow(opened, "Main", NODE)
    return opened / "Configs" / PATH


def send(client: Client, method: str, url: str, body: Any = None, match: str | None = None) -> Any:
    headers = {"If-Match": match} if match is not None else {}
    data = None if body is None else json.dumps(body)
    return client.generic(method, url, data or "", content_type="application/json", headers=headers)


def test_file_is_given_with_its_etag(file: Path, reader: Client) -> None:
    answer = reader.get(URL)
    assert (answer.json()["text"], answer.json()["kind"]) == (file.read_text(), "workflow")
    assert answer["ETag"] == f'"{config_saving.read_config(PATH).etag}"'
    assert answer.json()["version"] == config_saving.read_config(PATH).etag


def test_secrets_are_masked(opened: Path, reader: Client) -> None:
    (opened / "Configs/Endpoints/e.json").write_text('{"apiKey": "s3cret"}')
    assert b"s3cret" not in reader.get("/api/v1/configs/Endpoints/e.json").content


def test_save_needs_the_version_that_was_read(file: Path, writer: Client) -> None:
    assert send(writer, "PUT", URL, {"text": OTHER}).status_code == 428
    answer = send(writer, "PUT", URL, {"text": OTHER, "note": "n"}, writer.get(URL)["ETag"])
    assert (answer.status_code, file.read_text()) == (200, OTHER)
    assert answer["ETag"] == writer.get(URL)["ETag"]
    assert (answer.json()["number"], config_saving.get_version(PATH, 2).note) == (2, "n")


def test_clash_answers_with_both_texts(file: Path, writer: Client) -> None:
    answer = send(writer, "PUT", URL, {"text": OTHER}, '"other"')
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (409, "config-changed")
    assert (error["details"]["yours"], error["details"]["theirs"]) == (OTHER, file.read_text())


def test_errors_are_refused_unless_insisted_on(file: Path, writer: Client) -> None:
    refused = send(writer, "PUT", URL, {"text": "[1,]"}, "*")
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "config-has-errors")
    assert refused.json()["error"]["details"]["problems"][0]["code"] == "json-syntax"
    assert send(writer, "PUT", URL, {"text": "[1,]", "insist_reason": "later"}, "*").status_code == 200


def test_dry_run_tells_and_writes_nothing(file: Path, writer: Client) -> None:
    before = file.read_bytes()
    answer = send(writer, "PUT", f"{URL}?dry_run=true", {"text": "[1,]"})
    assert (answer.status_code, answer.json()["is_changed"], file.read_bytes()) == (200, True, before)
    assert answer.json()["problems"][0]["code"] == "json-syntax"


def test_new_file_is_made(opened: Path, writer: Client) -> None:
    assert send(writer, "PUT", URL, {"text": OTHER}).json()["number"] == 1
    assert (opened / "Configs" / PATH).read_text() == OTHER


def test_delete_and_restore(file: Path, writer: Client) -> None:
    before, etag = file.read_bytes(), writer.get(URL)["ETag"]
    tried = send(writer, "DELETE", f"{URL}?dry_run=true")
    assert (tried.status_code, file.exists()) == (200, True)
    assert send(writer, "DELETE", URL, match=etag).json()["path"] == PATH
    assert not file.exists()
    answer = send(writer, "POST", f"/api/v1/config-restores/{PATH}", {"number": 1})
    assert (answer.status_code, file.read_bytes()) == (200, before)


def test_delete_tells_what_breaks(opened: Path, writer: Client) -> None:
    answer = send(writer, "DELETE", "/api/v1/configs/PromptTemplates/_chatonly.json?dry_run=true")
    assert any("Users/ann.json" in place for place in answer.json()["breaks"])


def test_text_is_checked_without_being_written(file: Path, reader: Client) -> None:
    answer = send(reader, "POST", f"/api/v1/config-checks/{PATH}", {"text": "[1,]"})
    assert [item["code"] for item in answer.json()["items"]] == ["json-syntax"]
    assert send(reader, "POST", f"/api/v1/config-checks/{PATH}", {}).status_code == 200


def test_versions_are_listed_named_and_given(file: Path, writer: Client) -> None:
    send(writer, "PUT", URL, {"text": OTHER}, "*")
    url = f"/api/v1/config-versions/{PATH}"
    assert [item["number"] for item in writer.get(url).json()["items"]] == [2, 1]
    assert send(writer, "PATCH", url, {"number": 1, "name": "Before"}).json()["name"] == "Before"
    assert json.loads(writer.get(url, {"number": 1}).json()["items"][0]["text"]) == [NODE]
    assert writer.get(url, {"number": 9}).status_code == 404


def test_reading_token_changes_nothing(file: Path, reader: Client) -> None:
    assert send(reader, "PUT", URL, {"text": "[]"}, "*").status_code == 403
    assert send(reader, "DELETE", URL, match="*").status_code == 403


def test_read_only_console_changes_nothing(file: Path, writer: Client, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True
    assert send(writer, "PUT", URL, {"text": "[]"}, "*").status_code == 403


@pytest.mark.parametrize("path", ["Workflows/..%2F..%2Fx.json", "nothing.txt", "Users/none.json"])
def test_paths_lead_nowhere_else(opened: Path, reader: Client, path: str) -> None:
    assert reader.get(f"/api/v1/configs/{path}").status_code in {404, 422}
