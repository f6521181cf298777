from __future__ import annotations

import pytest

from workflows_app.engine.templates import resolve_template
from workflows_app.errors import TemplateError
from workflows_app.lint.templates import find_failure, parse_template

KNOWN = {"name": None, "braces": "x {name} y", "odd": "x { y"}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("plain", ()),
        ("{a} {b.c} {d[0]} {e!r:>{width}}", ("a", "b", "d", "e", "width")),
        ("{{a}}", ()),
        ('{"a": {b}}', ("b",)),
    ],
)
def test_names_of_a_template(text: str, names: tuple[str, ...]) -> None:
    assert parse_template(text).names == names


def test_names_of_a_jinja_template() -> None:
    assert parse_template("{% for m in messages %}{{ m }}{{ a.b }}{% endfor %}", True).names == ("a", "messages")


@pytest.mark.parametrize(
    "text",
    [
        "x",
        "{name}",
        "{unknown}",
        "{unknown} {",
        "{",
        "}",
        "{}",
        "{0}",
        "{{}}",
        "{{name}}",
        "{{other}}",
        "{{{{x}}}}",
        '{"a": 1}',
        '{"a": {}}',
        '{{"a": {name}}}',
        "{braces}",
        "{odd}",
        "a } b",
        "{{ }",
        "{name} {{",
    ],
)
def test_failure_is_foretold_as_the_engine_fails(text: str) -> None:
    values = {name: "x" if value is None else value for name, value in KNOWN.items()}
    try:
        resolve_template(text, values)
    except TemplateError:
        assert find_failure(parse_template(text), KNOWN)
    else:
        assert not find_failure(parse_template(text), KNOWN)
