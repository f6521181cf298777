"""What a person types when memory is changed by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Self

from django import forms
from django.http import QueryDict

from memory.engine.split_places import SplitPlace

MAX_TEXT = 5_000_000
SHARED = "shared"
BY_HAND = "by-hand"
HASH_LENGTH = 64

_TEXT_ROWS = {"rows": 8, "class": "form-control memory-box", "spellcheck": "true", "data-autofocus": True}


class TextField(forms.CharField):
    """A text of several lines; browsers send CR LF for every line, files hold LF."""

    def __init__(self, label: str, **options: Any) -> None:
        attrs = {**_TEXT_ROWS, **options.pop("attrs", {})}
        options = {"required": False, **options}
        super().__init__(label=label, max_length=MAX_TEXT, strip=False, widget=forms.Textarea(attrs), **options)

    def validate(self, value: Any) -> None:
        """A text that must be there must not be blank either."""
        super().validate(value)
        if self.required and not value.strip():
            raise forms.ValidationError(self.error_messages["required"], code="required")

    def to_python(self, value: Any) -> str:
        """The text with plain line ends."""
        return str(super().to_python(value) or "").replace("\r\n", "\n")


class EditForm(forms.Form):
    """A change to one thing. `version` is what the person saw; another one there leads to a question, not a loss."""

    main_text: ClassVar[str] = ""
    """The field that both sides of a clash are shown of; empty for none."""

    version = forms.CharField(required=False, strip=False, max_length=200, widget=forms.HiddenInput)

    @classmethod
    def begin(cls, data: QueryDict | None, initial: Mapping[str, Any], **more: Any) -> Self:
        """Bound to what was sent; else filled with what is stored."""
        return cls(data, initial=dict(initial), **more)

    def values(self) -> dict[str, Any]:
        """What was typed, if it is valid; what is stored otherwise."""
        return self.cleaned_data if self.is_bound and self.is_valid() else {**self.initial}

    def relax(self) -> None:
        """Leave out the questions that only count when it is really done and were not answered yet."""
        for name in ("count", "remainder"):
            if not self.data.get(name):
                self.fields.pop(name, None)

    def changes_while_typing(self) -> bool:
        """Whether what follows depends on what is typed."""
        return len(self.fields) > 2 or "text" not in self.fields


class ChunkTextForm(EditForm):
    """The text of a chunk."""

    main_text = "text"
    text = TextField("Text", required=True, error_messages={"required": "A chunk needs a text. Delete it instead."})


class ChunkMergeForm(EditForm):
    """The text of two chunks that become one."""

    main_text = "text"
    text = TextField("Text of the merged chunk", required=True)


class ChunkSplitForm(EditForm):
    """Where a chunk is cut, and which message its first part ends with."""

    position = forms.IntegerField(
        label="Cut before character",
        min_value=1,
        widget=forms.NumberInput(attrs={"class": "form-control", "data-split-position": True}),
        help_text="Click into the text to choose the place.",
    )
    place = forms.ChoiceField(label="The first part ends with", widget=forms.Select(attrs={"class": "form-select"}))
    first_hash = forms.CharField(
        label="Hash of another message inside the chunk",
        required=False,
        max_length=64,
        widget=forms.TextInput(attrs={"class": "form-control mono", "autocomplete": "off"}),
    )

    def __init__(
        self, data: QueryDict | None = None, *, initial: Mapping[str, Any], text: str, places: Sequence[SplitPlace]
    ) -> None:
        super().__init__(data, initial=dict(initial))
        self.text = text
        field = self.fields["place"]
        assert isinstance(field, forms.ChoiceField)
        usual = [(SHARED, "the same message as the second part"), (BY_HAND, "a hash …")]
        field.choices = [*_place_choices(places), *usual]

    def clean(self) -> dict[str, Any]:
        """Both parts need text; a hash by hand must be one."""
        values = super().clean() or {}
        position = values.get("position")
        if position and self.text and not (self.text[:position].strip() and self.text[position:].strip()):
            self.add_error("position", f"Both parts need text; choose a place in the {len(self.text):,} characters.")
        is_hash = len(values.get("first_hash", "")) == HASH_LENGTH
        if values.get("place") == BY_HAND and not is_hash:
            self.add_error("first_hash", "Give the 64 hexadecimal digits of a message inside this chunk.")
        return values


class ChunkMoveForm(EditForm):
    """Where a chunk goes."""

    by = forms.TypedChoiceField(
        label="Move it", coerce=int, widget=forms.RadioSelect, choices=((1, "one place newer"), (-1, "one place older"))
    )


class ChunkRemovalForm(EditForm):
    """Which chunks go, and what becomes of the rest. `number` holds `5:version` for each."""

    keep_links = forms.BooleanField(
        label="Keep every layer in step",
        required=False,
        help_text="A summary or tracker that is linked to a deleted chunk moves to the chunk before it.",
    )
    remainder = forms.ChoiceField(
        label="No chunk is left then. The ledger",
        widget=forms.RadioSelect,
        choices=(
            ("empty", "stays as an empty file: small batches start a run, as now"),
            ("absent", "goes: WilmerAI packs the whole conversation into chunks of full size (consolidation)"),
        ),
    )
    count = forms.IntegerField(
        label="Type the number of chunks to delete",
        widget=forms.NumberInput(attrs={"class": "form-control count-box", "autocomplete": "off"}),
    )

    def __init__(self, data: QueryDict | None = None, *, initial: Mapping[str, Any], total: int, ledger: int) -> None:
        super().__init__(data, initial=dict(initial))
        self.total = total
        if total != ledger:
            del self.fields["remainder"]
        if total < 2:
            del self.fields["count"]

    def clean_count(self) -> int:
        """The number that is meant."""
        return require_count(self.cleaned_data["count"], self.total)

    def values(self) -> dict[str, Any]:
        """A removal that is only looked at leaves an empty ledger."""
        return {"keep_links": True, "remainder": "empty", **super().values()}


class SummaryForm(EditForm):
    """Text and link of the rolling summary."""

    main_text = "text"
    text = TextField("Text", required=True, error_messages={"required": "A summary needs a text. Delete it instead."})
    covers = forms.TypedChoiceField(
        label="Contains the chunks up to", coerce=int, widget=forms.Select(attrs={"class": "form-select"})
    )

    def __init__(self, data: QueryDict | None = None, *, initial: Mapping[str, Any], chunks: int) -> None:
        super().__init__(data, initial=dict(initial))
        field = self.fields["covers"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(number, f"chunk {number}") for number in range(chunks, 0, -1)] + [(0, "none of them")]


class RemovalForm(EditForm):
    """Nothing to choose: only whether."""


class DocumentForm(EditForm):
    """The state document as Markdown."""

    main_text = "text"
    text = TextField("Markdown", attrs={"rows": 18, "class": "form-control mono-box"})


class BoundaryForm(EditForm):
    """The message behind which vector memory goes on. `find_hash` knows the messages of the transcript by number."""

    target = forms.CharField(
        label="Number or hash of the message",
        max_length=64,
        widget=forms.TextInput(attrs={"class": "form-control mono", "autocomplete": "off", "data-autofocus": True}),
    )

    def __init__(
        self, data: QueryDict | None = None, *, initial: Mapping[str, Any], find_hash: Callable[[int], str]
    ) -> None:
        super().__init__(data, initial=dict(initial))
        self.find_hash = find_hash

    def clean_target(self) -> str:
        """The message's hash, whichever way it was named."""
        typed = str(self.cleaned_data["target"]).strip().lower()
        if len(typed) == HASH_LENGTH and not set(typed) - set("0123456789abcdef"):
            return typed
        number = int(typed) if typed.isascii() and typed.isdecimal() and len(typed) < 10 else 0
        found = self.find_hash(number) if number else ""
        if not found:
            raise forms.ValidationError(
                "Name a message that memory could have processed: its number in the attached chat, or the 64 "
                "hexadecimal digits of its hash."
            )
        return found


