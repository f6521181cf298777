"""What every test stands on: an own state folder, an own public folder, no network but loopback."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

# Settings read the environment when they are imported, so this must come before Django starts.
os.environ["WILMER_STATE_DIR"] = tempfile.mkdtemp(prefix="wilmer-tests-")
for _name in [
    name
    for name in os.environ
    if name.startswith("WILMER_") and name not in {"WILMER_STATE_DIR", "WILMER_CONFORMANCE_DIR", "WILMER_SOAK"}
]:
    del os.environ[_name]
os.environ.pop("DATABASE_URL", None)

import pytest  # noqa: E402

SHARED = Path(__file__).resolve().parent.parent.parent / "shared"
"""Recordings and WilmerAI's own configs, when they lie beside the checkout."""


@pytest.fixture(autouse=True)
def plain_static_files(settings: object) -> None:
    """Tests need no collected static files."""
    settings.STORAGES = {  # type: ignore[attr-defined]
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
    }


@pytest.fixture(autouse=True)
def patient_catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy the machine is, a call opens everything that changed and leaves nothing to the background."""
    monkeypatch.setattr("memory.catalogue.refresh.READ_SECONDS", 600.0)
