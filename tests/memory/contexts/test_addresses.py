from __future__ import annotations

from memory.contexts.addresses import api_address, discussion_api_address, page_address, with_parameters
from tests.builders import API_KEY, build_ref, key_hash_of


def test_parameters_without_a_value_are_left_out() -> None:
    parameters = [("a", ""), ("b", None), ("c", False), ("d", True), ("e", 0), ("f", "x y")]

    assert with_parameters("/p/", parameters) == "/p/?d=1&e=0&f=x+y"
    assert with_parameters("/p/", []) == "/p/"


def test_ids_are_encoded_once_in_pages_and_api() -> None:
    ref = build_ref("a/b%2e ?\n")

    assert page_address("chunk-list", build_ref("%2e ?\n")) == "/discussions/%252e%20%3F%0A/chunks/"
    assert discussion_api_address(ref, "chunks") == "/api/v1/discussions/a%2Fb%252e%20%3F%0A/chunks"


def test_a_key_hash_stands_before_the_id() -> None:
    assert page_address("summary-detail", build_ref("anna", API_KEY)).startswith(
        f"/discussions/{key_hash_of(API_KEY)}:"
    )


def test_api_addresses_start_at_the_version() -> None:
    assert api_address("search", parameters=[("query", "a; b")]) == "/api/v1/search?query=a%3B+b"
