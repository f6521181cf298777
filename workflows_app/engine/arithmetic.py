"""The one calculation of an ArithmeticProcessor (workflows.md §10.5)."""

from __future__ import annotations

import operator
import re

_EXPRESSION = re.compile(r"(-?\d+(?:\.\d+)?)\s*([+\-*/])\s*(-?\d+(?:\.\d+)?)")
_OPERATIONS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}
MISTAKE = "-1"


def calculate(expression: str) -> str:
    """The result as text, whole numbers without decimals; `-1` for anything that is not one calculation."""
    match = _EXPRESSION.fullmatch(expression.strip())
    if match is None:
        return MISTAKE
    left, sign, right = match.groups()
    try:
        result = _OPERATIONS[sign](float(left), float(right))
    except (ZeroDivisionError, OverflowError):
        return MISTAKE
    return _as_text(result)


def _as_text(number: float) -> str:
    try:
        return str(int(number)) if number == int(number) else str(number)
    except (OverflowError, ValueError):
        return str(number)
