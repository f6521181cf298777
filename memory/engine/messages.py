"""Raw chat messages become the messages that the memory layer works on (memory.md §1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, overload

from memory.engine.braces import to_sentinels
from memory.engine.discussion_ids import find_discussion_id, remove_tags
from memory.types import DiscussionId, Message
from wilmer_site.lib.errors import InvalidError

SYSTEM_ROLE = "system"
USER_LABEL = "User: "
ASSISTANT_LABEL = "Assistant: "


@dataclass(frozen=True, slots=True)
class PreparationOptions:
    """The user settings that change what is hashed (memory.md §1 steps 2 and 3)."""

    adds_role_labels: bool = False
    """`chatCompleteAddUserAssistant`."""
    adds_missing_assistant: bool = False
    """`chatCompletionAddMissingAssistantGenerator`."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages ready for the memory layer, and the discussion they belong to."""

    messages: tuple[Message, ...]
    discussion_id: DiscussionId | None


def parse_message(raw: Mapping[str, Any]) -> Message:
    """One message of a chat request; a list of parts becomes its texts and its images.

    Null content becomes empty text, an absent one stays None. Raises InvalidError for anything that is not a message.
    """
    role = raw.get("role", "")
    if not isinstance(role, str):
        raise InvalidError(f"The role of a message must be text; it is {type(role).__name__}.")
    images = tuple(str(image) for image in raw.get("images") or ())
    if "content" not in raw:
        return Message(role, None, images)
    content = raw["content"]
    if isinstance(content, list):
        return _from_parts(role, content, images)
    if content is not None and not isinstance(content, str):
        raise InvalidError(f"The content of a message must be text or a list of parts, not {type(content).__name__}.")
    return Message(role, content or "", images)


def parse_messages(raw: Sequence[Mapping[str, Any]]) -> list[Message]:
    """All messages of a chat request, in order."""
    return [parse_message(item) for item in raw]


def build_conversation(
    raw: Sequence[Mapping[str, Any]], options: PreparationOptions = PreparationOptions()
) -> Conversation:
    """The messages as WilmerAI's memory would see and hash them: every step of memory.md §1, in order."""
    messages = [_add_label(message, options) for message in parse_messages(raw)]
    if options.adds_missing_assistant and messages and messages[-1].role != "assistant":
        messages.append(Message("assistant", ASSISTANT_LABEL.strip() if options.adds_role_labels else ""))
    discussion_id = find_discussion_id(messages)
    cleaned = [replace(message, content=remove_tags(to_sentinels(message.text))) for message in messages]
    kept = [
        message for message, source in zip(cleaned, _padded(raw, len(cleaned)), strict=True) if _says(message, source)
    ]
    return Conversation(tuple(kept), discussion_id)


def drop_system(messages: Sequence[Message]) -> list[Message]:
    """The messages whose role is not exactly `system`; other spellings stay (memory.md §10.1)."""
    return [message for message in messages if message.role != SYSTEM_ROLE]


class SpokenMessages(Sequence[Message]):
    """The same messages as `drop_system` gives, but roles are read only as far back as somebody looks.

    Going through them from the newest costs what is looked at; a length or a position costs the whole conversation,
    once.
    """

    def __init__(self, messages: Sequence[Message]) -> None:
        self._messages = messages

    def __reversed__(self) -> Iterator[Message]:
        return (message for message in reversed(self._messages) if message.role != SYSTEM_ROLE)

    def __len__(self) -> int:
        return len(self._spoken)

    @overload
    def __getitem__(self, position: int) -> Message: ...

    @overload
    def __getitem__(self, position: slice) -> list[Message]: ...

    def __getitem__(self, position: int | slice) -> Message | list[Message]:
        return self._spoken[position]

    @cached_property
    def _spoken(self) -> list[Message]:
        return drop_system(self._messages)


def join_contents(messages: Sequence[Message]) -> str:
    """The contents joined by line feeds, without role names (memory.md §8.3)."""
    return "\n".join(message.text for message in messages)


def _from_parts(role: str, parts: list[Any], images: tuple[str, ...]) -> Message:
    texts = [str(part.get("text") or "") for part in parts if isinstance(part, dict) and part.get("type") == "text"]
    found = [_image_of(part) for part in parts if isinstance(part, dict) and part.get("type") == "image_url"]
    return Message(role, "\n".join(texts), images + tuple(image for image in found if image))


def _image_of(part: Mapping[str, Any]) -> str:
    address = part.get("image_url")
    return str(address.get("url") or "") if isinstance(address, dict) else str(address or "")


def _add_label(message: Message, options: PreparationOptions) -> Message:
    label = {"user": USER_LABEL, "assistant": ASSISTANT_LABEL}.get(message.role)
    if not (options.adds_role_labels and label):
        return message
    return replace(message, content=label + message.text)


def _padded(raw: Sequence[Mapping[str, Any]], count: int) -> list[Mapping[str, Any]]:
    return [*raw, *({} for _ in range(count - len(raw)))]


def _says(message: Message, source: Mapping[str, Any]) -> bool:
    return bool(message.text.strip() or message.images or source.get("tool_calls") or source.get("tool_call_id"))
