from __future__ import annotations

from pathlib import Path

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from wilmer_site.context_processors import shell


def test_shell_marks_where_one_is(rf: RequestFactory) -> None:
    places = shell(rf.get("/discussions/"))["shell"].places

    assert [place.label for place in places if place.is_current] == ["Discussions"]


def test_shell_shortens_the_home_folder(
    rf: RequestFactory, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    settings.WILMER_PUBLIC_DIR = tmp_path / "wilmer" / "Public"

    assert shell(rf.get("/"))["shell"].public_folder == "~/wilmer/Public"


def test_shell_leaves_out_what_is_not_mounted(rf: RequestFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("wilmer_site.context_processors._PLACES", (("Nowhere", "x", "no-such:page"),))

    assert shell(rf.get("/"))["shell"].places == ()
