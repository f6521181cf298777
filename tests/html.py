"""Answers read as HTML trees, so that tests speak of elements instead of markup."""

from __future__ import annotations

from bs4 import BeautifulSoup, Tag
from django.http import HttpResponseBase
from django.test.client import Client

HTMX = {"HX-Request": "true"}


def soup(response: HttpResponseBase) -> BeautifulSoup:
    """The page or fragment of an answer."""
    return BeautifulSoup(response.content, "html.parser")  # type: ignore[attr-defined]


def fetch(client: Client, url: str, *, status: int = 200) -> BeautifulSoup:
    """The whole page at a URL; its status is checked."""
    response = client.get(url)
    assert response.status_code == status, (response.status_code, response.content[:2000])
    return soup(response)


def fetch_partial(client: Client, url: str, *, status: int = 200) -> Tag:
    """What htmx gets for a URL: exactly one root element."""
    response = client.get(url, headers=HTMX)
    assert response.status_code == status, (response.status_code, response.content[:2000])
    roots = [node for node in soup(response).contents if isinstance(node, Tag)]
    assert len(roots) == 1, [root.name for root in roots]
    return roots[0]


def find(tree: BeautifulSoup | Tag, selector: str) -> Tag:
    """The one element for a CSS selector."""
    found = tree.select(selector)
    assert len(found) == 1, f"{selector} names {len(found)} elements"
    return found[0]


def texts(tree: BeautifulSoup | Tag, selector: str) -> list[str]:
    """The texts of all elements for a CSS selector, white space folded."""
    return [" ".join(element.get_text(" ").split()) for element in tree.select(selector)]


def text_of(tree: BeautifulSoup | Tag, selector: str) -> str:
    """The text of the one element for a CSS selector, white space folded."""
    return " ".join(find(tree, selector).get_text(" ").split())
