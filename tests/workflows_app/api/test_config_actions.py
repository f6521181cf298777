from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.fakes.llm_server import FakeLlmServer
from tests.workflows_app.builders import write, write_endpoint
from tests.workflows_app.configs_world import SECRET, add_user, furnish

MAIN = "Endpoints/Main.json"


def send(client: Client, method: str, path: str, body: dict[str, Any], **headers: str) -> Any:
    return client.generic(
        method, f"/api/v1{path}", json.dumps(body), content_type="application/json", headers=headers or None
    )


def test_configs_are_listed_by_kind(opened: Path, reader: Client) -> None:
    furnish(opened)

    body = reader.get("/api/v1/configs", {"kind": "endpoint"}).json()

    assert [item["name"] for item in body["items"]] == ["built-in", "Main", "Other"]
    assert body["items"][1]["users"] == ["ann"]
    assert reader.get("/api/v1/configs", {"kind": "nothing"}).status_code == 404


def test_references_lead_to_a_file_and_from_it(opened: Path, reader: Client) -> None:
    furnish(opened)

    items = reader.get("/api/v1/config-references", {"path": MAIN}).json()["items"]

    found = {(item["source"], item["at"]) for item in items}
    assert ("Workflows/ann/Facts.json", "/0/endpointName") in found
    assert (MAIN, "/apiTypeConfigFileName") in found


def test_single_values_are_changed(opened: Path, writer: Client) -> None:
    file = furnish(opened) / MAIN
    before = file.read_text()
    body = {"values": {"/modelNameToSendToAPI": "qwen"}, "note": "better"}

    assert send(writer, "PATCH", f"/config-values/{MAIN}", body).status_code == 428
    response = send(writer, "PATCH", f"/config-values/{MAIN}", body, **{"If-Match": "*"})

    assert response.json()["is_changed"]
    assert file.read_text() == before.replace('"modelNameToSendToAPI": "Main"', '"modelNameToSendToAPI": "qwen"')


def test_change_of_an_older_version_is_a_clash_that_says_no_secret(opened: Path, writer: Client) -> None:
    furnish(opened)

    response = send(writer, "PATCH", f"/config-values/{MAIN}", {"values": {"/x": 1}}, **{"If-Match": '"old"'})

    assert response.status_code == 409
    assert SECRET not in response.content.decode()


def test_rename_is_planned_done_and_undone(opened: Path, writer: Client) -> None:
    configs = furnish(opened)
    before = {file: file.read_bytes() for file in configs.rglob("*.json")}
    body = {"path": MAIN, "name": "Big"}

    plan = send(writer, "POST", "/config-renames?dry_run=true", body).json()
    assert {file: file.read_bytes() for file in configs.rglob("*.json")} == before
    done = send(writer, "POST", "/config-renames", body).json()
    undone = send(writer, "POST", "/config-undos", {"token": done["undo"]})

    assert len(plan["edits"]) == len(done["changed"]) == 4
    assert MAIN in undone.json()["paths"]
    assert {file: file.read_bytes() for file in configs.rglob("*.json")} == before


def test_rename_to_a_taken_name_is_a_clash(opened: Path, writer: Client) -> None:
    furnish(opened)

    assert send(writer, "POST", "/config-renames", {"path": MAIN, "name": "Other"}).status_code == 409


def test_files_are_begun_and_copied(opened: Path, writer: Client) -> None:
    configs = furnish(opened)

    begun = send(writer, "POST", "/config-blanks", {"kind": "endpoint", "name": "Neu", "blank": "ollama"})
    copied = send(writer, "POST", "/config-copies", {"path": MAIN, "name": "Twin"})

    assert (begun.status_code, begun.json()["path"]) == (201, "Endpoints/Neu.json")
    assert (copied.status_code, (configs / "Endpoints/Twin.json").exists()) == (201, True)


def test_endpoint_is_tested(opened: Path, writer: Client) -> None:
    with FakeLlmServer("OK") as server:
        server.models = ["E"]
        write_endpoint(opened, "E", server.url, apiKey=SECRET)
        response = send(writer, "POST", "/endpoints/E/test", {})

    assert [step["state"] for step in response.json()["steps"]] == ["ok"] * 4
    assert SECRET not in response.content.decode()


