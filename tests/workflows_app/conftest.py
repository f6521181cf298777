"""The Public folder that tests of runs work on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflows_app.builders import lay_out


@pytest.fixture
def public(tmp_path: Path) -> Path:
    """An own folder with the user `ann`."""
    return lay_out(tmp_path)
