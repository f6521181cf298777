from __future__ import annotations

from typing import Any

import pytest

from workflows_app.engine import jinja_sandbox
from workflows_app.engine.jinja_sandbox import render_bounded
from workflows_app.errors import TemplateError

VALUES: dict[str, Any] = {"messages": [{"role": "user", "content": f"m{at}"} for at in range(3)], "name": "Edda"}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{% for m in messages %}{{ loop.index }}/{{ loop.length }}{{ m.content }}{% endfor %}", "1/3m02/3m13/3m2"),
        ("{{ 'a' ~ name ~ 1 }}{{ 2 * 3 + 4 % 3 - 2 ** 3 }}", "aEdda1-1"),
        ("{{ messages|map(attribute='content')|join(', ') }}", "m0, m1, m2"),
        (
            "{{ name|replace('E', 'e') }}{{ name|center(8) }}|{{ '%s!' % name }}{{ '%d'|format(3) }}",
            "edda  Edda  |Edda!3",
        ),
        (
            "{{ messages|length }}{{ messages[-1].content.upper() }}{{ messages[0] }}",
            "3M2{'role': 'user', 'content': 'm0'}",
        ),
        ("{% macro greet(who) %}Hi {{ who }}{% endmacro %}{{ greet(name) }}", "Hi Edda"),
        ("{% set ns = namespace(n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}", "3"),
        ("{{ nothing }}{% if nothing is defined %}x{% endif %}{{ messages|tojson|length }}", "105"),
        ("{%- for row in [[1, [2]], [3, []]] recursive %}{{ row[0] }}{% endfor %}", "13"),
    ],
)
def test_what_templates_usually_do_works(template: str, text: str) -> None:
    assert render_bounded(template, VALUES) == text


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ messages.__class__.__base__ }}",
        "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
        "{{ lipsum.__globals__['os'] }}",
        "{{ self._TemplateReference__context.environment }}",
        "{{ messages.clear() }}",
        "{% include '/etc/passwd' %}",
        "{% import 'os' as os %}",
        "{{ '{0.__class__.__init__.__globals__}'.format(name) }}",
        "{{ _budget._left }}{{ _budget._spend(-10) }}",
        "{{ _turns.__self__._spend(1) }}",
    ],
)
def test_there_is_no_way_into_python(template: str) -> None:
    with pytest.raises(TemplateError):
        render_bounded(template, VALUES)


@pytest.mark.parametrize(
    "template",
    [
        "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}",
        "{% for a in range(10 ** 9) %}{% endfor %}",
        "{{ 'x' * 10 ** 10 }}",
        "{{ [1] * 10 ** 10 }}",
        "{{ 9 ** (9 ** 9) }}",
        "{{ 'x'|center(1000000000) }}{{ 'x'|center(10 ** 9) }}",
        "{{ 'x'.ljust(10 ** 9) }}",
        "{{ '%01000000000d' % 1 }}",
        "{{ '%01000000000d'|format(1) }}",
        "{{ ('x' * 10 ** 6).replace('x', 'y' * 10 ** 6) }}",
        "{{ ('x' * 10 ** 6)|replace('x', 'y' * 10 ** 6) }}",
        "{{ (['x' * 10 ** 6] * 10 ** 6)|join }}",
        "{{ ','.join(['x' * 10 ** 6] * 10 ** 6) }}",
        "{{ [['x' * 10 ** 4] * 10 ** 4] * 10 ** 4 }}",
        "{{ ([['x' * 10 ** 4] * 10 ** 4] * 10 ** 4) ~ '' }}",
        "{% set ns = namespace(x='x') %}{% for a in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
        "{% set ns = namespace(x='x') %}{% for a in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
        "{% macro f() %}{{ f() }}{{ f() }}{% endmacro %}{{ f() }}",
        "{% for a in range(99999) %}{{ 'x' * 1000 }}{% endfor %}",
    ],
)
def test_work_and_memory_are_bounded(template: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jinja_sandbox, "MAX_STEPS", 100_000)

    with pytest.raises(TemplateError):
        render_bounded(template, VALUES)


@pytest.mark.parametrize("template", ["{% if %}", "{{ nobody.name }}", "{{ 1 / 0 }}", "{% for %}"])
def test_mistake_is_told_in_one_sentence(template: str) -> None:
    with pytest.raises(TemplateError) as caught:
        render_bounded(template, VALUES)

    assert caught.value.message.endswith(".") and not caught.value.message.endswith("..")
