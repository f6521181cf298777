"""Which sentences of a text matter, by latent semantic analysis and by cues of what people want to remember. Pure.

This is arithmetic on words, not a language model: it never writes anything that was not in the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+(?=[^\s])|\n+|(?<=[。！？])")
_LABEL = re.compile(r"^(?:[-*•#>]+\s*|\d+[.)]\s+)*(?:(?:User|Assistant|System|Human|AI):\s*)?", re.IGNORECASE)
_WORD = re.compile(r"\d+(?:[.,:]\d+)+|[^\W_]+(?:['’-][^\W_]+)*")
_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][\w’'-]+(?:\s+[A-ZÀ-ÖØ-Þ][\w’'-]+)*")
_NUMBER = re.compile(r"\d")
_DATE = re.compile(
    r"\b(?:january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|"
    r"wednesday|thursday|friday|saturday|sunday|today|tomorrow|yesterday|tonight|week|month|year)s?\b",
    re.IGNORECASE,
)
_LIKING = re.compile(
    r"\b(?:like|love|hate|prefer|favou?rite|enjoy|allerg\w+|dislike|want|wish|always|never|afraid|can't stand)s?\b",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:decid\w+|agree\w*|plan\w*|will|going to|promis\w+|must|should|changed|instead|actually|moved|bought|"
    r"remember|no longer|correct\w*|called|named|is my|my name)\b",
    re.IGNORECASE,
)
_CUES = ((_NUMBER, 0.35), (_DATE, 0.2), (_LIKING, 0.3), (_DECISION, 0.3))
_QUESTION_COST, _SHORT_COST, _SMALL_TALK_COST = 0.9, 0.4, 0.5
_SHORT_WORDS = 4
_BLOCK = 300
_CONCEPTS = 5
_MAX_SENTENCE_CHARACTERS = 600

_STOP_TEXT = """
a about after all also am an and any are as at be because been before being but by can could did do does doing don't
down even for from get give go good got had has have having he her here him his how i i'd i'll i'm i've if in into is
isn't it it's its just know let like make me more most my never no not now of off oh ok okay on one only or other our
out over please really right said say see she should so some such sure take than thank thanks that that's the their
them then there these they thing things think this those time to too up us very want was we we're well were what when
where which while who why will with would yes yet you you're your yours assistant user hello hi
"""
STOP_WORDS = frozenset(_STOP_TEXT.split())
_SMALL_TEXT = "hello hi hey thanks thank great nice sure okay ok no bye lol haha welcome wow noted"
_SMALL_TALK = frozenset(_SMALL_TEXT.split())


def split_sentences(text: str) -> list[str]:
    """The sentences of a text without list marks and speakers' labels, each once, in order."""
    found: dict[str, None] = {}
    for piece in _SENTENCE_END.split(text):
        sentence = _LABEL.sub("", piece.strip()).strip()
        if _WORD.search(sentence):
            found.setdefault(sentence[:_MAX_SENTENCE_CHARACTERS])
    return list(found)


def score_sentences(sentences: Sequence[str]) -> list[float]:
    """How much each sentence matters; comparable within one text only."""
    scores: list[float] = []
    for start in range(0, len(sentences), _BLOCK):
        block = sentences[start : start + _BLOCK]
        central = _centrality(block)
        scores += [float(value) + _cue_score(sentence) for value, sentence in zip(central, block, strict=True)]
    return scores


def score_relevance(sentences: Sequence[str], question: str) -> list[float]:
    """How much each sentence has to do with a question; 0 for no word in common."""
    asked = set(content_words(question))
    shared = [len(asked & set(content_words(sentence))) for sentence in sentences]
    return [count / (1 + len(asked)) for count in shared]


def content_words(text: str) -> list[str]:
    """The words that carry meaning, in lower case."""
    return [word for word in (found.lower() for found in _WORD.findall(text)) if _carries_meaning(word)]


def find_names(text: str) -> list[str]:
    """Names of people, places and things, as far as capital letters show them."""
    names: dict[str, None] = {}
    for match in _NAME.finditer(text):
        words = match.group().split()
        while words and _bare(words[0]) in STOP_WORDS:
            words = words[1:]
        is_opening = match.start() == 0 and len(words) == 1
        if words and _DATE.fullmatch(" ".join(words)):
            continue
        if words and not (is_opening and text.count(words[0]) == 1 and len(words[0]) < 4):
            names.setdefault(" ".join(words))
    return list(names)


def find_phrases(text: str, count: int) -> list[str]:
    """The phrases somebody might search for, the most telling first."""
    runs = [run for run in _runs_of_content(text) if run]
    weights = Counter(word for run in runs for word in run)
    scored: dict[str, float] = {}
    for run in runs:
        for size in (3, 2, 1):
            for start in range(len(run) - size + 1):
                words = run[start : start + size]
                phrase = " ".join(words)
                scored[phrase] = sum(weights[word] + len(word) / 10 for word in words) / size**0.4
    chosen: list[str] = []
    for phrase in sorted(scored, key=lambda item: -scored[item]):
        if not any(phrase in other or other in phrase for other in chosen):
            chosen.append(phrase)
        if len(chosen) == count:
            break
    return chosen


def _bare(word: str) -> str:
    """A word without what an apostrophe adds to it."""
    return re.split(r"['’]", word.lower())[0]


def _runs_of_content(text: str) -> list[list[str]]:
    runs: list[list[str]] = [[]]
    position = 0
    for match in _WORD.finditer(text):
        word = match.group().lower()
        is_apart = bool(text[position : match.start()].strip())
        position = match.end()
        if is_apart or not _carries_meaning(word):
            runs.append([])
        if _carries_meaning(word):
            runs[-1].append(word)
    return runs


def _carries_meaning(word: str) -> bool:
    return _bare(word) not in STOP_WORDS and (len(word) > 2 or word.isdigit() or not word.isascii())


def _cue_score(sentence: str) -> float:
    score = sum(weight for pattern, weight in _CUES if pattern.search(sentence))
    score += 0.25 if find_names(sentence[1:]) else 0.0
    words = content_words(sentence)
    if sentence.rstrip("\"') ").endswith("?"):
        score -= _QUESTION_COST
    if len(words) < _SHORT_WORDS:
        score -= _SHORT_COST
    if any(word.lower() in _SMALL_TALK for word in _WORD.findall(sentence)[:1]):
        score -= _SMALL_TALK_COST
    return score


def _centrality(sentences: Sequence[str]) -> NDArray[np.float64]:
    """How strongly each sentence speaks of the main concepts, 0 to 1."""
    bags = [Counter(content_words(sentence)) for sentence in sentences]
    terms = {term: at for at, term in enumerate(sorted({term for bag in bags for term in bag}))}
    if not terms:
        return np.zeros(len(sentences))
    matrix = np.zeros((len(terms), len(sentences)))
    for column, bag in enumerate(bags):
        for term, count in bag.items():
            matrix[terms[term], column] = 1 + np.log(count)
    spread = np.count_nonzero(matrix, axis=1, keepdims=True)
    matrix *= np.log(1 + len(sentences) / spread)
    lengths = np.sqrt(np.maximum(1.0, np.count_nonzero(matrix, axis=0)))
    _, strengths, concepts = np.linalg.svd(matrix / lengths, full_matrices=False)
    weighted = (strengths[:_CONCEPTS, None] * concepts[:_CONCEPTS]) ** 2
    central = np.sqrt(weighted.sum(axis=0))
    top = float(central.max())
    result: NDArray[np.float64] = central / top if top > 0 else central
    return result
