from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.html import soup
from tests.workflows_app.builders import write
from tests.workflows_app.configs_world import SECRET, add_user, furnish

MAIN = "Endpoints/Main.json"
FORM = f"/configs/files/{MAIN}/"
SETTINGS = "/configs/files/Workflows/ann/Settings.json/"
HOSTILE = [
    "Endpoints/..%2F..%2Fx.json",
    "etc/passwd",
    "Endpoints/none.json",
    "Endpoints/%00.json",
    "Endpoints/a%5Cb.json",
    f"Endpoints/{'x' * 300}.json",
    "Endpoints/linked/Main.json",
    "Endpoints/pipe.json",
]


def sent(page: Any, **changes: str) -> dict[str, Any]:
    """What a browser sends for the form of a page, with some changes."""
    data: dict[str, Any] = {}
    for element in page.select("#config-form [name]"):
        name = element["name"]
        if element.get("type") == "checkbox":
            if element.has_attr("checked"):
                data[name] = element["value"]
        elif element.name == "select":
            chosen = element.select_one("option[selected]")
            data[name] = chosen["value"] if chosen else ""
        elif element.name == "textarea":
            data[name] = element.get_text().removeprefix("\n")
        elif name not in {"csrfmiddlewaretoken", "note"}:
            data[name] = element.get("value", "")
    return data | {f"v:/{key}": value for key, value in changes.items()}


def test_config_list_counts_by_kind(opened: Path, reader: Client) -> None:
    furnish(opened)

    page = soup(reader.get("/configs/"))

    counts = {card["aria-label"]: card.select_one(".count") for card in page.select(".kind-card")}
    assert (counts["Endpoints"].get_text(), counts["Memory settings"].get_text()) == ("3", "1")
    assert page.select_one("nav [aria-current]").get_text(strip=True) == "Configs"


def test_config_list_filters_and_gives_htmx_only_the_partial(opened: Path, reader: Client) -> None:
    furnish(opened)

    page = soup(reader.get("/configs/", {"text": "other"}, headers={"HX-Request": "true"}))

    assert [card["aria-label"] for card in page.select(".kind-card")] == ["Endpoints"]
    assert page.select_one("section")["id"] == "config-kinds"


def test_config_kind_list_tells_problems_and_users(opened: Path, reader: Client) -> None:
    configs = furnish(opened)
    write(configs / "Endpoints/Bad.json", {"endpoint": "nonsense"})

    rows = {row.select_one("a").get_text(): row.get_text(" ", strip=True)
            for row in soup(reader.get("/configs/kinds/endpoint/")).select("tbody tr")}  # fmt: skip

    assert "error" in rows["Bad"]
    assert "ann" in rows["Main"]


@pytest.mark.parametrize("kind", ["workflow", "current-user", "nothing"])
def test_kinds_without_a_list_are_not_found(opened: Path, reader: Client, kind: str) -> None:
    assert reader.get(f"/configs/kinds/{kind}/").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        MAIN,
        "Users/ann.json",
        "Users/_current-user.json",
        "ApiTypes/chat.json",
        "Presets/P/plain.json",
        "PromptTemplates/_chatonly.json",
        "Workflows/ann/Settings.json",
    ],
)
def test_form_sent_back_untouched_changes_no_byte(opened: Path, reader: Client, path: str) -> None:
    file = furnish(opened) / path
    before = file.read_bytes()

    response = reader.post(f"/configs/files/{path}/", sent(soup(reader.get(f"/configs/files/{path}/"))))

    assert response.status_code == 302
    assert file.read_bytes() == before


def test_form_edit_changes_only_that_value(opened: Path, reader: Client) -> None:
    file = furnish(opened) / MAIN
    before = file.read_text()

    reader.post(FORM, sent(soup(reader.get(FORM)), modelNameToSendToAPI="qwen", note="better"))

    assert file.read_text() == before.replace('"modelNameToSendToAPI": "Main"', '"modelNameToSendToAPI": "qwen"')


