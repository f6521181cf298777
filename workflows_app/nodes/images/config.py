"""Settings of `ImageProcessor` (workflows.md §10.16)."""

from __future__ import annotations

from dataclasses import dataclass

from workflows_app.engine.node import NodeContext
from workflows_app.errors import NodeFailedError

IMAGE_BLOCK = "[IMAGE_BLOCK]"
DEFAULT_SCAN_LIMIT = 20
DEFAULT_MESSAGE = (
    "[SYSTEM: The user recently added one or more images to the conversation. The images have been analyzed by an "
    "advanced vision AI, which has described them in detail. The descriptions of the images can be found below:\n\n"
    "<vision_llm_response>\n[IMAGE_BLOCK]\n</vision_llm_response>]"
)
"""What WilmerAI inserts; a fact of its behaviour, since the inserted text is part of every later prompt."""


@dataclass(frozen=True, slots=True)
class ImageSettings:
    """One `ImageProcessor` node. `message` has `[IMAGE_BLOCK]` where the descriptions go."""

    inserts_message: bool
    message: str
    keeps_responses: bool
    scan_limit: int


def read_settings(context: NodeContext) -> ImageSettings:
    """Raises NodeFailedError without an endpoint."""
    if not context.target.name:
        raise NodeFailedError("The node has no `endpointName`, so there is no model to look at pictures.")
    node = context.node
    limit = node.get("visionScanMessageLimit", DEFAULT_SCAN_LIMIT)
    return ImageSettings(
        inserts_message=bool(node.get("addAsUserMessage")),
        message=context.text("message") if node.get("message") else DEFAULT_MESSAGE,
        keeps_responses=bool(node.get("saveVisionResponsesToDiscussionId")),
        scan_limit=limit if isinstance(limit, int) else DEFAULT_SCAN_LIMIT,
    )
