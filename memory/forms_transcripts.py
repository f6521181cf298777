"""What a person asks of a transcript and says about an import, checked and turned into values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict

from memory.forms import parse_page
from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.paging import PageRequest

MAX_SEARCHED_CHARACTERS = 1000
PAGE_SIZE = 50


@dataclass(frozen=True, slots=True)
class TranscriptRequest:
    """What the URL of the list of messages asks for."""

    page: PageRequest
    at: int | None = None
    """A message to go to."""
    contains: str = ""


def parse_transcript(data: QueryDict) -> TranscriptRequest:
    """Page, message and text; a message decides the page. Raises InvalidError for what is no number."""
    page = parse_page(data)
    contains = data.get("contains", "")[:MAX_SEARCHED_CHARACTERS]
    at = _parse_message(data.get("at", ""))
    if at is None or contains:
        return TranscriptRequest(page, None, contains)
    return TranscriptRequest(replace(page, number=(at - 1) // page.size + 1), at)


def _parse_message(text: str) -> int | None:
    digits = text.strip().lstrip("#").replace(",", "")
    if not digits:
        return None
    if not digits.isascii() or not digits.isdigit() or not 1 <= int(digits[:10]) <= 2**31:
        raise InvalidError(f"{text[:40]!r} is no number of a message; they count from 1.", field="at")
    return int(digits[:10])


class UploadForm(forms.Form):
    """A chat as a file, or pasted."""

    file = forms.FileField(label="File", required=False, allow_empty_file=True)
    text = forms.CharField(label="Or paste a chat", required=False, strip=False)

    def clean(self) -> dict[str, Any]:
        """One of both is needed; a file counts before a text."""
        values: dict[str, Any] = super().clean() or {}
        if not values.get("file") and not (values.get("text") or "").strip():
            raise forms.ValidationError("Choose a file, or paste a chat.")
        return values

    @property
    def name(self) -> str:
        """What the file is called."""
        file = self.cleaned_data["file"]
        return str(file.name) if file else "pasted text"

    def list_parts(self) -> Iterable[bytes]:
        """The bytes, in parts."""
        file = self.cleaned_data["file"]
        return file.chunks() if file else [self.cleaned_data["text"].encode("utf-8", "replace")]


@dataclass(frozen=True, slots=True)
class ReviewRequest:
    """Which conversation of a file is looked at, and for which discussion."""

    number: int | None = None
    discussion: str = ""


def parse_review(data: QueryDict) -> ReviewRequest:
    """What a URL asks for; raises InvalidError for what is no number."""
    text = data.get("conversation", "")
    if text and not (text.isascii() and text.isdigit() and len(text) < 8):
        raise InvalidError(f"{text[:40]!r} is no number of a conversation.", field="conversation")
    return ReviewRequest(int(text) if text else None, data.get("to", ""))


class ConversationChoice(NamedTuple):
    """One conversation and where it goes, as a form says."""

    number: int
    discussion: str
    variant: str = ""
    replaces: bool = False


def parse_choices(data: QueryDict) -> list[ConversationChoice]:
    """What a person chose: rows `choose` with `discussion-N`, or a single one. Raises InvalidError."""
    chosen = []
    for text in data.getlist("choose"):
        if not (text.isascii() and text.isdigit() and len(text) < 8):
            raise InvalidError(f"{text[:40]!r} is no number of a conversation.", field="conversation")
        discussion = data.get(f"discussion-{text}", "")
        if not discussion:
            raise InvalidError(f"Name the discussion that conversation {text} belongs to.", field="discussion")
        chosen.append(ConversationChoice(int(text), discussion, data.get("variant", ""), data.get("replaces") == "yes"))
    return chosen
