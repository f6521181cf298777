from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.services.servers import run_postgresql, run_redis


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    with run_postgresql() as address:
        yield address


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    with run_redis() as address:
        yield address
