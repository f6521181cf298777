from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.fakes.llm_server import FakeLlmServer
from tests.html import soup
from tests.workflows_app.builders import write, write_endpoint
from tests.workflows_app.configs_world import SECRET, add_user, furnish

MAIN = "Endpoints/Main.json"


def etag_on(page: Any) -> str:
    return str(page.select_one('[name="etag"]')["value"])


def test_config_rename_shows_what_would_be_written_and_then_does_it(opened: Path, reader: Client) -> None:
    configs = furnish(opened)
    page = soup(reader.get(f"/configs/rename/{MAIN}/", {"name": "Big"}))

    response = reader.post(f"/configs/rename/{MAIN}/", {"name": "Big", "etag": etag_on(page)})

    assert "4 values will be written" in page.get_text()
    assert response.url == "/configs/files/Endpoints/Big.json/"
    assert json.loads((configs / "Workflows/ann/Facts.json").read_text())[0]["endpointName"] == "Big"


def test_config_rename_is_undone_by_a_button(opened: Path, reader: Client) -> None:
    configs = furnish(opened)
    before = {file: file.read_bytes() for file in configs.rglob("*.json")}
    etag = etag_on(soup(reader.get(f"/configs/rename/{MAIN}/")))
    reader.post(f"/configs/rename/{MAIN}/", {"name": "Big", "etag": etag})
    button = soup(reader.get("/configs/files/Endpoints/Big.json/")).select_one(".undo-bar [name=token]")

    response = reader.post("/configs/undo/", {"token": button["value"]})

    assert response.url == f"/configs/files/{MAIN}/"
    assert {file: file.read_bytes() for file in configs.rglob("*.json")} == before
    assert not soup(reader.get(response.url)).select(".undo-bar")


@pytest.mark.parametrize("name", ["Other", "../x", "", "a/b"])
def test_config_rename_says_what_stands_in_the_way(opened: Path, reader: Client, name: str) -> None:
    furnish(opened)

    response = reader.post(f"/configs/rename/{MAIN}/", {"name": name, "etag": "x"})

    assert response.status_code == 422
    assert soup(response).select_one(".form-errors li")


def test_config_copy(opened: Path, reader: Client) -> None:
    configs = furnish(opened)

    assert "Main copy" in str(soup(reader.get(f"/configs/copy/{MAIN}/")).select_one("#copy-name"))
    reader.post(f"/configs/copy/{MAIN}/", {"name": "Twin"})

    assert (configs / "Endpoints/Twin.json").read_bytes() == (configs / MAIN).read_bytes()


def test_config_delete_asks_for_consent_and_is_undone(opened: Path, reader: Client) -> None:
    configs = furnish(opened)
    page = soup(reader.get(f"/configs/removal/{MAIN}/"))
    data = {"etag": etag_on(page)}

    assert "4 places would name a file that is gone" in page.get_text()
    assert reader.post(f"/configs/delete/{MAIN}/", data).status_code == 409
    reader.post(f"/configs/delete/{MAIN}/", {**data, "is_breaking_meant": "on"})
    assert not (configs / MAIN).exists()

    token = soup(reader.get("/configs/")).select_one(".undo-bar [name=token]")["value"]
    reader.post("/configs/undo/", {"token": token})
    assert (configs / MAIN).exists()


def test_config_delete_refuses_get(opened: Path, reader: Client) -> None:
    furnish(opened)

    assert reader.get(f"/configs/delete/{MAIN}/").status_code == 405


@pytest.mark.parametrize(
    ("kind", "folder", "path"),
    [
        ("user", "", "Users/neu.json"),
        ("endpoint", "sub", "Endpoints/sub/neu.json"),
        ("preset", "P/ann", "Presets/P/ann/neu.json"),
        ("memory-settings", "ann", "Workflows/ann/neu.json"),
        ("compactor-settings", "ann", "Workflows/ann/neu.json"),
        ("routing", "", "Routing/neu.json"),
        ("api-type", "", "ApiTypes/neu.json"),
        ("prompt-template", "", "PromptTemplates/neu.json"),
        ("mcp-server", "", "MCPServers/neu.json"),
        ("structured-output", "", "StructuredOutputs/neu.json"),
    ],
)
def test_config_new_makes_a_file_of_every_kind(opened: Path, reader: Client, kind: str, folder: str, path: str) -> None:
    configs = furnish(opened)
    assert reader.get("/configs/new/", {"kind": kind}).status_code == 200

    response = reader.post("/configs/new/", {"kind": kind, "name": "neu", "folder": folder})

    assert response.url == f"/configs/files/{path}/"
    assert isinstance(json.loads((configs / path).read_text()), dict)
    assert reader.get(response.url).status_code == 200


