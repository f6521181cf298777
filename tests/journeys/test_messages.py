from __future__ import annotations

from playwright.sync_api import Page, expect


def ask(page: Page, method: str, path: str) -> None:
    """Let htmx ask, as a button would, with the main region as its target."""
    page.evaluate("([method, path]) => htmx.ajax(method, path, '#main')", [method, path])


def test_error_becomes_a_toast_and_the_reader_keeps_the_page(signed_in: Page) -> None:
    signed_in.goto("/account/")

    ask(signed_in, "GET", "/account/tokens/")

    expect(signed_in.locator("#messages .is-error")).to_contain_text("does not answer GET")
    expect(signed_in.get_by_role("heading", name="Account", level=1)).to_be_visible()


def test_toast_can_be_closed(signed_in: Page) -> None:
    signed_in.goto("/account/")
    ask(signed_in, "GET", "/nowhere/")

    signed_in.locator("#messages").get_by_role("button", name="Close").click()

    expect(signed_in.locator("#messages .toast-note")).to_have_count(0)


def test_success_is_told_without_a_new_page(signed_in: Page) -> None:
    signed_in.goto("/account/")

    ask(signed_in, "POST", "/account/keys/forget/")

    expect(signed_in.locator("#messages .is-success")).to_have_text("The unlocked keys are forgotten.")


def test_sign_in_that_is_over_leads_to_the_sign_in_page(signed_in: Page) -> None:
    signed_in.goto("/account/")
    signed_in.context.clear_cookies(name="sessionid")

    ask(signed_in, "GET", "/gallery/")

    signed_in.wait_for_url("**/sign-in/?next=/account/")


def test_change_on_disk_is_told_and_shown_on_request(signed_in: Page) -> None:
    signed_in.route("**/version-of-something/", lambda route: route.fulfill(json={"version": "new"}))
    signed_in.goto("/gallery/")
    expect(signed_in.locator("#changed-bar")).to_be_hidden()

    signed_in.evaluate("Object.assign(main.dataset, {liveUrl: '/version-of-something/', liveVersion: 'old'})")

    expect(signed_in.locator("#changed-bar")).to_be_visible(timeout=10_000)
    signed_in.get_by_role("button", name="Show the new state").click()
    expect(signed_in.locator("#changed-bar")).to_be_hidden()
