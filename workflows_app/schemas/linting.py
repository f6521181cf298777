"""Problems of config files, and the schemas of their kinds, as the API gives them."""

from __future__ import annotations

from ninja import Field, Schema

from workflows_app.configs.kinds import ConfigKind
from workflows_app.results import Severity


class ProblemQuery(Schema):
    """Which problems are wanted."""

    severity: Severity | None = None
    kind: ConfigKind | None = None
    user: str = Field("", max_length=200, description="Only what this user reaches.")
    text: str = Field("", max_length=300, description="Part of path, code or message.")
    path: str = Field("", max_length=1000, description="Only this file, below `Configs`, with `.json`.")


class ProblemOut(Schema):
    """Something that a check of the config files found."""

    code: str = Field(description="The rule.")
    severity: Severity
    message: str
    mend: str = Field(description="What to do about it; may be empty.")
    path: str = Field(description="The file below `Configs`.")
    at: str = Field(description="The value concerned as a JSON Pointer; empty for the whole file.")
    line: int
    column: int
    kind: str


class ProblemList(Schema):
    """The problems in the order of files and lines."""

    items: list[ProblemOut]
    total: int
    by_severity: dict[str, int]


class ConfigKindOut(Schema):
    """One kind of config file."""

    kind: ConfigKind
    title: str
    folder: str = Field(description="Below `Configs`.")
    schema_url: str


class ConfigKindList(Schema):
    """Every kind of config file."""

    items: list[ConfigKindOut]
    total: int
