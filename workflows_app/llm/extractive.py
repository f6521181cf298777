"""Answers without a model: sentences picked from the prompt, as text, as a list of memories, or added to a document.

It understands no instructions. It only looks whether JSON is wanted and which parts of the prompt are material.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memory.engine.tokens import estimate_tokens
from workflows_app.llm.salience import find_names, find_phrases, score_relevance, score_sentences, split_sentences

_SECTION = re.compile(r"<(?P<name>[A-Za-z][\w-]*)>\s*\n?(?P<inside>.*?)\n?\s*</(?P=name)>", re.DOTALL)
_JSON = re.compile(r"\bJSON\b")
_ORDER = re.compile(
    r"^\s*(?:answer|write|give|list|return|respond|reply|use|keep|summari[sz]e|extract|describe|you |do not|don't|if "
    r"nothing)\b",
    re.IGNORECASE,
)
_DOCUMENT = "document"
"""How the name of the section ends that is added to."""
_CONTEXT_SECTIONS = frozenset({"conversation", "context", "example", "examples"})
MAX_MEMORIES = 8
_DEFAULT_TOKENS = 400
_SHARE_OF_TEXT = 0.5
"""At most this part of the sentences is kept, so that even a short text becomes shorter."""
_FEWEST = 3
_TITLE_WORDS = 8
_WEIGHT_OF_QUESTION = 6.0


@dataclass(frozen=True, slots=True)
class Material:
    """What a prompt gives to work with."""

    sections: dict[str, str]
    """By the name of the tag around it; untagged material has an empty name."""
    wants_json: bool
    question: str = ""

    @property
    def text(self) -> str:
        """All material but what is only there for orientation, unless there is nothing else."""
        main = [text for name, text in self.sections.items() if name not in _CONTEXT_SECTIONS]
        return "\n".join(main) if any(text.strip() for text in main) else "\n".join(self.sections.values())


def read_material(system: str, prompt: str) -> Material:
    """Tells material from orders: tagged sections if there are any, else paragraphs that give no order."""
    wants_json = bool(_JSON.search(system) or _JSON.search(_SECTION.sub("", prompt)))
    sections = _read_sections(prompt)
    if sections:
        return Material(sections, wants_json)
    background = _read_sections(system)
    if background:
        return Material(background, wants_json, question=prompt)
    paragraphs = [part for part in re.split(r"\n\s*\n", prompt) if part.strip()]
    kept = [part for part in paragraphs if not _is_order(part)] or paragraphs
    return Material({"": "\n".join(kept)}, wants_json)


def answer(material: Material, max_tokens: int | None = None) -> str:
    """The picked sentences in the form that the prompt seems to want; never anything that was not in it."""
    limit = max_tokens or _DEFAULT_TOKENS
    if material.wants_json:
        return json.dumps(_build_memories(material, limit), ensure_ascii=False)
    document = next((name for name in material.sections if name.endswith(_DOCUMENT)), None)
    if document is not None:
        return _extend_document(material, document)
    return "\n".join(pick_sentences(material.text, limit, material.question))


def pick_sentences(text: str, max_tokens: int, question: str = "") -> list[str]:
    """The sentences that matter most, in their order, within a number of tokens."""
    sentences = split_sentences(text)
    scores = score_sentences(sentences)
    if question:
        relevance = score_relevance(sentences, question)
        scores = [score + _WEIGHT_OF_QUESTION * near for score, near in zip(scores, relevance, strict=True)]
    most = max(_FEWEST, round(len(sentences) * _SHARE_OF_TEXT))
    best = sorted(range(len(sentences)), key=lambda at: (-scores[at], at))[:most]
    return [sentences[at] for at in sorted(_fitting(best, max_tokens, lambda at: sentences[at]))]


def _fitting(order: Sequence[int], max_tokens: int, text_of: Callable[[int], str]) -> list[int]:
    chosen: list[int] = []
    left = max_tokens
    for at in order:
        left -= estimate_tokens(text_of(at)) + 1
        if left < 0 and chosen:
            break
        chosen.append(at)
    return chosen


def _build_memories(material: Material, max_tokens: int) -> list[dict[str, object]]:
    chosen = pick_sentences(material.text, max_tokens // 3, material.question)
    scores = score_sentences(chosen)
    best = sorted(range(len(chosen)), key=lambda at: (-scores[at], at))[:MAX_MEMORIES]
    topics = find_phrases(material.text, 3)
    return [_build_memory(chosen[at], topics) for at in sorted(best) if scores[at] > 0]


def _build_memory(sentence: str, topics: Sequence[str]) -> dict[str, object]:
    words = sentence.split()
    title = " ".join(words[:_TITLE_WORDS]).rstrip(".,;:!?") + ("…" if len(words) > _TITLE_WORDS else "")
    phrases = find_phrases(sentence, 5)
    return {
        "title": title,
        "summary": sentence,
        "entities": find_names(sentence),
        "key_phrases": phrases or [title],
        "topics": [topic for topic in topics if any(word in sentence.lower() for word in topic.split())] or phrases[:1],
    }


def _extend_document(material: Material, section: str) -> str:
    """The document as it stands, with the facts it does not have yet as list items at its end."""
    document = material.sections[section].strip()
    facts = "\n".join(text for name, text in material.sections.items() if name != section)
    known = document.lower()
    new = [f"- {fact}" for fact in split_sentences(facts) if fact.lower() not in known]
    return "\n".join([document or "# Facts", *new])


def _read_sections(text: str) -> dict[str, str]:
    sections: dict[str, str] = {}
    for match in _SECTION.finditer(text):
        name = match["name"].lower()
        sections[name] = f"{sections[name]}\n{match['inside']}" if name in sections else match["inside"]
    return sections


def _is_order(paragraph: str) -> bool:
    """Whether a paragraph tells what to do, or is only the heading of what follows."""
    text = paragraph.strip()
    return bool(_ORDER.match(text) or _JSON.search(text) or (text.endswith(":") and "\n" not in text))
