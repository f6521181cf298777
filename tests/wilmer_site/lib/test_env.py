from __future__ import annotations

from pathlib import Path

import pytest

from wilmer_site.lib.env import (
    SettingError,
    env_address,
    env_bool,
    env_choice,
    env_folder,
    env_int,
    env_names,
    env_own_folder,
    env_text,
    env_timezone,
)


def test_env_text_trims_and_falls_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WILMER_X", "  hi ")
    monkeypatch.setenv("WILMER_Y", "  ")

    assert (env_text("WILMER_X"), env_text("WILMER_Y", "else")) == ("hi", "else")


@pytest.mark.parametrize(("word", "value"), [("1", True), ("YES", True), ("off", False), ("", False)])
def test_env_bool_reads_words(monkeypatch: pytest.MonkeyPatch, word: str, value: bool) -> None:
    monkeypatch.setenv("WILMER_X", word)

    assert env_bool("WILMER_X") is value


@pytest.mark.parametrize(
    "read",
    [
        lambda: env_bool("WILMER_X"),
        lambda: env_int("WILMER_X", 5, low=1, high=9),
        lambda: env_folder("WILMER_X"),
        lambda: env_timezone("WILMER_X", "UTC"),
        lambda: env_choice("WILMER_X", "INFO", ("INFO", "DEBUG")),
        lambda: env_address("WILMER_X", "", ("sqlite", "redis")),
    ],
)
def test_readers_refuse_nonsense_and_name_the_variable(monkeypatch: pytest.MonkeyPatch, read: object) -> None:
    monkeypatch.setenv("WILMER_X", "nonsense/here")

    with pytest.raises(SettingError, match=r"WILMER_X .*nonsense/here"):
        read()  # type: ignore[operator]


def test_env_int_keeps_its_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WILMER_X", "10")

    with pytest.raises(SettingError, match="from 1 to 9"):
        env_int("WILMER_X", 5, low=1, high=9)


def test_env_choice_ignores_case(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WILMER_X", "debug")

    assert env_choice("WILMER_X", "INFO", ("INFO", "DEBUG")) == "DEBUG"


@pytest.mark.parametrize("address", ["redis://", "sqlite:///", "ftp://host/x"])
def test_env_address_needs_a_known_scheme_and_a_place(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    monkeypatch.setenv("WILMER_X", address)

    with pytest.raises(SettingError, match=r"sqlite://, redis://"):
        env_address("WILMER_X", "", ("sqlite", "redis"))


def test_env_own_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = env_own_folder("WILMER_UNSET", tmp_path / "a" / "b")

    assert folder.stat().st_mode & 0o777 == 0o700


def test_env_own_folder_refuses_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("WILMER_X", str(tmp_path / "file"))

    with pytest.raises(SettingError, match="WILMER_X must name a folder"):
        env_own_folder("WILMER_X", tmp_path)


def test_env_address_hides_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WILMER_X", "mysql://me:secret@host/x")

    with pytest.raises(SettingError, match="me:…@host"):
        env_address("WILMER_X", "", ("sqlite",))


def test_env_names_splits_and_trims(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WILMER_X", " a, b ,,")

    assert (env_names("WILMER_X"), env_names("WILMER_Y", "c")) == (("a", "b"), ("c",))
