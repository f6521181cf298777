"""Conversation variables and the token estimate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.engine.tokens import estimate_tokens
from tests.conformance.vectors import cases
from tests.conformance.workflow_world import World


@pytest.mark.parametrize("case", cases("workflows", "conversation_slices"))
def test_conversation_slices(case: dict[str, Any], tmp_path: Path) -> None:
    if "tokens" in case["expected"]:
        assert estimate_tokens(case["input"]["text"]) == case["expected"]["tokens"]
        return
    context = World(tmp_path, case).context(case["input"].get("node") or {})

    found = {name: context.resolve(f"{{{name}}}") for name in case["input"]["variables"]}

    assert found == case["expected"]["values"]
