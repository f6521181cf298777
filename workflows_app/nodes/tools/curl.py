"""`CurlCommand` (workflows.md §10.14)."""

from __future__ import annotations

import json

from workflows_app.engine.node import NodeContext
from workflows_app.engine.permissions import permissions_of
from workflows_app.errors import ToolCallError
from workflows_app.net.programs import ProgramResult, ProgramTimeoutError, run_program
from workflows_app.net.web_client import CEILING_BYTES
from workflows_app.nodes.tools.config import BOTH, FULL, CurlSettings, read_curl_settings
from workflows_app.nodes.tools.curl_guard import check_hosts, check_substitutions


def curl_command(context: NodeContext) -> str:
    """What curl printed. Raises ToolCallError when it failed, unless the node wants errors as its result."""
    settings = read_curl_settings(context)
    check_substitutions(settings)
    permissions_of(context.run).check_curl()
    bindings = check_hosts(settings)
    try:
        return _format(_run(context, settings, bindings), settings)
    except ToolCallError as error:
        if not settings.returns_errors:
            raise
        return error.message


def _run(context: NodeContext, settings: CurlSettings, bindings: list[str]) -> ProgramResult:
    proxy = ["--proxy", settings.proxy] if settings.proxy else []
    args = [text for _, text in settings.args]
    limit = settings.limit_bytes or CEILING_BYTES
    # -q: the operator's own curlrc is not part of the workflow.
    command = ["curl", "-q", *proxy, *bindings, *args]
    try:
        result = run_program(
            command, timeout_seconds=settings.timeout_seconds, limit_bytes=limit, check=context.run.check_cancelled
        )
    except ProgramTimeoutError:
        raise ToolCallError(f"curl timed out after {settings.timeout_seconds:g} seconds") from None
    if result.is_cut:
        raise ToolCallError(f"CurlCommand response exceeded the {limit}-byte cap (maxResponseBytes).")
    return result


def _format(result: ProgramResult, settings: CurlSettings) -> str:
    stdout, stderr = result.stdout.decode("utf-8", "replace"), result.stderr.decode("utf-8", "replace")
    if result.code and not settings.returns_errors:
        raise ToolCallError(f"curl failed with exit code {result.code}: {stderr.strip()}")
    if settings.output_format == FULL:
        return json.dumps({"stdout": stdout, "stderr": stderr, "returncode": result.code})
    return stdout + stderr if settings.output_format == BOTH else stdout
