"""What one run works on: whose configs, the real files or a copy, and what its nodes may reach."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from memory.types import DiscussionRef
from workflows_app import wiring
from workflows_app.engine.gateway import prepare_messages
from workflows_app.engine.run import Configs, Locks, MessageTimes
from workflows_app.models import WorkflowRun
from workflows_app.services.metering import Meter, meter_clients
from workflows_app.services.node_facts import FileSizes


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


def open_place(run: WorkflowRun, meter: Meter) -> RunPlace:
    """The surroundings that a run asks for; a sandboxed one gets its copy now.

    Raises what opening the configs or the discussion raises.
    """
    configs = wiring.open_configs(run.user)
    ref = find_ref(run)
    sandbox = wiring.get_sandbox(run.pk) if run.is_sandbox else None
    room = wiring.open_room(configs, ref, sandbox)
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
    )


def find_ref(run: WorkflowRun) -> DiscussionRef | None:
    """The discussion a run is for: the one named, else the one its messages carry a tag of."""
    if run.discussion:
        return DiscussionRef.parse(run.discussion)
    found = prepare_messages(run.messages, wiring.open_configs(run.user).user).discussion_id
    return DiscussionRef(found) if found else None
