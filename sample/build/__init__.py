"""Builds the sample workspace: `python -m sample.build` turns sample/sources into everything else."""

from __future__ import annotations
