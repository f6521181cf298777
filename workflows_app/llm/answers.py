"""From a model's reply to a node's output (workflows.md §4, §9)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from workflows_app.engine.conversation import text_of
from workflows_app.engine.events import AnswerReworded
from workflows_app.engine.node import NodeContext, NodeHandler, Steps
from workflows_app.llm.calling import check_connection
from workflows_app.llm.cleaning import CleaningRules, clean_reply, find_generation_prompt
from workflows_app.llm.client import Reply
from workflows_app.llm.tool_calls import lower_names


def read_rules(context: NodeContext) -> CleaningRules:
    """What is taken off this node's replies, and which speaker is put in front."""
    speaker = ""
    if context.node.get("useGroupChatTimestampLogic") and context.is_responder and context.conversation:
        speaker = find_generation_prompt(text_of(context.conversation[-1]))
    return CleaningRules.of(context.node, context.target.endpoint, context.run.configs.user, speaker)


def as_output(reply: Reply, context: NodeContext) -> Any:
    """A reply as a node output: its text, or an object when it called tools."""
    if not reply.tool_calls:
        return reply.text
    calls = reply.tool_calls
    if context.node.get("lowercaseToolCallFunctionNames") and context.is_responder:
        calls = lower_names(calls)
    return {"content": reply.text, "tool_calls": list(calls), "finish_reason": "tool_calls"}


def with_connection(handler: NodeHandler) -> NodeHandler:
    """The handler as WilmerAI runs it: an `endpointName` is always connected, and text of such a node is cleaned."""

    def run(context: NodeContext) -> Steps:
        if not context.target.name:
            output = yield from handler(context)
            return output
        check_connection(context.run, context.target, str(context.node.get("preset")))
        output = yield from handler(context)
        if context.is_streaming:
            return output
        output = yield from _cleaned(output, context)
        return output

    return run


def _cleaned(output: Any, context: NodeContext) -> Steps:
    rules = read_rules(context)
    plain = replace(rules, speaker="")
    if isinstance(output, dict) and isinstance(output.get("content"), str) and "tool_calls" in output:
        return {**output, "content": clean_reply(output["content"], plain)}
    if not isinstance(output, str):
        return output
    said = clean_reply(output, rules)
    commit_time(context, said)
    if rules.speaker:
        yield AnswerReworded(said)
    return clean_reply(output, plain)


def begin_time(context: NodeContext) -> None:
    """Remember when the answering node began, if it shows times (workflows.md §12.2)."""
    if context.run.times and context.is_responder and context.node.get("addDiscussionIdTimestampsForLLM"):
        context.run.times.begin_answer()


def commit_time(context: NodeContext, said: str) -> None:
    """In group chats the answer gets its time at once, else on the next turn."""
    wants = context.node.get("addDiscussionIdTimestampsForLLM") and context.node.get("useGroupChatTimestampLogic")
    if context.run.times and context.is_responder and wants:
        context.run.times.commit_answer(said)
