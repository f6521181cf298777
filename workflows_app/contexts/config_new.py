"""A new config file: which kind, and what it begins with."""

from __future__ import annotations

from dataclasses import dataclass

from workflows_app.contexts.addresses import page_address
from workflows_app.contexts.configs import KIND_WORDS, KindWords
from workflows_app.forms_config_actions import NewConfigForm
from workflows_app.queries.configs import KINDS, list_folders
from workflows_app.services.blank_configs import WITHOUT_FOLDERS


@dataclass(frozen=True, slots=True)
class KindChoice:
    """One kind to choose."""

    words: KindWords
    label: str
    url: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ConfigNewContext:
    """The page for a new file."""

    form: NewConfigForm
    kinds: tuple[KindChoice, ...]
    words: KindWords | None
    label: str
    folders: tuple[str, ...]
    area: str
    takes_folder: bool
    self_url: str
    list_url: str
    starters_url: str

    @classmethod
    def build(cls, form: NewConfigForm) -> ConfigNewContext:
        """The kinds, or the form for the one that was chosen."""
        chosen = form.chosen
        return cls(
            form=form,
            kinds=tuple(
                KindChoice(
                    KIND_WORDS[kind],
                    kind.label,
                    page_address("config-new", parameters=[("kind", kind.value)]),
                    kind is chosen,
                )
                for kind in KINDS
            ),
            words=KIND_WORDS[chosen] if chosen else None,
            label=chosen.label if chosen else "",
            folders=list_folders(chosen) if chosen else (),
            area=chosen.folder if chosen else "",
            takes_folder=chosen not in WITHOUT_FOLDERS,
            self_url=page_address("config-new"),
            list_url=page_address("config-list"),
            starters_url=page_address("starter-list"),
        )
