"""From what a person typed to what is run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory.types import DiscussionRef
from workflows_app import wiring
from workflows_app.services.runs import RunRequest


def build_request(values: Mapping[str, Any]) -> RunRequest:
    """The run that a form asks for.

    A single message typed for a discussion whose messages the console has is the next one of that conversation;
    anything longer stands for itself.
    """
    messages, discussion = list(values["messages"]), values["discussion"]
    if discussion and len(messages) == 1 and messages[0].get("role") == "user":
        messages = [*(wiring.find_transcript(DiscussionRef.parse(discussion)) or []), *messages]
    return RunRequest(
        workflow=values["workflow"],
        user=values["user"],
        discussion=discussion,
        messages=messages,
        is_sandbox=values["is_sandbox"],
    )
