"""A request of a node, to be sent again with other words, and the answers beside each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from workflows_app.contexts.addresses import page_address
from workflows_app.contexts.labels import RUN_STATES, Label, format_duration, format_tokens, name_tool
from workflows_app.queries.attempts import AttemptDetail, Choices, Sheet, Word, can_replace_output
from workflows_app.run_results import NodeDetail

_ROWS = (3, 24)
"""Lines of the smallest and of the largest text box."""
_LINE = 90
_ROLES = {
    "system": "System prompt",
    "prompt": "Prompt",
    "user": "User",
    "assistant": "Assistant",
    "tool": "Tool result",
}


class WordField(NamedTuple):
    """A text box."""

    number: int
    role: str
    label: str
    text: str
    rows: int
    origin: int = 0
    extras: str = ""
    """What goes along: pictures, tool calls."""


class CallChoice(NamedTuple):
    """One of the node's requests."""

    number: int
    url: str
    is_active: bool


class Answer(NamedTuple):
    """What the server said, then or now."""

    title: str
    text: str
    facts: str
    state: Label | None = None
    error: str = ""
    number: int = 0
    can_use: bool = False
    edit_url: str = ""
    cancel_url: str = ""
    is_live: bool = False


@dataclass(frozen=True, slots=True)
class AttemptListContext:
    """The old answer and those of all tries, the newest first."""

    old: Answer
    answers: tuple[Answer, ...]
    url: str
    rerun_url: str

    @classmethod
    def build(cls, run_id: int, node: NodeDetail, call: int, attempts: Sequence[AttemptDetail]) -> AttemptListContext:
        """The answers to one request."""
        number = node.row.number
        return cls(
            old=_old_answer(node, call),
            answers=tuple(_answer(run_id, node, attempt) for attempt in attempts if attempt.call == call),
            url=page_address("attempt-list", run_id, number, parameters=[("call", call)]),
            rerun_url=page_address("node-run-rerun", run_id, number),
        )

    @property
    def newest(self) -> Answer | None:
        """The answer that stands beside the old one."""
        return self.answers[0] if self.answers else None

    @property
    def older(self) -> tuple[Answer, ...]:
        """All other tries."""
        return self.answers[1:]

    @property
    def is_live(self) -> bool:
        """Whether an answer is still coming."""
        return any(answer.is_live for answer in self.answers)


@dataclass(frozen=True, slots=True)
class TryContext:
    """The form and the answers."""

    sheet: Sheet
    fields: tuple[WordField, ...]
    calls: tuple[CallChoice, ...]
    choices: Choices
    send_url: str
    answers: AttemptListContext
    tools: tuple[str, ...] = ()
    """Names of what is offered."""
    errors: tuple[str, ...] = ()

    @classmethod
    def build(
        cls, run_id: int, node: NodeDetail, sheet: Sheet, attempts: Sequence[AttemptDetail], choices: Choices
    ) -> TryContext:
        """The tab of one request, its form filled with `sheet`."""
        return cls(
            sheet=sheet,
            fields=tuple(_fields(sheet)),
            tools=tuple(name_tool(tool) for tool in sheet.sent.tools or ()),
            calls=tuple(_choose(run_id, node, number, sheet.call) for number in range(1, len(node.calls) + 1)),
            choices=choices,
            send_url=page_address("attempt-create", run_id, node.row.number),
            answers=AttemptListContext.build(run_id, node, sheet.call, attempts),
        )


def build_sheet(sent: Sheet, attempt: AttemptDetail) -> Sheet:
    """The words of a try, to go on from there."""
    return replace(
        sent,
        endpoint=attempt.endpoint,
        preset=attempt.preset,
        response_tokens=attempt.response_tokens,
        words=attempt.words,
    )


def _fields(sheet: Sheet) -> Iterator[WordField]:
    for number, word in enumerate(sheet.words, start=1):
        lines = sum(1 + len(line) // _LINE for line in word.content.splitlines() or [""])
        rows = min(max(lines, _ROWS[0]), _ROWS[1])
        label, extras = _ROLES.get(word.role, word.role), _tell_extras(sheet, word)
        yield WordField(number, word.role, label, word.content, rows, word.origin, extras)


def _tell_extras(sheet: Sheet, word: Word) -> str:
    messages = sheet.sent.messages
    message = messages[word.origin - 1] if 1 <= word.origin <= len(messages) else {}
    if message.get("role") != word.role:
        return ""
    count = len(message.get("images") or ())
    pictures = [f"with {count} picture{'' if count == 1 else 's'}"] if count else []
    return ", ".join(pictures + [f"calls {name_tool(call)}" for call in message.get("tool_calls") or ()])


def _choose(run_id: int, node: NodeDetail, number: int, active: int) -> CallChoice:
    url = page_address("node-run-detail", run_id, node.row.number, parameters=[("tab", "try"), ("call", number)])
    return CallChoice(number, url, number == active)


def _old_answer(node: NodeDetail, call: int) -> Answer:
    record = node.calls[call - 1]
    is_whole = len(node.calls) == 1 and can_replace_output(node.row.type)
    is_counted = record.prompt_tokens is not None and record.completion_tokens is not None
    counts = record if is_counted else node.row
    tokens = format_tokens(counts.prompt_tokens, counts.completion_tokens, is_measured=is_counted)
    return Answer(
        title="As it was",
        text=node.output_text if is_whole else record.answer,
        facts=_facts(record.endpoint or node.endpoint, record.milliseconds, tokens),
        error=node.error,
    )


def _answer(run_id: int, node: NodeDetail, attempt: AttemptDetail) -> Answer:
    tokens = format_tokens(attempt.prompt_tokens, attempt.completion_tokens, is_measured=attempt.is_measured)
    place = (run_id, node.row.number)
    again = [("tab", "try"), ("call", attempt.call), ("attempt", attempt.number)]
    return Answer(
        title=f"Attempt {attempt.number}",
        text=attempt.output,
        facts=_facts(attempt.endpoint, attempt.milliseconds, tokens),
        state=RUN_STATES[attempt.state],
        error=attempt.error,
        number=attempt.number,
        can_use=attempt.state == "finished" and can_replace_output(node.row.type),
        edit_url=page_address("node-run-detail", *place, parameters=again),
        cancel_url=page_address("attempt-cancel", *place, attempt.number),
        is_live=not attempt.state.is_over,
    )


def _facts(endpoint: str, milliseconds: float | None, tokens: str) -> str:
    duration = format_duration(milliseconds) if milliseconds is not None else ""
    return " · ".join(part for part in (endpoint, duration, f"{tokens} tokens" if tokens else "") if part)
