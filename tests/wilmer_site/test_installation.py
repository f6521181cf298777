from __future__ import annotations

from pathlib import Path

import pytest
from pytest_django import Settings

from wilmer_site.installation import collect_static, copy_sample


def test_copy_sample_copies_once(tmp_path: Path) -> None:
    (tmp_path / "sample" / "DiscussionIds" / "a").mkdir(parents=True)
    target = tmp_path / "var" / "sample" / "Public"
    assert copy_sample(tmp_path / "sample", target)

    (target / "DiscussionIds" / "a").rmdir()

    assert not copy_sample(tmp_path / "sample", target)
    assert [path.name for path in target.iterdir()] == ["DiscussionIds"]
    assert [path.name for path in target.parent.iterdir()] == ["Public"]


def test_copy_sample_copes_without_a_sample(tmp_path: Path) -> None:
    assert copy_sample(tmp_path / "absent", tmp_path / "Public")

    assert (tmp_path / "Public" / "DiscussionIds").is_dir()


def test_collect_static_only_when_something_changed(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WILMER_STATE_DIR = settings.STATIC_ROOT = tmp_path
    calls: list[object] = []

    def collect(*args: object, **kwargs: object) -> None:
        calls.append(args)
        (tmp_path / "staticfiles.json").touch()

    monkeypatch.setattr("wilmer_site.installation.call_command", collect)

    assert [collect_static(), collect_static()] == [True, False]
    assert len(calls) == 1
