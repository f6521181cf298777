from __future__ import annotations

import re

import pytest

from wilmer_site.lib.markdown import render_markdown


def test_render_markdown_shows_structure() -> None:
    html = render_markdown("# Plan\n\n* **keys** ~~lost~~\n\n| a | b |\n| - | - |\n| 1 | 2 |\n")

    assert "<h1>Plan</h1>" in html
    assert "<strong>keys</strong> <s>lost</s>" in html
    assert "<td>2</td>" in html


@pytest.mark.parametrize(
    "hostile",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "![x](https://elsewhere.example/pixel.png)",
        "[x](javascript:alert(1))",
        '<a href="javascript:alert(1)">x</a>',
        "<style>body{display:none}</style>",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
    ],
)
def test_render_markdown_defuses(hostile: str) -> None:
    html = render_markdown(hostile)

    assert not any(f"<{tag}" in html for tag in ("script", "img", "style", "iframe"))
    assert not re.search(r"<a[^>]*href=.?(javascript|data)", html)


def test_render_markdown_links_tell_the_target_nothing() -> None:
    assert 'rel="noopener noreferrer"' in render_markdown("[x](https://elsewhere.example/)")
