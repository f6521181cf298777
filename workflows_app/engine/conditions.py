"""The expressions of a Conditional node (workflows.md §10.4).

A scanner, then three rules of a grammar. Any mistake makes the whole expression false; nothing here raises.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(
    r"""(?P<number>-?\d+(?:\.\d+)?)
      | (?P<text>'[^']*'|"[^"]*")
      | (?P<comparison>==|!=|>=|<=|>|<)
      | (?P<bracket>[()])
      | (?P<word>[A-Za-z_][A-Za-z0-9_]*)""",
    re.VERBOSE | re.ASCII,
)

_ORDERING: dict[str, Callable[[Any, Any], bool]] = {
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
_LOGIC = frozenset({"AND", "OR"})
"""Words that join; quoted they are texts, which cannot stand alone (workflows.md §10.4)."""
_MAX_DEPTH = 200
"""Brackets nest no deeper than this; more counts as a mistake."""


class _MistakeError(Exception):
    """The expression does not follow the grammar."""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str


def evaluate_condition(expression: str) -> bool:
    """Whether the expression holds; False for every mistake and for an empty one."""
    try:
        return _Parser(_scan(expression)).parse()
    except _MistakeError:
        return False


def is_well_formed(expression: str) -> bool:
    """Whether the expression follows the grammar; one that does not is always false."""
    try:
        _Parser(_scan(expression)).parse()
    except _MistakeError:
        return False
    return True


def _scan(expression: str) -> list[_Token]:
    tokens = []
    for match in _TOKEN.finditer(expression):
        kind, text = match.lastgroup or "", match.group()
        if kind == "word" and text.upper() in _LOGIC:
            kind, text = "logic", text.upper()
        tokens.append(_Token(kind, text))
    return tokens


class _Parser:
    def __init__(self, tokens: list[_Token]) -> None:
        self._tokens = tokens
        self._position = 0
        self._depth = 0

    def parse(self) -> bool:
        result = self._expression()
        if self._position < len(self._tokens):
            raise _MistakeError
        return result

    def _expression(self) -> bool:
        result = self._term()
        while self._take("logic", "OR"):
            right = self._term()
            result = result or right
        return result

    def _term(self) -> bool:
        result = self._factor()
        while self._take("logic", "AND"):
            right = self._factor()
            result = result and right
        return result

    def _factor(self) -> bool:
        if self._take("bracket", "("):
            return self._bracketed()
        left = self._operand()
        comparison = self._take("comparison")
        if comparison is None:
            if isinstance(left, str) and left.upper() in _LOGIC:
                raise _MistakeError
            return bool(left)
        return _compare(left, comparison.text, self._operand())

    def _bracketed(self) -> bool:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise _MistakeError
        result = self._expression()
        if not self._take("bracket", ")"):
            raise _MistakeError
        self._depth -= 1
        return result

    def _operand(self) -> Any:
        token = self._take("number") or self._take("text") or self._take("word")
        if token is None:
            raise _MistakeError
        return _value(token)

    def _take(self, kind: str, text: str | None = None) -> _Token | None:
        if self._position >= len(self._tokens):
            return None
        token = self._tokens[self._position]
        if token.kind != kind or (text is not None and token.text != text):
            return None
        self._position += 1
        return token


def _value(token: _Token) -> Any:
    if token.kind == "number":
        return float(token.text)
    if token.kind == "text":
        return token.text[1:-1]
    return {"TRUE": True, "FALSE": False}.get(token.text.upper(), token.text)


def _compare(left: Any, sign: str, right: Any) -> bool:
    if sign == "==":
        return bool(left == right)
    if sign == "!=":
        return bool(left != right)
    if isinstance(left, str) or isinstance(right, str):
        return False
    return _ORDERING[sign](left, right)
