"""Workflow files as the API gives them."""

from __future__ import annotations

from typing import Any

from ninja import Schema
from pydantic import Field


class WorkflowFileOut(Schema):
    """One JSON file below `Configs/Workflows`."""

    path: str
    folder: str
    name: str
    size_bytes: int
    node_count: int | None = Field(description="null when it is no workflow.")
    types: list[str]
    note: str
    problem: str
    is_runnable: bool


class WorkflowPage(Schema):
    """All files, folder by folder."""

    items: list[WorkflowFileOut]
    total: int


class NodeCardOut(Schema):
    """A node as it stands in the file."""

    position: int
    type: str
    title: str
    endpoint: str
    preset: str
    is_known: bool = Field(description="Whether the type exists; others run as Standard.")
    is_responder: bool
    calls_workflow: str
    values: dict[str, Any]


class WorkflowDetailOut(Schema):
    """A workflow file read for showing."""

    file: WorkflowFileOut
    nodes: list[NodeCardOut]
    variables: dict[str, Any]
    text: str
