"""Finding the few vectors among many that can be the nearest, fast; who is nearest is decided in double precision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

_FLOAT32 = np.dtype("<f4")
_HALF_STEP = 2.0**-24
"""The largest relative error of rounding to float32."""

_SAFE_LENGTHS = (1e-12, 1e12)
"""Between these no square of a part that counts is lost in single precision."""

Block = Sequence[tuple[int, bytes]]
"""Ids with vectors as they are stored."""


@dataclass(frozen=True, slots=True)
class VectorMatrix:
    """Vectors of one dimension scaled to length 1, in storage order. A vector without a usable length is zero."""

    ids: npt.NDArray[np.int64]
    rows: npt.NDArray[np.float32]

    @property
    def size_bytes(self) -> int:
        """What it takes in memory."""
        return self.ids.nbytes + self.rows.nbytes

    def list_candidates(self, query: Sequence[float], limit: int) -> list[int] | None:
        """Ids in storage order among which the `limit` nearest are for certain; None when that tells nothing.

        That is so for another dimension, a query without a length, and a limit of all.
        """
        wanted = np.asarray(query, dtype=np.float64)
        with np.errstate(over="ignore"):
            length = float(np.sqrt((wanted * wanted).sum()))
        count = len(self.ids)
        if wanted.size != self.rows.shape[1] or not 0 < length < np.inf or not 0 < limit < count:
            return None
        scores = self.rows @ (wanted / length).astype(_FLOAT32)
        least = float(np.partition(scores, count - limit)[count - limit])
        # Each score is off by at most this (half of it for the length); so the cut may be off by as much, and a row
        # below it by as much again.
        error = (2 * wanted.size + 16) * _HALF_STEP
        return [int(found) for found in self.ids[scores >= least - 2 * error]]


def build_matrix(most: int, blocks: Iterable[Block], *, among: Iterable[int]) -> VectorMatrix | None:
    """The matrix of at most `most` stored vectors, those of other ids than `among` left out.

    None when there are no vectors, or their dimensions differ.
    """
    ids = np.zeros(most, dtype=np.int64)
    rows: npt.NDArray[np.float32] | None = None
    filled = 0
    for block in blocks:
        size = len(block[0][1])
        # Zeros take no memory before they are written, so room for vectors of other models costs nothing.
        rows = np.zeros((most, size // _FLOAT32.itemsize), dtype=_FLOAT32) if rows is None else rows
        end = filled + len(block)
        sizes = {len(blob) for _, blob in block}
        if sizes != {rows.shape[1] * _FLOAT32.itemsize} or not size or end > most:
            return None
        ids[filled:end] = [memory_id for memory_id, _ in block]
        joined = b"".join([blob for _, blob in block])
        _scale(np.frombuffer(joined, dtype=_FLOAT32).reshape(len(block), -1), rows[filled:end])
        filled = end
    return None if rows is None else _in_order(ids[:filled], rows[:filled], among)


def _in_order(ids: npt.NDArray[np.int64], rows: npt.NDArray[np.float32], among: Iterable[int]) -> VectorMatrix | None:
    kept = np.isin(ids, np.fromiter(among, dtype=np.int64))
    if not kept.all():
        ids, rows = ids[kept], rows[kept]
    if (ids[1:] < ids[:-1]).any():
        order = np.argsort(ids, kind="stable")
        ids, rows = ids[order], rows[order]
    return VectorMatrix(ids, rows) if len(ids) else None


def _scale(values: npt.NDArray[np.float32], into: npt.NDArray[np.float32]) -> None:
    """Vectors of length 1; lengths that single precision cannot hold are worked out in double precision."""
    with np.errstate(all="ignore"):
        lengths = np.sqrt(np.einsum("ij,ij->i", values, values))
        np.divide(values, lengths[:, None], out=into)
        for odd in np.flatnonzero(~((lengths > _SAFE_LENGTHS[0]) & (lengths < _SAFE_LENGTHS[1]))):
            precise = values[odd].astype(np.float64)
            length = np.sqrt((precise * precise).sum())
            into[odd] = precise / length if 0 < length < np.inf else 0.0
