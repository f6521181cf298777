"""The project as an app, so that its commands and checks are found."""

from __future__ import annotations

from django.apps import AppConfig


class WilmerSiteConfig(AppConfig):
    """Mounting, sign-in and the commands that start everything."""

    name = "wilmer_site"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the start-up checks."""
        from wilmer_site import checks  # noqa: F401
