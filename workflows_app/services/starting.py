"""From what a person typed to what is run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workflows_app.services.runs import RunRequest


def build_request(values: Mapping[str, Any]) -> RunRequest:
    """The run that a form asks for.

    A single message typed for a discussion is the next one of that conversation; anything longer stands for itself.
    """
    messages, discussion = list(values["messages"]), values["discussion"]
    is_next = bool(discussion) and len(messages) == 1 and messages[0].get("role") == "user"
    return RunRequest(
        workflow=values["workflow"],
        user=values["user"],
        discussion=discussion,
        messages=messages,
        tools=values["tools"],
        tool_choice=values["tool_choice"],
        is_sandbox=values["is_sandbox"],
        adds_to_discussion=is_next,
        up_to_message=values["up_to_message"],
        last_messages=values["last_messages"],
    )
