"""The workflows app."""

from __future__ import annotations

from django.apps import AppConfig


class WorkflowsAppConfig(AppConfig):
    """Workflows and configs: keep, check, run, watch."""

    name = "workflows_app"
    default_auto_field = "django.db.models.BigAutoField"
