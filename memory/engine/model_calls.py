"""What the memory layer asks of a model or of a workflow. Whoever runs it is given from outside."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from memory.engine.memory_settings import Target
from memory.engine.surrogates import replace_lone_surrogates


class Purpose(StrEnum):
    """What a call is for, so that its progress can be told."""

    FILE_MEMORY = "file-memory"
    VECTOR_MEMORY = "vector-memory"
    CONDENSATION = "condensation"
    SUMMARY = "summary"
    STATE_DOCUMENT = "state-document"
    COMPACTION = "compaction"


@dataclass(frozen=True, slots=True)
class WorkflowCall:
    """Run a workflow as non-responder, not streaming, with scoped inputs `{agent1Input}`, `{agent2Input}`, ….

    Halves of surrogate pairs go out as U+FFFD: one in a stored memory would make every later call fail.
    """

    workflow: str
    inputs: tuple[str, ...]
    purpose: Purpose

    def __post_init__(self) -> None:
        object.__setattr__(self, "inputs", tuple(map(replace_lone_surrogates, self.inputs)))


@dataclass(frozen=True, slots=True)
class ModelCall:
    """Ask an endpoint directly. Prompts are complete: variables resolved, data filled in.

    Halves of surrogate pairs go out as U+FFFD, as in `WorkflowCall`.
    """

    target: Target
    system_prompt: str
    prompt: str
    purpose: Purpose

    def __post_init__(self) -> None:
        object.__setattr__(self, "system_prompt", replace_lone_surrogates(self.system_prompt))
        object.__setattr__(self, "prompt", replace_lone_surrogates(self.prompt))


Call = WorkflowCall | ModelCall


def never() -> bool:
    """For work that nobody can stop."""
    return False


def ignore(remark: str) -> None:
    """For work whose remarks nobody reads."""


@dataclass(frozen=True, slots=True)
class Watch:
    """What a model is given on its way: when to stop, and whom to tell of doubts about an answer."""

    is_cancelled: Callable[[], bool] = never
    """Asked every moment, also while a server is silent; then the call ends by raising."""
    remark: Callable[[str], None] = ignore
    """Hears what a reader of the answer should know, such as that it was cut off. May be called from any thread."""


UNWATCHED = Watch()


class Model(Protocol):
    """Answers calls; raises UpstreamError (or its own error) when a call fails."""

    def ask(self, call: Call) -> str | None:
        """The answer as text; None when there is none."""
        ...


class Embedder(Protocol):
    """Turns texts into vectors."""

    @property
    def model(self) -> str:
        """The name under which vectors are stored (`modelNameToSendToAPI`)."""
        ...

    def embed(self, texts: Sequence[str]) -> list[list[float]] | None:
        """One vector per text; None when there is no answer."""
        ...


ResolveVariables = Callable[[str], str]
"""Replaces `{variables}` of a workflow in a prompt."""


def keep_variables(text: str) -> str:
    """The resolver where there are no variables: the text itself."""
    return text
