"""Turning a template and variables into text, with `str.format` rules or Jinja2 (workflows.md §6.2, §6.3, §6.6)."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from typing import Any

from memory.engine.braces import to_plain_braces
from workflows_app.engine.jinja_sandbox import MAX_CHARACTERS, render_bounded
from workflows_app.errors import TemplateError

Variables = Mapping[str, Any]

_MAX_SPEC_DIGITS = 4


class _UnknownNameError(Exception):
    """A template names something that is not there; format rules keep the template as it is."""


class _Formatter(string.Formatter):
    """`str.format` without access to Python's insides and without giant paddings."""

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:  # noqa: ARG002
        if isinstance(key, int):
            raise TemplateError("The template has {} or a number in braces; only names can stand there.")
        try:
            return kwargs[key]
        except KeyError:
            raise _UnknownNameError(key) from None

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        if "._" in field_name or "[_" in field_name:
            raise TemplateError(f"{{{field_name}}} reaches for an internal of Python, which templates may not.")
        try:
            return super().get_field(field_name, args, kwargs)
        except (KeyError, _UnknownNameError):
            raise _UnknownNameError(field_name) from None

    def format_field(self, value: Any, format_spec: str) -> Any:
        if any(len(digits) > _MAX_SPEC_DIGITS for digits in re.findall(r"\d+", format_spec)):
            raise TemplateError(f"The width in {format_spec!r} is too large.")
        return super().format_field(value, format_spec)


_FORMATTER = _Formatter()


def resolve_template(template: str, variables: Variables, *, jinja2_mode: bool = False) -> str:
    """The text a node gets for one of its templates, markers turned back to braces.

    Raises TemplateError where WilmerAI's node would fail: lone or empty braces, wrong index, bad format, Jinja2
    syntax.
    """
    if jinja2_mode:
        return to_plain_braces(render_bounded(template, variables))
    return to_plain_braces(_format_twice(template, variables))


def resolve_early(template: str, variables: Variables) -> str:
    """The text of `endpointName`, `preset` or a number, where only custom variables and inputs exist.

    Never raises: what cannot be resolved stays as it is (workflows.md §6.6).
    """
    try:
        return _format(template, variables)
    except _UnknownNameError:
        for name, value in variables.items():
            template = template.replace(f"{{{name}}}", str(value))
        return template
    except TemplateError:
        return template


def _format_twice(template: str, variables: Variables) -> str:
    try:
        first = _format(template, variables)
    except _UnknownNameError:
        first = template
    if "{" not in first:
        return first
    try:
        return _format(first, variables)
    except _UnknownNameError:
        return first


def _format(template: str, variables: Variables) -> str:
    try:
        result = _FORMATTER.vformat(template, (), variables)
    except (ValueError, IndexError, AttributeError, TypeError, OverflowError) as error:
        raise TemplateError(f"The template cannot be filled in: {error}.") from None
    return _bounded(result)


def _bounded(text: str) -> str:
    if len(text) > MAX_CHARACTERS:
        raise TemplateError(f"The filled-in template has more than {MAX_CHARACTERS:,} characters.")
    return text
