"""Which variables a workflow has, seen over all the ways it is started."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workflows_app.lint.lookup import UserView
from workflows_app.lint.names import BUILT_IN, DATES, ROUTING, input_number, output_number
from workflows_app.lint.reach import Start, Workshop
from workflows_app.lint.workflow import WorkflowFile


@dataclass(frozen=True, slots=True)
class Scope:
    """What templates of one workflow can see, beside outputs and inputs."""

    fixed: Mapping[str, Any]
    """Names that are known for every user: the value where it is the same in every run, else None."""
    by_user: Mapping[str, Mapping[str, Any]]
    """Variables that a user's config adds."""
    starts: tuple[Start, ...]
    is_categorizer: bool

    @property
    def most_inputs(self) -> int:
        """How many inputs the most generous caller passes."""
        return max((start.inputs for start in self.starts), default=0)

    @property
    def fewest_inputs(self) -> int:
        """How many inputs the meanest caller passes."""
        return min((start.inputs for start in self.starts), default=0)

    def users_without(self, name: str) -> list[str]:
        """The users for whom a name is unknown; `[""]` when nobody's config is known."""
        if name in self.fixed:
            return []
        return [user for user, names in self.by_user.items() if name not in names]

    def known_to(self, number: int) -> KnownNames:
        """What the templates of one node can name."""
        return KnownNames(self, number)


class KnownNames(Mapping[str, Any]):
    """The names one node can use: the value where it is the same in every run, else None.

    The variables of one of the users stand for those of all.
    """

    def __init__(self, scope: Scope, number: int) -> None:
        self._fixed = scope.fixed
        self._user = next(iter(scope.by_user.values()), {})
        self._number = number

    def __getitem__(self, name: str) -> Any:
        if name in self._fixed:
            return self._fixed[name]
        if name in self._user:
            return self._user[name]
        if input_number(name) or 0 < (output_number(name) or 0) < self._number:
            return None
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        outputs = (f"agent{number}Output" for number in range(1, self._number))
        return iter(dict.fromkeys([*self._user, *self._fixed, *outputs]))

    def __len__(self) -> int:
        return len(list(iter(self)))


def build_scope(file: WorkflowFile, workshop: Workshop) -> Scope:
    """The scope of one workflow."""
    reached = workshop.reached_by(file.path)
    is_categorizer = any(reach.workflows[file.path].is_categorizer for reach in reached)
    fixed: dict[str, Any] = dict.fromkeys(DATES)
    fixed.update(file.variables)
    fixed.update(dict.fromkeys(BUILT_IN - DATES))
    if is_categorizer:
        fixed.update(dict.fromkeys(ROUTING))
    viewers = workshop.viewers_of(file.path)
    by_user = {user.name: _user_variables(user) for user in viewers} or {"": _everybodys(workshop)}
    return Scope(fixed, by_user, tuple(workshop.starts_of(file.path)), is_categorizer)


def _user_variables(user: UserView) -> dict[str, Any]:
    found = user.config.get("userWideWorkflowVariables")
    return dict(found) if isinstance(found, dict) else {}


def _everybodys(workshop: Workshop) -> dict[str, Any]:
    """For a workflow nobody reaches, any user's variable may be meant."""
    found: dict[str, Any] = {}
    for user in workshop.users:
        found.update(_user_variables(user))
    return found
