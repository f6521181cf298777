"""Database changes of sign-in links and API tokens."""

from __future__ import annotations
