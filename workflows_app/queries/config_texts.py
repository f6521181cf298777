"""The content of a config file for showing: secrets are masked."""

from __future__ import annotations

from typing import Any

from workflows_app import wiring
from workflows_app.engine.config_secrets import mask_document, mask_text
from workflows_app.stores.config_writes import decode


def get_masked_text(path: str) -> str:
    """The text of a file as it is written, with masks for secrets. Raises ConfigNotFoundError."""
    text = decode(wiring.get_config_writer().read(path))[0]
    return mask_text(path, text).encode("utf-8", "replace").decode()


def get_values(path: str) -> dict[str, Any]:
    """The keys of a file with masks for secrets; empty when it is no object. Raises ConfigNotFoundError."""
    document = wiring.get_config_library().get(path).document
    return dict(mask_document(path, document)) if isinstance(document, dict) else {}
