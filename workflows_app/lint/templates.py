"""What a template names and where its braces go wrong, without filling it in (workflows.md §6.2, §6.3)."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import jinja2
from jinja2 import meta
from jinja2.sandbox import ImmutableSandboxedEnvironment

_ROOT: Final = re.compile(r"[^.\[]*")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_DOUBLED: Final = re.compile(r"(?<!\{)\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}(?!\})")
_JINJA: Final = re.compile(r"\{%|\{#|\{\{\s+[A-Za-z_][\w.\[\]'\"]*\s*\}\}|\{\{\s*[A-Za-z_][\w.]*\s*\|\s*\w+")
_FORMATTER: Final = string.Formatter()
_ENVIRONMENT: Final = ImmutableSandboxedEnvironment(autoescape=False)
_STUB: Final = "x"
_KEPT_CHARACTERS: Final = 20_000
"""Longer templates are parsed anew each time, so that what is kept stays small."""


@dataclass(frozen=True, slots=True)
class Template:
    """One template of a node, parsed once."""

    text: str
    is_jinja: bool = False
    names: tuple[str, ...] = ()
    """Every name in single braces (or used by Jinja2) in order, each once; not those that are JSON."""
    odd: str = ""
    """What is wrong with the braces in the first pass, if nothing unknown comes before."""
    json_names: tuple[str, ...] = ()
    """What stands in braces without being a name, such as `"a"`."""
    syntax_error: str = ""
    """Of Jinja2."""

    @property
    def doubled(self) -> tuple[str, ...]:
        """Names in doubled braces."""
        return tuple(_DOUBLED.findall(self.text)) if "{{" in self.text else ()

    @property
    def looks_like_jinja(self) -> bool:
        """Whether statements, filters or spaced names of Jinja2 stand in it."""
        return "{" in self.text and bool(_JINJA.search(self.text))


def parse_template(text: str, is_jinja: bool = False) -> Template:
    """The template's names and mistakes."""
    if "{" not in text and "}" not in text:
        return Template(text, is_jinja)
    return _parse_kept(text, is_jinja) if len(text) <= _KEPT_CHARACTERS else _parse(text, is_jinja)


@lru_cache(maxsize=4096)
def _parse_kept(text: str, is_jinja: bool) -> Template:
    return _parse(text, is_jinja)


def _parse(text: str, is_jinja: bool) -> Template:
    if is_jinja:
        return _parse_jinja(text)
    names: dict[str, None] = {}
    json_names: dict[str, None] = {}
    odd = ""
    try:
        for name in _roots(text):
            if not name or name.isdecimal():
                odd = odd or f"{{{name}}} has no name in it"
            elif _NAME.fullmatch(name):
                names[name] = None
            else:
                json_names[name] = None
    except ValueError as error:
        odd = odd or str(error)
    return Template(text, False, tuple(names), odd, tuple(json_names))


def find_failure(template: Template, values: Mapping[str, Any]) -> str:
    """Why filling the template in would fail the node; empty when it would not.

    `values` has the names that are known, with their text where it is fixed, else None. Both passes of `str.format` are
    followed: a name that is not known ends a pass without harm.
    """
    if template.is_jinja:
        return template.syntax_error
    first, failure = _pass(template.text, values)
    if failure:
        return failure
    if "{" not in first and "}" not in first:
        return ""
    if "{" not in first:
        return ""
    _, failure = _pass(first, values)
    return f"{failure}, when it is filled in for the second time" if failure and first != template.text else failure


def _pass(text: str, values: Mapping[str, Any]) -> tuple[str, str]:
    """The text after one pass, and why the pass fails."""
    pieces: list[str] = []
    try:
        for literal, field, spec, _ in _FORMATTER.parse(text):
            pieces.append(literal)
            if field is None:
                continue
            for name in (_root(field), *(_roots(spec or "") if "{" in (spec or "") else ())):
                if not name or name.isdecimal():
                    return text, f"{{{name}}} has no name in it"
                if name not in values:
                    return text, ""
            value = values[_root(field)]
            pieces.append(_STUB if value is None else str(value))
    except ValueError as error:
        return text, str(error)
    return "".join(pieces), ""


def _roots(text: str) -> Iterator[str]:
    """The names in braces in order, those in format specifications included. Raises ValueError for odd braces."""
    for _, field, spec, _ in _FORMATTER.parse(text):
        if field is None:
            continue
        name = _root(field)
        yield name
        # The specification of something that is JSON is more JSON; its names are worth knowing all the same.
        if spec and "{" in spec:
            try:
                yield from _roots(spec)
            except ValueError:
                if _NAME.fullmatch(name):
                    raise


def _root(field: str) -> str:
    match = _ROOT.match(field)
    return match.group() if match else ""


def _parse_jinja(text: str) -> Template:
    try:
        names = meta.find_undeclared_variables(_ENVIRONMENT.parse(text))
    except jinja2.TemplateError as error:
        return Template(text, True, syntax_error=str(error))
    return Template(text, True, tuple(sorted(names)))
