from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

SOURCE = settings.BASE_DIR / "wilmer_site" / "settings.py"
READ = re.compile(r"env_\w+\(\s*\"([A-Z_]+)\"")

SERVERS = ("redis:", "postgres:", "sqlite:")
"""Of these the driver says what is wrong, in its own words."""


def find_free_port() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


def run_manage(tmp_path: Path, *words: str, **changes: str) -> subprocess.CompletedProcess[str]:
    environ = {**os.environ, "WILMER_STATE_DIR": str(tmp_path / "state"), **changes}
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(command, cwd=settings.BASE_DIR, env=environ, capture_output=True, text=True, timeout=60)


def test_every_setting_has_a_heading() -> None:
    names = set(READ.findall(SOURCE.read_text(encoding="utf-8")))
    headings = re.findall(r"^### `([A-Z_]+)`", (settings.BASE_DIR / "docs/settings.md").read_text("utf-8"), re.M)

    assert len(names) > 10
    assert sorted(names) == sorted(headings)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WILMER_PORT", "99999"),
        ("WILMER_PORT", "eighty"),
        ("WILMER_PUBLIC_DIR", "/nope"),
        ("WILMER_TIME_ZONE", "Mars"),
        ("WILMER_READ_ONLY", "maybe"),
        ("WILMER_USER", "nobody-like-that"),
        ("WILMER_JOBS_URL", "nonsense"),
        ("WILMER_JOBS_URL", "ftp://host/x"),
        ("WILMER_JOBS_URL", "redis://127.0.0.1:1/0"),
        ("WILMER_JOBS_URL", "postgres://nobody@127.0.0.1:1/x"),
        ("WILMER_JOBS_URL", "sqlite:////nope/x"),
        ("WILMER_LOG_LEVEL", "loud"),
        ("DATABASE_URL", "nonsense"),
        ("DATABASE_URL", "postgres://nobody@127.0.0.1:1/x"),
        ("DATABASE_URL", "sqlite:////nope/x"),
    ],
)
def test_wrong_setting_stops_the_start_with_its_sentence(tmp_path: Path, name: str, value: str) -> None:
    ended = run_manage(tmp_path, "quickstart", **{"WILMER_PORT": find_free_port(), name: value})

    assert ended.returncode == 2
    assert ended.stderr.startswith(f"{name} must ")
    assert value in ended.stderr or value.startswith(SERVERS)
    assert ended.stderr.rstrip().endswith(".")
    assert len(ended.stderr.splitlines()) == 1
    assert "Sign in" not in ended.stdout


def test_secret_key_is_made_once_and_private(tmp_path: Path) -> None:
    read_it = ("shell", "-v", "0", "-c", "from django.conf import settings; print(settings.SECRET_KEY)")
    first = run_manage(tmp_path, *read_it)

    second = run_manage(tmp_path, *read_it)

    keeper = tmp_path / "state" / "secret-key"
    assert first.stdout.strip() == second.stdout.strip() == keeper.read_text()
    assert keeper.stat().st_mode & 0o777 == 0o600
