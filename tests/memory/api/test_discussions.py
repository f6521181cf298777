from __future__ import annotations

from pathlib import Path

from django.test import Client

from tests.builders import API_KEY, build_discussion, key_hash_of
from tests.memory.api.calls import ROOT, error_of, url

LIST = f"{ROOT}/discussions"


def test_list_discussions_gives_cards(public: Path, reader: Client) -> None:
    build_discussion(public, "anna", chunks=4, memories=2)

    page = reader.get(LIST).json()

    card = page["items"][0]
    assert (card["ref"], card["chunk_count"], card["memory_count"], card["summary_behind"]) == ("anna", 4, 2, 2)
    assert (card["generation"], card["is_encrypted"], card["key_hash"]) == ("nested", False, None)
    assert page["chips"]["has-vector"] == 1


def test_list_discussions_filters_and_sorts(public: Path, reader: Client) -> None:
    for name, chunks in (("Anna", 1), ("annabel", 3), ("bob", 2)):
        build_discussion(public, name, chunks=chunks, summary_up_to=1)

    page = reader.get(LIST, {"text": "ANNA", "sort": "-chunks"}).json()

    assert [item["ref"] for item in page["items"]] == ["annabel", "Anna"]


def test_list_discussions_with_two_chips_needs_both(public: Path, reader: Client) -> None:
    build_discussion(public, "kept", api_key=API_KEY)
    build_discussion(public, "plain")

    page = reader.get(LIST, {"chip": ["keyed", "has-state"]}).json()

    assert [item["ref"] for item in page["items"]] == [f"{key_hash_of(API_KEY)}:kept"]


def test_list_discussions_of_an_empty_folder(public: Path, reader: Client) -> None:
    page = reader.get(LIST).json()

    assert (page["items"], page["total"], page["pages"], page["next"], page["previous"]) == ([], 0, 1, None, None)


def test_list_discussions_refuses_what_it_does_not_know(public: Path, reader: Client) -> None:
    bad = [{"chip": "shiny"}, {"sort": "colour"}, {"page": "0"}, {"page": "1e3"}, {"size": "0"}, {"text": "a\x00b"}]

    for parameters in bad:
        response = reader.get(LIST, parameters)

        assert response.status_code == 422
        assert next(iter(parameters)) in str(error_of(response)["details"])


def test_get_discussion_has_files_and_version(public: Path, reader: Client) -> None:
    ref = build_discussion(public, chunks=4)

    response = reader.get(url(ref))

    header = response.json()
    files = {file["artefact"]: file for file in header["files"]}
    assert header["discussion"]["chunk_count"] == 4
    assert header["version"]
    assert (header["is_locked"], header["is_unlocked"]) == (False, False)
    assert files["memories"]["path"] == "DiscussionIds/anna/memories.json"
    assert "Last-Modified" in response


def test_get_discussion_that_is_unknown_is_404(public: Path, reader: Client) -> None:
    response = reader.get(url("nobody"))

    assert (response.status_code, error_of(response)["code"]) == (404, "discussion-not-found")


def test_no_answer_tells_where_the_folder_lies(public: Path, reader: Client) -> None:
    ref = build_discussion(public)
    (public / "DiscussionIds/anna/chat_summary.json").write_text("{")
    paths = [LIST, f"{ROOT}/overview", f"{ROOT}/health", url(ref), url(ref, "files"), url(ref, "health")]

    for path in [*paths, url(ref, "summary"), url(ref, "trackers"), url(ref, "files/chat_summary/raw")]:
        assert str(public.parent) not in reader.get(path).content.decode()


def test_no_error_tells_where_the_folder_lies(public: Path, reader: Client) -> None:
    root = public / "DiscussionIds"
    (root / "out").symlink_to("/etc")
    (root / "circle").symlink_to(root / "circle")
    ref = build_discussion(public)
    (root / "anna/chat_summary.json").unlink()
    (root / "anna/chat_summary.json").symlink_to(root / "anna/chat_summary.json")
    (root / "anna/vector_memory.db").write_bytes(b"no database " * 100)

    for path in (
        url("nobody"),
        url("out", "chunks"),
        url("circle", "summary"),
        url(ref, "summary"),
        url(ref, "vector-memories"),
    ):
        response = reader.get(path)

        assert response.status_code in {403, 404, 422}
        assert str(public.parent) not in response.content.decode()
        assert error_of(response)["message"]
