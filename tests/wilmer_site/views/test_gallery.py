from __future__ import annotations

from bs4 import BeautifulSoup
from django.contrib.auth.models import User
from django.test import Client


def test_gallery_shows_components_to_staff(signed_in: Client) -> None:
    page = BeautifulSoup(signed_in.get("/gallery/").content, "html.parser")

    for component in (".pill", ".stat", ".chip", ".tab", ".meter", ".hash", ".state-box", ".pager", "dialog", "time"):
        assert page.select_one(component), component


def test_gallery_is_refused_to_others(client: Client, db: None) -> None:
    client.force_login(User.objects.create_user("other"))

    response = client.get("/gallery/")

    assert (response.status_code, b"The gallery is for staff." in response.content) == (403, True)
