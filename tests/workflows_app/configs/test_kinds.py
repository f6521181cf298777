from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

import pytest

from workflows_app.configs.kinds import ConfigKind, find_kind


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("Users/ann.json", ConfigKind.USER),
        ("Users/_current-user.json", ConfigKind.CURRENT_USER),
        ("Endpoints/deep/er/A.json", ConfigKind.ENDPOINT),
        ("ApiTypes/A.json", ConfigKind.API_TYPE),
        ("Presets/P/ann/A.json", ConfigKind.PRESET),
        ("PromptTemplates/A.json", ConfigKind.PROMPT_TEMPLATE),
        ("Routing/A.json", ConfigKind.ROUTING),
        ("MCPServers/A.json", ConfigKind.MCP_SERVER),
        ("StructuredOutputs/A.json", ConfigKind.STRUCTURED_OUTPUT),
        ("Workflows/ann/A.json", ConfigKind.WORKFLOW),
        ("Workflows/ann/_DiscussionId-MemoryFile-Workflow-Settings.json", ConfigKind.MEMORY_SETTINGS),
        ("Workflows/ann/Context-Compactor-Settings.json", ConfigKind.COMPACTOR_SETTINGS),
        ("Workflows/ann/README.txt", None),
        ("Elsewhere/A.json", None),
        ("A.json", None),
    ],
)
def test_kind_by_path(path: str, kind: ConfigKind | None) -> None:
    assert find_kind(PurePosixPath(path)) is kind


@pytest.mark.parametrize(
    ("document", "kind"),
    [
        ([], ConfigKind.WORKFLOW),
        ({"nodes": [], "chunkEstimatedTokenSize": 1}, ConfigKind.WORKFLOW),
        ({"chunkEstimatedTokenSize": 1}, ConfigKind.MEMORY_SETTINGS),
        ({"oldSectionPrompt": "x"}, ConfigKind.COMPACTOR_SETTINGS),
        ({"persona": "x"}, ConfigKind.WORKFLOW),
    ],
)
def test_kind_of_a_file_among_workflows_by_content(document: Any, kind: ConfigKind) -> None:
    assert find_kind(PurePosixPath("Workflows/ann/A.json"), document) is kind
