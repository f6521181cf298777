"""What stands where there is nothing to show, or where it must not or cannot be shown."""

from __future__ import annotations

from dataclasses import dataclass

from memory.contexts.addresses import page_address
from memory.contexts.labels import ARTEFACTS, FILE_STATES
from memory.types import Artefact, DiscussionRef, FileReport, FileState


@dataclass(frozen=True, slots=True)
class Region:
    """An empty, locked, damaged, unreadable or too large thing: what it is, and what to do."""

    kind: str
    """Names the look: empty, absent, locked, damaged, unreadable, too-large."""
    title: str
    text: str
    action_url: str | None = None
    action_label: str = ""
    history_url: str | None = None
    """Earlier versions of the file, when one of them would mend it."""

    @property
    def is_error(self) -> bool:
        """Whether something is wrong, rather than only not there."""
        return self.kind in {"damaged", "unreadable", "too-large"}

    @property
    def icon(self) -> str:
        """A picture for what is not an error."""
        return "lock" if self.kind == "locked" else "notes"


_EMPTY_TEXTS = {
    Artefact.MEMORIES: "WilmerAI writes chunks here once enough messages have gathered.",
    Artefact.SUMMARY: "WilmerAI writes the rolling summary once there are chunks to sum up.",
    Artefact.STATE_DOCUMENT: "WilmerAI writes a state document when a workflow has a node that keeps one.",
    Artefact.VECTOR_MEMORY: "WilmerAI stores vector memories when its memory settings ask for them.",
}


def build_region(ref: DiscussionRef, report: FileReport) -> Region | None:
    """The region to show instead of a file's content; None when the content can be shown."""
    name = ARTEFACTS[report.artefact]
    if report.state is FileState.PRESENT:
        return None
    if report.state in {FileState.ABSENT, FileState.EMPTY}:
        return _empty(report, name)
    return _locked(ref, report, name) if report.state is FileState.LOCKED else _raw(ref, report, name)


def _empty(report: FileReport, name: str) -> Region:
    state = "no file yet" if report.state is FileState.ABSENT else "empty"
    return Region(str(report.state), f"{name}: {state}", _EMPTY_TEXTS.get(report.artefact, "There is nothing to show."))


def _locked(ref: DiscussionRef, report: FileReport, name: str) -> Region:
    text = report.problem or "This file is encrypted. Its API key opens it for this sign-in; nothing is stored."
    return Region("locked", f"{name} is locked", text, page_address("discussion-unlock", ref), "Unlock")


def _raw(ref: DiscussionRef, report: FileReport, name: str) -> Region:
    label = FILE_STATES[report.state]
    url = page_address("file-detail", ref, report.artefact)
    earlier = page_address("history-list", ref, parameters=[("file", report.artefact)])
    history = earlier if report.state is FileState.DAMAGED else None
    text = report.problem or label.hint
    return Region(str(report.state), f"{name} is {label.text}", text, url, "Show the raw file", history)