def test_wrong_value_is_shown_as_typed_with_what_is_wrong(opened: Path, reader: Client) -> None:
    furnish(opened)

    response = reader.post(FORM, sent(soup(reader.get(FORM)), maxContextTokenSize="<many>"))
    field = soup(response).select_one('[name="v:/maxContextTokenSize"]')

    assert response.status_code == 422
    assert field["value"] == "<many>"
    assert "is not a whole number" in field.find_parent(class_="config-field").get_text()


def test_change_of_another_program_is_a_question(opened: Path, reader: Client) -> None:
    file = furnish(opened) / MAIN
    data = sent(soup(reader.get(FORM)), modelNameToSendToAPI="mine")
    write(file, {**json.loads(file.read_text()), "modelNameToSendToAPI": "theirs"})

    response = reader.post(FORM, data)

    assert response.status_code == 409
    assert "theirs" in soup(response).get_text()
    assert reader.post(FORM, sent(soup(response))).status_code == 302
    assert json.loads(file.read_text())["modelNameToSendToAPI"] == "mine"


def test_errors_are_saved_for_a_stated_reason_only(opened: Path, reader: Client) -> None:
    file = furnish(opened) / MAIN

    response = reader.post(FORM, sent(soup(reader.get(FORM)), apiTypeConfigFileName="none"))
    page = soup(response)

    assert response.status_code == 422
    assert page.select_one("#insist")
    reader.post(FORM, {**sent(page), "insist_reason": "it comes tomorrow"})
    assert json.loads(file.read_text())["apiTypeConfigFileName"] == "none"


def test_typed_texts_are_escaped(opened: Path, reader: Client) -> None:
    configs = furnish(opened)
    write(configs / MAIN, {"endpoint": '"><script>alert(1)</script>', "</script><b>": "<i>", "promptTemplate": None})

    text = reader.get(FORM).content.decode()

    assert "<script>alert" not in text
    assert "<b>" not in text


def test_file_that_is_no_json_says_so(opened: Path, reader: Client) -> None:
    (furnish(opened) / MAIN).write_text(f'{{"endpoint": "x", "apiKey": "{SECRET}"')

    response = reader.get(FORM)

    assert "line 1" in soup(response).get_text()
    assert SECRET not in response.content.decode()


def test_memory_settings_are_told_in_plain_words(opened: Path, reader: Client) -> None:
    configs = furnish(opened)
    write(configs / "Workflows/ann/Settings.json", {
        "endpointName": "Main", "preset": "plain", "chunkEstimatedTokenSize": 3000, "maxMessagesBetweenChunks": 10,
        "lookbackStartTurn": 5})  # fmt: skip

    page = soup(reader.get(SETTINGS))

    words = "One memory per about 3,000 tokens or 10 messages, the last 5 messages never."
    assert page.select_one(".memory-words p").get_text() == words


def test_simulation_follows_what_is_typed(opened: Path, reader: Client) -> None:
    furnish(opened)
    typed = {"s:/maxMessagesBetweenChunks": "", "v:/maxMessagesBetweenChunks": "40"}

    response = reader.post(SETTINGS.replace("files", "simulation"), typed, headers={"HX-Request": "true"})

    assert "40 messages" in soup(response).select_one("#simulation").get_text()


def test_workflows_lead_to_their_own_page(opened: Path, reader: Client) -> None:
    furnish(opened)

    assert reader.get("/configs/files/Workflows/ann/Main.json/").url == "/workflows/files/ann/Main/"


@pytest.mark.parametrize("path", HOSTILE)
@pytest.mark.parametrize("page", ["files", "copy", "rename", "removal", "test", "simulation"])
def test_paths_that_are_no_configs_are_not_found(opened: Path, reader: Client, page: str, path: str) -> None:
    configs = furnish(opened)
    (configs / "Endpoints/linked").symlink_to(configs / "Endpoints")
    os.mkfifo(configs / "Endpoints/pipe.json")

    assert reader.get(f"/configs/{page}/{path}/").status_code in {404, 422}


