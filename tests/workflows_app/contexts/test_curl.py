from __future__ import annotations

import json
import shlex
import subprocess
from dataclasses import replace
from pathlib import Path

from workflows_app.contexts.curl import format_curl
from workflows_app.run_results import ModelCallRecord


def record(url: str = "http://127.0.0.1:1/v1/x", type: str = "openAIChatCompletion") -> ModelCallRecord:
    return ModelCallRecord(url, {"prompt": "it's $HOME `x`"}, type, 1.0)


def test_body_survives_the_shell() -> None:
    words = shlex.split(format_curl(record()).replace("\\\n", " "))

    assert words[-1] == '{"prompt": "it\'s $HOME `x`"}'
    assert "Authorization: Bearer $API_KEY" in words


def test_long_body_comes_through_standard_input(tmp_path: Path) -> None:
    body = {"prompt": "it's $HOME `x`\n" * 20_000}
    script = tmp_path / "body.sh"
    script.write_text("cat <<" + format_curl(replace(record(), body=body)).partition("<<")[2], encoding="utf-8")

    shown = subprocess.run(["/bin/sh", str(script)], capture_output=True, check=True, text=True).stdout

    assert json.loads(shown) == body


def test_claude_has_headers_of_its_own() -> None:
    command = format_curl(record(type="claudeMessages"))

    assert '"x-api-key: $API_KEY"' in command and "anthropic-version" in command


def test_the_built_in_picker_has_no_address() -> None:
    assert format_curl(record("builtin:extractive")) == ""
