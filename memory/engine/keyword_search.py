"""Keyword search in text chunks, as the two keyword nodes do it (memory.md §21)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from memory.engine.chunking import list_recent_texts, remove_role_labels
from memory.engine.messages import SYSTEM_ROLE
from memory.types import Message

PROXIMITY_LIMIT = 5
MAX_EXCERPTS = 40
NODE_MAX_HITS = 10
CONVERSATION_CHUNK_SIZE = 400
SPEAKER_TURNS = 10
SKIPPED_MEMORIES = 3
CHUNK_BREAK = "--ChunkBreak--"
TOO_SHORT = "There are no memories. This conversation has not gone long enough for there to be memories."

_WORD = re.compile(r"\w+")
_SPEAKER = re.compile(r"(\w+):")
_KEYWORD_PART = re.compile(r"\w+:|[()]|\w+")


def list_tokens(text: str) -> list[str]:
    """Runs of word characters, as written; they are compared in lower case."""
    return _WORD.findall(text)


def list_speakers(text: str) -> list[str]:
    """Every word directly followed by a colon."""
    return _SPEAKER.findall(text)


def build_index(lines: Sequence[str]) -> dict[str, list[int]]:
    """Lower-case token → ascending line numbers, without tokens that are speakers of that line."""
    index: dict[str, list[int]] = defaultdict(list)
    for number, line in enumerate(lines):
        speakers = {speaker.lower() for speaker in list_speakers(line)}
        for token in dict.fromkeys(token.lower() for token in list_tokens(line)):
            if token not in speakers:
                index[token].append(number)
    return dict(index)


def score_lines(lines: Sequence[str], query: str) -> dict[int, int]:
    """Line number → number of occurrences of the query's tokens, for the lines that the index finds."""
    tokens = [token.lower() for token in list_tokens(query)]
    index = build_index(lines)
    found = sorted({number for token in tokens for number in index.get(token, ())})
    scores: dict[int, int] = {}
    for number in found:
        counts = Counter(token.lower() for token in list_tokens(lines[number]))
        score = sum(counts[token] for token in tokens)
        if score:
            scores[number] = score
    return scores


def add_proximity(lines: Sequence[str], query: str, scores: Mapping[int, int], limit: int) -> dict[int, int]:
    """The scores plus one for every pair of positions of two different query tokens at most `limit` apart."""
    tokens = list(dict.fromkeys(token.lower() for token in list_tokens(query)))
    if len(tokens) < 2 or limit <= 0:
        return dict(scores)
    return {number: score + _near_pairs(lines[number], tokens, limit) for number, score in scores.items()}


def search_basic(chunks: Sequence[str], query: str, max_hits: int = 0) -> list[str]:
    """The chunks that share a token with the query, in order; 0 = all."""
    index = build_index(chunks)
    wanted = {token.lower() for token in list_tokens(query)}
    numbers = sorted({number for token in wanted for number in index.get(token, ())})
    return [chunks[number] for number in (numbers[:max_hits] if max_hits > 0 else numbers)]


def search_advanced(
    chunks: Sequence[str], query: str, max_excerpts: int = MAX_EXCERPTS, proximity_limit: int = PROXIMITY_LIMIT
) -> list[str]:
    """The best chunks first, by occurrences and proximity; equal ones in their order."""
    scores = add_proximity(chunks, query, score_lines(chunks, query), proximity_limit)
    ranked = sorted(scores, key=lambda number: -scores[number])
    return [chunks[number] for number in ranked[:max_excerpts]]


def remove_speakers(keywords: str, messages: Sequence[Message], *, counts_system: bool = True) -> str:
    """The keywords without names of speakers of the last ten messages; all punctuation but brackets is lost.

    Leading system messages never count, other ones only for chat endpoints (`counts_system`).
    """
    speakers = {name.lower() for message in _turns(messages, counts_system) for name in list_speakers(message.text)}
    parts = [part for part in _KEYWORD_PART.findall(keywords) if part.lower() not in speakers and part[-1] != ":"]
    text = re.sub(r"\(\s+", "(", " ".join(parts))
    text = re.sub(r"\s+\)", ")", text)
    return re.sub(r"\s{2,}", " ", text.replace("()", "")).strip()


def search_conversation(
    messages: Sequence[Message], keywords: str, lookback: int = 0, *, counts_system: bool = True
) -> str:
    """What a keyword node finds in the current conversation; several chunks are joined by `--ChunkBreak--`."""
    if not messages:
        return ""
    if len(messages) <= lookback:
        return TOO_SHORT
    chunks = list_recent_texts(messages, lookback, CONVERSATION_CHUNK_SIZE)
    query = remove_speakers(keywords, messages, counts_system=counts_system)
    hits = remove_role_labels(search_advanced(chunks, query, NODE_MAX_HITS))
    return CHUNK_BREAK.join(hit for hit in hits if hit)


def search_memories(
    texts: Sequence[str], keywords: str, messages: Sequence[Message], *, counts_system: bool = True
) -> str:
    """What a keyword node finds in the memories, the newest three left out if there are more."""
    older = texts[:-SKIPPED_MEMORIES] if len(texts) > SKIPPED_MEMORIES else texts
    query = remove_speakers(keywords, messages, counts_system=counts_system)
    return "\n\n".join(remove_role_labels(search_basic(older, query, NODE_MAX_HITS)))


def _near_pairs(line: str, tokens: Iterable[str], limit: int) -> int:
    positions: dict[str, list[int]] = defaultdict(list)
    for position, token in enumerate(list_tokens(line)):
        positions[token.lower()].append(position)
    return sum(
        abs(first - second) <= limit
        for one, other in combinations(tokens, 2)
        for first in positions.get(one, ())
        for second in positions.get(other, ())
    )


def _turns(messages: Sequence[Message], counts_system: bool) -> Sequence[Message]:
    start = next((at for at, message in enumerate(messages) if message.role != SYSTEM_ROLE), len(messages))
    counted = [message for message in messages[start:] if counts_system or message.role != SYSTEM_ROLE]
    return counted[-SPEAKER_TURNS:]
