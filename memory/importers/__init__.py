"""Reads chats as other programs keep them: one module for each format, found by what is in the file.

Importers are given open files and yield events; they know no database and no page.
"""

from __future__ import annotations
