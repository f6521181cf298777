"""Whether a value fits its field: types, coercion, ranges (configs.md §13.1, §13.3; workflows.md §7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from workflows_app.configs.entries import Templating
from workflows_app.configs.fields import FieldSpec, FieldType
from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.source import Pointer
from workflows_app.lint.findings import Finding
from workflows_app.results import Severity

E, W = Severity.ERROR, Severity.WARNING
_OFF_WORDS: Final = frozenset({"false", "no", "0", "off", "none", "null", "n", "f", "disabled"})
_OWN_CODES: Final = {
    "wilmerContextEstimationLevel": ("estimation-level", W),
    "transport": ("mcp-transport", E),
}
_SEPARATE: Final = frozenset({"type", "scoped_variables"})
"""Fields with rules of their own."""


@dataclass(frozen=True, slots=True)
class ValuePlace:
    """Where a value stands."""

    path: str
    at: Pointer
    is_node: bool = False
    kind: ConfigKind | None = None

    def finding(self, code: str, message: str, mend: str = "", severity: Severity | None = None) -> Finding:
        """A finding at this place."""
        return Finding(code, self.path, self.at, message, mend, severity)


def check_value(field: FieldSpec, value: Any, place: ValuePlace) -> Iterator[Finding]:
    """What is wrong with one value."""
    if field.name in _SEPARATE or field.is_coerced:
        return
    if value is None:
        if not field.accepts_null and _fails_on_null(field):
            yield _wrong(place, field, value, "text", E)
        return
    check = _CHECKS.get(field.type)
    if check is not None:
        yield from check(field, value, place)


def _fails_on_null(field: FieldSpec) -> bool:
    """Null in a template fails the node; required ones are told of by `property-missing`."""
    is_text = field.type in (FieldType.TEXT, FieldType.LONG_TEXT)
    return is_text and field.templating is Templating.FULL and not field.is_required


def _check_text(field: FieldSpec, value: Any, place: ValuePlace) -> Iterator[Finding]:
    if isinstance(value, str) or (field.accepts_list and isinstance(value, list)):
        return
    fails = field.templating is Templating.FULL or isinstance(value, list | dict)
    yield _wrong(place, field, value, "text", E if fails else W)


def _check_switch(field: FieldSpec, value: Any, place: ValuePlace) -> Iterator[Finding]:
    if isinstance(value, bool):
        return
    if field.is_strict:
        yield _wrong(place, field, value, "true or false", E)
        return
    reads_text = place.is_node and field.name == "clampPromptToContextWindow"
    if isinstance(value, str) and value.strip().lower() in _OFF_WORDS and not reads_text:
        yield place.finding(
            "text-boolean", f"`{field.name}` is the text {value!r}, which counts as on.", "Write false without quotes."
        )
        return
    yield _wrong(place, field, value, "true or false", W)


def _check_number(field: FieldSpec, value: Any, place: ValuePlace) -> Iterator[Finding]:
    if isinstance(value, bool) or not isinstance(value, int | float):
        yield from _check_no_number(field, value, place)
        return
    if field.type is FieldType.INTEGER and isinstance(value, float) and not value.is_integer():
        yield _wrong(place, field, value, "a whole number", E if field.is_strict else W)
        return
    if (field.low is not None and value < field.low) or (field.high is not None and value > field.high):
        severity = E if field.is_strict else W
        yield place.finding("value-range", f"`{field.name}` is {value}; it must be {_range(field)}.", "", severity)


def _check_no_number(field: FieldSpec, value: Any, place: ValuePlace) -> Iterator[Finding]:
    wanted = "a whole number" if field.type is FieldType.INTEGER else "a number"
    if isinstance(value, str) and field.templating is Templating.EARLY and "{" in value:
        return
    yield _wrong(place, field, value, wanted, _number_severity(field, value, place))


def _number_severity(field: FieldSpec, value: Any, place: ValuePlace) -> Severity:
    """Texts of digits are coerced in most places; in memory settings nothing is (configs.md §9)."""
    if field.is_strict or place.kind is ConfigKind.MEMORY_SETTINGS or isinstance(value, list | dict):
        return E
    if place.is_node and field.templating is Templating.EARLY:
        return W
    return W if _is_number(value) else E


def _check_list(field: FieldSpec, value: Any, place: ValuePlace) -> Iterator[Finding]:
    if not isinstance(value, list):
        yield _wrong(place, field, value, "a list", E)


def _check_object(field: FieldSpec, value: Any, place: ValuePlace) -> Iterator[Finding]:
    if not isinstance(value, dict):
        yield _wrong(place, field, value, "an object", E)


def _check_choice(field: FieldSpec, value: Any, place: ValuePlace) -> Iterator[Finding]:
    if value in field.choices:
        return
    words = ", ".join(f"`{choice}`" for choice in field.choices)
    code, severity = _OWN_CODES.get(field.name, ("value-range", E))
    yield place.finding(code, f"`{field.name}` is {value!r}; it must be one of {words}.", "", severity)


def _wrong(place: ValuePlace, field: FieldSpec, value: Any, wanted: str, severity: Severity) -> Finding:
    shown = "null" if value is None else repr(value) if isinstance(value, str | int | float) else type(value).__name__
    shown = {"list": "a list", "dict": "an object", "True": "true", "False": "false"}.get(shown, shown)
    if field.is_secret and isinstance(value, str | int | float):
        shown = "a text" if isinstance(value, str) else "a number"
    return place.finding("wrong-type", f"`{field.name}` is {shown[:80]}; it must be {wanted}.", "", severity)


def _range(field: FieldSpec) -> str:
    if field.low is not None and field.high is not None:
        return f"from {field.low:g} to {field.high:g}"
    return f"at least {field.low:g}" if field.low is not None else f"at most {field.high:g}"


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


_Check = Callable[[FieldSpec, Any, ValuePlace], Iterator[Finding]]
_CHECKS: Final[dict[FieldType, _Check]] = {
    FieldType.TEXT: _check_text,
    FieldType.LONG_TEXT: _check_text,
    FieldType.SWITCH: _check_switch,
    FieldType.INTEGER: _check_number,
    FieldType.NUMBER: _check_number,
    FieldType.LIST: _check_list,
    FieldType.OBJECT: _check_object,
    FieldType.CHOICE: _check_choice,
}
