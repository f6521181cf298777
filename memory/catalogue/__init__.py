"""The list of all discussions, kept in the console's own database so that no page has to open ten thousand files.

A copy of what the public folder says: refreshing it changes no discussion, and it may be deleted at any time.
"""

from __future__ import annotations
