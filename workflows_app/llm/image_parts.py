"""Pictures in the forms that servers want (workflows.md §8.5). Unreadable ones are left out."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Sequence
from typing import Any

from workflows_app.types import ChatMessage

_DATA_URL = re.compile(r"data:(?P<type>image/[\w.+-]+);base64,(?P<data>.+)", re.DOTALL)
_SIGNATURES = ((b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"))


def as_open_ai(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Text part first, then one `image_url` part a picture."""
    return [_with_parts(message, _open_ai_parts, pictures_first=False) for message in messages]


def as_claude(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """One `image` part a picture, then the text part."""
    return [_with_parts(message, _claude_parts, pictures_first=True) for message in messages]


def as_ollama(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Pictures as a list of bare base64 texts beside the content."""
    return [_with_list(message) for message in messages]


def bare_base64(images: Iterable[str]) -> list[str]:
    """The base64 data of each readable picture, without the data URL in front."""
    return [data for data in (_data_of(image) for image in images) if data]


def list_forms(image: str) -> list[str]:
    """The texts that stand for a picture in requests: itself, a data URL and bare base64."""
    return [form for form in dict.fromkeys((image, _url_of(image), _data_of(image))) if form]


def _with_list(message: ChatMessage) -> ChatMessage:
    plain = {key: value for key, value in message.items() if key != "images"}
    images = bare_base64(message.get("images") or [])
    return {**plain, "images": images} if images else plain


def _with_parts(message: ChatMessage, build: Any, *, pictures_first: bool) -> ChatMessage:
    plain = {key: value for key, value in message.items() if key != "images"}
    pictures = build(message.get("images") or [])
    if not pictures:
        return plain
    text = [{"type": "text", "text": message.get("content") or ""}]
    return {**plain, "content": pictures + text if pictures_first else text + pictures}


def _open_ai_parts(images: Sequence[str]) -> list[dict[str, Any]]:
    return [{"type": "image_url", "image_url": {"url": url}} for url in map(_url_of, images) if url]


def _claude_parts(images: Sequence[str]) -> list[dict[str, Any]]:
    return [part for part in map(_claude_part, images) if part]


def _claude_part(image: str) -> dict[str, Any] | None:
    if image.startswith(("http://", "https://")):
        return {"type": "image", "source": {"type": "url", "url": image}}
    url = _url_of(image)
    match = _DATA_URL.fullmatch(url) if url else None
    if match is None:
        return None
    source = {"type": "base64", "media_type": match["type"], "data": match["data"]}
    return {"type": "image", "source": source}


def _url_of(image: str) -> str | None:
    if image.startswith(("http://", "https://")) or _DATA_URL.fullmatch(image):
        return image
    media_type = _media_type(image)
    return f"data:{media_type};base64,{image}" if media_type else None


def _data_of(image: str) -> str | None:
    match = _DATA_URL.fullmatch(image)
    if match:
        return match["data"]
    return image if _media_type(image) else None


def _media_type(text: str) -> str | None:
    try:
        start = base64.b64decode(text[:64], validate=True)
    except (binascii.Error, ValueError):
        return None
    known = (media for signature, media in _SIGNATURES if start.startswith(signature))
    return next(known, "image/jpeg") if start else None
