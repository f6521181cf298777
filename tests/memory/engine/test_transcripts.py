from __future__ import annotations

import pytest

from memory.engine.braces import LEFT, RIGHT
from memory.engine.transcripts import (
    DEFAULT_VARIANT,
    VARIANTS,
    BraceForm,
    Said,
    TextForm,
    Variant,
    find_variant,
    hash_said,
    list_variant_hashes,
    prepare_message,
)
from memory.types import Message
from tests.builders import hash_of


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (TextForm.RAW, " Hi {x} "),
        (TextForm.STRIPPED, "Hi {x}"),
        (TextForm.ROLE_LABEL, "User:  Hi {x} "),
        (TextForm.NAME_LABEL, "Ann:  Hi {x} "),
    ],
)
@pytest.mark.parametrize("braces", BraceForm)
def test_prepare_message_gives_each_form(form: TextForm, text: str, braces: BraceForm) -> None:
    expected = text if braces is BraceForm.BRACES else text.replace("{", LEFT).replace("}", RIGHT)

    assert prepare_message(Said("user", " Hi {x} ", "Ann"), Variant(form, braces)) == Message("user", expected)


def test_prepare_message_takes_tags_out_and_labels_no_system_message() -> None:
    said = Said("system", "[DiscussionId]anna[/DiscussionId]Be kind.")

    assert prepare_message(said, Variant(TextForm.ROLE_LABEL)) == Message("system", "Be kind.")


def test_a_message_without_name_gets_no_name_label() -> None:
    assert prepare_message(Said("user", "Hi"), Variant(TextForm.NAME_LABEL)) == Message("user", "Hi")


@pytest.mark.parametrize(
    "said", [Said("system", "Hi"), Said("user", " \n"), Said("user", "[DiscussionId]a[/DiscussionId]")]
)
def test_what_memory_never_sees_has_no_hash(said: Said) -> None:
    assert hash_said(said, DEFAULT_VARIANT) == ""
    assert DEFAULT_VARIANT not in dict(list_variant_hashes(said))


def test_pictures_alone_are_hashed() -> None:
    assert hash_said(Said("user", "", images=("b", "a")), DEFAULT_VARIANT) == hash_of("ab")


def test_list_variant_hashes_names_every_variant() -> None:
    hashes = dict(list_variant_hashes(Said("assistant", "Hi", "Bo")))

    assert list(hashes) == list(VARIANTS)
    assert hashes[Variant(TextForm.ROLE_LABEL)] == hash_of("Assistant: Hi")
    assert hashes[Variant(TextForm.NAME_LABEL, BraceForm.BRACES)] == hash_of("Bo: Hi")


@pytest.mark.parametrize("variant", VARIANTS)
def test_find_variant_finds_its_code(variant: Variant) -> None:
    assert find_variant(variant.code) == variant
    assert find_variant(variant.code + "x") is None
