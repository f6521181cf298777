"""What every template promises."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from django.template.loader import get_template

ROOT = Path(__file__).resolve().parents[2] / "templates"
PATHS = sorted(ROOT.rglob("*.html"))
PARTIAL = re.compile(r"{% partialdef ([\w-]+).*?%}(.*?){% endpartialdef", re.DOTALL)
TAGS = re.compile(r"{%.*?%}", re.DOTALL)
VALUES = re.compile(r"{{.*?}}", re.DOTALL)
MAX_LINES = 150

each = pytest.mark.parametrize("path", PATHS, ids=lambda path: str(path.relative_to(ROOT)))


def markup(text: str) -> BeautifulSoup:
    """The elements of a template, its own tags taken out."""
    return BeautifulSoup(VALUES.sub("x", TAGS.sub("", text)), "html.parser")


@each
def test_template_compiles(path: Path) -> None:
    get_template(str(path.relative_to(ROOT)))


@each
def test_partial_has_one_root_that_bears_its_name(path: Path) -> None:
    for name, body in PARTIAL.findall(path.read_text("utf-8")):
        roots = [node for node in markup(body).contents if isinstance(node, Tag)]
        # A partial that only includes a component is appended, not swapped for an element of its name.
        if roots or "{% include" not in body:
            assert [root.get("id", "").removesuffix("-x") for root in roots] == [name]


@each
def test_include_states_what_it_takes(path: Path) -> None:
    is_include = path.name.startswith("_") or path.parent.name == "_components"
    text = (
        path.read_text("utf-8")
        .removeprefix('{% extends "base.html" %}\n')
        .removeprefix('{% extends "memory/_page.html" %}\n')
    )

    assert not is_include or text.startswith("{% comment %}")


@each
def test_template_has_no_inline_script_or_style(path: Path) -> None:
    tree = markup(path.read_text("utf-8"))

    assert not tree.select("style, [style], script:not([src]):not([type='application/json'])")
    assert not [name for element in tree.find_all(True) for name in element.attrs if name.startswith("on")]


@each
def test_htmx_link_has_the_same_address_without_script(path: Path) -> None:
    for link in BeautifulSoup(TAGS.sub("", path.read_text("utf-8")), "html.parser").select("a[hx-get]"):
        assert link["hx-get"] == link["href"]


@each
def test_htmx_post_sits_in_a_form(path: Path) -> None:
    for element in markup(path.read_text("utf-8")).select("[hx-post]"):
        assert element.name == "form" or element.find_parent("form")


@each
def test_template_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MAX_LINES