def test_starter_is_written(opened: Path, writer: Client, reader: Client) -> None:
    assert reader.get("/api/v1/config-starters").json()["total"] == 4
    body = {"name": "Plain", "user": "ann", "endpoint": "built-in", "preset": "plain"}

    response = send(writer, "POST", "/config-starters/no-memory", body)

    assert (response.status_code, response.json()["path"]) == (201, "Workflows/ann/Plain.json")
    assert send(writer, "POST", "/config-starters/no-memory", body).status_code == 409


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", f"/config-values/{MAIN}", {"values": {}}),
        ("POST", "/config-renames", {"path": MAIN, "name": "x"}),
        ("POST", "/config-copies", {"path": MAIN, "name": "x"}),
        ("POST", "/config-blanks", {"kind": "endpoint", "name": "x"}),
        ("POST", "/config-undos", {"token": "x"}),
        ("POST", "/endpoints/Main/test", {}),
    ],
)
def test_a_reading_token_changes_nothing(opened: Path, reader: Client, method: str, path: str, body: Any) -> None:
    furnish(opened)

    assert send(reader, method, path, body).status_code == 403


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/config-renames", {"path": "../x.json", "name": "y"}, 422),
        ("/config-renames", {"path": MAIN, "name": "../y"}, 422),
        ("/config-copies", {"path": "Endpoints/none.json", "name": "y"}, 404),
        ("/config-blanks", {"kind": "endpoint", "name": "x", "folder": "../.."}, 422),
        ("/config-blanks", {"kind": "nothing", "name": "x"}, 404),
        ("/config-blanks", {"kind": "endpoint", "name": "x.json"}, 422),
        ("/config-blanks", {"kind": "preset", "name": "x"}, 422),
        ("/config-blanks", {"kind": "memory-settings", "name": "x"}, 422),
        ("/config-blanks", {"kind": "mcp-server", "name": "x", "folder": "a"}, 422),
        ("/config-blanks", {"kind": "user", "name": "x", "folder": "a"}, 422),
        ("/endpoints/..%2F..%2Fetc/test", {}, 404),
        ("/config-undos", {"token": "forged"}, 422),
    ],
)
def test_hostile_input_has_its_status(opened: Path, writer: Client, path: str, body: Any, status: int) -> None:
    furnish(opened)

    assert send(writer, "POST", path, body).status_code == status


def test_no_answer_says_a_secret(opened: Path, writer: Client) -> None:
    configs = furnish(opened)
    write(configs / "MCPServers/m.json", {"transport": "sse", "url": "http://u", "headers": {"A": SECRET}})
    write(configs / "Workflows/ann/Fetch.json", [{"type": "WebFetch", "url": "http://u", "headers": {"A": SECRET}}])
    send(writer, "PATCH", f"/config-values/{MAIN}", {"values": {"/x": 1}}, **{"If-Match": "*"})
    paths = ["configs", "config-references", f"configs/{MAIN}", "configs/MCPServers/m.json", "workflows"]
    paths += ["workflows/ann/Fetch", f"config-versions/{MAIN}", f"config-versions/{MAIN}?number=1", "config-problems"]

    answers = {path: reader.content.decode() for path in paths if (reader := writer.get(f"/api/v1/{path}"))}

    assert [path for path, text in answers.items() if SECRET in text] == []


def test_rename_that_breaks_something_must_be_meant(opened: Path, writer: Client) -> None:
    add_user(furnish(opened), "bob")
    body = {"path": "Users/bob.json", "name": "rob"}

    assert send(writer, "POST", "/config-renames?dry_run=true", body).json()["warnings"]
    assert send(writer, "POST", "/config-renames", body).status_code == 409
    response = send(writer, "POST", "/config-renames", body | {"is_breaking_meant": True})

    assert response.json()["path"] == "Users/rob.json"


@pytest.mark.parametrize("value", ['"a\\ud800"', "1e999", '{"a": [NaN]}', '{"\\udc00": 1}'])
def test_values_that_no_json_has_are_refused(opened: Path, writer: Client, value: str) -> None:
    file = furnish(opened) / MAIN
    before = file.read_bytes()

    response = writer.generic(
        "PATCH",
        f"/api/v1/config-values/{MAIN}",
        f'{{"values": {{"/x": {value}}}}}',
        content_type="application/json",
        headers={"If-Match": "*"},
    )

    assert response.status_code == 422
    assert file.read_bytes() == before


@pytest.mark.parametrize("path", ["Other/x.json", "x.json"])
def test_a_file_that_nothing_reads_is_not_made(opened: Path, writer: Client, path: str) -> None:
    configs = furnish(opened)

    response = send(writer, "PUT", f"/configs/{path}", {"text": "{}"})

    assert response.status_code == 422
    assert "Endpoints" in response.json()["error"]["message"]
    assert not (configs / path).exists()


def test_text_with_half_a_character_is_refused(opened: Path, writer: Client) -> None:
    file = furnish(opened) / MAIN
    before = file.read_bytes()

    response = send(writer, "PUT", f"/configs/{MAIN}", {"text": '{"x": "\ud800"}'}, **{"If-Match": "*"})

    assert response.status_code == 422
    assert file.read_bytes() == before
