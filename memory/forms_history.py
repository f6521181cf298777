"""What the URLs of history, trash and archives carry, checked and turned into values."""

from __future__ import annotations

from typing import Literal

from django import forms
from django.http import QueryDict

from memory.engine.audit import AuditFilter
from memory.engine.history import HistoryFilter
from memory.types import Artefact, DiscussionRef
from wilmer_site.lib.errors import InvalidError

LOOKS = ("side", "inline")


def parse_history(data: QueryDict) -> HistoryFilter:
    """The file and the writer that a URL asks for; raises InvalidError for an unknown file."""
    name = data.get("file", "")
    if name and name not in tuple(Artefact):
        raise InvalidError(f"file must be one of {', '.join(Artefact)}; it is {name[:40]!r}.", field="file")
    return HistoryFilter(Artefact(name) if name else None, data.get("writer", "")[:300])


def parse_look(data: QueryDict) -> dict[str, str]:
    """What a version is compared with, and how it is shown; raises InvalidError for an unknown look."""
    look = data.get("look") or "side"
    if look not in LOOKS:
        raise InvalidError(f"look must be one of {', '.join(LOOKS)}; it is {look[:40]!r}.", field="look")
    return {"against": data.get("against") or "before", "look": look}


def parse_side(data: QueryDict) -> Literal["before", "after"]:
    """Which content of a revision is meant; raises InvalidError."""
    side = data.get("side") or "before"
    if side == "before":
        return "before"
    if side == "after":
        return "after"
    raise InvalidError(f"side is before or after; it is {side[:40]!r}.", field="side")


class CountForm(forms.Form):
    """Typing the number of things that will go, so that nobody deletes more than they know."""

    count = forms.IntegerField(
        label="How many",
        widget=forms.NumberInput(attrs={"class": "form-control confirm-number", "autocomplete": "off"}),
        error_messages={"required": "Type the number.", "invalid": "Type the number in digits."},
    )

    def __init__(self, data: QueryDict | None, *, expected: int) -> None:
        super().__init__(data)
        self.expected = expected

    def clean_count(self) -> int:
        """The number; it must be the one that was shown."""
        count = int(self.cleaned_data["count"])
        if count != self.expected:
            raise forms.ValidationError(f"{self.expected:,} would go, not {count:,}. Type the number that is shown.")
        return count


NOTHING_TICKED = "Tick at least one row first."


def parse_refs(data: QueryDict) -> tuple[DiscussionRef, ...]:
    """The discussions that a list was ticked for; none when nothing was ticked."""
    # A browser sends line feeds inside a form as CR LF; ids may hold a line feed (traps I1).
    texts = dict.fromkeys(text.replace("\r\n", "\n") for text in data.getlist("ref") if text)
    return tuple(DiscussionRef.parse(text) for text in texts)


def parse_names(data: QueryDict) -> tuple[str, ...]:
    """The entries of the trash that were ticked; none when nothing was."""
    return tuple(dict.fromkeys(name for name in data.getlist("name") if name))


def parse_audit(data: QueryDict) -> AuditFilter:
    """Which lines of the audit log a URL asks for."""
    return AuditFilter(*(data.get(name, "")[:300].replace("\x00", "") for name in ("actor", "action", "target")))
