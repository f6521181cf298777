"""What is sent to a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.conformance.vectors import cases
from tests.conformance.workflow_runs import check_requests


@pytest.mark.parametrize("case", cases("workflows", "responder"))
def test_responder(case: dict[str, Any], tmp_path: Path) -> None:
    check_requests(case, tmp_path)
