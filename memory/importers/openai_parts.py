"""One message as chat programs send it to a model: `{role, content}` with text or parts (transcripts.md §3)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from memory.engine.transcripts import Said

MAX_ROLE_CHARACTERS = 32


def parse_message(raw: Mapping[str, Any], sent_at: datetime | None = None) -> Said | None:
    """What was said; text parts are joined by line feeds, pictures set apart. None for what is no message."""
    role = raw.get("role")
    if not isinstance(role, str) or not role:
        return None
    name = raw.get("name")
    text, images = parse_content(raw.get("content"))
    extra = raw.get("images")
    more = tuple(str(image) for image in extra) if isinstance(extra, list) else ()
    return Said(role, text, name if isinstance(name, str) else "", images + more, sent_at)


def parse_content(content: Any) -> tuple[str, tuple[str, ...]]:
    """The text and the pictures of a content; null is empty, parts of other kinds are dropped, as WilmerAI does."""
    if isinstance(content, str):
        return content, ()
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    texts = [str(part.get("text") or "") for part in parts if part.get("type") == "text"]
    images = [image for part in parts if (image := _image_of(part))]
    return "\n".join(texts), tuple(images)


def _image_of(part: Mapping[str, Any]) -> str:
    if part.get("type") == "image_url":
        address = part.get("image_url")
        return str(address.get("url") or "") if isinstance(address, dict) else str(address or "")
    source = part.get("source")
    if part.get("type") == "image" and isinstance(source, dict) and source.get("data"):
        return f"data:{source.get('media_type', 'image/png')};base64,{source['data']}"
    return ""
