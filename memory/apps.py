"""The memory app."""

from __future__ import annotations

from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """Discussions and what is remembered of them."""

    name = "memory"
    default_auto_field = "django.db.models.BigAutoField"
