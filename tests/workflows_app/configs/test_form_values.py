from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workflows_app.configs.fields import FieldSpec, FieldType
from workflows_app.configs.form_values import (
    ABSENT,
    Control,
    choose_control,
    normalise,
    read_text,
    seen_mark,
    show_value,
)
from workflows_app.errors import ConfigInvalidError


def spec(kind: FieldType, **more: Any) -> FieldSpec:
    return FieldSpec("f", "Field", "", kind, None, **more)


@pytest.mark.parametrize(
    ("kind", "value", "control"),
    [
        (FieldType.TEXT, "a", Control.LINE),
        (FieldType.TEXT, "a\nb", Control.AREA),
        (FieldType.TEXT, ["a", "b"], Control.LINES),
        (FieldType.LONG_TEXT, ABSENT, Control.AREA),
        (FieldType.INTEGER, "400", Control.NUMBER),
        (FieldType.SWITCH, "false", Control.SWITCH),
        (FieldType.SWITCH, {"odd": 1}, Control.JSON),
        (FieldType.OBJECT, ABSENT, Control.JSON),
        (FieldType.LIST, ["a\nb"], Control.JSON),
        (FieldType.LIST, [1], Control.JSON),
        (FieldType.TEXT, "\x00", Control.FIXED),
        (FieldType.TEXT, "a\r\nb", Control.FIXED),
        (FieldType.OBJECT, {"a": "\ud800"}, Control.FIXED),
    ],
)
def test_control_fits_the_value(kind: FieldType, value: Any, control: Control) -> None:
    assert choose_control(spec(kind), value) is control


def test_secret_is_never_shown() -> None:
    secret = spec(FieldType.TEXT, is_secret=True)

    assert show_value(choose_control(secret, "key"), "key") == ""


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(value=JSON, kind=st.sampled_from(FieldType))
def test_what_comes_back_untouched_is_known_as_untouched(value: Any, kind: FieldType) -> None:
    control = choose_control(spec(kind), value)
    shown = show_value(control, value)

    sent = "on" if control is Control.SWITCH and shown else shown.replace("\n", "\r\n")

    assert control is Control.FIXED or seen_mark(normalise(sent)) == seen_mark(shown)


@given(value=JSON)
def test_json_control_gives_back_what_it_shows(value: Any) -> None:
    any_field = spec(FieldType.ANY)
    control = choose_control(any_field, value)

    if control is Control.JSON:
        assert read_text(any_field, control, show_value(control, value), value) == value


@pytest.mark.parametrize(
    ("kind", "control", "text", "value"),
    [
        (FieldType.INTEGER, Control.NUMBER, " 12 ", 12),
        (FieldType.NUMBER, Control.NUMBER, "0.5", 0.5),
        (FieldType.NUMBER, Control.NUMBER, "3", 3),
        (FieldType.INTEGER, Control.NUMBER, "", ABSENT),
        (FieldType.TEXT, Control.LINE, " a ", " a "),
        (FieldType.TEXT, Control.AREA, "a\r\nb", "a\nb"),
        (FieldType.LIST, Control.LINES, "a\r\nb", ["a", "b"]),
        (FieldType.SWITCH, Control.SWITCH, "", False),
        (FieldType.CHOICE, Control.CHOICE, "", ABSENT),
    ],
)
def test_typed_text_becomes_a_value(kind: FieldType, control: Control, text: str, value: Any) -> None:
    assert read_text(spec(kind), control, text, ABSENT) == value


@pytest.mark.parametrize("text", ["many", "1.5", "inf", "nan", "1e999", "0x10"])
def test_what_is_no_number_is_refused(text: str) -> None:
    for kind in (FieldType.INTEGER, FieldType.NUMBER) if text != "1.5" else (FieldType.INTEGER,):
        with pytest.raises(ConfigInvalidError):
            read_text(spec(kind), Control.NUMBER, text, ABSENT)
