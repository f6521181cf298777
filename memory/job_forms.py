"""What a person types about regenerations and drafts."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict

from memory.engine.regeneration import Kind, RegenerationRequest
from memory.queries.jobs import JobFilter, JobState
from memory.services.drafts import find_fault
from memory.types import DiscussionRef
from wilmer_site.lib.errors import InvalidError

MAX_TEXT = 1_000_000
MAX_PICKED = 10_000
NEEDS_FIRST = frozenset({Kind.CHUNKS, Kind.FROM_MESSAGE, Kind.VECTOR_MEMORIES})
"""Kinds that say nothing without a number."""


class RegenerationForm(forms.Form):
    """What shall be made anew. A URL fills it as well as a person."""

    kind = forms.ChoiceField(choices=[(kind.value, kind.value) for kind in Kind])
    first = forms.IntegerField(required=False, min_value=1, max_value=2**31)
    last = forms.IntegerField(required=False, min_value=1, max_value=2**31)
    replaces = forms.BooleanField(required=False)
    digest = forms.CharField(required=False, max_length=64)

    def clean(self) -> dict[str, Any]:
        """The smaller number comes first."""
        data: dict[str, Any] = super().clean() or {}
        first, last = data.get("first"), data.get("last")
        if first and last and last < first:
            self.add_error("last", f"This must be {first} or more.")
        return data

    @property
    def request(self) -> RegenerationRequest | None:
        """What is asked for, as soon as it is complete."""
        if not self.is_valid():
            return None
        data, picked = self.cleaned_data, self.picked
        kind = Kind(data["kind"])
        if kind in NEEDS_FIRST and data["first"] is None and not picked:
            return None
        return RegenerationRequest(kind, data["first"], data["last"], data["replaces"], picked)

    @property
    def picked(self) -> tuple[int, ...]:
        """Single chunks that were ticked in their list; what is no number is left aside."""
        if not isinstance(self.data, QueryDict) or self.data.get("kind") != Kind.CHUNKS.value:
            return ()
        # The list of chunks sends the version behind a colon, for deleting; here every text is shown before the start.
        texts = [text.partition(":")[0] for text in self.data.getlist("number")[:MAX_PICKED]]
        numbers = {int(text) for text in texts if len(text) < 10 and text.isascii() and text.isdecimal()}
        return tuple(sorted(numbers - {0}))


class DraftForm(forms.Form):
    """The edit box of a draft. What it shows is what is saved, so nothing is trimmed."""

    text = forms.CharField(required=False, strip=False, max_length=MAX_TEXT, widget=forms.Textarea)
    seen = forms.CharField(required=False, max_length=100)

    def __init__(self, data: QueryDict, *, kind: Kind) -> None:
        super().__init__(data)
        self._kind = kind

    def clean_text(self) -> str:
        """Browsers send line breaks as CR LF; texts are kept with LF."""
        text = str(self.cleaned_data["text"]).replace("\r\n", "\n")
        fault = find_fault(self._kind, text)
        if fault:
            raise forms.ValidationError(fault)
        return text


def parse_starts(data: QueryDict) -> tuple[tuple[DiscussionRef, str], ...]:
    """Discussions that shall get a job, each with the digest of the plan that was seen."""
    # A browser sends line feeds inside a form as CR LF; ids may hold a line feed (traps I1).
    parts = (text.replace("\r\n", "\n").partition(":") for text in dict.fromkeys(data.getlist("start")))
    return tuple((DiscussionRef.parse(ref), digest) for digest, _, ref in parts if ref)


def parse_job_filter(data: QueryDict) -> JobFilter:
    """Which jobs a URL asks for; raises InvalidError for an unknown state."""
    state = data.get("state", "")
    if state and state not in JobState.values:
        raise InvalidError(f"state must be one of {', '.join(JobState.values)}.", field="state")
    return JobFilter(state, data.get("discussion", ""))
