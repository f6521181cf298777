"""Server-sent events: what a page watches while something goes on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.http import StreamingHttpResponse


@dataclass(frozen=True, slots=True)
class ServerEvent:
    """One event: its name, and a text (a rendered partial, or JSON)."""

    name: str
    data: str
    id: str = ""


def format_event(event: ServerEvent) -> str:
    r"""The event as it goes over the wire; every line of the text gets a field of its own.

    >>> format_event(ServerEvent("node-finished", "<p>\nhi</p>"))
    'event: node-finished\ndata: <p>\ndata: hi</p>\n\n'
    """
    lines = [f"id: {event.id}"] if event.id else []
    lines.append(f"event: {event.name}")
    lines += [f"data: {line}" for line in event.data.splitlines() or [""]]
    return "\n".join(lines) + "\n\n"


def event_stream(events: Iterable[ServerEvent]) -> StreamingHttpResponse:
    """An answer that sends events as they come, unbuffered by proxies.

    Once the first byte is out an error can no longer become a status: the iterable yields an event that says so.
    The iterable must be synchronous; under WSGI asynchronous ones are buffered (measured).
    """
    response = StreamingHttpResponse(_encoded(events), content_type="text/event-stream; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    response["X-Accel-Buffering"] = "no"
    return response


def _encoded(events: Iterable[ServerEvent]) -> Iterator[bytes]:
    for event in events:
        yield format_event(event).encode()
