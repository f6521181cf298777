"""A recorded request to a model server as a command for the shell."""

from __future__ import annotations

import json
import shlex

from workflows_app.run_results import ModelCallRecord

KEY = "$API_KEY"
_BUILT_IN = "builtin:"


def format_curl(call: ModelCallRecord) -> str:
    """The command that sends the same request, its key from the variable API_KEY; empty for the built-in picker."""
    if call.url.startswith(_BUILT_IN):
        return ""
    header = f"x-api-key: {KEY}" if call.type == "claudeMessages" else f"Authorization: Bearer {KEY}"
    version = ' \\\n  -H "anthropic-version: 2023-06-01"' if call.type == "claudeMessages" else ""
    # Double quotes let the shell put the key in; the body must stay as it is.
    body = shlex.quote(json.dumps(call.body, ensure_ascii=False))
    return (
        f"curl {shlex.quote(call.url)} \\\n"
        f'  -H "Content-Type: application/json" \\\n  -H "{header}"{version} \\\n  --data-raw {body}'
    )
