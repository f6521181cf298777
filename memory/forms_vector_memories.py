"""What a person types about vector memories."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict

from memory.forms_editing import EditForm, TextField, require_count
from memory.types import VectorMemory


class MemoryForm(EditForm):
    """A vector memory with all its metadata."""

    main_text = "text"
    LISTS: ClassVar[tuple[str, ...]] = ("entities", "key_phrases", "topics")
    SCALARS: ClassVar[tuple[str, ...]] = ("title", "sentiment", "importance")

    text = TextField("Text", required=True, attrs={"rows": 5}, help_text="Also the summary in the metadata.")
    title = forms.CharField(label="Title", required=False, strip=False, max_length=10_000)
    entities = TextField("Entities", attrs={"rows": 3}, help_text="One a line.")
    key_phrases = TextField("Key phrases", attrs={"rows": 3}, help_text="One a line.")
    topics = TextField("Topics", attrs={"rows": 2}, help_text="One a line.")
    sentiment = forms.CharField(label="Sentiment", required=False, max_length=10_000)
    importance = forms.CharField(label="Importance", required=False, max_length=10_000)
    other = TextField("Other metadata", attrs={"rows": 4, "class": "form-control mono-box"}, help_text="A JSON object.")

    def __init__(
        self, data: QueryDict | None = None, *, initial: Mapping[str, Any], memory: VectorMemory | None
    ) -> None:
        super().__init__(data, initial=dict(initial))
        self.stored = dict(memory.metadata) if memory else {}
        for name in ("title", "sentiment", "importance"):
            self.fields[name].widget.attrs["class"] = "form-control"
        for name in (*self.LISTS, "other"):
            self.fields[name].widget.attrs.pop("data-autofocus", None)

    @classmethod
    def describe(cls, memory: VectorMemory) -> dict[str, Any]:
        """What the boxes show of a memory."""
        known = {*cls.LISTS, *cls.SCALARS, "summary"}
        rest = {key: value for key, value in memory.metadata.items() if key not in known}
        return {
            "text": memory.text,
            **{name: "\n".join(memory.listed(name)) for name in cls.LISTS},
            **{name: _as_text(memory.metadata.get(name)) for name in cls.SCALARS},
            "other": json.dumps(rest, indent=2, ensure_ascii=False) if rest else "",
        }

    def clean_other(self) -> dict[str, Any]:
        """The object that was typed; blank is an empty one."""
        typed = self.cleaned_data["other"]
        if not typed.strip():
            return {}
        try:
            value = json.loads(typed)
        except (ValueError, RecursionError) as error:
            raise forms.ValidationError(f"This is not JSON: {error}.") from None
        if not isinstance(value, dict):
            raise forms.ValidationError("It must be an object: { … }.")
        return value

    def metadata(self) -> dict[str, Any]:
        """What is to be laid over the stored metadata: only what was changed; None removes a key."""
        if not (self.is_bound and self.is_valid()):
            return {}
        values = self.cleaned_data
        changed: dict[str, Any] = {}
        for name in self.LISTS:
            typed = [line.strip() for line in values[name].split("\n") if line.strip()]
            if typed != [line.strip() for line in _listed(self.stored.get(name)) if line.strip()]:
                changed[name] = typed
        for name in self.SCALARS:
            if values[name] != _as_text(self.stored.get(name)):
                changed[name] = _parse_scalar(name, values[name])
        known = {*self.LISTS, *self.SCALARS, "summary"}
        gone = {key: None for key in self.stored if key not in known and key not in values["other"]}
        return {**gone, **{key: value for key, value in values["other"].items() if key != "summary"}, **changed}


class MemoryRemovalForm(EditForm):
    """Which memories go. `memory` holds `5:version` for each."""

    cut_log = forms.BooleanField(
        label="Process their messages again",
        required=False,
        help_text="Cuts the hash log back to before the first of them. Memories made later come a second time.",
    )
    count = forms.IntegerField(
        label="Type the number of memories to delete",
        widget=forms.NumberInput(attrs={"class": "form-control count-box", "autocomplete": "off"}),
    )

    def __init__(self, data: QueryDict | None = None, *, initial: Mapping[str, Any], total: int) -> None:
        super().__init__(data, initial=dict(initial))
        self.total = total
        if total < 2:
            del self.fields["count"]

    def clean_count(self) -> int:
        """The number that is meant."""
        return require_count(self.cleaned_data["count"], self.total)


def _listed(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(item) for item in value]
    return [] if value in (None, "", False) else [str(value)]


def _as_text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _parse_scalar(name: str, typed: str) -> Any:
    """Importance is usually a number; a blank box removes the key, but a memory always has a title."""
    if name == "title":
        return typed
    if not typed.strip():
        return None
    try:
        return json.loads(typed) if name == "importance" else typed
    except ValueError:
        return typed
