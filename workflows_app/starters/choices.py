"""What a person chooses before a starter is written."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StarterChoices:
    """Names that go into the files."""

    name: str
    """Name of the workflow; its helpers and settings begin with it."""
    endpoint: str
    preset: str
    embedding_endpoint: str = ""
    """Empty: memories get no vectors and are found by keywords."""

    def part(self, what: str) -> str:
        """The name of a file that belongs to the workflow."""
        return f"{self.name}_{what}"