@pytest.mark.parametrize("data", [{"name": "../x"}, {"name": "x", "folder": "../.."}, {"name": ""}, {"kind": "none"}])
def test_config_new_refuses_hostile_names(opened: Path, reader: Client, data: dict[str, str]) -> None:
    furnish(opened)

    assert reader.post("/configs/new/", {"kind": "endpoint", "name": "x", **data}).status_code == 422


def test_endpoint_test_sends_nothing_before_the_button(opened: Path, reader: Client) -> None:
    with FakeLlmServer("OK") as server:
        server.models = ["E"]
        write_endpoint(opened, "E", server.url, apiKey=SECRET)
        page = soup(reader.get("/configs/test/Endpoints/E.json/"))
        assert server.seen == []
        result = soup(reader.post("/configs/test/Endpoints/E.json/", headers={"HX-Request": "true"}))

    assert SECRET not in str(page) + str(result)
    assert [step.get_text() for step in result.select(".test-steps h3")] == ["Settings", "Server", "Models", "Answer"]


def test_starter_pages_write_the_files(opened: Path, reader: Client) -> None:
    configs = opened / "Configs"
    assert len(soup(reader.get("/configs/templates/")).select(".starter-card")) == 4
    page = soup(reader.get("/configs/templates/role-play/"))
    data = {"name": "Tale", "user": "ann", "endpoint": "built-in", "preset": "plain", "is_set_up": "on"}

    response = reader.post("/configs/templates/role-play/", data)

    assert "Role_Play_Scene.json" in page.get_text()
    assert response.url == "/workflows/files/ann/Tale/"
    assert json.loads((configs / "Users/ann.json").read_text())["customWorkflow"] == "Tale"


def test_starter_says_what_is_missing(opened: Path, reader: Client) -> None:
    response = reader.post("/configs/templates/no-memory/", {"name": "x", "user": "", "endpoint": "none"})

    assert response.status_code == 422
    assert "Type a name for the new user." in soup(response).get_text()


def test_unknown_starter_is_not_found(opened: Path, reader: Client) -> None:
    assert reader.get("/configs/templates/none/").status_code == 404


def test_test_of_an_endpoint_with_a_password_in_its_address_hides_it(opened: Path, reader: Client) -> None:
    write_endpoint(opened, "E", f"http://me:{SECRET}@127.0.0.1:9", apiKey="")

    answer = reader.post("/configs/test/Endpoints/E.json/").content.decode()

    assert "http://127.0.0.1:9" in answer
    assert SECRET not in answer


def test_no_page_says_a_secret(opened: Path, reader: Client) -> None:
    configs = furnish(opened)
    write(configs / "MCPServers/m.json", {"transport": "sse", "url": "http://u", "headers": {"A": SECRET}, "env": {}})
    write(configs / "Workflows/ann/Fetch.json", [{"type": "WebFetch", "url": "http://u", "headers": {"A": SECRET}}])
    write(configs / "MCPServers/odd.json", {"transport": "sse", "url": f"http://me:{SECRET}@u", "headers": SECRET})
    write(
        configs / "Endpoints/odd.json", {"endpoint": f"http://me:{SECRET}@host", "api_key": SECRET, "apiKey": [SECRET]}
    )
    paths = ["Endpoints/Main.json", "MCPServers/m.json", "MCPServers/odd.json", "Endpoints/odd.json"]
    pages = [f"/configs/{page}/{path}/" for path in paths for page in ("files", "copy", "rename", "removal")]
    pages += ["/configs/", "/configs/kinds/endpoint/", "/configs/kinds/mcp-server/", f"/configs/test/{MAIN}/"]
    pages += [
        "/configs/test/Endpoints/odd.json/",
        "/workflows/problems/",
        "/workflows/",
        "/workflows/files/ann/Fetch/",
        f"/workflows/edit/{MAIN}/",
        f"/workflows/versions/{MAIN}/",
    ]
    reader.post(f"/configs/files/{MAIN}/", {"v:/modelNameToSendToAPI": "x", "s:/modelNameToSendToAPI": "stale"})

    assert [page for page in pages if SECRET in reader.get(page).content.decode()] == []


def test_config_rename_asks_before_it_breaks_what_programs_name(opened: Path, reader: Client) -> None:
    configs = furnish(opened)
    add_user(configs, "bob")
    page = soup(reader.get("/configs/rename/Users/bob.json/", {"name": "rob"}))
    answer = {"name": "rob", "etag": etag_on(page)}

    assert page.select_one("[name=is_breaking_meant]")
    assert reader.post("/configs/rename/Users/bob.json/", answer).status_code == 422
    response = reader.post("/configs/rename/Users/bob.json/", answer | {"is_breaking_meant": "on"})

    assert response.url == "/configs/files/Users/rob.json/"
