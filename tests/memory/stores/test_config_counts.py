from __future__ import annotations

from pathlib import Path

from memory.stores.config_counts import count_configs
from tests.builders import write_json


def test_count_configs_counts_files_per_kind_at_any_depth(tmp_path: Path) -> None:
    write_json(tmp_path / "Users/_current-user.json", {})
    write_json(tmp_path / "Users/recall.json", {})
    write_json(tmp_path / "Presets/LocalChat/recall/Plain.json", {})
    (tmp_path / "Presets/notes.txt").touch()

    assert count_configs(tmp_path) == {"Presets": 1, "Users": 1}


def test_count_configs_without_a_folder_is_empty(tmp_path: Path) -> None:
    assert count_configs(tmp_path / "absent") == {}
