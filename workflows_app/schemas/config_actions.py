"""What refers to what, copies, renames, tests of endpoints and starters as the API gives and takes them."""

from __future__ import annotations

from typing import Any

from ninja import Schema
from pydantic import Field


class ConfigEntryOut(Schema):
    """One config file in a list."""

    path: str
    name: str
    folder: str
    kind: str
    note: str = Field(description="What somebody wrote into it for people.")
    problem: str = Field(description="Why it cannot be read; empty when it can.")
    errors: int
    warnings: int
    references: int = Field(description="How many places name it.")
    users: list[str] = Field(description="The WilmerAI users whose requests may come to it.")


class ConfigEntryList(Schema):
    """Config files, folder by folder; workflows are listed by /workflows."""

    items: list[ConfigEntryOut]
    total: int


class ReferenceOut(Schema):
    """One name in one file, and where it leads."""

    source: str = Field(description="The file that has the name.")
    at: str = Field(description="JSON Pointer of the name.")
    wanted: str = Field(description="What the name is looked up as, such as `endpoint`.")
    name: str
    targets: dict[str, str] = Field(description="WilmerAI user → path the name leads to for them.")
    is_missing: bool = Field(description="Whether any of these paths is not there.")
    is_switched_off: bool = Field(description="Whether the file says elsewhere that the name does not count.")


class ReferenceList(Schema):
    """References; with a path those that lead to it and from it."""

    items: list[ReferenceOut]
    total: int


class ConfigValuesIn(Schema):
    """Single values to be set or removed."""

    values: dict[str, Any] = Field({}, description="JSON Pointer → value.")
    removed: list[str] = Field([], description="JSON Pointers.")
    note: str = Field("", max_length=500)
    insist_reason: str = Field("", max_length=500, description="Why it is to be saved although the checks find errors.")


class ConfigNameIn(Schema):
    """A file and a new name."""

    path: str
    name: str = Field(description="Without folder and `.json`.")


class ConfigRenameIn(ConfigNameIn):
    """A file and its new name."""

    is_breaking_meant: bool = Field(False, description="Rename although the dry run has `warnings`.")


class ConfigBlankIn(Schema):
    """A new file, begun from what its kind needs."""

    kind: str
    name: str
    folder: str = Field("", description="Below the folder of the kind.")
    blank: str = Field("", description="What to begin with; empty for the usual.")


class EditOut(Schema):
    """Values that are set in one file."""

    path: str
    values: dict[str, str] = Field(description="JSON Pointer → new value.")


class ConfigChangeOut(Schema):
    """What was done, or with `dry_run` would be."""

    path: str = Field(description="Where the file is now.")
    changed: list[str] = Field(description="Other files that were written.")
    edits: list[EditOut] = Field([], description="With a dry run: the values that would be written.")
    obstacles: list[str] = Field([], description="With a dry run: why it cannot be done.")
    warnings: list[str] = Field([], description="With a dry run: what breaks outside of the configs.")
    mentions: list[str] = Field([], description="With a dry run: the same text in places that are not followed.")
    undo: str = Field("", description="For /config-undos, within a week.")


class UndoIn(Schema):
    """A change to be taken back."""

    token: str = Field(max_length=100_000)


class UndoneOut(Schema):
    """What was written to take a change back."""

    paths: list[str]


class TestStepOut(Schema):
    """One step of the test of an endpoint."""

    name: str
    state: str = Field(description="`ok`, `warning`, `failed` or `skipped`.")
    words: str = Field(description="A sentence; the server's own words where it spoke.")
    milliseconds: float | None


class EndpointTestOut(Schema):
    """What the test of an endpoint found."""

    path: str
    address: str
    type: str = Field(description="The wire format.")
    has_failed: bool
    steps: list[TestStepOut]
    models: list[str]
    dimension: int | None = Field(description="Numbers in a vector; null for endpoints that make text.")


class StarterOut(Schema):
    """A ready workflow with its settings, to begin with."""

    slug: str
    title: str
    text: str
    points: list[str]
    uses_embeddings: bool


class StarterList(Schema):
    """Every starter."""

    items: list[StarterOut]
    total: int


class StarterIn(Schema):
    """Names that go into the files of a starter."""

    name: str = Field(description="Name of the workflow; its other files begin with it.")
    user: str = Field(description="A WilmerAI user; one that does not exist is made.")
    endpoint: str
    preset: str
    embedding_endpoint: str = ""
    is_set_up: bool = Field(True, description="Whether the user answers with it from now on.")
