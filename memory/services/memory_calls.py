"""The calls that make memories: the same for runs of the writer and for making anew (memory.md §11, §12, §17, §18)."""

from __future__ import annotations

from collections.abc import Sequence

from memory.engine.braces import to_plain_braces
from memory.engine.memory_settings import MemorySettings
from memory.engine.model_calls import Call, ModelCall, Purpose, ResolveVariables, WorkflowCall
from memory.engine.prompts import VECTOR_PROMPT, VECTOR_SYSTEM_PROMPT, build_memory_values, build_prompt
from memory.engine.state_document_guard import build_state_inputs
from memory.engine.summary_plan import SummaryNode, build_summary_values
from memory.services.workshop import Workshop
from memory.types import Entry


def build_file_call(workshop: Workshop, chunk: str, memories: Sequence[str], summary: str) -> Call:
    """The call for one chunk of the file path; `memories` are those before it, `summary` is empty without one."""
    settings, resolve = workshop.settings, workshop.resolve
    values = build_memory_values(to_plain_braces(chunk), memories, summary)
    workflow = settings.text("fileMemoryWorkflowName")
    if workflow:
        return WorkflowCall(workflow, tuple(values.values()), Purpose.FILE_MEMORY)
    return ModelCall(
        settings.file_target,
        build_prompt(settings.text("systemPrompt"), values, resolve),
        build_prompt(settings.text("prompt"), values, resolve),
        Purpose.FILE_MEMORY,
    )


def build_vector_call(workshop: Workshop, chunk: str) -> Call:
    """The call for one chunk of the vector path."""
    settings, resolve = workshop.settings, workshop.resolve
    text = to_plain_braces(chunk)
    workflow = settings.text("vectorMemoryWorkflowName")
    if workflow:
        return WorkflowCall(workflow, (text,), Purpose.VECTOR_MEMORY)
    values = {"[TextChunk]": text}
    return ModelCall(
        settings.vector_target,
        build_prompt(settings.text("vectorMemorySystemPrompt") or VECTOR_SYSTEM_PROMPT, values, resolve),
        build_prompt(settings.text("vectorMemoryPrompt") or VECTOR_PROMPT, values, resolve),
        Purpose.VECTOR_MEMORY,
    )


def build_state_call(settings: MemorySettings, new_texts: Sequence[str], document: str) -> WorkflowCall:
    """The call that merges new memories into the state document."""
    workflow = settings.text("stateDocumentWorkflowName")
    return WorkflowCall(workflow, build_state_inputs(new_texts, document), Purpose.STATE_DOCUMENT)


def build_summary_call(node: SummaryNode, current: str, batch: Sequence[Entry], resolve: ResolveVariables) -> ModelCall:
    """The call that feeds one batch of memories into the rolling summary."""
    values = build_summary_values(current, batch)
    return ModelCall(
        node.target,
        build_prompt(node.system_prompt, values, resolve),
        build_prompt(node.prompt, values, resolve),
        Purpose.SUMMARY,
    )
