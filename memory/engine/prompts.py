"""Data goes into prompts after variables were resolved, and in one pass (memory.md §11.2 with W17 and W18)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from memory.engine.model_calls import ResolveVariables

MEMORY_SEPARATOR = "\n--------------\n"
"""Between memories in prompts of file memories and condensation (14 hyphens)."""
SUMMARY_SEPARATOR = "\n------------\n"
"""Between memories in prompts of the rolling summary (12 hyphens)."""

NO_PRECEDING_MEMORIES = "No preceding memories to show"
NO_SUMMARY_YET = "There is not yet a summary file"
RECENT_MEMORY_COUNT = 3


def fill_template(template: str, values: Mapping[str, str]) -> str:
    """The template with every occurrence of every placeholder replaced; inserted text is never looked at again."""
    if not values:
        return template
    marks = sorted(values, key=len, reverse=True)
    pattern = re.compile("|".join(re.escape(mark) for mark in marks))
    return pattern.sub(lambda match: values[match.group()], template)


def build_prompt(template: str, values: Mapping[str, str], resolve: ResolveVariables) -> str:
    """A complete prompt: variables of the template first, then the data."""
    return fill_template(resolve(template), values)


def join_memories(texts: Sequence[str]) -> str:
    """Memory texts for a prompt, or the sentence that there are none; trimmed."""
    return (MEMORY_SEPARATOR.join(texts) or NO_PRECEDING_MEMORIES).strip()


def build_memory_values(chunk: str, memories: Sequence[str], summary: str) -> dict[str, str]:
    """The placeholders of a file memory prompt and what they stand for, in the order of the scoped inputs.

    `summary` is empty when there is none.
    """
    return {
        "[TextChunk]": chunk,
        "[Memory_file]": join_memories(memories[-RECENT_MEMORY_COUNT:]),
        "[Full_Memory_file]": join_memories(memories),
        "[Chat_Summary]": (summary or NO_SUMMARY_YET).strip(),
    }


VECTOR_SYSTEM_PROMPT = (
    "You keep the long-term memory of a conversation. You read one part of it and note each separate fact that is"
    " worth remembering later. You answer with JSON only, without any other words."
)
VECTOR_PROMPT = (
    "Part of the conversation:\n\n[TextChunk]\n\n"
    "Answer with one JSON list. Each element is an object about one fact and has exactly these four keys:\n"
    '"title": a short heading; "summary": one or two full sentences that can be understood alone, with names instead'
    ' of pronouns; "entities": a list of the people, places and things it is about; "key_phrases": a list of words'
    " somebody would search for.\n"
    "If nothing is worth remembering, answer with []."
)
"""Our own prompts for a direct call, since the reference's name no keys (W31)."""

CONDENSE_SYSTEM_PROMPT = (
    "You merge notes about one conversation. You add nothing, you leave out no name, fact, number or promise, and you"
    " keep the order of events."
)
CONDENSE_PROMPT = (
    "What happened before, only for understanding:\n\n[Memories_Before_Memories_to_Condense]\n\n"
    "Notes to merge:\n\n[MemoriesToCondense]\n\n"
    "Write one cohesive text that replaces these notes. Answer with that text only."
)
"""Built-in prompts of condensation, in our own words (memory.md §15)."""
