from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup
from django.conf import settings
from django.test import Client

PAGES = ["/sign-in/", "/account/", "/gallery/", "/api/v1/docs", "/nowhere/"]
TEMPLATES = sorted((settings.BASE_DIR / "templates").rglob("*.html"))


@pytest.mark.parametrize("path", PAGES)
def test_policy_allows_this_host_only(signed_in: Client, path: str) -> None:
    policy = signed_in.get(path).get("Content-Security-Policy", "")

    parts = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert parts["default-src"] == "'self'"
    assert parts["object-src"] == parts["base-uri"] == parts["frame-ancestors"] == "'none'"
    assert "unsafe" not in policy
    assert "script-src" not in parts


@pytest.mark.parametrize("path", PAGES)
def test_page_has_no_inline_script_style_or_handler(signed_in: Client, path: str) -> None:
    page = BeautifulSoup(signed_in.get(path, follow=True).content, "html.parser")

    assert not [script for script in page.select("script") if not script.get("src")]
    assert not page.select("style, [style], base, iframe")
    assert not [tag for tag in page.find_all(True) for name in tag.attrs if name.startswith("on")]


@pytest.mark.parametrize("path", PAGES)
def test_page_names_no_other_host(signed_in: Client, path: str) -> None:
    page = BeautifulSoup(signed_in.get(path, follow=True).content, "html.parser")

    named = [str(tag.get("src") or tag.get("href") or "") for tag in page.select("script, link, img, use")]
    assert [address for address in named if address.startswith(("http", "//"))] == []


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: path.name)
def test_template_is_written_without_inline_behaviour(template: object) -> None:
    text = template.read_text(encoding="utf-8")  # type: ignore[attr-defined]

    assert not re.search(r"\s(on[a-z]+|style)\s*=\s*[\"']", text)
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|javascript:|hx-on|hx-vals=['\"]js:", text)
