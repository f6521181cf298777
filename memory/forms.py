"""What a person types or a URL carries, checked and turned into values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django import forms
from django.http import QueryDict

from memory.engine.hashing import hash_api_key
from memory.results import DiscussionFilter, SearchMode, SearchRequest
from memory.types import ApiKey, DiscussionRef, KeyHash
from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.paging import PageRequest

DISCUSSION_CHIPS = ("locked", "plain", "problems", "summary-behind", "has-vector", "has-state", "keyed", "legacy")
DISCUSSION_SORTS = ("last_write", "id", "chunks", "memories", "size", "health")
CHUNK_FILTERS = ("condensed", "not-condensed", "in-summary", "not-in-summary", "same-hash")
SEARCH_COLUMNS = ("title", "summary", "entities", "key_phrases", "memory_text")
"""The columns of the search table, in the order of the weights (memory.md §14.1)."""

SEARCH_MODES = (
    (SearchMode.KEYWORD.value, "Keywords, as WilmerAI"),
    (SearchMode.EXACT_TEXT.value, "Exact text"),
)

MAX_SEARCH_LIMIT = 500


@dataclass(frozen=True, slots=True)
class ListRequest:
    """What the URL of a list inside a discussion asks for."""

    page: PageRequest = field(default_factory=PageRequest)
    newest_first: bool = True
    only: str = ""
    contains: str = ""


def parse_page(data: QueryDict) -> PageRequest:
    """The page a URL asks for (`page`, `size`); raises InvalidError for what is no page."""
    return PageRequest(_parse_number(data, "page", 1), _parse_number(data, "size", PageRequest().size))


def parse_discussion_filter(data: QueryDict) -> DiscussionFilter:
    """Text, chips and order of a list of discussions; raises InvalidError for an unknown chip or order."""
    sort = data.get("sort") or "-last_write"
    _check_known("sort", [sort.removeprefix("-")], DISCUSSION_SORTS)
    chips = tuple(dict.fromkeys(chip for chip in data.getlist("chip") if chip))
    _check_known("chip", chips, DISCUSSION_CHIPS)
    return DiscussionFilter(text=data.get("text", ""), chips=chips, sort=sort)


def parse_list(data: QueryDict) -> ListRequest:
    """Page, order and filter of the chunks or vector memories of a discussion; raises InvalidError."""
    order = data.get("order") or "newest"
    _check_known("order", [order], ("newest", "oldest"))
    only = data.get("only", "")
    _check_known("only", [only] if only else [], CHUNK_FILTERS)
    return ListRequest(parse_page(data), order == "newest", only, data.get("contains", ""))


def parse_line(data: QueryDict) -> int | None:
    """The line of a raw file that a URL points at; None when it names none; raises InvalidError."""
    return _parse_number(data, "line", 1) if data.get("line") else None


class SearchForm(forms.Form):
    """A search as a person types it. Bad input keeps its form, so that nothing typed is lost."""

    query = forms.CharField(
        label="Keywords",
        max_length=20_000,
        strip=False,
        help_text="Separated by semicolons; words between two semicolons are one phrase.",
        error_messages={"required": "Type at least one keyword."},
    )
    discussion = forms.CharField(label="Discussion", required=False, strip=False, widget=forms.HiddenInput)
    mode = forms.ChoiceField(
        label="Mode",
        required=False,
        choices=SEARCH_MODES,
    )
    limit = forms.IntegerField(label="Limit", required=False, initial=15, min_value=1, max_value=MAX_SEARCH_LIMIT)
    recency = forms.BooleanField(label="Favour recent memories", required=False)
    expand = forms.BooleanField(label="Expand entities", required=False)
    weight_title = forms.FloatField(label="Title", required=False, min_value=0, max_value=1000)
    weight_summary = forms.FloatField(label="Summary", required=False, min_value=0, max_value=1000)
    weight_entities = forms.FloatField(label="Entities", required=False, min_value=0, max_value=1000)
    weight_key_phrases = forms.FloatField(label="Key phrases", required=False, min_value=0, max_value=1000)
    weight_memory_text = forms.FloatField(label="Memory text", required=False, min_value=0, max_value=1000)

    @classmethod
    def from_url(cls, data: QueryDict) -> SearchForm:
        """Bound as soon as the URL carries keywords, blank ones included; else an empty form for that discussion."""
        if "query" in data:
            return cls(data)
        return cls(initial={"discussion": data.get("discussion", ""), "query": ""})

    def ref(self) -> DiscussionRef | None:
        """The one discussion to search; None for all. The form must be valid."""
        # A browser sends line feeds inside a form as CR LF; ids may hold a line feed (traps I1).
        text = self.cleaned_data["discussion"].replace("\r\n", "\n")
        return DiscussionRef.parse(text) if text.strip() else None

    def search_request(self) -> SearchRequest:
        """What to search for. The form must be valid."""
        values = self.cleaned_data
        return SearchRequest(
            query=values["query"],
            limit=values["limit"] or 15,
            weights=self._weights(),
            use_recency=values["recency"],
            expand_entities=values["expand"],
            mode=SearchMode(values["mode"] or SearchMode.KEYWORD),
        )

    def _weights(self) -> tuple[float, ...] | None:
        """All five, a blank one counting as 1; None when all are blank."""
        given = [self.cleaned_data[f"weight_{column}"] for column in SEARCH_COLUMNS]
        if all(weight is None for weight in given):
            return None
        return tuple(1.0 if weight is None else weight for weight in given)


class UnlockForm(forms.Form):
    """The key of an encrypted discussion. It is never sent back to the browser."""

    api_key = forms.CharField(
        label="API key",
        max_length=4096,
        strip=True,
        widget=forms.PasswordInput(
            attrs={"class": "form-control", "autocomplete": "off", "spellcheck": "false", "autofocus": True},
            render_value=False,
        ),
        help_text="The bearer key the chat front end sends to WilmerAI. It stays in memory until you sign out.",
        error_messages={"required": "Type the API key that this discussion was kept under."},
    )

    def key(self) -> ApiKey:
        """The key as typed. The form must be valid."""
        return ApiKey(self.cleaned_data["api_key"])

    def key_hash(self, ref: DiscussionRef) -> KeyHash:
        """Under which name the key is kept: the folder's own, or the key's when the folder has none."""
        return ref.key_hash or hash_api_key(self.key())

    def note_refusal(self) -> None:
        """Say that the key opens nothing here, unless nothing was asked or something else is wrong already."""
        if self.is_bound and not self.errors:
            self.add_error("api_key", "This key does not open the discussion. Nothing was kept.")


def _parse_number(data: QueryDict, name: str, default: int) -> int:
    raw = data.get(name) or str(default)
    # Longer texts name no page of anything, and int() refuses the longest of them in its own words.
    if not (raw.isascii() and raw.isdigit() and len(raw) <= 9):
        raise InvalidError(f"{name} must be a whole number; {raw[:40]!r} is none.", field=name)
    return int(raw)


def _check_known(name: str, values: Iterable[str], known: tuple[str, ...]) -> None:
    for value in values:
        if value not in known:
            raise InvalidError(f"{name} must be one of {', '.join(known)}; it is {value[:40]!r}.", field=name)
