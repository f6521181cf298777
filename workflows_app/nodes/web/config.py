"""Settings of `WebFetch`, checked before anything is sent (workflows.md §10.13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workflows_app.engine.node import NodeContext
from workflows_app.engine.properties import (
    read_choice,
    read_flag,
    read_hosts,
    read_object,
    read_proxy,
    read_required,
    read_response_limit,
    read_timeout,
    returns_errors,
)
from workflows_app.errors import NodeFailedError
from workflows_app.stores.file_access import FileAccess

TEXT, JSON, FULL, STRIPPED = "text", "json", "full", "html-stripped"


@dataclass(frozen=True, slots=True)
class FetchSettings:
    """One `WebFetch` node, its templates resolved."""

    url: str
    method: str
    headers: Mapping[str, str]
    body: str | None
    output_format: str
    returns_errors: bool
    follows_redirects: bool
    blocks_private: bool
    allowed_hosts: frozenset[str] | None
    limit_bytes: int
    timeout_seconds: float
    verify: bool
    ca_bundle: str
    proxy: str


def read_settings(context: NodeContext) -> FetchSettings:
    """The node's settings. Raises NodeFailedError for what cannot be meant, even with `onError: return`."""
    body = context.node.get("body")
    return FetchSettings(
        url=read_required(context, "url"),
        output_format=read_choice(context, "outputFormat", (TEXT, JSON, FULL, STRIPPED)),
        returns_errors=returns_errors(context),
        timeout_seconds=read_timeout(context),
        follows_redirects=read_flag(context, "allowRedirects", default=True),
        verify=read_flag(context, "verify", default=True),
        blocks_private=read_flag(context, "blockPrivateAddresses", default=False),
        limit_bytes=read_response_limit(context),
        method=str(context.node.get("method") or "GET").upper(),
        headers={key: context.resolve(str(value)) for key, value in read_object(context, "headers").items()},
        body=None if body is None else context.resolve(str(body)),
        allowed_hosts=read_hosts(context),
        proxy=read_proxy(context),
        ca_bundle=_read_ca_bundle(context),
    )


def _read_ca_bundle(context: NodeContext) -> str:
    """The path of the bundle, which must lie in a folder that nodes may read."""
    value = context.node.get("caBundle")
    if value is None:
        return ""
    if not isinstance(value, str):
        raise NodeFailedError("WebFetch 'caBundle' must be the path of a file.")
    text = context.resolve(value)
    path = context.run.facility(FileAccess).locate(text)
    if not path.is_file():
        raise NodeFailedError(f"WebFetch 'caBundle' file not found: {text!r}.")
    return str(path)
