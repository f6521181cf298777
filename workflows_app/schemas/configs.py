"""Config files and their versions as the API gives and takes them."""

from __future__ import annotations

from datetime import datetime

from ninja import Schema
from pydantic import Field

from workflows_app.schemas.linting import ProblemOut


class ConfigOut(Schema):
    """One config file."""

    path: str = Field(description="Below the configs folder, such as `Users/ann.json`.")
    kind: str = Field(description="A value of /config-schemas; empty for a file that is no config.")
    version: str = Field(description="The ETag, without quotes: SHA-256 of the bytes.")
    encoding: str
    text: str = Field(description="Exactly as on disk, but secrets are masks (`••••••••#1`).")


class ConfigIn(Schema):
    """A text to be saved."""

    text: str = Field(description="Masks of secrets become the stored secrets again.")
    note: str = Field("", max_length=500, description="What was changed, for the list of versions.")
    insist_reason: str = Field("", max_length=500, description="Why it is to be saved although the checks find errors.")


class ConfigTextIn(Schema):
    """A text to be checked."""

    text: str | None = Field(None, description="null: the file as it is on disk.")


class ConfigChecksOut(Schema):
    """What the checks say of one text."""

    items: list[ProblemOut]
    total: int


class SavedConfigOut(Schema):
    """What a save came to."""

    path: str
    version: str = Field(description="The new ETag, without quotes.")
    number: int = Field(description="Number of the version that is on disk now; 0 when nothing was written.")
    is_changed: bool
    problems: list[ProblemOut]


class DeletedConfigOut(Schema):
    """A file that is gone; its versions stay."""

    path: str
    breaks: list[str] = Field(description="References that lead nowhere now: file and place.")


class ConfigVersionOut(Schema):
    """One kept version."""

    number: int
    digest: str
    author: str
    is_outside: bool = Field(
        description="Not written by this console: by another program, noticed later, or found at first."
    )
    name: str
    note: str
    created_at: datetime
    is_deletion: bool
    is_current: bool
    text: str | None = Field(None, description="Filled where one version is asked for; secrets are masks.")


class ConfigVersionList(Schema):
    """The newest versions of one file."""

    items: list[ConfigVersionOut]
    total: int


class RestoreIn(Schema):
    """A version to be written again."""

    number: int = Field(ge=1)
    note: str = Field("", max_length=500)


class VersionNameIn(Schema):
    """A name for a version."""

    number: int = Field(ge=1)
    name: str = Field(max_length=200, description="Empty takes the name away.")
