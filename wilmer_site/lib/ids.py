"""Names from outside become paths here and nowhere else."""

from __future__ import annotations

from pathlib import Path

from wilmer_site.lib.errors import InvalidError

_FORBIDDEN = ("/", "\\", ":", "\x00")


class UnsafeNameError(InvalidError):
    """A name that would leave its folder, or that no folder entry can have."""

    code = "unsafe-name"


def is_plain_name(name: str) -> bool:
    """Whether a name stays inside its folder: not empty, no dots alone, no separators (memory.md §2)."""
    return bool(name) and name not in {".", ".."} and not any(mark in name for mark in _FORBIDDEN)


def child_path(root: Path, *names: str) -> Path:
    """The path of an entry below `root`, guaranteed to stay there even through symbolic links.

    Raises UnsafeNameError for a name with separators, for dots alone, and for a link that leads out of `root`.
    """
    for name in names:
        if not is_plain_name(name):
            raise UnsafeNameError(f"{name!r} is not a usable name: it must not be empty, '.', '..' or contain / \\ :")
    path = root.joinpath(*names)
    real_root = root.resolve()
    try:
        real = path.resolve()
    except (OSError, RuntimeError) as error:
        # The text of the error itself would tell where the folder lies.
        reason = getattr(error, "strerror", None) or "its links go round in a circle"
        raise UnsafeNameError(f"{path.name!r} cannot be followed: {reason}.") from None
    if not real.is_relative_to(real_root):
        raise UnsafeNameError(
            f"{path.name!r} is a link that leads out of the folder {root.name}. Replace it by a real file or folder."
        )
    return path
