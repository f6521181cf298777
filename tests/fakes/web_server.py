"""Web pages on loopback.

with FakeWebServer({"/a": Page("hello")}) as server: ...server.url + "/a"...
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: str


@dataclass(frozen=True)
class Page:
    """An answer."""

    body: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


Site = Mapping[str, Page] | Callable[[Asked], Page]


class FakeWebServer:
    """Serves pages by path, or whatever a function answers, and remembers what it was asked."""

    def __init__(self, site: Site) -> None:
        self.seen: list[Asked] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _build_handler(site, self.seen))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._server.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> FakeWebServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _build_handler(site: Site, seen: list[Asked]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
            asked = Asked(self.command, self.path, dict(self.headers), body)
            seen.append(asked)
            path = self.path.partition("?")[0]
            page = site(asked) if callable(site) else site.get(path, Page("nothing here", 404))
            data = page.body.encode()
            self.send_response(page.status)
            for name, value in {"Content-Type": "text/plain; charset=utf-8", **page.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:
            """Nothing is printed."""

    return Handler
