"""The floor: small pure modules that import no app."""

from __future__ import annotations
