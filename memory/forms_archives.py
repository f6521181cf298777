"""What a person asks of archives, checked and turned into values."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.http import QueryDict

from memory.services.archive_imports import ImportChoice, ImportItem
from memory.services.archives import ArchiveOrder
from memory.types import DiscussionRef

SKIP, TAKE, REPLACE = "skip", "take", "replace"


def parse_order(data: QueryDict, refs: tuple[DiscussionRef, ...]) -> ArchiveOrder:
    """What of some discussions goes into an archive."""
    return ArchiveOrder(refs, data.get("history") != "0", data.get("transcripts") != "0")


def sent_along(data: QueryDict) -> tuple[tuple[str, str], ...]:
    """What chose the discussions, to be sent again: those that were ticked, or the filter of the list."""
    names = ("all", "text", "chip", "sort") if data.get("all") else ("ref",)
    return tuple((name, str(value)) for name in names for value in data.getlist(name) if value)


class ArchiveForm(forms.Form):
    """An archive to look at."""

    file = forms.FileField(
        label="Archive",
        allow_empty_file=True,
        widget=forms.ClearableFileInput(attrs={"class": "form-control", "accept": ".zip,application/zip"}),
        help_text="A ZIP file that this console made.",
        error_messages={"required": "Choose the ZIP file."},
    )

    @property
    def name(self) -> str:
        """What the file is called."""
        return str(self.cleaned_data["file"].name or "archive")

    def list_parts(self) -> Iterable[bytes]:
        """The bytes, in parts."""
        parts: Iterable[bytes] = self.cleaned_data["file"].chunks()
        return parts


class ImportForm(forms.Form):
    """What becomes of one discussion of an archive."""

    action = forms.ChoiceField(choices=[(name, name) for name in (SKIP, TAKE, REPLACE)])
    new_id = forms.CharField(
        required=False,
        strip=False,
        max_length=500,
        widget=forms.TextInput(attrs={"class": "form-control", "autocomplete": "off", "spellcheck": "false"}),
    )

    def __init__(self, data: QueryDict | None, item: ImportItem) -> None:
        action = SKIP if item.obstacle else TAKE
        super().__init__(data, prefix=str(item.number), initial={"action": action, "new_id": item.ref.discussion_id})
        self.item = item

    @property
    def chosen(self) -> str:
        """The action as it stands."""
        return str(self["action"].value() or SKIP)

    def choice(self) -> ImportChoice | None:
        """What was chosen; None for nothing. The form must be valid."""
        action, new_id = self.cleaned_data["action"], self.cleaned_data["new_id"]
        if action == SKIP:
            return None
        name = "" if new_id == self.item.ref.discussion_id else new_id
        return ImportChoice(self.item.number, name, action == REPLACE)


def parse_imports(data: QueryDict | None, items: Iterable[ImportItem]) -> list[ImportForm]:
    """One form for each discussion of an archive."""
    return [ImportForm(data, item) for item in items]


def list_choices(forms: Iterable[ImportForm]) -> list[ImportChoice]:
    """What was chosen of all; empty unless every form is valid."""
    found = [form.choice() if form.is_valid() else None for form in forms]
    return [choice for choice in found if choice]
