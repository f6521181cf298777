"""Forms of the pages that make, copy and rename config files, and that write a starter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict

from wilmer_site.lib.errors import InvalidError, WilmerError
from workflows_app import wiring
from workflows_app.configs.kinds import ConfigKind
from workflows_app.queries.config_plans import RenamePlan, path_beside, plan_rename
from workflows_app.queries.configs import KINDS
from workflows_app.queries.workflows import list_users
from workflows_app.services import starters
from workflows_app.services.blank_configs import BlankRequest, blank_path, suggest_folder
from workflows_app.services.starters import StarterRequest
from workflows_app.starters.blanks import BLANKS
from workflows_app.starters.catalogue import Starter
from workflows_app.starters.choices import StarterChoices

NEW_USER = ""
MAX_NAME = 120


class CopyForm(forms.Form):
    """A name for a copy."""

    name = forms.CharField(label="Name of the copy", max_length=MAX_NAME)
    etag = forms.CharField(required=False, max_length=64)
    plan: RenamePlan | None = None

    def __init__(self, data: QueryDict | None, *, path: str, name: str) -> None:
        super().__init__(data)
        self.path, self._usual = path, name

    @property
    def name_typed(self) -> str:
        """The name, checked."""
        return str(self.cleaned_data["name"])

    @property
    def shown_name(self) -> str:
        """What the control shows."""
        return str(self.data.get("name", self._usual))[:200]

    @property
    def obstacles(self) -> tuple[str, ...]:
        """Why it cannot be done."""
        found = [str(text) for texts in self.errors.values() for text in texts] if self.is_bound else []
        return (*found, *(self.plan.obstacles if self.plan else ()))

    def clean_name(self) -> str:
        """A name that a file may have and none has."""
        name = str(self.cleaned_data["name"])
        self._check(name)
        return name

    def _check(self, name: str) -> None:
        try:
            to = path_beside(self.path, name)
        except InvalidError as error:
            raise forms.ValidationError(error.message) from None
        if is_taken(to):
            raise forms.ValidationError(f"There is already a file {to}.")


class RenameForm(CopyForm):
    """A new name, and what it would take."""

    is_breaking_meant = forms.BooleanField(required=False)

    @property
    def is_agreed(self) -> bool:
        """Whether nothing stands in the way, and what breaks outside of the configs is meant to."""
        return not self.obstacles and (self.is_meant or not (self.plan and self.plan.warnings))

    @property
    def is_meant(self) -> bool:
        """Whether the person says so."""
        return bool(self.cleaned_data.get("is_breaking_meant"))

    def _check(self, name: str) -> None:
        try:
            self.plan = plan_rename(self.path, name)
        except InvalidError as error:
            raise forms.ValidationError(error.message) from None


class NewConfigForm(forms.Form):
    """A new file of some kind."""

    kind = forms.ChoiceField(label="Kind")
    name = forms.CharField(
        label="Name", max_length=MAX_NAME, help_text="The file name without .json; other files use it."
    )
    folder = forms.CharField(label="Folder", required=False, max_length=300, strip=True)
    blank = forms.ChoiceField(label="Begin with", required=False)

    def __init__(self, data: QueryDict | None, *, chosen: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.chosen = _find_kind(str((data or chosen).get("kind", "")))
        self.fields["kind"].choices = [(kind.value, kind.label) for kind in KINDS]  # type: ignore[attr-defined]
        blanks = BLANKS.get(self.chosen, ()) if self.chosen else ()
        self.fields["blank"].choices = [(blank.slug, blank.title) for blank in blanks]  # type: ignore[attr-defined]
        self.fields["folder"].initial = suggest_folder(self.chosen) if self.chosen else ""
        _dress(self)

    @property
    def request(self) -> BlankRequest:
        """What is to be made."""
        values = self.cleaned_data
        return BlankRequest(ConfigKind(values["kind"]), values["name"], values["folder"], values["blank"])

    def clean(self) -> dict[str, Any]:
        """The path must be one that a file may have and none has."""
        values = super().clean() or {}
        if {"kind", "name"} <= values.keys() and "folder" in values:
            try:
                path = blank_path(
                    BlankRequest(ConfigKind(values["kind"]), values["name"], values["folder"], values.get("blank", ""))
                )
            except InvalidError as error:
                self.add_error(str(error.extra.get("field", "name")), error.message)
                return values
            if is_taken(path):
                self.add_error("name", f"There is already a file {path}.")
        return values


class StarterForm(forms.Form):
    """Who the starter is for, and what answers."""

    user = forms.ChoiceField(label="WilmerAI user", required=False)
    new_user = forms.CharField(
        label="Name of the new user",
        required=False,
        max_length=MAX_NAME,
        help_text="In lower case, as WilmerAI looks it up.",
    )
    name = forms.CharField(
        label="Name of the workflow", max_length=MAX_NAME, help_text="Its other files begin with this name."
    )
    endpoint = forms.ChoiceField(label="Endpoint", error_messages={"required": "Pick an endpoint."})
    preset = forms.ChoiceField(label="Preset", error_messages={"required": "Pick a preset."})
    embedding_endpoint = forms.ChoiceField(
        label="Embeddings endpoint", required=False, help_text="Without one, memories are found by keywords only."
    )
    is_set_up = forms.BooleanField(
        label="Let this user answer with it from now on",
        required=False,
        initial=True,
        help_text="Sets the workflow and the memory settings in the user's config.",
    )

    def __init__(self, data: QueryDict | None, *, starter: Starter, chosen: Mapping[str, Any]) -> None:
        source: Mapping[str, Any] = data if data is not None else chosen
        user = str(source.get("user", (list_users() or [NEW_USER])[0]))
        vectors = starters.list_embedding_endpoints(user)
        usual = {"user": user, "embedding_endpoint": vectors[0] if vectors else ""}
        super().__init__(data, initial=usual | dict(chosen))
        self.starter = starter
        endpoints = starters.list_endpoints(user)
        endpoint = str(source.get("endpoint", "")) or (endpoints[0] if endpoints else "")
        users = [(name, name) for name in list_users()]
        self._set("user", [*users, (NEW_USER, "a new user")])
        self._set("endpoint", _pairs(endpoints))
        self._set("preset", _pairs(starters.list_presets(user, endpoint)))
        self._set("embedding_endpoint", [("", "none"), *_pairs(vectors)])
        self.is_new_user = user == NEW_USER
        if not starter.uses_embeddings:
            del self.fields["embedding_endpoint"]
        _dress(self)

    @property
    def request(self) -> StarterRequest:
        """What is to be written."""
        values = self.cleaned_data
        choices = StarterChoices(
            values["name"], values["endpoint"], values["preset"], values.get("embedding_endpoint", "")
        )
        user = values["user"] or values["new_user"]
        return StarterRequest(self.starter.slug, choices, user, values["is_set_up"] or self.is_new_user)

    def clean(self) -> dict[str, Any]:
        """Everything that the plan needs must be there, and no file yet."""
        values = super().clean() or {}
        if not values.get("user") and not values.get("new_user"):
            self.add_error("new_user", "Type a name for the new user.")
        if self.errors:
            return values
        try:
            plan = starters.plan_starter(self.request)
        except WilmerError as error:
            field = str(error.extra.get("field", "name"))
            self.add_error(field if field in self.fields else "name", error.message)
            return values
        if self.is_new_user and not plan.is_new_user:
            self.add_error("new_user", "There is a user of this name already.")
        taken = [path for path in plan.files if is_taken(path)]
        if taken:
            self.add_error("name", f"There is already a file {taken[0]}.")
        return values

    def _set(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        self.fields[name].choices = list(choices)  # type: ignore[attr-defined]


def is_taken(path: str) -> bool:
    """Whether there is a config file of this path."""
    return wiring.get_config_library().exists(path)


def _find_kind(name: str) -> ConfigKind | None:
    return next((kind for kind in KINDS if kind.value == name), None)


def _pairs(names: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, name) for name in names]


def _dress(form: forms.Form) -> None:
    for field in form.fields.values():
        if not isinstance(field, forms.BooleanField):
            kind = "form-select" if isinstance(field, forms.ChoiceField) else "form-control"
            field.widget.attrs |= {"class": kind, "autocomplete": "off"}
