"""Boxes in which memory is changed, what follows from it, and the question when two people changed the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from memory.contexts.discussions import DiscussionStrip
from memory.contexts.state_documents import DiffLine, build_diff
from memory.engine.blast_radius import BlastRadius, Consequence, Weight
from memory.forms_editing import EditForm
from memory.results import DiscussionHeader
from memory.services.editing import Clash


@dataclass(frozen=True, slots=True)
class EditFrame:
    """How a change is called and where it stands."""

    key: str
    """Part of the ids of its elements: `chunk-3`."""
    title: str
    submit: str
    tab: str
    """URL name of the tab it belongs to."""
    url: str
    back_url: str
    lead: str = ""
    original: str = ""
    """A text to be seen beside the boxes."""
    is_danger: bool = False
    replaces_text: bool = False
    """Whether the box stands in for the text that is shown, so that the text is hidden meanwhile."""
    picks_place: bool = False
    """Whether a click into the original chooses a place in it."""
    picked: tuple[tuple[str, str], ...] = ()
    """Names and values sent along: what was chosen in a list."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that follows, with its colour and picture."""

    text: str
    tone: str
    icon: str


@dataclass(frozen=True, slots=True)
class EditContext:
    """One box."""

    discussion: DiscussionStrip
    frame: EditFrame
    form: EditForm
    effects: tuple[Effect, ...]
    is_exact: bool
    is_live: bool
    """Whether the effects are worked out again while somebody types."""

    @classmethod
    def build(
        cls, header: DiscussionHeader, frame: EditFrame, form: EditForm, radius: BlastRadius | None
    ) -> EditContext:
        """The box with what follows from its content; without a radius nothing is said."""
        return cls(
            discussion=DiscussionStrip.build(header, frame.tab),
            frame=frame,
            form=form,
            effects=build_effects(radius.consequences) if radius else (),
            is_exact=radius is None or radius.is_exact or not _counts_messages(radius),
            is_live=form.changes_while_typing(),
        )


@dataclass(frozen=True, slots=True)
class ConflictContext:
    """Both texts of a clash, and what can be done."""

    discussion: DiscussionStrip
    frame: EditFrame
    what: str
    theirs: str
    yours: str
    is_gone: bool
    can_save: bool
    has_texts: bool
    """Whether the change has a text of its own; else it is only asked whether to go on."""
    text_name: str
    hidden: tuple[tuple[str, str], ...]
    """Everything else that was sent, for sending it again."""
    diff: tuple[DiffLine, ...]

    @classmethod
    def build(cls, header: DiscussionHeader, frame: EditFrame, form: EditForm, clash: Clash) -> ConflictContext:
        """The question."""
        is_gone = clash.theirs is None
        return cls(
            discussion=DiscussionStrip.build(header, frame.tab),
            frame=frame,
            what=clash.what,
            theirs=clash.theirs or "",
            yours=clash.yours,
            is_gone=is_gone,
            can_save=not is_gone or clash.can_recreate,
            has_texts=bool(form.main_text),
            text_name=form.main_text,
            hidden=_sent_again(form, clash.version),
            diff=build_diff(clash.theirs or "", clash.yours) if clash.yours else (),
        )


def build_effects(consequences: Sequence[Consequence]) -> tuple[Effect, ...]:
    """Sentences with their looks, in the same order."""
    return tuple(Effect(item.text, *_LOOKS[item.weight]) for item in consequences)


def _counts_messages(radius: BlastRadius) -> bool:
    """Whether anything is said in chunks that a transcript would tell in messages."""
    return radius.number("chunks_of_messages_again") is not None or radius.number("messages_lost") == 0


_LOOKS = {
    Weight.NOTHING: ("ok", "check"),
    Weight.NOTE: ("info", "info-circle"),
    Weight.WARNING: ("stale", "alert-triangle"),
}


def _sent_again(form: EditForm, version: str) -> tuple[tuple[str, str], ...]:
    skipped = {"version", "csrfmiddlewaretoken", "preview", "next", form.main_text}
    data = form.data if isinstance(form.data, QueryDict) else QueryDict()
    kept = [(name, str(value)) for name in data for value in data.getlist(name) if name not in skipped]
    return (*kept, ("version", version))
