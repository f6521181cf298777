"""`Standard`, and every node whose type is missing or unknown (workflows.md §8)."""

from __future__ import annotations

from workflows_app.engine.events import AnswerFinished, ToolCallsStreamed
from workflows_app.engine.node import NodeContext, NodeHandler, Steps
from workflows_app.errors import NodeFailedError
from workflows_app.llm.answers import as_output, begin_time, commit_time, read_rules
from workflows_app.llm.calling import Question, ask_model, stream_model
from workflows_app.llm.client import Reply
from workflows_app.llm.composing import compose, read_words
from workflows_app.llm.tool_calls import build_liveness_call, lower_names


def standard(context: NodeContext) -> Steps:
    """The model's text, or an object with its tool calls."""
    if not context.target.name:
        raise NodeFailedError("The node has no `endpointName`, so there is no model to ask.")
    words = read_words(context)
    question = Question(
        target=context.target,
        preset=str(context.node.get("preset")),
        response_tokens=context.node.get("maxResponseSizeInTokens", 400),
        compose=lambda target: compose(context, words, target),
        path=context.path,
    )
    begin_time(context)
    if context.is_streaming:
        output = yield from _stream(context, question)
        return output
    reply = yield from ask_model(context.run, question)
    return as_output(reply, context)


def _stream(context: NodeContext, question: Question) -> Steps:
    steps = stream_model(context.run, question, read_rules(context))
    reply: Reply = yield from _with_lower_names(steps, context)
    commit_time(context, reply.text)
    call = None
    if not reply.tool_calls and (context.node.get("injectLivenessToolCall") or not reply.text.strip()):
        call = build_liveness_call(context.run.configs.user)
    if call:
        yield ToolCallsStreamed((call,))
    yield AnswerFinished("tool_calls" if call else reply.finish_reason)
    return reply.text


def _with_lower_names(steps: Steps, context: NodeContext) -> Steps:
    if not context.node.get("lowercaseToolCallFunctionNames"):
        reply = yield from steps
        return reply
    try:
        while True:
            event = next(steps)
            yield ToolCallsStreamed(lower_names(event.tool_calls)) if isinstance(event, ToolCallsStreamed) else event
    except StopIteration as stop:
        return stop.value
    finally:
        steps.close()


HANDLERS: dict[str, NodeHandler] = {"Standard": standard}
