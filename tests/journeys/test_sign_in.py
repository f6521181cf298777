from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from wilmer_site.sign_in_links import create_sign_in_link


def test_sign_in_link_lets_in_once(page: Page, reader: User, now: datetime) -> None:
    token = create_sign_in_link(reader, now=now)
    page.goto(f"/sign-in/link/{token}/")
    expect(page.get_by_role("button", name="Continue")).to_be_focused()

    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: "/sign-in/" not in url)
    page.goto("/account/")
    expect(page.get_by_role("heading", name="Account", level=1)).to_be_visible()

    page.locator(".reader").click()
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"/sign-in/link/{token}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not found")


def test_password_signs_in_and_wrong_one_says_so(page: Page, reader: User) -> None:
    reader.set_password("a long enough secret")
    reader.save()
    page.goto("/account/")
    page.get_by_label("Name").fill("admin")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("No such name and password")

    page.get_by_label("Password").fill("a long enough secret")
    page.get_by_role("button", name="Sign in").click()

    page.wait_for_url("**/account/")


def test_token_is_shown_once_and_revoked(signed_in: Page) -> None:
    signed_in.goto("/account/")
    signed_in.get_by_label("What is it for?").fill("nightly export")
    signed_in.get_by_role("button", name="Make a token").click()
    expect(signed_in.get_by_label("Token", exact=True)).to_contain_text("wmc_")

    signed_in.once("dialog", lambda dialog: dialog.accept())
    signed_in.get_by_role("button", name="Revoke").click()

    expect(signed_in.locator("#messages")).to_contain_text("The token is revoked.")
    expect(signed_in.get_by_role("row")).to_have_count(0)


def test_theme_is_kept(signed_in: Page) -> None:
    signed_in.goto("/account/")
    expect(signed_in.locator("html")).to_have_attribute("data-bs-theme", "light")

    signed_in.get_by_role("button", name="Switch between light and dark").click()
    signed_in.reload()

    expect(signed_in.locator("html")).to_have_attribute("data-bs-theme", "dark")


def test_keys_open_help_and_move_among_rows(signed_in: Page) -> None:
    signed_in.goto("/gallery/")
    signed_in.keyboard.press("?")
    expect(signed_in.get_by_role("dialog", name="Keys")).to_be_visible()

    signed_in.keyboard.press("Escape")
    signed_in.keyboard.press("j")
    signed_in.keyboard.press("j")

    expect(signed_in.locator("[data-row]").nth(1)).to_be_focused()


def test_slash_goes_to_the_search_field(signed_in: Page) -> None:
    signed_in.goto("/gallery/")

    signed_in.keyboard.press("/")

    expect(signed_in.locator("[data-search-field]")).to_be_focused()


def test_copy_says_so_and_times_are_relative(signed_in: Page) -> None:
    signed_in.context.grant_permissions(["clipboard-read", "clipboard-write"])
    signed_in.goto("/gallery/")
    expect(signed_in.locator("time").first).to_have_text("3 hours ago")

    signed_in.get_by_role("button", name="Copy the message hash").click()

    assert signed_in.evaluate("navigator.clipboard.readText()").startswith("a41f0c9b")


@pytest.mark.parametrize("path", ["/sign-in/", "/account/", "/gallery/", "/api/v1/docs", "/nowhere/"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_are_accessible(
    signed_in: Page, check_accessible: Callable[[Page], None], path: str, scheme: str
) -> None:
    signed_in.emulate_media(color_scheme=scheme)
    if path == "/sign-in/":
        signed_in.context.clear_cookies()

    signed_in.goto(path)

    check_accessible(signed_in)


@pytest.mark.parametrize("path", ["/account/", "/gallery/", "/api/v1/docs"])
def test_narrow_pages_do_not_scroll_sideways(signed_in: Page, path: str) -> None:
    signed_in.set_viewport_size({"width": 400, "height": 800})

    signed_in.goto(path)

    assert signed_in.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_narrow_screen_folds_places_into_a_menu(signed_in: Page) -> None:
    signed_in.set_viewport_size({"width": 400, "height": 800})
    signed_in.goto("/account/")
    expect(signed_in.locator(".places-wide")).to_be_hidden()

    signed_in.locator(".nav-fold summary").click()

    expect(signed_in.get_by_role("navigation", name="Places").locator("visible=true")).to_be_visible()
