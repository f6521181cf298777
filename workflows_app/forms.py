"""What a person types or a URL carries, checked and turned into values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict

from memory.results import ApiKeys
from wilmer_site.lib.errors import InvalidError, WilmerError
from wilmer_site.lib.ids import is_plain_name
from wilmer_site.lib.paging import PageRequest
from workflows_app.configs.kinds import ConfigKind
from workflows_app.engine.line_ends import as_shown
from workflows_app.engine.text_change import TextChange, count_units, find_change
from workflows_app.queries.editing import EditorRequest
from workflows_app.results import ProblemFilter, RunState, Severity
from workflows_app.run_results import RunFilter
from workflows_app.services.workflow_editing import Operation

MAX_TEXT_BYTES = 64 * 1024 * 1024
_SPEAKER = re.compile(r"^(system|user|assistant):[ \t]*", re.IGNORECASE | re.MULTILINE)
_ROLES = {"system", "user", "assistant", "tool", "systemMes"}
_SAYING_ROLES = {"system", "user", "assistant", "tool", "prompt"}
MAX_WORDS = 10_000
"""Messages of one request."""
NODE_TABS = ("prompt", "output", "try", "files", "raw")


@dataclass(frozen=True, slots=True)
class PastedChat:
    """What a person pasted to run on."""

    messages: Sequence[dict[str, Any]] = ()
    tools: Sequence[dict[str, Any]] = ()
    """What a chat request offers; anything else offers none."""
    tool_choice: Any = None


def parse_chat(text: str) -> PastedChat:
    """A conversation from a JSON list of messages, a chat request with its tools, or plain text.

    Plain text is one user message, unless its lines begin with `User:`, `Assistant:` or `System:`. Raises InvalidError.
    """
    stripped = text.strip()
    if not stripped:
        return PastedChat()
    if stripped[0] in "[{":
        try:
            return _read_chat(json.loads(stripped))
        except (ValueError, RecursionError):
            if stripped.startswith(("[{", '{"')):
                raise InvalidError("The messages look like JSON and are none.", field="messages") from None
    return PastedChat(list(_split_speakers(stripped)))


class RunForm(forms.Form):
    """What to run, on what."""

    workflow = forms.ChoiceField(label="Workflow", error_messages={"required": "Pick a workflow."})
    user = forms.ChoiceField(label="WilmerAI user", required=False, help_text="Whose configs count.")
    discussion = forms.CharField(
        label="Discussion",
        required=False,
        max_length=1000,
        strip=True,
        help_text="Its memory is read and written. Empty: the [DiscussionId] tag of the messages, else none.",
    )
    messages = forms.CharField(
        label="Messages",
        required=False,
        strip=False,
        max_length=MAX_TEXT_BYTES,
        widget=forms.Textarea(attrs={"rows": 7, "spellcheck": "false"}),
    )
    is_sandbox = forms.BooleanField(
        label="Work on a copy of the discussion",
        required=False,
        initial=True,
        help_text="The memory files are copied first. Switched off, the run writes into WilmerAI's own files.",
    )
    up_to_message = forms.IntegerField(label="Up to message", required=False, min_value=1, max_value=10**7)
    last_messages = forms.IntegerField(label="Only the last", required=False, min_value=1, max_value=10**7)

    def __init__(self, data: QueryDict | None, *, workflows: Sequence[str], users: Sequence[str], **more: Any) -> None:
        super().__init__(data, **more)
        self.fields["workflow"].choices = [(path, path) for path in workflows]  # type: ignore[attr-defined]
        self.fields["user"].choices = [(name, name) for name in users]  # type: ignore[attr-defined]
        for field in self.fields.values():
            kind = "form-select" if isinstance(field, forms.ChoiceField) else "form-control"
            if not isinstance(field, forms.BooleanField):
                field.widget.attrs.setdefault("class", kind)

    def accepts(self, problem: WilmerError | None) -> bool:
        """Take down what is wrong with the run as a whole; whether nothing is."""
        if problem is not None:
            field = problem.extra.get("field")
            self.add_error(field if field in self.fields else None, problem.message)
        return problem is None

    def clean_messages(self) -> list[dict[str, Any]]:
        """The conversation that was typed; the tools of a chat request are cleaned with it."""
        try:
            chat = parse_chat(self.cleaned_data["messages"])
        except InvalidError as error:
            raise forms.ValidationError(error.message) from None
        self.cleaned_data.update(tools=chat.tools, tool_choice=chat.tool_choice)
        return list(chat.messages)


class RerunForm(forms.Form):
    """A run from the middle of an earlier one."""

    mode = forms.ChoiceField(choices=[("from-here", ""), ("single", ""), ("edited", ""), ("attempt", "")])
    output = forms.CharField(required=False, strip=False, max_length=MAX_TEXT_BYTES, widget=forms.Textarea)
    attempt = forms.IntegerField(required=False, min_value=1, max_value=10**9)

    def output_or_none(self) -> str | None:
        """The output to use instead of running the node, line ends as the browser got them."""
        text: str = self.cleaned_data["output"]
        return text.replace("\r\n", "\n") if self.cleaned_data["mode"] == "edited" else None


class AttemptForm(forms.Form):
    """A request to a model, to be sent again with changed words."""

    call = forms.IntegerField(min_value=1, max_value=10**6)
    endpoint = forms.CharField(max_length=300, error_messages={"required": "Choose an endpoint."})
    preset = forms.CharField(required=False, max_length=300)
    response_tokens = forms.IntegerField(label="Max tokens", required=False, min_value=1, max_value=10_000_000)

    def clean(self) -> dict[str, Any]:
        """The words are lists of fields, so they are looked at here."""
        if not any(text.strip() for text in self.texts) and not any(self.origins):
            raise forms.ValidationError("There is nothing to send. Write a prompt or a message.")
        if sum(map(len, self.texts)) > MAX_TEXT_BYTES:
            raise forms.ValidationError("The words are too long to be sent.")
        return dict(self.cleaned_data)

    @property
    def roles(self) -> list[str]:
        """Who says each of the texts."""
        return [role if role in _SAYING_ROLES else "user" for role in self._list("role")]

    @property
    def texts(self) -> list[str]:
        """What is said, line ends as the browser got them."""
        return [text.replace("\r\n", "\n") for text in self._list("text")]

    @property
    def origins(self) -> list[int]:
        """Which message of the recorded request each of them was; 0 for a new one."""
        given = [int(text) if re.fullmatch(r"[0-9]{1,6}", text) else 0 for text in self._list("origin")]
        return given + [0] * (len(self.texts) - len(given))

    def _list(self, name: str) -> list[str]:
        data = self.data
        return data.getlist(name)[:MAX_WORDS] if isinstance(data, QueryDict) else []


def parse_run_filter(data: QueryDict) -> RunFilter:
    """Which runs a URL asks for; raises InvalidError for an unknown state."""
    state = data.get("state", "")
    if state and state not in set(RunState):
        raise InvalidError(f"state must be one of {', '.join(RunState)}; it is {state[:40]!r}.", field="state")
    return RunFilter(data.get("text", "")[:300], state, data.get("discussion", ""))


def parse_problem_filter(data: QueryDict) -> ProblemFilter:
    """Which problems a URL asks for; raises InvalidError for an unknown severity or kind of file."""
    severity, kind = data.get("severity", ""), data.get("kind", "")
    for name, value, known in (("severity", severity, set(Severity)), ("kind", kind, set(ConfigKind))):
        if value and value not in known:
            raise InvalidError(f"{name} must be one of {', '.join(sorted(known))}; it is {value[:40]!r}.", field=name)
    return ProblemFilter(severity, kind, data.get("user", "")[:200], data.get("text", "")[:300])


def parse_page(data: QueryDict, *, size: int = 25) -> PageRequest:
    """The page a URL asks for, of `size` items unless it says otherwise; raises InvalidError."""
    return PageRequest(parse_number(data, "page", 1), parse_number(data, "size", size))


def parse_number(data: QueryDict | Mapping[str, str], name: str, default: int) -> int:
    """A whole number of a URL, at most nine digits; raises InvalidError."""
    raw = data.get(name) or str(default)
    if not (raw.isascii() and raw.isdigit() and len(raw) <= 9):
        raise InvalidError(f"{name} must be a whole number; {raw[:40]!r} is none.", field=name)
    return int(raw)


def parse_pair(data: QueryDict) -> tuple[int, int]:
    """The two runs that a URL compares (`run` twice), the older one first; raises InvalidError."""
    given = data.getlist("run")
    if len(given) != 2:
        raise InvalidError("Choose exactly two runs to compare.", field="run")
    first, second = sorted(parse_number({"run": text}, "run", 0) for text in given)
    return first, second


def parse_tab(data: QueryDict) -> str:
    """The tab of a node that a URL asks for; raises InvalidError."""
    tab = data.get("tab") or NODE_TABS[0]
    if tab not in NODE_TABS:
        raise InvalidError(f"tab must be one of {', '.join(NODE_TABS)}; it is {tab[:40]!r}.", field="tab")
    return tab


def _read_chat(document: Any) -> PastedChat:
    messages = _checked(document)
    if not isinstance(document, dict):
        return PastedChat(messages)
    tools = document.get("tools") or []
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        raise InvalidError("The `tools` of the chat request must be a list of objects.", field="messages")
    return PastedChat(messages, tools, document.get("tool_choice"))


def _checked(document: Any) -> list[dict[str, Any]]:
    messages = document.get("messages") if isinstance(document, dict) else document
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise InvalidError(
            "The JSON must be a list of messages, or an object with one as `messages`.", field="messages"
        )
    for number, message in enumerate(messages, start=1):
        if message.get("role") not in _ROLES:
            raise InvalidError(f"Message {number} has no usable `role`.", field="messages")
    return messages


def _split_speakers(text: str) -> Iterator[dict[str, Any]]:
    starts = list(_SPEAKER.finditer(text))
    if not starts or text[: starts[0].start()].strip():
        yield {"role": "user", "content": text}
        return
    ends = [match.start() for match in starts[1:]] + [len(text)]
    for match, end in zip(starts, ends, strict=True):
        yield {"role": match.group(1).lower(), "content": text[match.end() : end].strip()}


def parse_editor(data: QueryDict, path: str, keys: ApiKeys) -> EditorRequest:
    """The text in the making that an editor page posts; raises InvalidError."""
    return EditorRequest(
        path=path,
        text=as_shown(data.get("text", "")),
        etag=data.get("etag", ""),
        node=parse_number(data, "node", 0),
        user=data.get("user", "")[:300],
        discussion=data.get("discussion", "")[:1000].strip(),
        keys=keys,
    )


def parse_change(data: QueryDict, before: str, after: str) -> TextChange | None:
    """What to change in the text that the page has; None when the page needs all of it, for it has another one."""
    if data.get("length", "") != str(count_units(before)):
        return None
    return find_change(before, after)


def parse_marks(data: QueryDict) -> dict[str, str]:
    """The marks of what an editor page shows."""
    return {name: data.get(f"{name}_mark", "")[:64] for name in ("nodes", "problems")}


def parse_operation(data: QueryDict, path: str) -> Operation:
    """The step that an editor page asks for; raises InvalidError."""
    return Operation(
        name=data.get("op", "refresh"),
        node=parse_number(data, "index", parse_number(data, "node", 0)),
        to=parse_number(data, "to", 0),
        field=data.get("field", "")[:300],
        value=as_shown(data.get("value", "")),
        is_json=data.get("as") == "json",
        path=path,
    )


class WorkflowNewForm(forms.Form):
    """The place of a new workflow."""

    folder = forms.ChoiceField(label="Folder", help_text="A user's own folder, or a shared one.")
    name = forms.CharField(label="Name", max_length=120, help_text="What other workflows and users call it.")

    def __init__(self, data: QueryDict | None, *, folders: Sequence[str], taken: Sequence[str], **more: Any) -> None:
        super().__init__(data, **more)
        self._taken = frozenset(taken)
        self.fields["folder"].choices = [(name, name) for name in folders]  # type: ignore[attr-defined]
        for field in self.fields.values():
            field.widget.attrs["class"] = "form-select" if isinstance(field, forms.ChoiceField) else "form-control"

    def clean_name(self) -> str:
        """A name that a file may have."""
        name = str(self.cleaned_data["name"]).removesuffix(".json").strip()
        if not is_plain_name(name) or name.startswith("."):
            raise forms.ValidationError("A name must not contain / \\ : nor begin with a dot.")
        return name

    def clean(self) -> dict[str, Any]:
        """Adds `path`, below `Workflows`."""
        data = super().clean() or {}
        path = f"{data.get('folder')}/{data.get('name')}"
        if path in self._taken:
            self.add_error("name", "There is already a workflow of this name in the folder.")
        return {**data, "path": path}
