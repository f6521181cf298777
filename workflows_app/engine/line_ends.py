"""Line ends survive a browser, which knows only one kind of them."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

_LINE_END = re.compile(r"\r\n|\r|\n")
_MAX_COMPARED_LINES = 5_000


def as_shown(text: str) -> str:
    """The text with line feeds only, as a text field has it."""
    return _LINE_END.sub("\n", text)


def restore_line_ends(edited: str, original: str) -> str:
    """The edited text with the line ends of the original: its only kind, or line by line when it mixes them."""
    edited, kinds = as_shown(edited), set(_LINE_END.findall(original))
    if edited == as_shown(original):
        return original
    if len(kinds) <= 1:
        return edited.replace("\n", kinds.pop()) if kinds else edited
    return _merge(edited.split("\n"), original)


def _merge(lines: list[str], original: str) -> str:
    old, ends = _LINE_END.split(original), _LINE_END.findall(original)
    usual = max(set(ends), key=ends.count)
    chosen = [usual] * (len(lines) - 1)
    if max(len(lines), len(old)) <= _MAX_COMPARED_LINES:
        for block in SequenceMatcher(None, old, lines, autojunk=False).get_matching_blocks():
            for step in range(block.size):
                if block.b + step < len(chosen) and block.a + step < len(ends):
                    chosen[block.b + step] = ends[block.a + step]
    return "".join(line + end for line, end in zip(lines, [*chosen, ""], strict=True))
