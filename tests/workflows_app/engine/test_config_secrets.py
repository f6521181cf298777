from __future__ import annotations

import json
from typing import Any

import pytest

from workflows_app.engine.config_secrets import (
    hides_secret,
    list_open_secrets,
    list_secrets,
    mask_alike,
    mask_document,
    mask_text,
    restore_text,
    unmask_some,
)
from workflows_app.errors import ConfigInvalidError

ENDPOINT = '{\n  "endpoint": "http://a",\n  "apiKey": "s3cret",\n  "x": 1\n}'
SERVER = {"transport": "stdio", "headers": {"A": "one", "B": ""}, "env": {"TOKEN": "two"}, "url": "http://u"}
NODES = [
    {"type": "WebFetch", "url": "http://u", "headers": {"Authorization": "Bearer one"}, "body": "two"},
    {"type": "CurlCommand", "args": ["-s", "--header", "X: three", "http://u"], "proxy": "http://me:four@p"},
    {"type": "Standard", "headers": {"A": "shown"}, "proxy": "http://p"},
]


@pytest.mark.parametrize(
    ("path", "document", "values"),
    [
        ("Endpoints/E.json", json.loads(ENDPOINT), ["s3cret"]),
        ("Endpoints/E.json", {"apiKey": ""}, []),
        ("Endpoints/E.json", {"api_key": "one", "apikey": {"a": "two"}, "tokens": "shown"}, ["one", "two"]),
        ("Endpoints/E.json", {"endpoint": "http://me:pass@host"}, ["http://me:pass@host"]),
        ("MCPServers/m.json", SERVER, ["one", "two"]),
        ("Workflows/ann/W.json", NODES, ["Bearer one", "two", "X: three", "http://u", "http://me:four@p"]),
        ("Workflows/ann/W.json", {"nodes": NODES[:1]}, ["Bearer one", "two"]),
        ("Users/ann.json", {"apiKey": "no field of a user"}, []),
        ("Endpoints/E.json", ["no", "object"], []),
    ],
)
def test_secrets_are_found_where_the_kind_has_them(path: str, document: Any, values: list[str]) -> None:
    found = []
    for pointer in list_secrets(path, document):
        value = document
        for step in pointer:
            value = value[step]
        found.append(value)

    assert found == values


@pytest.mark.parametrize(
    ("address", "is_secret"),
    [
        ("https://h/mcp?token=abc", True),
        ("https://h/?x=1&api_key=abc", True),
        ("https://h/?X-Auth-Token=abc", True),
        ("https://h/#accessToken=abc", True),
        ("https://me:pw@h/", True),
        ("https://h/?key={agent1Output}", False),
        ("https://h/?monkey=1&keys=2&key=", False),
        ("http://[broken", False),
        ("http://[me:pw@broken", True),
    ],
)
def test_keys_in_addresses_are_secrets(address: str, is_secret: bool) -> None:
    node = {"type": "WebFetch", "url": address}

    assert hides_secret(address) is is_secret
    assert bool(list_secrets("Workflows/ann/W.json", {"nodes": [node]})) is is_secret
    assert bool(list_secrets("MCPServers/m.json", {"url": address})) is is_secret


def test_keys_in_arguments_of_a_server_are_secrets() -> None:
    args = ["-y", "srv", "--api-key", "s1", "--token=s2", "--header", "Authorization: Bearer s3", "-e", "API_KEY=s4"]
    args += ["--key", "${KEY}", "--max-tokens", "5", "https://h/?key=s5", "--secret", "--port=80"]
    masked = mask_document("MCPServers/m.json", {"args": args})["args"]

    assert [text for text, shown in zip(args, masked, strict=True) if shown != text] == [
        "s1",
        "--token=s2",
        "Authorization: Bearer s3",
        "API_KEY=s4",
        "https://h/?key=s5",
    ]
    text = json.dumps({"args": args})
    assert restore_text("MCPServers/m.json", mask_text("MCPServers/m.json", text), text) == text


