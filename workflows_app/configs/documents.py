"""One config file, read for checking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from workflows_app.configs.kinds import ConfigKind, find_kind
from workflows_app.configs.source import JsonSource, Pointer, parse_source
from workflows_app.errors import ConfigInvalidError

BOM = b"\xef\xbb\xbf"


@dataclass
class Document:
    """A file with what could be read of it."""

    path: str
    """Below `Configs`, with slashes and `.json`."""
    source: JsonSource | None
    """None when it is no JSON."""
    kind: ConfigKind | None
    syntax_error: ConfigInvalidError | None = None
    has_bom: bool = False
    is_utf8: bool = True
    raw_text: str = ""
    """The text when it is no JSON."""

    @property
    def value(self) -> Any:
        """The JSON value; None when there is none."""
        return self.source.value if self.source else None

    @cached_property
    def object(self) -> dict[str, Any]:
        """The value when it is an object, else an empty one."""
        return self.value if isinstance(self.value, dict) else {}

    @property
    def name(self) -> str:
        """The file's name without `.json`."""
        return PurePosixPath(self.path).stem

    @property
    def folder(self) -> str:
        """The folder below that of its kind: `alice` for `Workflows/alice/Main.json`."""
        return str(PurePosixPath(self.path).parent).partition("/")[2]

    @property
    def is_workflow(self) -> bool:
        """Whether it is to be taken for a workflow."""
        return self.kind is ConfigKind.WORKFLOW

    def locate(self, at: Pointer) -> tuple[int, int]:
        """Line and column of a key."""
        return self.source.locate(at) if self.source else (1, 1)


def read_document(path: str, data: bytes) -> Document:
    """A document from the bytes of a file. Never raises: what is wrong is in the document."""
    has_bom = data.startswith(BOM)
    body = data.removeprefix(BOM)
    try:
        text, is_utf8 = body.decode("utf-8"), True
    except UnicodeDecodeError:
        text, is_utf8 = body.decode("cp1252", "replace"), False
    pure = PurePosixPath(path)
    try:
        source = parse_source(text)
    except ConfigInvalidError as error:
        return Document(path, None, find_kind(pure), error, has_bom, is_utf8, text)
    return Document(path, source, find_kind(pure, source.value), None, has_bom, is_utf8)
