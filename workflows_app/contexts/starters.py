"""The starters, and the wizard that writes one."""

from __future__ import annotations

from dataclasses import dataclass

from workflows_app.contexts.addresses import page_address
from workflows_app.forms_config_actions import StarterForm
from workflows_app.starters.catalogue import STARTERS, Starter
from workflows_app.starters.choices import StarterChoices


@dataclass(frozen=True, slots=True)
class StarterCard:
    """One starter to choose."""

    starter: Starter
    url: str


@dataclass(frozen=True, slots=True)
class StarterListContext:
    """All starters."""

    cards: tuple[StarterCard, ...]
    list_url: str

    @classmethod
    def build(cls) -> StarterListContext:
        """In the order of the catalogue."""
        cards = tuple(StarterCard(starter, page_address("starter-start", starter.slug)) for starter in STARTERS)
        return cls(cards, page_address("config-list"))


@dataclass(frozen=True, slots=True)
class StarterStartContext:
    """The wizard of one starter."""

    starter: Starter
    form: StarterForm
    files: tuple[str, ...]
    """Names of the files that will be written, as far as the name is known."""
    self_url: str
    starters_url: str
    list_url: str
    new_endpoint_url: str

    @classmethod
    def build(cls, starter: Starter, form: StarterForm) -> StarterStartContext:
        """The form, and what it will write."""
        name = str(form["name"].value() or "…")[:120]
        built = starter.build(StarterChoices(name, "", ""))
        return cls(
            starter=starter,
            form=form,
            files=tuple(f"{file}.json" for file in reversed(built.files)),
            self_url=page_address("starter-start", starter.slug),
            starters_url=page_address("starter-list"),
            list_url=page_address("config-list"),
            new_endpoint_url=page_address("config-new", parameters=[("kind", "endpoint")]),
        )