def test_address_with_a_key_is_masked_in_a_text_that_is_no_json() -> None:
    base = '{"endpoint": "https://h/?key=s1", "prompt": "See: https://h/ of @me", '

    masked = mask_text("Endpoints/E.json", base)

    assert masked == base.replace("https://h/?key=s1", "••••••••#1")
    assert restore_text("Endpoints/E.json", masked.replace("See", "Look"), base) == base.replace("See", "Look")


def test_masked_text_differs_in_the_secret_alone() -> None:
    masked = mask_text("Endpoints/E.json", ENDPOINT)

    assert masked == ENDPOINT.replace("s3cret", "••••••••#1")
    assert restore_text("Endpoints/E.json", masked, ENDPOINT) == ENDPOINT


def test_masks_find_their_secret_after_nodes_changed_places() -> None:
    base = json.dumps(NODES)
    masked = json.loads(mask_text("Workflows/ann/W.json", base))
    moved = json.dumps([masked[1], masked[0]])

    assert json.loads(restore_text("Workflows/ann/W.json", moved, base)) == [NODES[1], NODES[0]]


def test_mask_document_leaves_the_original_alone() -> None:
    masked = mask_document("MCPServers/m.json", SERVER)

    assert masked["env"] == {"TOKEN": "••••••••#2"}
    assert masked["headers"] == {"A": "••••••••#1", "B": ""}
    assert SERVER["env"] == {"TOKEN": "two"}


@pytest.mark.parametrize(
    "text",
    [
        '{"endpoint": "••••••••#1", "apiKey": ""}',
        '{"endpoint": "\\u2022\\u2022\\u2022\\u2022\\u2022\\u2022\\u2022\\u2022#1"}',
        '{"apiKey": "••••••••#2"}',
        '{"apiKey": "x", "note": "see ••••••••#1"}',
    ],
)
def test_secret_may_not_be_moved_to_where_it_shows(text: str) -> None:
    with pytest.raises(ConfigInvalidError):
        restore_text("Endpoints/E.json", text, ENDPOINT)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("Endpoints/E.json", ENDPOINT[:-1]),
        ("Endpoints/E.json", '{"apiKey": "s3cret'),
        ("Endpoints/E.json", '{"apiKey": "s3cret", "apiKey": "s3cret"}'),
        ("MCPServers/m.json", '{"env": {"A": "s3cret", "B": ["s3cret"]}, }'),
        ("Workflows/ann/W.json", '[{"type": "WebFetch", "headers": {"A": "s3cret"}},]'),
    ],
)
def test_secrets_of_a_broken_file_are_hidden_too(path: str, text: str) -> None:
    masked = mask_text(path, text)

    assert "s3cret" not in masked
    assert "••••••••#1" in masked


def test_a_new_secret_replaces_the_old_one() -> None:
    text = ENDPOINT.replace("s3cret", "typed anew")

    assert restore_text("Endpoints/E.json", text, ENDPOINT) == text


def test_texts_masked_alike_have_equal_masks_for_equal_secrets_only() -> None:
    first, second = ('{"api_key": "a", "token": "b"}', '{"token": "b", "api_key": "\\u0061", "apiKey": "c"}')
    masked, written = mask_alike("Endpoints/E.json", (first, second))
    assert masked[0] == mask_text("Endpoints/E.json", first)
    assert masked[1] == '{"token": "••••••••#2", "api_key": "••••••••#1", "apiKey": "••••••••#3"}'
    assert written == {1: '"a"', 2: '"b"', 3: '"c"'}
    assert unmask_some("Endpoints/E.json", masked[1], {3: '"c"'}).endswith('"apiKey": "c"}')
    assert list_open_secrets("Endpoints/E.json", '{"token": "••••••••#2", "apiKey": "c"}') == {'"c"'}
