"""Buttons in messages."""

from __future__ import annotations

from django import template
from django.contrib.messages.storage.base import Message

from wilmer_site.lib.htmx import ToastAction, find_action

register = template.Library()


@register.filter
def toast_action(message: Message) -> ToastAction | None:
    """The button that a message carries; None for none."""
    return find_action(message)