def test_nothing_is_saved_in_a_read_only_console(opened: Path, reader: Client, settings: Any) -> None:
    file = furnish(opened) / MAIN
    data, before = sent(soup(reader.get(FORM)), modelNameToSendToAPI="x"), file.read_bytes()
    settings.WILMER_READ_ONLY = True

    assert reader.post(FORM, data).status_code == 403
    assert "read-only" in soup(reader.get(FORM)).select_one(".save-bar").get_text()
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "page",
    [
        FORM,
        f"/workflows/edit/{MAIN}/",
        f"/workflows/versions/{MAIN}/",
        "/configs/",
        "/workflows/edit/Workflows/ann/Half.json/",
    ],
)
def test_half_a_character_in_a_file_breaks_no_page(opened: Path, reader: Client, page: str) -> None:
    (furnish(opened) / MAIN).write_text('{"endpoint": "\\udc00", "\\ud800": 1, "maxContextTokenSize": "\\ud800"}')
    half = '{"\\udc00": "\\ud800", "nodes": [{"title": "\\ud800", "prompt": ["\\udfff"], "\\ud800": 1}]}'
    (opened / "Configs/Workflows/ann/Half.json").write_text(half)

    assert reader.get(page).status_code == 200
    assert reader.get("/workflows/problems/").status_code == 200
    assert reader.get("/api/v1/config-problems").status_code == 200


def test_keys_among_the_arguments_of_a_server_are_kept_and_never_shown(opened: Path, reader: Client) -> None:
    path = "MCPServers/m.json"
    args = ["-y", "--api-key", SECRET, "--verbose"]
    file = furnish(opened) / path
    write(file, {"transport": "stdio", "command": "npx", "args": args})
    page = reader.get(f"/configs/files/{path}/")

    lines = "\n".join(soup(page).select_one('[name="v:/args"]').get_text().split()[:-1])
    answer = reader.post(f"/configs/files/{path}/", sent(soup(page), args=lines))

    assert SECRET not in page.content.decode()
    assert answer.status_code == 302
    assert json.loads(file.read_text())["args"] == args[:-1]


@pytest.mark.parametrize(
    "address", [f"http://127.0.0.1:9/?key={SECRET}", f"htp://me:{SECRET}@host/", f"x?token={SECRET}"]
)
def test_key_in_an_address_is_never_shown(opened: Path, reader: Client, address: str) -> None:
    write(furnish(opened) / MAIN, {"endpoint": address, "apiTypeConfigFileName": "chat", "promptTemplate": None})
    pages = [
        FORM,
        f"/configs/test/{MAIN}/",
        f"/workflows/edit/{MAIN}/",
        "/workflows/problems/",
        "/api/v1/configs/" + MAIN,
    ]
    pages += ["/api/v1/config-problems", f"/api/v1/config-versions/{MAIN}?number=1"]

    for page in pages:
        response = reader.get(page)
        assert (response.status_code, SECRET in response.content.decode()) == (200, False), page
    test = reader.post(f"/configs/test/{MAIN}/").content.decode()
    assert SECRET not in test


@pytest.mark.parametrize("name", ["a\0b", "x" * 3000, "y/" * 3000, "../..", "\n"])
def test_folder_that_cannot_be_breaks_no_page(opened: Path, reader: Client, name: str) -> None:
    keys = ("sharedWorkflowsSubDirectoryOverride", "workflowConfigsSubDirectoryOverride", "endpointConfigsSubDirectory")
    more = ("presetConfigsSubDirectoryOverride", "structuredOutputConfigsSubDirectory", "customWorkflow")
    add_user(furnish(opened), "odd", **dict.fromkeys((*keys, *more), name))

    for page in ("/configs/", "/configs/files/Users/odd.json/", "/workflows/problems/", "/api/v1/config-references"):
        assert reader.get(page).status_code == 200, page
