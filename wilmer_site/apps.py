"""The project as an app, so that its commands and checks are found."""

from __future__ import annotations

from django.apps import AppConfig


class WilmerSiteConfig(AppConfig):
    """Mounting, sign-in and the commands that start everything."""

    name = "wilmer_site"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the start-up checks; unlocked keys end with the session id they were unlocked under."""
        from django.contrib.auth.signals import user_logged_in, user_logged_out

        from wilmer_site import checks  # noqa: F401
        from wilmer_site.keyring import on_sign_in, on_sign_out

        user_logged_in.connect(on_sign_in)
        user_logged_out.connect(on_sign_out)
