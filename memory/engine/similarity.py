"""Embedding vectors: their stored form, and how alike two of them are (memory.md §14.3, §16)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

_FLOAT32 = np.dtype("<f4")


def pack_vector(vector: Sequence[float]) -> bytes:
    """A vector as it is stored: float32 values, little-endian."""
    with np.errstate(over="ignore"):
        return np.asarray(vector, dtype=np.float64).astype(_FLOAT32).tobytes()


def unpack_vector(blob: bytes) -> list[float]:
    """The values of a stored vector. A blob whose length is no multiple of four gives an empty list."""
    return [] if len(blob) % _FLOAT32.itemsize else np.frombuffer(blob, dtype=_FLOAT32).astype(np.float64).tolist()


def cosine(first: Sequence[float], second: Sequence[float]) -> float:
    """From -1 to 1; 0 if a norm is zero or the dimensions differ."""
    left, right = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if left.shape != right.shape:
        return 0.0
    return float(_cosines(left, right.reshape(1, -1))[0])


def rank_vectors(query: Sequence[float], stored: Iterable[tuple[int, bytes]], *, limit: int) -> list[tuple[int, float]]:
    """Ids of stored vectors with their cosines, best first; equal values keep storage order.

    There is no minimum: unrelated vectors are returned too. A negative limit gives all.
    """
    rows = list(stored)
    wanted = np.asarray(query, dtype=np.float64)
    scores = np.zeros(len(rows))
    fitting = [place for place, (_, blob) in enumerate(rows) if len(blob) == wanted.size * _FLOAT32.itemsize]
    if fitting and wanted.size:
        joined = b"".join(rows[place][1] for place in fitting)
        matrix = np.frombuffer(joined, dtype=_FLOAT32).reshape(len(fitting), -1).astype(np.float64)
        scores[fitting] = _cosines(wanted, matrix)
    order = np.argsort(-scores, kind="stable")[: limit if limit >= 0 else None]
    return [(rows[place][0], float(scores[place])) for place in order]


def _cosines(query: npt.NDArray[np.float64], matrix: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        norms = np.sqrt((matrix * matrix).sum(axis=1)) * np.sqrt((query * query).sum())
        dots = (matrix * query).sum(axis=1)
        values = np.where(norms > 0, dots / norms, 0.0)
    return np.nan_to_num(values, nan=0.0)
