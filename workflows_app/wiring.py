"""From settings to stores: whose configs, which files, which limits. The only such place in workflows_app."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings

from memory import wiring as memory_wiring
from memory.engine.memory_settings import DEFAULT_MEMORY_SETTINGS_NAME
from memory.queries import transcripts
from memory.queries.retrieval import OpenDiscussion
from memory.services.notes_database import DatabaseAttemptLog
from memory.stores.discussion_folders import DiscussionFolders
from memory.stores.user_settings import list_user_names as list_names
from memory.types import ApiKey, DiscussionRef
from wilmer_site.lib.clock import local_now
from wilmer_site.lib.errors import RefusedError
from workflows_app.engine.node import NodeHandler
from workflows_app.engine.permissions import Permissions
from workflows_app.engine.run import MessageTimes
from workflows_app.llm.client import ModelClients
from workflows_app.llm.clients import build_model_clients
from workflows_app.llm.limits import CallLimits, read_connect_seconds
from workflows_app.net.web_client import HttpWebClient, WebAccess
from workflows_app.nodes.memory.config import MemoryTools
from workflows_app.nodes.registry import build_registry
from workflows_app.stores.config_files import ConfigFiles
from workflows_app.stores.config_library import ConfigLibrary
from workflows_app.stores.config_writes import ConfigWriter
from workflows_app.stores.file_access import FileAccess
from workflows_app.stores.message_times import DiscussionTimes
from workflows_app.stores.sandboxes import Sandbox
from workflows_app.stores.shelf_files import ShelfFile
from workflows_app.stores.watched_files import WatchedFiles
from workflows_app.stores.workflow_folder import WorkflowFolder
from workflows_app.stores.workflow_locks import WorkflowLocks

__all__ = ["ModelClients"]

INSTANCE = "memory-console"
"""The name under which this console takes workflow locks."""


@dataclass(frozen=True, slots=True)
class Room:
    """What the nodes of one run may reach."""

    facilities: Mapping[type[Any], Any]
    times: MessageTimes | None = None
    look: Callable[[], Mapping[str, tuple[int, int]]] = dict
    """Sizes and times of the discussion's files now."""
    drain_reads: Callable[[], list[str]] = list
    """Names of the files read since the last time."""
    is_locked: Callable[[], bool] = lambda: False
    """Whether a file is encrypted and cannot be opened."""


def get_workflow_folder() -> WorkflowFolder:
    """All workflow files of the folder that is open."""
    return WorkflowFolder(Path(settings.WILMER_CONFIG_DIR))


def get_config_library() -> ConfigLibrary:
    """All config files of the folder that is open, parsed."""
    return ConfigLibrary(Path(settings.WILMER_CONFIG_DIR))


def get_config_root() -> Path:
    """The configs folder that is open."""
    return Path(settings.WILMER_CONFIG_DIR)


def has_discussions() -> bool:
    """Whether the open folder has files of any discussion."""
    root = get_real_folders().folder.discussions_root
    return root.is_dir() and any(root.iterdir())


def open_configs(user_name: str = "", *, drafts: Path | None = None) -> ConfigFiles:
    """The configs as one WilmerAI user sees them; without a name the one whose config counts.

    `drafts` is a folder of unsaved texts that stand in for files.
    """
    name = user_name or memory_wiring.get_user_name()
    return ConfigFiles(Path(settings.WILMER_CONFIG_DIR), name, drafts=drafts)


def get_config_writer() -> ConfigWriter:
    """The same folder, to be written to."""
    return ConfigWriter(Path(settings.WILMER_CONFIG_DIR), Path(settings.WILMER_STATE_DIR) / "locks" / "configs.lock")


def get_shelf(path: str) -> ShelfFile:
    """The nodes that were taken out of a workflow file and kept."""
    owner = f"{Path(settings.WILMER_CONFIG_DIR).resolve()}\0{path}"
    return ShelfFile.of(Path(settings.WILMER_STATE_DIR) / "shelves", owner)


def list_user_names() -> list[str]:
    """Every user that has a config."""
    return sorted(list_names(Path(settings.WILMER_CONFIG_DIR)))


def get_user_name() -> str:
    """The WilmerAI user whose config counts."""
    return memory_wiring.get_user_name()


def get_memory_settings_path() -> str:
    """The memory settings file of the user whose config counts, below the configs folder.

    Raises NotFoundError, UnsafeNameError or DamagedFileError when the user's config cannot be read.
    """
    user = memory_wiring.get_user_settings()
    return f"Workflows/{user.workflow_folder}/{user.memory_settings_name or DEFAULT_MEMORY_SETTINGS_NAME}.json"


