from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client

from memory.api.requests import parse_ref
from memory.errors import UnsafeDiscussionIdError
from tests.builders import build_discussion
from tests.memory.api.calls import ROOT, error_of, url

UNSAFE = ["..", ".", "a:b", ":a", "a\\b", "a\x00b", "0123456789abcdef:..", "0123456789abcdef:", "a:b:c", "C:x"]
PARTS = ["", "chunks", "files", "files/memories/raw", "vector-memories", "search?query=a", "health"]


@pytest.mark.parametrize("text", UNSAFE)
def test_unsafe_ids_are_422(public: Path, reader: Client, text: str) -> None:
    for part in PARTS:
        response = reader.get(url(text, part).rstrip("/"))

        assert (response.status_code, error_of(response)["code"]) == (422, "unsafe-discussion-id")


@pytest.mark.parametrize("text", ["%2e%2e", "a\nb", "日本語", "x" * 300, "a b", "CON", "<b>", "é" * 130, "a?b#c", "*"])
def test_odd_ids_that_name_nothing_are_404(public: Path, reader: Client, text: str) -> None:
    response = reader.get(url(text))

    assert (response.status_code, error_of(response)["code"]) == (404, "discussion-not-found")


@pytest.mark.parametrize(
    "text", ["%2e%2e", "a\nb", "日本語", "výlet-京都", "a b", "CON", "<b>", "a?b#c", "a;b&c=d", " "]
)
def test_odd_ids_that_exist_are_read(public: Path, reader: Client, text: str) -> None:
    ref = build_discussion(public, text, chunks=2)

    response = reader.get(url(ref, "chunks"), {"size": 1})

    assert response.json()["total"] == 2
    assert reader.get(response.json()["next"]).json()["items"][0]["number"] == 1


@pytest.mark.parametrize("path", ["a%2fb", "..%2f..%2fetc", "%2e%2e%2f%2e%2e", "%2fetc%2fpasswd"])
def test_encoded_slashes_reach_no_file(public: Path, reader: Client, path: str) -> None:
    response = reader.get(f"{ROOT}/discussions/{path}")

    assert response.status_code in {404, 422}
    assert error_of(response)


def test_bytes_that_are_no_utf8_are_an_error_in_the_one_shape(public: Path, reader: Client) -> None:
    response = reader.get(f"{ROOT}/discussions/%ff%fe/chunks")

    assert response.status_code in {404, 422}
    assert error_of(response)


def test_a_folder_whose_name_is_no_utf8_breaks_no_list(public: Path, reader: Client) -> None:
    build_discussion(public)
    folder = bytes(public / "DiscussionIds") + b"/bad\xff"
    Path(folder.decode("utf-8", "surrogateescape")).mkdir()

    assert reader.get(f"{ROOT}/discussions").status_code == 200
    assert reader.get(f"{ROOT}/health").status_code == 200


def test_parse_ref_reads_a_key_hash() -> None:
    ref = parse_ref("0123456789abcdef:trip")

    assert (ref.key_hash, ref.discussion_id) == ("0123456789abcdef", "trip")


def test_parse_ref_says_what_is_wrong() -> None:
    with pytest.raises(UnsafeDiscussionIdError, match="names no discussion"):
        parse_ref("../secret")
