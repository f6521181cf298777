"""Rules for the expressions of Conditional nodes (workflows.md §10.4, configs.md §13.3)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from workflows_app.engine.conditions import is_well_formed
from workflows_app.lint.findings import Finding
from workflows_app.lint.names import CONVERSATION, input_number, output_number
from workflows_app.lint.node_facts import ONE_WORD
from workflows_app.lint.workflow import Node, WorkflowFile

_VARIABLE: Final = re.compile(r"\{([A-Za-z_]\w*)[^{}]*\}")
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")
_NUMBER_BESIDE: Final = (
    re.compile(r"^\s*(?:==|!=|>=|<=|>|<)\s*-?\d"),
    re.compile(r"\d\s*(?:==|!=|>=|<=|>|<)\s*$"),
)
_ORDER_BESIDE: Final = (re.compile(r"^\s*(?:>=|<=|>|<)"), re.compile(r"(?:>=|<=|>|<)\s*$"))
_COMPARED: Final = (re.compile(r"^\s*(?:==|!=)"), re.compile(r"(?:==|!=)\s*$"))


def check_condition(file: WorkflowFile, node: Node) -> Iterator[Finding]:
    """One condition."""
    text = node.values.get("condition")
    if node.type != "Conditional" or not isinstance(text, str) or not text.strip() or node.is_jinja:
        return
    at = node.pointer("condition")
    if not is_well_formed(_VARIABLE.sub("word", text)):
        yield Finding(
            "condition-syntax",
            file.path,
            at,
            "The condition is always FALSE, because it has a mistake.",
            "Compare two values by == != >= <= > <, and join comparisons by AND and OR.",
        )
        return
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    for match in _VARIABLE.finditer(text):
        name = match.group(1)
        if not _is_free_text(file, name):
            continue
        if any(start < match.start() < end for start, end in quoted):
            yield Finding(
                "condition-unsafe",
                file.path,
                at,
                f"The condition goes wrong when {{{name}}} contains the quote around it.",
            )
        elif _is_compared_as_text(text, match.start(), match.end()):
            yield Finding(
                "condition-unquoted",
                file.path,
                at,
                f"The condition is FALSE when {{{name}}} has more than one word.",
                f"Write '{{{name}}}' in quotes.",
            )


def _is_free_text(file: WorkflowFile, name: str) -> bool:
    """Whether a variable may hold any text."""
    number = output_number(name)
    if number is None:
        return bool(input_number(name)) or name in CONVERSATION
    source = file.by_number.get(number)
    return source is None or source.type not in ONE_WORD


def _is_compared_as_text(text: str, start: int, end: int) -> bool:
    after, before = text[end:], text[:start]
    if _NUMBER_BESIDE[0].search(after) or _NUMBER_BESIDE[1].search(before):
        return False
    if _ORDER_BESIDE[0].search(after) or _ORDER_BESIDE[1].search(before):
        return False
    return bool(_COMPARED[0].search(after) or _COMPARED[1].search(before))
