"""A recorded request to a model server as a command for the shell."""

from __future__ import annotations

import json
import shlex

from workflows_app.run_results import ModelCallRecord

KEY = "$API_KEY"
LONGEST_ARGUMENT = 100_000
"""Bytes of a body that are given as an argument; Linux takes 131,072, longer ones come through standard input."""
_BUILT_IN = "builtin:"


def format_curl(call: ModelCallRecord) -> str:
    """The command that sends the same request, its key from the variable API_KEY; empty for the built-in picker."""
    if call.url.startswith(_BUILT_IN):
        return ""
    header = f"x-api-key: {KEY}" if call.type == "claudeMessages" else f"Authorization: Bearer {KEY}"
    version = ' \\\n  -H "anthropic-version: 2023-06-01"' if call.type == "claudeMessages" else ""
    # Double quotes let the shell put the key in; the body must stay as it is.
    body = json.dumps(call.body, ensure_ascii=False)
    is_long = len(body.encode("utf-8", "surrogatepass")) > LONGEST_ARGUMENT
    # The body is one line of JSON, so no line of it can be taken for the end.
    data = f"--data-binary @- <<'END_OF_BODY'\n{body}\nEND_OF_BODY\n" if is_long else f"--data-raw {shlex.quote(body)}"
    return (
        f"curl {shlex.quote(call.url)} \\\n"
        f'  -H "Content-Type: application/json" \\\n  -H "{header}"{version} \\\n  {data}'
    )
