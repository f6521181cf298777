"""`SlowButQualityRAG`: texts worked through as file memories are, without storing them (memory.md §11.3)."""

from __future__ import annotations

from collections.abc import Sequence

from memory.engine.keyword_search import CHUNK_BREAK
from memory.engine.memory_settings import Target
from memory.engine.model_calls import ModelCall, Purpose
from memory.engine.prompts import build_memory_values, build_prompt
from memory.queries.retrieval import DiscussionFiles
from workflows_app.engine.node import NodeContext, Steps
from workflows_app.llm.memory_model import MemoryModel
from workflows_app.nodes.memory.config import read_count
from workflows_app.nodes.memory.sessions import files_of, with_model

NO_TARGET = "No rag target specified in Slow But Quality RAG node"
NO_TYPE = "No rag type specified in Slow But Quality RAG node"


def slow_but_quality_rag(context: NodeContext) -> Steps:
    """What the model makes of each piece of `ragTarget`, one behind the other; a mistake is the result."""
    node = context.node
    if node.get("ragTarget") is None:
        return NO_TARGET
    if node.get("ragType") is None:
        return NO_TYPE
    files = files_of(context)
    pieces = context.text("ragTarget").split(CHUNK_BREAK)
    if files is None:
        return ""
    result = yield from with_model(context, lambda model: _work_through(context, files, model, pieces))
    return result


def _work_through(context: NodeContext, files: DiscussionFiles, model: MemoryModel, pieces: Sequence[str]) -> str:
    node = context.node
    size = read_count(context, "maxResponseSizeInTokens", 400)
    target = Target(str(node.get("endpointName") or ""), str(node.get("preset") or ""), size)
    memories = [entry.text for entry in files.read_memories().entries]
    summary = files.read_summary().entries
    texts: list[str] = []
    for piece in pieces:
        # Earlier results count as memories for the later pieces.
        values = build_memory_values(piece, [*memories, *texts], summary[0].text if summary else "")
        system = build_prompt(str(node.get("systemPrompt") or ""), values, context.resolve)
        prompt = build_prompt(str(node.get("prompt") or ""), values, context.resolve)
        texts.append(model.ask(ModelCall(target, system, prompt, Purpose.FILE_MEMORY)) or "")
    return "".join(texts)
