"""The words of an HTML page without its markup."""

from __future__ import annotations

from html.parser import HTMLParser

_SILENT = frozenset({"script", "style", "head", "noscript", "iframe"})


def strip_html(page: str) -> str:
    """Every run of text on a line of its own, without what people do not read (workflows.md §10.13)."""
    reader = _TextReader()
    reader.feed(page)
    reader.close()
    return "\n".join(reader.runs)


class _TextReader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.runs: list[str] = []
        self._silence = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: ARG002
        self._silence += tag in _SILENT

    def handle_endtag(self, tag: str) -> None:
        if tag in _SILENT and self._silence:
            self._silence -= 1

    def handle_data(self, data: str) -> None:
        text = data.strip()
        if text and not self._silence:
            self.runs.append(text)
