"""Real servers for one test run: each on a free loopback port, in a folder of its own, gone at the end."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
"""Debian keeps PostgreSQL's programs off the PATH; the newest version is last."""


def run_manage(world: dict[str, str], *words: str) -> list[str]:
    """The lines that a command prints in that environment; it must end well and warn of nothing."""
    command = [sys.executable, "manage.py", *words]
    ended = subprocess.run(command, cwd=settings.BASE_DIR, env=world, capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr
    return ended.stdout.splitlines()


@contextmanager
def run_postgresql() -> Iterator[str]:
    """The address of the database `postgres` of an own, empty PostgreSQL; its user needs no password."""
    person = _somebody_unprivileged()
    with _own_folder(person) as folder:
        data, port = folder / "data", find_free_port()
        initdb = [PROGRAMS[-1] / "initdb", "-D", data, "-U", "console", "--auth=trust", "--encoding=UTF8", "--no-sync"]
        subprocess.run([*initdb, "--locale=C"], check=True, capture_output=True, cwd=folder, **person)
        options = ["-p", port, "-h", "127.0.0.1", "-k", folder, "-F"]
        with _running([PROGRAMS[-1] / "postgres", "-D", data, *options], folder, person):
            wait_for_port(port)
            yield f"postgresql://console@127.0.0.1:{port}/postgres"


@contextmanager
def run_redis() -> Iterator[str]:
    """The address of an own, empty Redis that keeps nothing."""
    with _own_folder({}) as folder:
        port = find_free_port()
        options = ["--port", port, "--bind", "127.0.0.1", "--save", "", "--dir", folder]
        with _running(["redis-server", *options], folder, {}):
            wait_for_port(port)
            yield f"redis://127.0.0.1:{port}/0"


def find_free_port() -> str:
    """A port of the loopback that nobody listens at."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return str(listener.getsockname()[1])


def wait_for_port(port: str) -> None:
    """Return when somebody listens there."""
    for _ in range(600):
        with socket.socket() as caller:
            if caller.connect_ex(("127.0.0.1", int(port))) == 0:
                return
        time.sleep(0.1)
    raise AssertionError(f"nothing listens at port {port}")


def _somebody_unprivileged() -> dict[str, Any]:
    """PostgreSQL refuses root, so root starts it as the user that Debian's package makes."""
    if os.geteuid() != 0:
        return {}
    person = pwd.getpwnam("postgres")
    return {"user": person.pw_uid, "group": person.pw_gid, "extra_groups": []}


@contextmanager
def _own_folder(person: dict[str, Any]) -> Iterator[Path]:
    """A folder directly below /tmp: pytest's own folders let nobody else in."""
    folder = Path(tempfile.mkdtemp(prefix="wilmer-server-"))
    if person:
        os.chown(folder, person["user"], person["group"])
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


@contextmanager
def _running(command: list[Any], folder: Path, person: dict[str, Any]) -> Iterator[None]:
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen([str(word) for word in command], cwd=folder, stdout=log, stderr=log, **person)
    try:
        yield
    finally:
        process.send_signal(signal.SIGINT)  # PostgreSQL would wait for its clients after SIGTERM.
        process.wait(60)
