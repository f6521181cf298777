"""`ImageProcessor` (workflows.md §10.16)."""

from __future__ import annotations

from collections.abc import Iterable

from memory.engine.hashing import hash_message_with_images
from memory.queries.retrieval import OpenDiscussion
from memory.services.vision import find_vision_responses, save_vision_response
from workflows_app.engine.message_times import as_memory_message
from workflows_app.engine.node import NodeContext, NodeHandler, Steps
from workflows_app.llm.answers import read_rules
from workflows_app.llm.calling import Question, ask_model
from workflows_app.llm.cleaning import clean_reply
from workflows_app.llm.composing import Words, compose
from workflows_app.nodes.images.config import IMAGE_BLOCK, ImageSettings, read_settings
from workflows_app.types import ChatMessage

SEPARATOR = "\n-------------\n"
NO_IMAGES = "There were no images attached to the message"
_GIVEN_MESSAGES = 10
"""In stored mode without inserting, descriptions of pictures in older messages are not given."""


def image_processor(context: NodeContext) -> Steps:
    """The descriptions of the pictures; with `addAsUserMessage` they also stay in the conversation."""
    settings = read_settings(context)
    if settings.keeps_responses and context.run.discussion_id:
        result = yield from _describe_stored(context, settings)
    else:
        result = yield from _describe_all(context, settings)
    return result


def _describe_all(context: NodeContext, settings: ImageSettings) -> Steps:
    images = [image for message in context.conversation for image in message.get("images") or ()]
    if not images:
        return NO_IMAGES
    text = yield from _describe(context, images)
    if settings.inserts_message:
        conversation = context.conversation
        position = len(conversation) - 1 if len(conversation) > 1 else len(conversation)
        conversation.insert(position, _build_message(settings, text))
    return text


def _describe_stored(context: NodeContext, settings: ImageSettings) -> Steps:
    """Every picture is described once for its discussion; the same text and pictures are not asked about again."""
    files = context.run.facility(OpenDiscussion).files
    known = dict(find_vision_responses(files))
    described: list[tuple[ChatMessage, str]] = []
    for message in _newest(context.conversation, settings.scan_limit):
        if not message.get("images"):
            continue
        key = hash_message_with_images(as_memory_message(message))
        if key not in known:
            known[key] = yield from _describe(context, message["images"])
            save_vision_response(files, key, known[key])
        described.append((message, known[key]))
    if settings.inserts_message:
        _insert_behind(context.conversation, described, settings)
    else:
        given = {id(message) for message in _newest(context.conversation, _GIVEN_MESSAGES)}
        described = [pair for pair in described if id(pair[0]) in given]
    return SEPARATOR.join(text for _, text in described) or NO_IMAGES


def _describe(context: NodeContext, images: Iterable[str]) -> Steps:
    """One call a picture."""
    system, prompt = context.text("systemPrompt"), context.text("prompt")
    texts: list[str] = []
    for image in images:
        question = _build_question(context, Words(system, prompt, images=(image,)))
        reply = yield from ask_model(context.run, question)
        texts.append(clean_reply(reply.text, read_rules(context)))
    return SEPARATOR.join(texts)


def _build_question(context: NodeContext, words: Words) -> Question:
    return Question(
        target=context.target,
        preset=str(context.node.get("preset")),
        response_tokens=context.node.get("maxResponseSizeInTokens", 400),
        compose=lambda target: compose(context, words, target),
        path=context.path,
    )


def _insert_behind(
    conversation: list[ChatMessage], described: list[tuple[ChatMessage, str]], settings: ImageSettings
) -> None:
    for message, text in described:
        position = next(at for at, one in enumerate(conversation) if one is message)
        conversation.insert(position + 1, _build_message(settings, text))


def _build_message(settings: ImageSettings, text: str) -> ChatMessage:
    return {"role": "user", "content": settings.message.replace(IMAGE_BLOCK, text)}


def _newest(messages: list[ChatMessage], count: int) -> list[ChatMessage]:
    return messages[-count:] if count > 0 else []


HANDLERS: dict[str, NodeHandler] = {"ImageProcessor": image_processor}
