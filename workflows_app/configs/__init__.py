"""What every kind of config file and every node type consists of: the one source for forms, checks and schemas."""

from __future__ import annotations
