"""Thresholds that were tried out on a chat become those of the memory settings."""

from __future__ import annotations

from memory.engine.explanations import WhatIf
from memory.engine.triggers import WriterPath
from workflows_app import wiring
from workflows_app.engine.json_text import set_value
from workflows_app.queries.config_checks import find_problems
from workflows_app.results import ConfigDocument, SavedConfig, Severity
from workflows_app.services.config_saving import read_config, save_config

KEYS = {
    WriterPath.FILE: ("chunkEstimatedTokenSize", "maxMessagesBetweenChunks"),
    WriterPath.VECTOR: ("vectorMemoryChunkEstimatedTokenSize", "vectorMemoryMaxMessagesBetweenChunks"),
}
"""Size and number of messages; both paths share `lookbackStartTurn` (memory.md §9)."""


def apply_thresholds(asked: WhatIf, *, author: str) -> SavedConfig:
    """Write them into the memory settings of the WilmerAI user whose config counts; nothing else changes.

    Raises ConfigNotFoundError when that user has no memory settings, ConfigInvalidError when they are no JSON object,
    ConfigChangedError and RefusedError as `save_config`.
    """
    document = read_config(wiring.get_memory_settings_path())
    size, messages = KEYS[asked.path]
    text = document.text
    for key, value in ((size, asked.chunk_size), (messages, asked.max_messages), ("lookbackStartTurn", asked.lookback)):
        text = set_value(text, [key], value)
    note = f"{asked.chunk_size:,} tokens, {asked.max_messages:,} messages, {asked.lookback:,} left out"
    reason = _find_reason(document, text)
    return save_config(document.path, text, expected_etag=document.etag, author=author, note=note, insist_reason=reason)


def _find_reason(document: ConfigDocument, text: str) -> str:
    """Why a file with errors is saved all the same: thresholds neither make nor mend what was wrong before."""
    before, after = _list_errors(document.path, document.text), _list_errors(document.path, text)
    return "they were there before" if before and after <= before else ""


def _list_errors(path: str, text: str) -> set[tuple[str, str]]:
    return {(found.code, found.at) for found in find_problems(path, text) if found.severity is Severity.ERROR}
