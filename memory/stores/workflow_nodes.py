"""The nodes of a workflow file, as far as memory needs to know what its workflows ask."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memory.errors import DamagedFileError
from memory.stores.json_files import JsonDamageError, decode_text
from memory.stores.user_settings import CONFIG_LIMIT_BYTES, UserSettings
from wilmer_site.lib.files import read_limited
from wilmer_site.lib.ids import child_path


def read_workflow_nodes(config_root: Path, user: UserSettings, name: str) -> list[dict[str, Any]]:
    """The nodes in order, from a list or from an object with `nodes`; what is no object is left out.

    Raises NotFoundError, UnsafeNameError, DamagedFileError or what reading a file raises.
    """
    path = child_path(config_root / "Workflows", user.workflow_folder, f"{name}.json")
    data = read_limited(path, limit_bytes=CONFIG_LIMIT_BYTES)
    try:
        document = json.loads(decode_text(data))
    except (JsonDamageError, ValueError, RecursionError) as error:
        raise DamagedFileError(
            f"{path.name} cannot be read: {error}. Mend it in a text editor.",
            file=path.name,
            line=getattr(error, "line", getattr(error, "lineno", None)),
            column=getattr(error, "column", getattr(error, "colno", None)),
        ) from None
    nodes = document.get("nodes") if isinstance(document, dict) else document
    return [node for node in nodes if isinstance(node, dict)] if isinstance(nodes, list) else []
