"""A workflow file taken apart for the rules: nodes, their templates, and the workflows they start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from workflows_app.configs.documents import Document
from workflows_app.configs.entries import Templating
from workflows_app.configs.fields import FieldSpec, FieldType, fields_of_node
from workflows_app.configs.source import Pointer
from workflows_app.engine.definition import opts_in
from workflows_app.engine.node_types import NODE_TYPES
from workflows_app.lint.names import input_number, output_number
from workflows_app.lint.templates import Template, parse_template

STANDARD: Final = "Standard"
STARTERS: Final = frozenset({"CustomWorkflow", "ConditionalCustomWorkflow", "ConversationChunkProcessor"})
OVERRIDES: Final = (
    "firstNodeSystemPromptOverride",
    "firstNodePromptOverride",
    "systemPromptOverride",
    "promptOverride",
)


@dataclass(frozen=True, slots=True)
class TemplateUse:
    """A template and where it stands."""

    at: Pointer
    template: Template
    is_early: bool = False
    """Endpoint, preset or a number: only custom variables and inputs exist."""


@dataclass(frozen=True, slots=True)
class Call:
    """A workflow that a node starts."""

    at: Pointer
    name: str
    folder: str
    inputs: int
    is_conditional: bool = False


@dataclass
class Node:
    """One node that is an object."""

    number: int
    """From 1."""
    at: Pointer
    values: Mapping[str, Any]

    @property
    def type(self) -> str:
        """What it runs as."""
        written = self.values.get("type", STANDARD)
        return written if isinstance(written, str) and written in NODE_TYPES else STANDARD

    @property
    def is_known(self) -> bool:
        """Whether the type it says, if any, exists."""
        return "type" not in self.values or self.values["type"] == self.type

    @cached_property
    def fields(self) -> Mapping[str, FieldSpec]:
        """The fields of its type."""
        return fields_of_node(self.type)

    @property
    def is_jinja(self) -> bool:
        """Whether its templates are Jinja2."""
        return bool(self.values.get("jinja2"))

    @property
    def opts_in(self) -> bool:
        """Whether it wants to answer."""
        return opts_in(self.values)

    def pointer(self, *parts: str | int) -> Pointer:
        """A place below the node."""
        return (*self.at, *parts)

    @cached_property
    def templates(self) -> tuple[TemplateUse, ...]:
        """Everything in the node where variables may stand."""
        return tuple(_list_templates(self))

    @cached_property
    def names(self) -> frozenset[str]:
        """Every name its templates use, early ones and doubled braces included."""
        found = {name for use in self.templates for name in use.template.names}
        doubled = {name for use in self.templates if not use.template.is_jinja for name in use.template.doubled}
        return frozenset(found | doubled)

    @cached_property
    def calls(self) -> tuple[Call, ...]:
        """The workflows it starts."""
        return tuple(_list_calls(self)) if self.type in STARTERS else ()


@dataclass
class WorkflowFile:
    """A workflow document taken apart."""

    document: Document

    @property
    def path(self) -> str:
        """Of the document."""
        return self.document.path

    @cached_property
    def items(self) -> list[Any]:
        """Whatever stands in the list of nodes."""
        value = self.document.value
        found = value.get("nodes") if isinstance(value, dict) else value
        return found if isinstance(found, list) else []

    @property
    def top(self) -> Pointer:
        """Where the list of nodes stands."""
        return ("nodes",) if isinstance(self.document.value, dict) else ()

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The nodes that are objects, with the numbers they have in the file."""
        return tuple(
            Node(number, (*self.top, number - 1), values)
            for number, values in enumerate(self.items, start=1)
            if isinstance(values, dict)
        )

    @cached_property
    def by_number(self) -> dict[int, Node]:
        """The nodes by their number."""
        return {node.number: node for node in self.nodes}

    @cached_property
    def variables(self) -> dict[str, Any]:
        """Custom variables: the other keys of the object form."""
        return {key: value for key, value in self.document.object.items() if key != "nodes"}

    @cached_property
    def responder(self) -> Node | None:
        """The node that answers."""
        return next((node for node in self.nodes if node.opts_in), self.nodes[-1] if self.nodes else None)

    @cached_property
    def used_names(self) -> frozenset[str]:
        """Every name in templates, those in custom variables included, which are filled in once more."""
        texts = [value for value in self.variables.values() if isinstance(value, str)]
        return frozenset().union(*(node.names for node in self.nodes), *(parse_template(text).names for text in texts))

    @cached_property
    def used_outputs(self) -> frozenset[int]:
        """Numbers of the nodes whose output is named anywhere."""
        return frozenset(number for number in map(output_number, self.used_names) if number)

    @cached_property
    def used_inputs(self) -> frozenset[int]:
        """Numbers of the inputs that are named anywhere."""
        return frozenset(number for number in map(input_number, self.used_names) if number)


def _list_templates(node: Node) -> Iterator[TemplateUse]:
    for name, value in node.values.items():
        field = node.fields.get(name)
        if field is None or field.templating is Templating.NONE:
            continue
        is_early = field.templating is Templating.EARLY
        is_jinja = node.is_jinja and not is_early
        only_texts = node.type == "StringConcatenator"
        for at, text in _texts(value, node.pointer(name), field, only_texts):
            yield TemplateUse(at, parse_template(text, is_jinja), is_early)
    if node.type == "ConditionalCustomWorkflow" and isinstance(node.values.get("routeOverrides"), dict):
        yield from _override_templates(node)


def _texts(value: Any, at: Pointer, field: FieldSpec, only_texts: bool) -> Iterator[tuple[Pointer, str]]:
    if isinstance(value, str):
        yield at, value
    elif (isinstance(value, list) and field.type is FieldType.LIST) or isinstance(value, dict):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _texts(item, (*at, key), field, only_texts)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _texts(item, (*at, index), field, only_texts)


def _override_templates(node: Node) -> Iterator[TemplateUse]:
    for route, overrides in node.values["routeOverrides"].items():
        if not isinstance(overrides, dict):
            continue
        for key in OVERRIDES:
            if isinstance(overrides.get(key), str):
                at = node.pointer("routeOverrides", route, key)
                yield TemplateUse(at, parse_template(overrides[key], node.is_jinja))


def _list_calls(node: Node) -> Iterator[Call]:
    folder = str(node.values.get("workflowUserFolderOverride") or "")
    scoped = node.values.get("scoped_variables")
    inputs = len(scoped) if isinstance(scoped, list | str) else 0
    if node.type == "ConversationChunkProcessor":
        folder, inputs = "", inputs + 1
    name = node.values.get("workflowName")
    if node.type != "ConditionalCustomWorkflow":
        if isinstance(name, str) and name:
            yield Call(node.pointer("workflowName"), name, folder, inputs)
        return
    routes = node.values.get("conditionalWorkflows")
    for key, target in routes.items() if isinstance(routes, dict) else ():
        if isinstance(target, str) and target:
            yield Call(node.pointer("conditionalWorkflows", key), target, folder, inputs, is_conditional=True)
