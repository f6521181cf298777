"""From settings to stores: which public folder is open, as which WilmerAI user. The only such place in memory."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from memory.engine.compaction import CompactorSettings
from memory.engine.memory_settings import DEFAULT_MEMORY_SETTINGS_NAME, MemorySettings
from memory.engine.model_calls import UNWATCHED, Embedder, Model, Watch
from memory.journal.files import DatabaseJournal
from memory.results import ApiKeys
from memory.stores.discussion_files import DiscussionFiles
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.public_folder import PublicFolder, RootChoices, build_public_folder
from memory.stores.uploads import UploadFolder
from memory.stores.user_settings import (
    UserSettings,
    find_current_user,
    list_salt_names,
    read_settings_document,
    read_user_settings,
)
from memory.stores.vector_db import VectorDatabase
from memory.stores.workflow_nodes import read_workflow_nodes
from memory.types import DiscussionRef
from wilmer_site.lib.errors import RefusedError, WilmerError


def get_public_folder() -> PublicFolder:
    """The folder that is open: WILMER_DISCUSSIONS_DIR, else the user's `discussionDirectory`, else the usual place."""
    named = settings.WILMER_DISCUSSIONS_DIR_SETTING
    user = get_user_name()
    return build_public_folder(
        RootChoices(
            public_directory=str(settings.WILMER_PUBLIC_DIR),
            config_directory=str(settings.WILMER_CONFIG_DIR),
            discussion_directory=str(named) if named else None,
            user_discussion_directory=_discussion_directory(user) if user and not named else None,
        )
    )


def get_user_name() -> str:
    """The WilmerAI user whose config counts: WILMER_USER, else the current user of the folder; empty for none."""
    return settings.WILMER_USER or find_current_user(settings.WILMER_CONFIG_DIR) or ""


def get_salt_names() -> tuple[str, ...]:
    """User names that an encrypted file may be salted with, the likeliest first (memory.md §5)."""
    spellings = [get_user_name(), *list_salt_names(settings.WILMER_CONFIG_DIR)]
    return tuple(dict.fromkeys(name for name in spellings if name))


def get_discussion_folders() -> DiscussionFolders:
    """The store that lists and opens discussions: one per folder and process, because it remembers listings."""
    return _folders_of(get_public_folder(), is_read_only=is_read_only())


def is_read_only() -> bool:
    """Whether the console may change nothing: WILMER_READ_ONLY."""
    return bool(settings.WILMER_READ_ONLY)


def get_uploads() -> UploadFolder:
    """Chat files that people brought in and have not decided about yet, below the state folder."""
    return UploadFolder(Path(settings.WILMER_STATE_DIR) / "uploads")


def get_limit_bytes() -> int:
    """The largest file that is loaded: WILMER_MAX_FILE_MB."""
    return int(settings.WILMER_MAX_FILE_BYTES)


def get_archive_limit() -> int:
    """How many bytes an archive that is brought in may have."""
    return int(settings.WILMER_MAX_ARCHIVE_BYTES)


def get_archive_uploads() -> UploadFolder:
    """Archives that people brought in and have not decided about yet."""
    return UploadFolder(Path(settings.WILMER_STATE_DIR) / "archives")


def get_history_limit_bytes() -> int:
    """How much room the history may take: WILMER_HISTORY_MB."""
    return int(settings.WILMER_HISTORY_BYTES)


def open_discussion(
    ref: DiscussionRef, keys: ApiKeys | None = None, *, folders: DiscussionFolders | None = None
) -> DiscussionFiles:
    """The files of one discussion, opened with its key if that is among `keys`.

    Raises DiscussionNotFoundError or UnsafeDiscussionIdError.
    """
    api_key = keys.get(ref.key_hash) if keys and ref.key_hash else None
    return (folders or get_discussion_folders()).open(
        ref, api_key=api_key, user_names=get_salt_names() if api_key else (), limit_bytes=get_limit_bytes()
    )


def open_vector_database(ref: DiscussionRef, *, folders: DiscussionFolders | None = None) -> VectorDatabase:
    """The vector database of one discussion; it is never encrypted, so no key is needed.

    Raises DiscussionNotFoundError or UnsafeDiscussionIdError.
    """
    return VectorDatabase(open_discussion(ref, folders=folders).vector_path(), ref.discussion_id)


def open_or_create_discussion(ref: DiscussionRef, keys: ApiKeys | None = None) -> DiscussionFiles:
    """As `open_discussion`, but also for a discussion that its first write will create.

    Raises UnsafeDiscussionIdError for an id that none may be created under (W24).
    """
    api_key = keys.get(ref.key_hash) if keys and ref.key_hash else None
    return get_discussion_folders().open_or_create(
        ref, api_key=api_key, user_names=get_salt_names() if api_key else (), limit_bytes=get_limit_bytes()
    )


def get_user_settings() -> UserSettings:
    """The settings of the user whose config counts; raises NotFoundError, UnsafeNameError or DamagedFileError."""
    return read_user_settings(settings.WILMER_CONFIG_DIR, get_user_name())


def get_memory_settings() -> MemorySettings:
    """The memory settings document of that user, read anew (memory.md §9); raises as `get_user_settings`."""
    user = get_user_settings()
    name = user.memory_settings_name or DEFAULT_MEMORY_SETTINGS_NAME
    return MemorySettings(read_settings_document(settings.WILMER_CONFIG_DIR, user, name))


def get_compactor_settings() -> CompactorSettings | None:
    """The context compactor's settings of that user; None when no file is named. Raises as `get_user_settings`."""
    user = get_user_settings()
    name = user.compactor_settings_name
    return CompactorSettings(read_settings_document(settings.WILMER_CONFIG_DIR, user, name)) if name else None


def build_model(watch: Watch = UNWATCHED) -> Model:
    """Who answers the calls of the memory layer: what the setting WILMER_MEMORY_MODEL names builds it for a watch.

    Raises RefusedError when no model is connected.
    """
    source = getattr(settings, "WILMER_MEMORY_MODEL", "")
    if not source:
        raise RefusedError("No model is connected to the memory of this console, so no memories can be generated.")
    model: Model = import_string(source)(watch)
    return model


def build_embedder(endpoint: str, watch: Watch = UNWATCHED) -> Embedder | None:
    """Who turns memories into vectors: what the setting WILMER_MEMORY_EMBEDDER names builds it for an endpoint.

    None without an endpoint or without that setting; raises what reading the endpoint raises.
    """
    source = getattr(settings, "WILMER_MEMORY_EMBEDDER", "")
    if not (source and endpoint):
        return None
    embedder: Embedder = import_string(source)(endpoint, watch)
    return embedder


def get_workflow_nodes(name: str) -> list[dict[str, Any]]:
    """The nodes of one of that user's workflows; raises as `get_user_settings`."""
    return read_workflow_nodes(settings.WILMER_CONFIG_DIR, get_user_settings(), name)


def _discussion_directory(user: str) -> str | None:
    """A user config that cannot be read decides nothing; the configs page shows what is wrong with it."""
    try:
        return read_user_settings(settings.WILMER_CONFIG_DIR, user).discussion_directory
    except WilmerError:
        return None


@lru_cache(maxsize=8)
def _folders_of(folder: PublicFolder, *, is_read_only: bool) -> DiscussionFolders:
    return DiscussionFolders(folder, DatabaseJournal(folder.discussions_root, is_read_only))
