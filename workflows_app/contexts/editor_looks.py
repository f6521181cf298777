"""What is shown beside a node on demand."""

from __future__ import annotations

from dataclasses import dataclass

from workflows_app.queries.node_looks import Returned, ScopeGroup


@dataclass(frozen=True, slots=True)
class LookContext:
    """Either the variables of a node, or what it would give now."""

    groups: tuple[ScopeGroup, ...] = ()
    returned: Returned | None = None
