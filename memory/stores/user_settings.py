"""Users as WilmerAI's configs name them, as far as memory depends on them (memory.md §3.1, §5, §9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory.errors import DamagedFileError
from memory.stores.json_files import JsonDamageError, decode_text, parse_object
from wilmer_site.lib.errors import WilmerError
from wilmer_site.lib.files import read_limited
from wilmer_site.lib.ids import child_path

CONFIG_LIMIT_BYTES = 4_000_000
_CURRENT_USER_FILE = "_current-user.json"


@dataclass(frozen=True, slots=True)
class UserSettings:
    """What one user's settings say about memory. Texts are empty when they are not set."""

    name: str
    """Exactly as asked for; its letter case counts for salts and folders."""
    discussion_directory: str = ""
    encrypt_using_api_key: bool = False
    adds_role_labels: bool = False
    """Messages get `User: ` and `Assistant: ` before they are hashed (memory.md §1)."""
    adds_missing_assistant: bool = False
    memory_settings_name: str = ""
    compactor_settings_name: str = ""
    workflow_folder: str = ""
    """The folder below `Workflows` that this user's workflows and memory settings lie in."""
    values: Mapping[str, Any] = field(default_factory=dict)
    """Everything the file holds."""


def read_user_settings(config_root: Path, user_name: str) -> UserSettings:
    """The settings of one user; the file is named in lower case.

    Raises NotFoundError, UnsafeNameError, DamagedFileError or what reading a file raises.
    """
    path = child_path(config_root / "Users", f"{user_name.lower()}.json")
    return parse_user_settings(user_name, _read_object(path))


def parse_user_settings(user_name: str, values: Mapping[str, Any]) -> UserSettings:
    """Settings out of a user's object; switches count by truth, as in WilmerAI."""
    return UserSettings(
        name=user_name,
        discussion_directory=_text(values, "discussionDirectory").strip(),
        encrypt_using_api_key=bool(values.get("encryptUsingApiKey")),
        adds_role_labels=bool(values.get("chatCompleteAddUserAssistant")),
        adds_missing_assistant=bool(values.get("chatCompletionAddMissingAssistantGenerator")),
        memory_settings_name=_text(values, "discussionIdMemoryFileWorkflowSettings"),
        compactor_settings_name=_text(values, "contextCompactorSettingsFile"),
        workflow_folder=_text(values, "workflowConfigsSubDirectoryOverride") or user_name,
        values=values,
    )


def read_settings_document(config_root: Path, user: UserSettings, name: str) -> dict[str, Any]:
    """One settings document of a user's workflow folder, such as the memory settings (memory.md §9).

    Raises NotFoundError, UnsafeNameError, DamagedFileError or what reading a file raises.
    """
    return _read_object(child_path(config_root / "Workflows", user.workflow_folder, f"{name}.json"))


def find_current_user(config_root: Path) -> str | None:
    """The user WilmerAI serves when nothing else names one; None when the file is missing or unusable."""
    try:
        name = _read_object(config_root / "Users" / _CURRENT_USER_FILE).get("currentUser")
    except WilmerError:
        return None
    return name if isinstance(name, str) and name else None


def list_user_names(config_root: Path) -> list[str]:
    """The names of all user files, sorted, in the letter case of the files."""
    try:
        names = [path.stem for path in (config_root / "Users").iterdir() if path.suffix == ".json"]
    except OSError:
        return []
    return sorted(name for name in names if name != Path(_CURRENT_USER_FILE).stem)


def list_salt_names(config_root: Path) -> list[str]:
    """Every spelling of a user name that files may be encrypted under, the current user first."""
    current = find_current_user(config_root)
    return list(dict.fromkeys([*([current] if current else []), *list_user_names(config_root)]))


def _read_object(path: Path) -> dict[str, Any]:
    data = read_limited(path, limit_bytes=CONFIG_LIMIT_BYTES)
    try:
        return parse_object(decode_text(data))
    except JsonDamageError as error:
        raise DamagedFileError(
            f"{path.name} cannot be read: {error} Mend it in a text editor.",
            file=path.name,
            line=error.line,
            column=error.column,
        ) from None


def _text(values: Mapping[str, Any], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""
