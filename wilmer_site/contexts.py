"""What the pages of the project itself show."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from django import forms

from wilmer_site.models import ApiToken


@dataclass(frozen=True, slots=True)
class SignInContext:
    """The sign-in page."""

    form: forms.Form
    next_url: str
    """Where to go afterwards; safe to redirect to."""


@dataclass(frozen=True, slots=True)
class SignInLinkContext:
    """The one-button page behind a sign-in link."""

    user_name: str


@dataclass(frozen=True, slots=True)
class AccountContext:
    """Password and tokens of the reader."""

    has_password: bool
    password_form: forms.Form
    token_form: forms.Form
    tokens: list[ApiToken] = field(default_factory=list)
    now: datetime | None = None
    new_secret: str = ""
    """A token that was just made; shown this once."""


@dataclass(frozen=True, slots=True)
class GalleryContext:
    """Every component once, with sample values."""

    now: datetime
    earlier: datetime
    hash: str
    icons: tuple[str, ...]
    file_states: tuple[str, ...]
    chips: tuple[tuple[str, str, int, bool], ...]
    """Label, URL, count, chosen."""
    tabs: tuple[tuple[str, str, str, bool], ...]
    """Label, URL, badge, current."""
    pages: object
    """A lib.paging.Page."""
