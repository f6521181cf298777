from __future__ import annotations

import io

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings


def test_sign_in_link_prints_a_link_that_works(client: Client, db: None, settings: Settings) -> None:
    settings.WILMER_HOST = "0.0.0.0"
    out = io.StringIO()

    call_command("sign_in_link", stdout=out)

    address = out.getvalue().strip()
    assert address.startswith("http://127.0.0.1:8000/sign-in/link/")
    assert client.post(address.removeprefix("http://127.0.0.1:8000")).status_code == 302


def test_sign_in_link_knows_only_people(db: None) -> None:
    with pytest.raises(CommandError, match="Nobody is called 'zoe'"):
        call_command("sign_in_link", "zoe")
