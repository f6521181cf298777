"""The project: settings, mounting, and the floor everyone stands on."""

from __future__ import annotations
