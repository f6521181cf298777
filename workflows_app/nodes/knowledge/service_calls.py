"""One JSON question to a knowledge service."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from workflows_app.engine.node import NodeContext
from workflows_app.engine.permissions import permissions_of
from workflows_app.llm.waiting import wait_for
from workflows_app.net.web_client import WebAccess, WebRequest, WebResponse
from workflows_app.nodes.knowledge.config import Service

LIMIT_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Inquiry:
    """What is asked: in the query string, or as a JSON body when it `posts`."""

    path: str
    data: Mapping[str, Any]
    seconds: float
    posts: bool = False


@dataclass(frozen=True, slots=True)
class ServiceAnswer:
    """Status and JSON value; `value` is None when the body is no JSON."""

    status: int
    value: Any


def ask_service(context: NodeContext, service: Service, inquiry: Inquiry) -> ServiceAnswer:
    """The service's answer. Raises WebError, SwitchedOffError."""
    permissions_of(context.run).check_wiki_host(service.host)
    url, data = service.url(inquiry.path), inquiry.data
    request = WebRequest(
        url=url if inquiry.posts else f"{url}?{urlencode(data)}",
        method="POST" if inquiry.posts else "GET",
        headers={"Content-Type": "application/json"} if inquiry.posts else {},
        body=json.dumps(data) if inquiry.posts else None,
        timeout_seconds=inquiry.seconds,
        limit_bytes=LIMIT_BYTES,
        # Which host may be asked is the operator's list, and these services run at home.
        refuses_private=False,
    )
    client = context.run.facility(WebAccess).client
    response = wait_for(lambda: client.send(request), context.run.check_cancelled)
    return ServiceAnswer(response.status, _parse(response))


def _parse(response: WebResponse) -> Any:
    try:
        return json.loads(response.text)
    except (ValueError, RecursionError):
        return None
