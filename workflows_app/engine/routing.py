"""Choosing a workflow by what a model says of the conversation (workflows.md §11)."""

from __future__ import annotations

import string
from collections.abc import Collection, Mapping
from typing import Any

from wilmer_site.lib.ids import is_plain_name
from workflows_app.errors import ConfigInvalidError
from workflows_app.types import JsonObject

_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


def build_routing_variables(routing: Mapping[str, JsonObject]) -> dict[str, Any]:
    """The variables of the categorisation workflow. Raises ConfigInvalidError for an incomplete category."""
    names = list(routing)
    descriptions = [_described(name, routing[name]) for name in names]
    pairs = [f"{name}: {text}" for name, text in zip(names, descriptions, strict=True)]
    return {
        "category_colon_descriptions": "; ".join(pairs),
        "category_colon_descriptions_newline_bulletpoint": "\n- " + "\n- ".join(pairs),
        "categoriesSeparatedByOr": " or ".join(names),
        "categoryNameBulletpoints": "\n- " + "\n- ".join(names),
        "category_list": names,
        "category_descriptions": descriptions,
    }


def match_category(reply: str, names: Collection[str]) -> str | None:
    """The category a reply names: for each word, the first name that is contained anywhere in it."""
    plain = {name: _plain(name) for name in names}
    for word in _plain(reply).split():
        for name, text in plain.items():
            if text in word:
                return name
    return None


def split_model_field(
    model: str | None, users: Collection[str], shared_folders: Mapping[str, Collection[str]]
) -> tuple[str | None, str | None]:
    """User and shared folder that a request's model name chooses.

    `shared_folders` are those that exist for each user. The user is None when several are served and none is
    named.
    """
    name = (model or "").removesuffix(":latest")
    user, _, folder = name.rpartition(":")
    if len(users) == 1:
        only = next(iter(users))
        return only, _existing(name if not user else folder, shared_folders.get(only, ()))
    if name in users:
        return name, None
    if user in users:
        return user, _existing(folder, shared_folders.get(user, ()))
    return None, None


def _existing(folder: str, folders: Collection[str]) -> str | None:
    return folder if is_plain_name(folder) and folder in folders else None


def _plain(text: str) -> str:
    return text.translate(_NO_PUNCTUATION).upper()


def _described(name: str, entry: JsonObject) -> str:
    if "description" not in entry or "workflow" not in entry:
        raise ConfigInvalidError(f"Category {name!r} needs a `workflow` and a `description`.")
    return str(entry["description"])
