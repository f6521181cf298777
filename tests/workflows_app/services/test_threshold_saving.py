from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory.engine.explanations import WhatIf
from memory.engine.triggers import WriterPath
from memory.services.explaining import get_present_thresholds
from tests.builders import USER, build_public_folder, open_public_folder
from wilmer_site.lib.errors import NotFoundError
from workflows_app.services.threshold_saving import apply_thresholds

pytestmark = pytest.mark.django_db

TEXT = '{\n  "maxMessagesBetweenChunks" : 5,\n  "lookbackStartTurn": 3,\n  "ours": "kept"\n}\n'


@pytest.fixture
def public(tmp_path: Path, settings: Any) -> Path:
    folder = build_public_folder(tmp_path, discussionIdMemoryFileWorkflowSettings="Memory")
    (folder / "Configs" / "Workflows" / USER).mkdir(parents=True)
    open_public_folder(settings, folder)
    return folder


def test_only_the_three_numbers_change(public: Path) -> None:
    path = public / "Configs" / "Workflows" / USER / "Memory.json"
    path.write_text(TEXT, encoding="utf-8")

    apply_thresholds(WhatIf(WriterPath.FILE, 3000, 10, 4), author="mona")

    saved = path.read_text(encoding="utf-8")
    assert '"maxMessagesBetweenChunks" : 10' in saved
    assert '"ours": "kept"' in saved
    assert get_present_thresholds(WriterPath.FILE) == WhatIf(WriterPath.FILE, 3000, 10, 4)


def test_without_memory_settings_it_says_so(public: Path) -> None:
    with pytest.raises(NotFoundError, match=r"Memory\.json"):
        apply_thresholds(WhatIf(WriterPath.FILE, 3000, 10, 4), author="mona")


def test_an_error_that_was_there_before_does_not_stand_in_the_way(public: Path) -> None:
    path = public / "Configs" / "Workflows" / USER / "Memory.json"
    path.write_text('{"endpointName": "Gone", "fileMemoryWorkflowName": "Nowhere"}', encoding="utf-8")

    saved = apply_thresholds(WhatIf(WriterPath.FILE, 3000, 10, 4), author="mona")

    assert saved.is_changed
    assert '"endpointName": "Gone"' in path.read_text(encoding="utf-8")
