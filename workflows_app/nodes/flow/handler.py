"""The flow family."""

from __future__ import annotations

from workflows_app.engine.node import NodeHandler
from workflows_app.nodes.flow.children import conditional_custom_workflow, custom_workflow
from workflows_app.nodes.flow.chunks import conversation_chunk_processor
from workflows_app.nodes.flow.locks import workflow_lock

HANDLERS: dict[str, NodeHandler] = {
    "CustomWorkflow": custom_workflow,
    "ConditionalCustomWorkflow": conditional_custom_workflow,
    "ConversationChunkProcessor": conversation_chunk_processor,
    "WorkflowLock": workflow_lock,
}
