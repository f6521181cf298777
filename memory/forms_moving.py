"""What a person types to copy, fork, rename or roll back a discussion."""

from __future__ import annotations

from django import forms
from django.http import QueryDict

from memory.engine.rollback import RollbackPoint
from memory.services.forking import GROUPS, CopyOrder

_LABELS = {
    "chunks": "Chunks and condensation tracker",
    "summary": "Rolling summary",
    "vector": "Vector memories with their hash log",
    "state": "State document",
    "rest": "Timestamps, vision cache, compactor",
}


class NewIdForm(forms.Form):
    """Another id for a discussion. What no discussion may be called is said by the service."""

    new_id = forms.CharField(
        label="New id",
        max_length=500,
        strip=False,
        widget=forms.TextInput(attrs={"class": "form-control", "autocomplete": "off", "spellcheck": "false"}),
        help_text="As the chat front end will name it in [DiscussionId].",
        error_messages={"required": "Type the new id."},
    )

    def say(self, problem: str) -> None:
        """Put what is wrong with the id beside its field."""
        self.add_error("new_id", problem)


class CopyForm(NewIdForm):
    """What is carried over into a new discussion."""

    groups = forms.MultipleChoiceField(
        label="What is carried over",
        choices=[(name, _LABELS[name]) for name in GROUPS],
        initial=list(GROUPS),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one part."},
    )
    with_transcript = forms.BooleanField(label="The attached chat", required=False, initial=True)
    message = forms.IntegerField(
        label="Fork before message",
        required=False,
        min_value=1,
        max_value=10**9,
        widget=forms.NumberInput(attrs={"class": "form-control confirm-number"}),
        help_text="Empty copies everything. Else what was made from this message and later ones is left out.",
    )

    def order(self) -> CopyOrder:
        """What to copy. The form must be valid."""
        values = self.cleaned_data
        point = RollbackPoint(message=values["message"]) if values["message"] else None
        return CopyOrder(values["new_id"], tuple(values["groups"]), values["with_transcript"], point)


class RollbackForm(forms.Form):
    """From where on everything is forgotten."""

    message = forms.IntegerField(
        label="First message to forget",
        required=False,
        min_value=1,
        max_value=10**9,
        widget=forms.NumberInput(attrs={"class": "form-control confirm-number"}),
        help_text="Needs the chat on the page Transcript.",
    )
    chunk = forms.IntegerField(
        label="or last chunk to keep",
        required=False,
        min_value=0,
        max_value=10**9,
        widget=forms.NumberInput(attrs={"class": "form-control confirm-number"}),
        help_text="0 keeps none.",
    )
    digest = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)

    @classmethod
    def from_url(cls, data: QueryDict) -> RollbackForm:
        """Bound as soon as the URL names a message or a chunk."""
        return cls(data) if data.get("message") or data.get("chunk") else cls()

    def clean(self) -> None:
        """Exactly one of the two."""
        message, chunk = self.cleaned_data.get("message"), self.cleaned_data.get("chunk")
        if (message is None) == (chunk is None) and not self.errors:
            raise forms.ValidationError("Type either a message or a chunk.")

    def point(self) -> RollbackPoint:
        """Where to cut. The form must be valid."""
        return RollbackPoint(self.cleaned_data["message"], self.cleaned_data["chunk"])

    def has_seen(self, digest: str) -> bool:
        """Whether the page showed the plan of that digest; else it is said that the discussion was changed."""
        is_seen = self.cleaned_data["digest"] in ("", digest)
        if not is_seen:
            self.say("The discussion was changed since this was worked out. This is what goes now.")
        return is_seen

    def say(self, problem: str) -> None:
        """Put what is wrong with the point above the fields."""
        self.add_error(None, problem)
