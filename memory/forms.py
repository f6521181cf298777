"""What a person types or a URL carries, checked and turned into values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from django import forms
from django.http import QueryDict

from memory.engine.coverage import Trouble
from memory.engine.explanations import WhatIf
from memory.engine.hashing import hash_api_key
from memory.engine.previews import PreviewRequest
from memory.engine.triggers import WriterPath
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


def parse_trouble(data: QueryDict) -> Trouble | None:
    """Which chunks of an X-ray a URL asks for; None for all; raises InvalidError."""
    only = data.get("only", "")
    _check_known("only", [only] if only else [], tuple(Trouble))
    return Trouble(only) if only else None


def parse_writer_path(data: QueryDict) -> WriterPath | None:
    """The path of the writer that a URL names; None for the one in use; raises InvalidError."""
    path = data.get("path", "")
    _check_known("path", [path] if path else [], tuple(WriterPath))
    return WriterPath(path) if path else None


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


class ThresholdForm(forms.Form):
    """Thresholds to try out on the page Why; what the settings say stands in for what is not given."""

    path = forms.ChoiceField(
        label="Memory",
        required=False,
        widget=forms.Select(attrs={"class": "form-select"}),
        choices=((WriterPath.FILE.value, "File memory"), (WriterPath.VECTOR.value, "Vector memory")),
    )
    size = forms.IntegerField(
        label="Chunk size in tokens",
        required=False,
        min_value=1,
        max_value=1_000_000,
        widget=forms.NumberInput(attrs={"class": "form-control", "data-slider": "100,8000,100"}),
    )
    messages = forms.IntegerField(
        label="Messages between chunks",
        required=False,
        min_value=1,
        max_value=1_000_000,
        widget=forms.NumberInput(attrs={"class": "form-control", "data-slider": "1,60,1"}),
    )
    lookback = forms.IntegerField(
        label="Newest messages left out",
        required=False,
        min_value=0,
        max_value=1_000_000,
        widget=forms.NumberInput(attrs={"class": "form-control", "data-slider": "0,30,1"}),
    )

    @classmethod
    def from_url(cls, data: QueryDict, present: WhatIf) -> ThresholdForm:
        """The form with the present thresholds wherever the URL names none."""
        usual = {
            "path": present.path.value,
            "size": present.chunk_size,
            "messages": present.max_messages,
            "lookback": present.lookback,
        }
        form = cls({name: data.get(name) or value for name, value in usual.items()})
        form.present = present
        return form

    present: WhatIf

    def what_if(self) -> WhatIf:
        """The thresholds to try. The form must be valid."""
        values = self.cleaned_data
        return WhatIf(WriterPath(values["path"]), values["size"], values["messages"], values["lookback"])

    @property
    def is_present(self) -> bool:
        """Whether these are the thresholds of the settings."""
        return self.is_valid() and self.what_if() == self.present


class PreviewForm(forms.Form):
    """What the memory nodes on the page Preview are given."""

    keywords = forms.CharField(
        label="Keywords for the search nodes",
        required=False,
        max_length=20_000,
        strip=False,
        help_text="Separated by ;",
        widget=forms.TextInput(attrs={"class": "form-control"}),
    )
    chunks = forms.IntegerField(
        label="Recent memories",
        required=False,
        min_value=-1,
        max_value=10_000,
        help_text="0 means 3, -1 all",
        widget=forms.NumberInput(attrs={"class": "form-control"}),
    )
    limit = forms.IntegerField(
        label="Search results",
        required=False,
        min_value=1,
        max_value=100,
        widget=forms.NumberInput(attrs={"class": "form-control"}),
    )

    @classmethod
    def from_url(cls, data: QueryDict) -> PreviewForm:
        """Bound to what the URL says; a blank number counts as the node's own default."""
        return cls(
            {"keywords": data.get("keywords", ""), "chunks": data.get("chunks", "3"), "limit": data.get("limit", "5")}
        )

    def preview_request(self) -> PreviewRequest:
        """What to preview; the defaults where the form is not valid."""
        if not self.is_valid():
            return PreviewRequest()
        values = self.cleaned_data
        chunks = 3 if values["chunks"] is None else values["chunks"]
        return PreviewRequest(max_chunks=chunks, keywords=values["keywords"], limit=values["limit"] or 5)


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
