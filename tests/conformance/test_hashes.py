from __future__ import annotations

from typing import Any

import pytest

from memory.engine.hashing import hash_api_key, hash_message, hash_message_with_images, hash_text
from memory.engine.messages import parse_message
from tests.conformance.vectors import cases
from wilmer_site.lib.errors import WilmerError

IDENTITIES = {
    "content": lambda given: hash_text(given["text"]),
    "message": lambda given: hash_message(parse_message(given["message"])),
    "message_with_images": lambda given: hash_message_with_images(parse_message(given["message"])),
    "api_key": lambda given: hash_api_key(given["api_key"]),
}


@pytest.mark.parametrize("case", cases("memory", "hashes"))
def test_identity(case: dict[str, Any]) -> None:
    identify = IDENTITIES[case["input"]["kind"]]

    if "raises" in case["expected"]:
        with pytest.raises(WilmerError):
            identify(case["input"])
    else:
        assert identify(case["input"]) == case["expected"]["hash"]
