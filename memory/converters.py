"""How names of discussions, files and numbers stand in the path of a URL."""

from __future__ import annotations

from django.urls import register_converter

from memory.types import Artefact, DiscussionRef


class RefConverter:
    """A discussion: its id, or `keyhash:id`.

    Ids never contain a slash (memory.md §2) but may contain anything else, line feeds and `%2e` included (traps I1),
    so everything up to the next slash belongs to the name. Django percent-encodes it.
    """

    regex = "[^/]+"

    def to_python(self, value: str) -> DiscussionRef:
        """The name in a path, already percent-decoded, as a reference."""
        return DiscussionRef.parse(value)

    def to_url(self, value: DiscussionRef | str) -> str:
        """The text that stands for a discussion in a path."""
        return value.text if isinstance(value, DiscussionRef) else value


class ArtefactConverter:
    """One of the files of a discussion, by its current base name."""

    regex = "|".join(sorted((artefact.value for artefact in Artefact), key=len, reverse=True))

    def to_python(self, value: str) -> Artefact:
        """The file that a path names."""
        return Artefact(value)

    def to_url(self, value: Artefact | str) -> str:
        """The text that stands for a file in a path."""
        return str(value)


class NumberConverter:
    """A number that every database can hold: longer ones name nothing and are simply not found."""

    regex = "[0-9]{1,18}"

    def to_python(self, value: str) -> int:
        """The number in a path."""
        return int(value)

    def to_url(self, value: int) -> str:
        """The text that stands for a number in a path."""
        return str(value)


register_converter(RefConverter, "ref")
register_converter(ArtefactConverter, "artefact")
register_converter(NumberConverter, "number")
