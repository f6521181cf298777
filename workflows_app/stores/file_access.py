"""Which files nodes may read and write: those below folders that the operator allowed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from wilmer_site.lib.errors import NotFoundError
from wilmer_site.lib.files import read_limited
from workflows_app.errors import NodeFailedError, SwitchedOffError

LIMIT_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileAccess:
    """The file system as nodes see it. Relative paths start at `working_folder`, as they do in WilmerAI's server."""

    allowed_roots: tuple[Path, ...]
    working_folder: Path

    def locate(self, path: str) -> Path:
        """The file a node names, `~` expanded and symbolic links followed.

        Raises SwitchedOffError for a path outside of the allowed folders, NodeFailedError for an impossible one.
        """
        try:
            wanted = self.working_folder / os.path.expanduser(path)  # noqa: PTH111 - an unknown user stays as written
            real = wanted.resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise NodeFailedError(f"{path!r} is no usable path: {error}.") from None
        if not any(real.is_relative_to(root.resolve()) for root in self.allowed_roots):
            raise SwitchedOffError(
                f"Nodes may not touch {path!r}: it lies outside of the folders allowed for workflow files.", path=path
            )
        return real

    def find_text(self, path: Path) -> str | None:
        """The content of a located file, line ends as line feeds; None when there is no file."""
        try:
            data = read_limited(path, limit_bytes=LIMIT_BYTES)
        except NotFoundError:
            return None
        return data.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
