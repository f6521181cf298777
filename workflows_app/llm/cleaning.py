"""Cleaning a model's reply, whole or piece by piece (workflows.md §9)."""

from __future__ import annotations

from dataclasses import dataclass

from workflows_app.types import JsonObject

_JUST_NOW = "[Sent less than a minute ago]"
_ASSISTANT = "Assistant:"
_MAX_GENERATION_PROMPT = 100
_HOLD_ONE = 100
_HOLD_BOTH = 200


@dataclass(frozen=True, slots=True)
class CleaningRules:
    """What is taken off a reply, and what is put in front of it."""

    start_tag: str = ""
    end_tag: str = ""
    grace_characters: int = 100
    only_closing_tag: bool = False
    prefix_groups: tuple[tuple[str, ...], ...] = ()
    """Of each group the first that matches goes, once."""
    trims_ends: bool = False
    speaker: str = ""
    """The generation prompt of a group chat, such as `Roland:`."""

    @classmethod
    def of(cls, node: JsonObject, endpoint: JsonObject, user: JsonObject, generation_prompt: str = "") -> CleaningRules:
        """The rules one call has."""
        thinks = bool(endpoint.get("removeThinking") and endpoint.get("startThinkTag") and endpoint.get("endThinkTag"))
        return cls(
            start_tag=str(endpoint["startThinkTag"]).lower() if thinks else "",
            end_tag=str(endpoint["endThinkTag"]).lower() if thinks else "",
            grace_characters=int(endpoint.get("openingTagGracePeriod", 100)),
            only_closing_tag=bool(endpoint.get("expectOnlyClosingThinkTag")),
            prefix_groups=_prefix_groups(node, endpoint, user),
            trims_ends=bool(endpoint.get("trimBeginningAndEndLineBreaks")),
            speaker=generation_prompt,
        )

    @property
    def hold_characters(self) -> int:
        """How much of a streamed start is held back at most."""
        if not self.prefix_groups and not self.trims_ends:
            return 0
        return _HOLD_BOTH if len(self.prefix_groups) > 1 else _HOLD_ONE


def find_generation_prompt(last_content: str) -> str:
    """The speaker's name a group chat ends with, such as `Roland:`; empty when there is none."""
    text = last_content.strip()
    return text if len(text) < _MAX_GENERATION_PROMPT and text.endswith(":") else ""


def clean_reply(text: str, rules: CleaningRules) -> str:
    """A whole reply, cleaned."""
    cleaned = _drop_prefixes(_drop_thinking(text, rules), rules)
    if rules.trims_ends:
        cleaned = cleaned.strip()
    if rules.speaker and not _first_word(cleaned).endswith(":"):
        return f"{rules.speaker} {cleaned}"
    return cleaned


class StreamCleaner:
    """Cleans a reply that arrives in pieces, holding back only what may still have to go."""

    def __init__(self, rules: CleaningRules) -> None:
        self._rules = rules
        self._thinking = "" if rules.end_tag else None
        self._start: str | None = "" if rules.hold_characters else None
        self._speaker: str | None = "" if rules.speaker else None

    def feed(self, piece: str) -> str:
        """What can be given out now."""
        return self._through_speaker(self._through_start(self._through_thinking(piece)))

    def finish(self) -> str:
        """What was still held back at the end."""
        held, self._thinking = self._thinking or "", None
        text = self._through_start(held)
        if self._start is not None:
            text, self._start = text + _drop_prefixes(self._start, self._rules), None
        text = self._through_speaker(text)
        if self._speaker is not None:
            text, self._speaker = text + self._with_speaker(self._speaker), None
        return text

    def _through_thinking(self, piece: str) -> str:
        if self._thinking is None:
            return piece
        self._thinking += piece
        if _may_still_think(self._thinking, self._rules):
            return ""
        text, self._thinking = _drop_thinking(self._thinking, self._rules), None
        return text

    def _through_start(self, piece: str) -> str:
        if self._start is None:
            return piece
        self._start += piece
        if len(self._start) < self._rules.hold_characters and _may_still_match(self._start, self._rules):
            return ""
        text, self._start = _drop_prefixes(self._start, self._rules), None
        return text

    def _through_speaker(self, piece: str) -> str:
        if self._speaker is None:
            return piece
        self._speaker += piece
        if " " not in self._speaker.strip() and len(self._speaker) < _HOLD_ONE:
            return ""
        if self._rules.speaker.startswith(self._speaker):
            return ""
        text, self._speaker = self._with_speaker(self._speaker), None
        return text

    def _with_speaker(self, text: str) -> str:
        is_named = text.startswith(self._rules.speaker) or _first_word(text).endswith(":")
        return text if is_named else f"{self._rules.speaker} {text}"


def _drop_thinking(text: str, rules: CleaningRules) -> str:
    if not rules.end_tag:
        return text
    lowered = text.lower()
    if rules.only_closing_tag:
        end = lowered.find(rules.end_tag)
        return text if end < 0 else text[end + len(rules.end_tag) :]
    start = lowered.find(rules.start_tag)
    if start < 0 or start > rules.grace_characters:
        return text
    end = lowered.find(rules.end_tag, start + len(rules.start_tag))
    return text if end < 0 else text[:start] + text[end + len(rules.end_tag) :]


def _may_still_think(text: str, rules: CleaningRules) -> bool:
    lowered = text.lower()
    if rules.only_closing_tag:
        return rules.end_tag not in lowered
    start = lowered.find(rules.start_tag)
    if 0 <= start <= rules.grace_characters:
        return lowered.find(rules.end_tag, start + len(rules.start_tag)) < 0
    return len(text) < rules.grace_characters + len(rules.start_tag)


def _drop_prefixes(text: str, rules: CleaningRules) -> str:
    text = text.lstrip()
    for group in rules.prefix_groups:
        prefix = next((prefix for prefix in group if text.startswith(prefix)), None)
        if prefix is not None:
            text = text[len(prefix) :].lstrip()
    return text


def _may_still_match(text: str, rules: CleaningRules) -> bool:
    """Whether more text could complete a prefix; after any match the following groups may begin anew."""
    rest = text.lstrip()
    if not rest:
        return True
    prefixes = [prefix for group in rules.prefix_groups for prefix in group]
    return any(prefix.startswith(rest) or rest.startswith(prefix) for prefix in prefixes)


def _prefix_groups(node: JsonObject, endpoint: JsonObject, user: JsonObject) -> tuple[tuple[str, ...], ...]:
    groups: list[tuple[str, ...]] = []
    if node.get("removeCustomTextFromResponseStart"):
        groups.append(_texts(node.get("responseStartTextToRemove")))
    if endpoint.get("removeCustomTextFromResponseStartEndpointWide"):
        wide = _texts(endpoint.get("responseStartTextToRemoveEndpointWide"))
        groups.append(tuple(text.strip() for text in wide if text.strip()))
    if node.get("addDiscussionIdTimestampsForLLM"):
        groups.append((_JUST_NOW,))
    if user.get("chatCompleteAddUserAssistant") and user.get("chatCompletionAddMissingAssistantGenerator"):
        groups.append((_ASSISTANT,))
    return tuple(group for group in groups if group)


def _texts(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,) if value else ()
    return tuple(item for item in value if isinstance(item, str) and item) if isinstance(value, list) else ()


def _first_word(text: str) -> str:
    words = text.split(maxsplit=1)
    return words[0] if words else ""
