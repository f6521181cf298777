from __future__ import annotations

from tests.memory.conftest import public

__all__ = ["public"]
