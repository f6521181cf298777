"""Jinja2 for templates of other people: no way into Python, and bounded work, memory and output (workflows.md §6.3)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

import jinja2
from jinja2 import meta, nodes
from jinja2.filters import FILTERS as DEFAULT_FILTERS
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

from workflows_app.errors import TemplateError

MAX_CHARACTERS = 20_000_000
"""No text in a template may grow beyond this."""
MAX_STEPS = 1_000_000
"""Turns of all loops and calls of one rendering together."""
_MAX_DIGITS = 4
_MAX_BITS = 100_000
_BUDGET, _TURNS, _JOINED = "_budget", "_turns", "_joined"
_GROWING = frozenset({"join", "replace", "ljust", "rjust", "center", "zfill", "expandtabs", "translate", "splitlines"})
"""Methods of texts whose result may be far longer than what they are given."""


def _call(name: str, arguments: list[Any], line: int) -> nodes.Call:
    return nodes.Call(nodes.Name(name, "load", lineno=line), arguments, [], None, None, lineno=line)


class Budget:
    """What one rendering may still do. Underscores keep templates from reaching it."""

    __slots__ = ("_left",)

    def __init__(self, steps: int = MAX_STEPS) -> None:
        self._left = steps

    def _spend(self, steps: int = 1) -> None:
        self._left -= steps
        if self._left < 0:
            raise TemplateError(f"The template takes more than {MAX_STEPS:,} steps; does it loop for ever?")

    def _turns(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self._spend()
            yield item


class _Bounding(NodeTransformer):
    """Puts every loop on the budget, and every `~` under the limit of length."""

    def visit_For(self, node: nodes.For) -> nodes.For:  # noqa: N802 - the name that Jinja2 looks for
        self.generic_visit(node)
        node.iter = _call(_TURNS, [node.iter], node.lineno)
        return node

    def visit_Concat(self, node: nodes.Concat) -> nodes.Call:  # noqa: N802
        self.generic_visit(node)
        return _call(_JOINED, node.nodes, node.lineno)


class BoundedEnvironment(ImmutableSandboxedEnvironment):
    """Jinja2's own sandbox, with limits on what grows."""

    intercepted_binops = frozenset({"*", "**", "%", "+"})

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """An operation whose result is known to stay small enough."""
        _BINOP_CHECKS[operator](left, right)
        return super().call_binop(context, operator, left, right)

    def call(__self, __context: Context, __obj: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: N805 - Jinja2's names
        """A call on the budget; methods that make long texts are measured first."""
        budget = __context.get(_BUDGET)
        if isinstance(budget, Budget):
            budget._spend()
        owner, name = getattr(__obj, "__self__", None), getattr(__obj, "__name__", "")
        if isinstance(owner, str | bytes) and name in _GROWING:
            _check_growth(owner, args)
        return super().call(__context, __obj, *args, **kwargs)


def render_bounded(template: str, variables: Mapping[str, Any]) -> str:
    """The template filled in. Raises TemplateError for mistakes and for everything that is not allowed."""
    try:
        compiled, names = _compile(template)
        budget = Budget()
        given = {name: variables[name] for name in names if name in variables}
        own = {_BUDGET: budget, _TURNS: budget._turns, _JOINED: _join}
        return _collect(compiled.generate({**given, **own}))
    except _FAULTS as error:
        words = str(error).rstrip(".") or type(error).__name__
        raise TemplateError(f"The Jinja2 template cannot be filled in: {words}.") from None


_FAULTS = (
    jinja2.TemplateError,
    TypeError,
    ValueError,
    AttributeError,
    LookupError,
    ArithmeticError,
    RecursionError,
    MemoryError,
)


@lru_cache(maxsize=256)
def _compile(template: str) -> tuple[jinja2.Template, frozenset[str]]:
    tree = _ENVIRONMENT.parse(template)
    names = frozenset(meta.find_undeclared_variables(tree))
    bounded: nodes.Template = _Bounding().visit(tree)
    bounded.set_environment(_ENVIRONMENT)
    code = _ENVIRONMENT.compile(bounded)
    return jinja2.Template.from_code(_ENVIRONMENT, code, _ENVIRONMENT.make_globals(None)), names


def _collect(pieces: Iterator[str]) -> str:
    kept: list[str] = []
    size = 0
    for piece in pieces:
        size += len(piece)
        _check_size(size)
        kept.append(piece)
    return "".join(kept)


def _join(*parts: Any) -> str:
    texts = [str(_measured(part)) for part in parts]
    _check_size(sum(map(len, texts)))
    return "".join(texts)


def _check_size(size: int) -> None:
    if size > MAX_CHARACTERS:
        raise TemplateError(f"The filled-in template has more than {MAX_CHARACTERS:,} characters.")


def _measured(value: Any) -> Any:
    """The value, if it is no list of lists whose text would be far too long."""
    if isinstance(value, list | tuple | dict):
        _count(value, MAX_CHARACTERS)
    return value


def _count(value: Any, left: int) -> int:
    """How many characters remain of `left` beside the value as text, roughly."""
    if left < 0:
        raise TemplateError(f"The filled-in template has more than {MAX_CHARACTERS:,} characters.")
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if not isinstance(value, list | tuple):
        return left - (len(value) if isinstance(value, str | bytes) else 1)
    for item in value:
        left = _count(item, left - 1)
    return left


def _check_product(left: Any, right: Any) -> None:
    for value, times in ((left, right), (right, left)):
        if isinstance(value, str | bytes | list | tuple) and isinstance(times, int):
            _check_size(len(value) * max(0, times))
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() + right.bit_length() > _MAX_BITS:
        raise TemplateError("The template calculates with numbers that are too large.")


def _check_power(left: Any, right: Any) -> None:
    if isinstance(left, int) and isinstance(right, int) and left.bit_length() * max(0, right) > _MAX_BITS:
        raise TemplateError("The template calculates with numbers that are too large.")


def _check_format(left: Any, right: Any) -> None:  # noqa: ARG001 - one signature for all operators
    if isinstance(left, str | bytes):
        _check_width(left)


def _check_sum(left: Any, right: Any) -> None:
    if isinstance(left, str | list | tuple) and isinstance(right, str | list | tuple):
        _check_size(len(left) + len(right))


_BINOP_CHECKS: Mapping[str, Callable[[Any, Any], None]] = {
    "*": _check_product,
    "**": _check_power,
    "%": _check_format,
    "+": _check_sum,
}


def _check_width(template: str | bytes) -> None:
    text = template if isinstance(template, str) else template.decode("latin-1")
    if "*" in text or any(len(digits) > _MAX_DIGITS for digits in re.findall(r"\d+", text)):
        raise TemplateError("The template asks for a width that is too large.")


def _check_growth(owner: str | bytes, args: tuple[Any, ...]) -> None:
    """A rough upper bound of what `owner` becomes."""
    numbers = [value for value in args if isinstance(value, int)]
    texts = [len(value) for value in args if isinstance(value, str | bytes)]
    _check_size(len(owner) + sum(numbers))
    _check_size((len(owner) + 1) * max(texts, default=1))
    for value in args:
        if isinstance(value, list | tuple):
            _check_size(sum(len(str(item)) for item in value) + len(owner) * len(value))


def _filter_bounded(name: str) -> Any:
    """A filter of Jinja2 whose arguments are measured first."""
    plain = DEFAULT_FILTERS[name]
    takes_context = hasattr(plain, "jinja_pass_arg")

    def run(*args: Any, **kwargs: Any) -> Any:
        values = (*(args[1:] if takes_context else args), *kwargs.values())
        first = _measured(values[0]) if values else ""
        if name == "format":
            _check_width(str(first))
        elif isinstance(first, str):
            _check_growth(first, tuple(values[1:]))
        else:
            _check_growth(next((str(value) for value in values[1:] if isinstance(value, str)), ""), (first,))
        return plain(*args, **kwargs)

    for mark in ("jinja_pass_arg", "jinja_async_variant"):
        if hasattr(plain, mark):
            setattr(run, mark, getattr(plain, mark))
    return run


_ENVIRONMENT = BoundedEnvironment(autoescape=False, finalize=_measured)
for _name in ("center", "indent", "replace", "join", "format", "tojson", "pprint", "string", "wordwrap", "xmlattr"):
    _ENVIRONMENT.filters[_name] = _filter_bounded(_name)
