"""Which users a server answers for, and the model names it lists (workflows.md §11.3, §13.1)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wilmer_site.lib.errors import WilmerError
from workflows_app.errors import ConfigInvalidError
from workflows_app.stores.config_files import ConfigFiles


def choose_user(root: Path, users: Sequence[str] | None = None, requested: str | None = None) -> str:
    """The user a request is for: the one it names, the only one served, or that of `_current-user.json`.

    Raises ConfigInvalidError when several are served and none is named.
    """
    if requested:
        return requested
    if not users:
        return ConfigFiles(root).user_name
    if len(users) == 1:
        return users[0]
    raise ConfigInvalidError(f"The request must name one of the users {', '.join(users)}.", users=list(users))


def list_model_names(root: Path, users: Sequence[str]) -> list[str]:
    """What `/v1/models` lists: users, or `<user>:<folder>` where workflows are shared."""
    names: list[str] = []
    for user in users:
        folders = list_shared_folders(root, user)
        names += [f"{user}:{folder}" for folder in folders] or [user]
    return names


def list_shared_folders(root: Path, user: str) -> list[str]:
    """The shared folders a user offers; none when sharing is off or the user's config cannot be read."""
    paths = ConfigFiles(root, user).paths
    try:
        return paths.list_shared_folders() if paths.user.get("allowSharedWorkflows") else []
    except WilmerError:
        return []
