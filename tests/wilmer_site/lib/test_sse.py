from __future__ import annotations

from wilmer_site.lib.sse import ServerEvent, event_stream, format_event


def test_format_event_gives_every_line_a_field() -> None:
    assert format_event(ServerEvent("done", "a\nb", id="7")) == "id: 7\nevent: done\ndata: a\ndata: b\n\n"


def test_format_event_without_text_still_arrives() -> None:
    assert format_event(ServerEvent("ping", "")) == "event: ping\ndata: \n\n"


def test_event_stream_is_sent_as_it_comes() -> None:
    response = event_stream(iter([ServerEvent("a", "1"), ServerEvent("b", "ž")]))

    assert response["Content-Type"] == "text/event-stream; charset=utf-8"
    assert response["X-Accel-Buffering"] == "no"
    assert b"".join(response).decode() == "event: a\ndata: 1\n\nevent: b\ndata: ž\n\n"
