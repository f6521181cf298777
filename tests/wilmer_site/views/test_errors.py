from __future__ import annotations

from collections.abc import Iterator

import pytest
from bs4 import BeautifulSoup
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import include, path

from wilmer_site.lib.errors import BusyError, ConflictError, InvalidError, NotFoundError, RefusedError, TooLargeError

ERRORS = {
    403: RefusedError("Refused, because."),
    404: NotFoundError("Gone, because."),
    409: ConflictError("Clash, because."),
    413: TooLargeError("Large, because."),
    422: InvalidError("Odd, because."),
    503: BusyError("Busy, because."),
}


@login_not_required
def fail(request: HttpRequest, status: int) -> HttpResponse:
    if status in ERRORS:
        raise ERRORS[status]
    raise RuntimeError("secret detail")


@login_not_required
def bare(request: HttpRequest, status: int) -> HttpResponse:
    return HttpResponse(status=status)


handler400 = "wilmer_site.views.errors.bad_request"
handler403 = "wilmer_site.views.errors.refused"
handler404 = "wilmer_site.views.errors.not_found"
handler500 = "wilmer_site.views.errors.broken"
urlpatterns = [
    path("fail/<int:status>/", fail),
    path("bare/<int:status>/", bare),
    path("api/fail/<int:status>/", fail),
    path("", include("wilmer_site.urls")),
]

pytestmark = [pytest.mark.urls(__name__), pytest.mark.django_db]


@pytest.fixture
def quiet(client: Client) -> Iterator[Client]:
    client.raise_request_exception = False
    yield client


@pytest.mark.parametrize("status", sorted(ERRORS))
def test_our_error_is_a_page_that_says_what_and_how(client: Client, status: int) -> None:
    response = client.get(f"/fail/{status}/")

    page = BeautifulSoup(response.content, "html.parser")
    assert response.status_code == status
    assert "because." in page.select_one("[role=alert]").text  # type: ignore[union-attr]
    assert page.select_one("h1").text.strip()  # type: ignore[union-attr]


@pytest.mark.parametrize("status", sorted(ERRORS))
def test_our_error_is_a_toast_for_htmx(client: Client, status: int) -> None:
    response = client.get(f"/fail/{status}/", headers={"HX-Request": "true"})

    assert (response.status_code, response["HX-Retarget"], response["HX-Reswap"]) == (status, "#messages", "beforeend")
    assert BeautifulSoup(response.content, "html.parser").select_one("[data-toast]")
    assert b"<html" not in response.content


@pytest.mark.parametrize("status", [*sorted(ERRORS), 500])
def test_every_error_is_json_below_the_api(quiet: Client, status: int) -> None:
    response = quiet.get(f"/api/fail/{status}/")

    assert (response.status_code, response.json()["error"]["status"]) == (status, status)
    assert "secret" not in response.content.decode()


def test_our_own_mistake_shows_no_traceback_and_asks_no_database(quiet: Client) -> None:
    response = quiet.get("/fail/500/")

    assert response.status_code == 500
    assert b"mistake in the console" in response.content
    assert b"secret" not in response.content


@pytest.mark.parametrize("status", [403, 404])
def test_bare_refusal_is_dressed(client: Client, status: int) -> None:
    response = client.get(f"/bare/{status}/")

    assert BeautifulSoup(response.content, "html.parser").select_one("[role=alert]")


def test_unknown_page_says_where_to_go(client: Client) -> None:
    response = client.get("/nowhere/<b>/")

    assert response.status_code == 404
    assert "There is no page at /nowhere/<b>/" in BeautifulSoup(response.content, "html.parser").text


def test_wrong_host_name_is_explained(client: Client) -> None:
    response = client.get("/sign-in/", headers={"Host": "elsewhere.example"})

    assert (response.status_code, b"WILMER_ALLOWED_HOSTS" in response.content) == (400, True)


def test_form_from_elsewhere_is_explained() -> None:
    response = Client(enforce_csrf_checks=True).post("/sign-in/", {"username": "a"})

    assert (response.status_code, b"has expired or came from another site" in response.content) == (403, True)
