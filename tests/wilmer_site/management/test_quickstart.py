from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings


@pytest.fixture
def port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture
def start(tmp_path: Path, port: int) -> Iterator[object]:
    started: list[subprocess.Popen[str]] = []

    def run() -> subprocess.Popen[str]:
        environ = {**os.environ, "WILMER_STATE_DIR": str(tmp_path), "WILMER_PORT": str(port)}
        command = [sys.executable, "manage.py", "quickstart"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        started.append(subprocess.Popen(command, cwd=settings.BASE_DIR, env=environ, **pipes))  # type: ignore[call-overload]
        return started[-1]

    yield run
    for process in started:
        process.kill()
        process.communicate()


def wait_for_answer(port: int) -> str:
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/sign-in/", timeout=30) as answer:
                return str(answer.read().decode())
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the console does not answer")


def test_quickstart_serves_from_nothing_and_stops_cleanly(start: object, port: int, tmp_path: Path) -> None:
    process = start()  # type: ignore[operator]
    page = wait_for_answer(port)
    style = re.search(r'href="(/static/css/console[^"]+)"', page)
    assert style
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{style[1]}", timeout=30) as answer:
        assert answer.headers.get_content_type() == "text/css"
        assert "immutable" in answer.headers["Cache-Control"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"

    process.send_signal(signal.SIGINT)
    told, _ = process.communicate(timeout=60)

    assert "<h1>Sign in</h1>" in page
    assert re.search(rf"http://127\.0\.0\.1:{port}/sign-in/link/[\w-]{{40,}}/", told)
    assert (process.returncode, "Traceback" in told) == (0, False)
    assert (tmp_path / "sample" / "Public" / "DiscussionIds").is_dir()


def test_quickstart_explains_a_taken_port(start: object, port: int) -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", port))
        listener.listen()

        told, _ = start().communicate(timeout=60)  # type: ignore[operator]

    assert f"127.0.0.1:{port} is taken" in told
    assert f"WILMER_PORT={port + 1} make run" in told
    assert "Traceback" not in told
