"""Which files nodes may read and write: those below folders that the operator allowed."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from wilmer_site.lib.errors import NotFoundError
from wilmer_site.lib.files import read_limited, write_atomic
from workflows_app.errors import NodeFailedError, SwitchedOffError

LIMIT_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class FileAccess:
    """The file system as nodes see it. Relative paths start at `working_folder`, as they do in WilmerAI's server."""

    allowed_roots: tuple[Path, ...]
    working_folder: Path
    is_read_only: bool = False

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
                f"Nodes may not touch {path!r}: it lies outside of the folders allowed for workflow files. To "
                "allow it, add its folder to the setting WILMER_NODE_FILE_FOLDERS; until then pin the node's output.",
                path=path,
            )
        return real

    def locate_named(self, path: str) -> Path:
        """As `locate`; where there is no such file, one whose name differs in letter case alone."""
        exact = self.locate(path)
        if exact.exists() or not exact.parent.is_dir():
            return exact
        names = sorted(entry.name for entry in exact.parent.iterdir() if entry.name.lower() == exact.name.lower())
        return self.locate(str(exact.parent / names[0])) if names else exact

    def write_text(self, path: Path, text: str) -> None:
        """Replace a located file in one step; folders are made. Raises NodeFailedError, SwitchedOffError."""
        if self.is_read_only:
            raise SwitchedOffError(f"The console is read-only (WILMER_READ_ONLY), so {path.name!r} was not written.")
        try:
            write_atomic(path, text.encode("utf-8"))
        except (OSError, UnicodeError) as error:
            raise NodeFailedError(f"Could not write to file at {path}", path=str(path)) from error

    def find_editable_text(self, path: Path) -> str | None:
        """As `find_text`, for a file that is written again. Raises NodeFailedError when it is no UTF-8 text."""
        try:
            return self._find(path, "strict")
        except UnicodeDecodeError as error:
            raise NodeFailedError(f"{path} is no UTF-8 text: {error.reason} at byte {error.start}") from None

    def find_text(self, path: Path) -> str | None:
        """The content of a located file, line ends as line feeds; None when there is no file."""
        return self._find(path, "replace")

    def _find(self, path: Path, errors: str) -> str | None:
        try:
            data = read_limited(path, limit_bytes=LIMIT_BYTES)
        except NotFoundError:
            return None
        return data.decode("utf-8", errors).replace("\r\n", "\n").replace("\r", "\n")
