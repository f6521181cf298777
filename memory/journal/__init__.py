"""What was written to a discussion, and what it replaced: a revision for every write, noted before it is made.

WilmerAI's own writes are noticed when ours meets them: a file that is not what we left behind was written by
another program, and both contents are kept.
"""

from __future__ import annotations