class CondensationForm(EditForm):
    """The chunk behind which condensation goes on."""

    chunk = forms.TypedChoiceField(
        label="Condensed up to", coerce=int, widget=forms.Select(attrs={"class": "form-select"})
    )

    def __init__(self, data: QueryDict | None = None, *, initial: Mapping[str, Any], chunks: int) -> None:
        super().__init__(data, initial=dict(initial))
        field = self.fields["chunk"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(number, f"chunk {number}") for number in range(chunks, 0, -1)] + [(0, "none: start over")]


def parse_picked(data: QueryDict, name: str) -> dict[int, str | None]:
    """Numbers with the versions that were seen of them, from values like `5:version`; what is no number is left out."""
    picked: dict[int, str | None] = {}
    for value in data.getlist(name):
        number, _, version = value.partition(":")
        if number.removeprefix("-").isdecimal() and len(number) < 20:
            picked[int(number)] = version or None
    return picked


def parse_revision(data: QueryDict) -> int:
    """The revision whose text shall be in the box again; 0 for none."""
    text = data.get("again", "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


def require_count(typed: int, total: int) -> int:
    """The number, when it is the one that would be deleted; raises ValidationError."""
    if typed != total:
        raise forms.ValidationError(f"{total:,} would be deleted. Type that number to go on.")
    return typed


def _place_choices(places: Sequence[SplitPlace]) -> list[tuple[str, str]]:
    choices = []
    for place in places:
        name = f"message {place.message_number:,}" if place.message_number else f"the message of {place.sent_at}"
        told = " ".join(place.text.split())[:60]
        choices.append((place.hash, f"{name}: {told}" if told else name))
    return choices
