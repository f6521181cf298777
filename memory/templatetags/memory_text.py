"""Texts of a discussion as HTML that is safe to show."""

from __future__ import annotations

import re

from django.template import Library
from django.utils.safestring import SafeString, mark_safe

from wilmer_site.lib.markdown import render_markdown

register = Library()

_HEADING = re.compile(r"<(/?)h([1-6])>")


@register.filter
def markdown(text: str) -> SafeString:
    """The HTML of a Markdown text that a model wrote, sanitised; its headings stand below those of the page."""
    html = _HEADING.sub(_lower, render_markdown(text))
    return mark_safe(html)


def _lower(heading: re.Match[str]) -> str:
    """Two levels down, for the page has an h1 and the document's card an h2."""
    return f"<{heading[1]}h{min(6, int(heading[2]) + 2)}>"
