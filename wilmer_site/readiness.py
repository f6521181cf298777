"""Settings that only show to be wrong when they are used: asked before the console serves."""

from __future__ import annotations

from django.conf import settings
from django.core.management import call_command
from django.db.utils import OperationalError

from memory.stores.user_settings import list_user_names
from wilmer_site.lib.env import SettingError, reason_of


def check_user() -> None:
    """Raise SettingError when WILMER_USER is set and has no file in Configs/Users."""
    names = list_user_names(settings.WILMER_CONFIG_DIR)
    if settings.WILMER_USER and settings.WILMER_USER not in names:
        raise SettingError(
            f"WILMER_USER must name a file of {settings.WILMER_CONFIG_DIR / 'Users'}; "
            f"{settings.WILMER_USER!r} has none, but there are: {', '.join(names) or 'none at all'}."
        )


def migrate_database() -> None:
    """Bring the console's own database up to date. Raises SettingError when it does not answer."""
    try:
        call_command("migrate", interactive=False, verbosity=0)
    except OperationalError as error:
        raise SettingError(f"DATABASE_URL must name a database that can be used; {reason_of(error)}") from None
