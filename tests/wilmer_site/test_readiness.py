from __future__ import annotations

import pytest
from django.db.utils import OperationalError
from pytest_django import Settings

from tests.builders import USER
from wilmer_site.lib.env import SettingError
from wilmer_site.readiness import check_user, migrate_database


@pytest.mark.parametrize("name", ["", USER])
def test_check_user_lets_a_user_with_a_file_pass(public: object, settings: Settings, name: str) -> None:
    settings.WILMER_USER = name

    check_user()


@pytest.mark.parametrize("name", ["nobody-like-that", "_current-user", "../Users/recall"])
def test_check_user_names_those_that_there_are(public: object, settings: Settings, name: str) -> None:
    settings.WILMER_USER = name

    with pytest.raises(SettingError, match=f"^WILMER_USER must .*{name}.* there are: {USER}\\.$"):
        check_user()


def test_migrate_database_says_in_one_sentence_that_it_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OperationalError("connection to postgres://me:secret@host failed\n\tIs the server running?")

    monkeypatch.setattr("wilmer_site.readiness.call_command", refuse)

    with pytest.raises(SettingError, match=r"^DATABASE_URL must .*://me:…@host failed\.$"):
        migrate_database()