def get_runs_kept() -> int:
    """How many finished runs are kept: WILMER_RUNS_KEPT."""
    return int(settings.WILMER_RUNS_KEPT)


def is_read_only() -> bool:
    """Whether the console may change nothing: WILMER_READ_ONLY."""
    return bool(settings.WILMER_READ_ONLY)


def check_may_write(instead: str = "") -> None:
    """Raises RefusedError when the console may change nothing (WILMER_READ_ONLY); `instead` says what is possible."""
    if is_read_only():
        raise RefusedError(f"The console is read-only (WILMER_READ_ONLY). {instead}".strip())


def build_handlers() -> dict[str, NodeHandler]:
    """The handler of every node type."""
    return dict(build_registry())


def get_sandbox(run_id: int) -> Sandbox:
    """The place of one run's copies."""
    return Sandbox(Path(settings.WILMER_STATE_DIR) / "sandboxes" / str(run_id))


def delete_sandbox(run_id: int) -> None:
    """Remove one run's copies."""
    get_sandbox(run_id).delete()


def get_real_folders() -> DiscussionFolders:
    """The discussions of the folder that is open."""
    return memory_wiring.get_discussion_folders()


def build_locks(configs: ConfigFiles, sandbox: Sandbox | None) -> WorkflowLocks:
    """The user's workflow locks; a sandboxed run has locks of its own."""
    path = sandbox.root / "locks.sqlite" if sandbox else configs.paths.lock_database()
    return WorkflowLocks(path, INSTANCE, local_now)


def open_room(
    configs: ConfigFiles, ref: DiscussionRef | None, sandbox: Sandbox | None, *, api_key: ApiKey | None = None
) -> Room:
    """Model servers, allowed files and the discussion: the real one, or a fresh copy of it in the sandbox.

    Raises UnsafeDiscussionIdError for an id that none may be created under.
    """
    facilities = build_facilities(configs)
    if ref is None:
        return Room({**facilities, OpenDiscussion: OpenDiscussion(None)})
    real = get_real_folders()
    folders = sandbox.fill(real, ref) if sandbox else real
    salts = memory_wiring.get_salt_names() if api_key else ()
    limit = memory_wiring.get_limit_bytes()
    files = WatchedFiles(folders.open_or_create(ref, api_key=api_key, user_names=salts, limit_bytes=limit))
    times = DiscussionTimes(files.as_files(), local_now)
    memory = MemoryTools(log=DatabaseAttemptLog(folders.folder.discussions_root))
    opened = {OpenDiscussion: OpenDiscussion(files.as_files()), MemoryTools: memory}
    return Room({**facilities, **opened}, times, files.look, files.drain_reads, files.is_locked)


def build_facilities(configs: ConfigFiles) -> dict[type[Any], Any]:
    """What node families need from outside, by the type they ask for."""
    limits = CallLimits(connect_seconds=read_connect_seconds(configs.user))
    permissions = get_permissions()
    folders = tuple(Path(folder).expanduser() for folder in permissions.file_folders)
    return {
        ModelClients: build_model_clients(limits),
        FileAccess: FileAccess(folders, Path(settings.WILMER_PUBLIC_DIR), is_read_only()),
        Permissions: permissions,
        WebAccess: WebAccess(HttpWebClient()),
    }


def get_model_clients(limits: CallLimits) -> ModelClients:
    """The clients of all model servers, with limits of one's own."""
    return build_model_clients(limits)


def get_permissions() -> Permissions:
    """What nodes may reach: the settings WILMER_NODE_…."""
    return Permissions(
        file_folders=settings.WILMER_NODE_FILE_FOLDERS,
        web_hosts=settings.WILMER_NODE_WEB_HOSTS,
        allow_private_addresses=settings.WILMER_NODE_PRIVATE_ADDRESSES,
        allow_curl=settings.WILMER_NODE_CURL,
        mcp_servers=settings.WILMER_NODE_MCP_SERVERS,
        wiki_hosts=settings.WILMER_NODE_WIKI_HOSTS,
    )


def find_transcript(ref: DiscussionRef) -> list[dict[str, Any]] | None:
    """The messages of a discussion, where a transcript was imported; None where none was.

    WilmerAI keeps hashes of messages, never the messages.
    """
    return transcripts.load_raw_messages(ref)


def has_transcript(ref: DiscussionRef) -> bool:
    """Whether a transcript was imported for a discussion."""
    return transcripts.has_transcript(ref)


def list_transcript_refs() -> list[DiscussionRef]:
    """The discussions of the folder that is open that have a transcript."""
    return transcripts.list_refs()
