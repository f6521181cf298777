"""The knowledge family."""

from __future__ import annotations

from workflows_app.engine.node import NodeHandler
from workflows_app.nodes.knowledge import researcher, wiki

HANDLERS: dict[str, NodeHandler] = {
    **{name: wiki.build_handler(kind) for name, kind in wiki.KINDS.items()},
    "OfflineResearcherApiQuickSearch": researcher.build_handler(is_deep=False),
    "OfflineResearcherApiDeepResearch": researcher.build_handler(is_deep=True),
}
