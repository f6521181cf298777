"""Keys and tokens beyond the recorded cases."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.stores import encryption
from memory.stores.encryption import (
    FileKeys,
    derive_fernet_key,
    encrypt,
    find_decrypted,
    forget_derived_keys,
    is_token,
)
from memory.types import ApiKey

FERNET_KEY = derive_fernet_key("a-key", "recall")


@given(st.binary(max_size=200))
@settings(max_examples=30)
def test_what_is_encrypted_comes_back(data: bytes) -> None:
    token = encrypt(data, FERNET_KEY)

    assert is_token(token)
    assert find_decrypted(token, FERNET_KEY) == data


@pytest.mark.parametrize("data", [b"", b"[]", b"# Heading", b"gAAAA", b"\xff\xfe"])
def test_other_contents_are_no_tokens(data: bytes) -> None:
    assert not is_token(data)
    assert find_decrypted(data, FERNET_KEY) is None


@pytest.mark.parametrize("junk", [b"gAAAAA", b"gAAAAA not base64 \xff", b"gAAAAA" + b"A" * 500])
def test_damaged_tokens_open_with_no_key(junk: bytes) -> None:
    assert is_token(junk)
    assert FileKeys.of(FERNET_KEY).find_opened(junk) is None


def test_every_user_name_and_none_is_tried() -> None:
    keys = FileKeys(ApiKey("a-key"), ["stage", "recall"])

    for user_name in ("recall", None, "stage"):
        opened = keys.find_opened(encrypt(b"x", derive_fernet_key("a-key", user_name)))
        assert opened is not None
        assert opened.fernet_key == derive_fernet_key("a-key", user_name)


def test_the_key_that_worked_is_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = FileKeys(ApiKey("a-key"), ["stage", "recall"])
    token = encrypt(b"x", FERNET_KEY)
    keys.find_opened(token)
    monkeypatch.setattr(encryption, "derive_fernet_key", lambda *_: pytest.fail("derived again"))

    assert keys.find_opened(token) is not None


def test_no_key_is_derived_for_plain_files_or_without_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encryption, "derive_fernet_key", lambda *_: pytest.fail("a key was derived"))

    assert FileKeys(None, ["recall"]).find_opened(b"gAAAAA") is None
    assert FileKeys(None).derive_for("recall") is None
    assert FileKeys(ApiKey("a-key"), ["recall"]).key_hash is not None
    assert FileKeys().key_hash is None


def test_derived_keys_can_be_forgotten() -> None:
    derive_fernet_key("a-key", "recall")

    forget_derived_keys()

    assert derive_fernet_key.cache_info().currsize == 0
