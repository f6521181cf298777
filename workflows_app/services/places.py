"""What one run works on: whose configs, the real files or a copy, and what its nodes may reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memory.errors import DiscussionLockedError
from memory.results import ApiKeys
from memory.types import ApiKey, DiscussionRef
from workflows_app import wiring
from workflows_app.engine.gateway import prepare_messages
from workflows_app.engine.run import Configs, Locks, MessageTimes
from workflows_app.models import WorkflowRun
from workflows_app.services.metering import Meter, meter_clients
from workflows_app.services.node_facts import FileSizes

NO_KEY = (
    "This discussion is encrypted, and the process that took the run up does not have its key: keys are kept in the "
    "memory of the process that a person unlocked the discussion in, never on a disk. Unlock the discussion and start "
    "the run again, in a console whose workers are built in (`make run`)."
)
WRONG_KEY = "This discussion is encrypted, and the key given does not open its files. Nothing was run."


@dataclass(frozen=True, slots=True)
class RunPlace:
    """The surroundings of one run."""

    configs: Configs
    locks: Locks
    ref: DiscussionRef | None = None
    times: MessageTimes | None = None
    facilities: Mapping[type[Any], Any] = field(default_factory=dict)
    look: Callable[[], FileSizes] = dict
    """Sizes and times of the discussion's files now."""
    drain_reads: Callable[[], list[str]] = list
    """Names of the files read since the last time."""
    api_key: ApiKey | None = None
    """Opens the discussion; in no file and no row."""


def open_place(run: WorkflowRun, meter: Meter, keys: ApiKeys) -> RunPlace:
    """The surroundings that a run asks for; a sandboxed one gets its copy now.

    Raises what opening the configs or the discussion raises, and DiscussionLockedError for a missing or wrong key.
    """
    configs = wiring.open_configs(run.user, drafts=find_drafts(run))
    ref = find_ref(run)
    api_key = keys.get(ref.key_hash) if ref and ref.key_hash else None
    sandbox = wiring.get_sandbox(run.pk) if run.is_sandbox else None
    room = wiring.open_room(configs, ref, sandbox, api_key=api_key)
    if ref and room.is_locked():
        raise DiscussionLockedError(NO_KEY if api_key is None else WRONG_KEY, discussion=ref.text)
    facilities = dict(room.facilities)
    for kind, value in facilities.items():
        if kind is wiring.ModelClients:
            facilities[kind] = meter_clients(value, meter)
    return RunPlace(
        configs=configs,
        locks=wiring.build_locks(configs, sandbox),
        ref=ref,
        times=room.times,
        facilities=facilities,
        look=room.look,
        drain_reads=room.drain_reads,
        api_key=api_key,
    )


def find_drafts(run: WorkflowRun) -> Path | None:
    """The unsaved texts that the run, or the one it repeats a part of, was started with."""
    origin: WorkflowRun | None = run
    while origin is not None:
        drafts = wiring.get_sandbox(origin.pk).drafts
        if drafts.is_dir():
            return drafts
        origin = origin.parent
    return None


def find_ref(run: WorkflowRun) -> DiscussionRef | None:
    """The discussion a run is for: the one named, else the one its messages carry a tag of."""
    if run.discussion:
        return DiscussionRef.parse(run.discussion)
    found = prepare_messages(run.messages, wiring.open_configs(run.user).user).discussion_id
    return DiscussionRef(found) if found else None
