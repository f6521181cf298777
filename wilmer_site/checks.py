"""What is checked before the console starts, beyond what reading the settings already refuses."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core import checks


@checks.register()
def check_public_folder(**_: Any) -> list[checks.CheckMessage]:
    """A public folder without discussions and configs is probably the wrong one."""
    known = [settings.WILMER_DISCUSSIONS_DIR, settings.WILMER_CONFIG_DIR]
    # The sample is copied by quickstart, which runs these checks first.
    if settings.WILMER_IS_SAMPLE or any(folder.is_dir() for folder in known):
        return []
    return [
        checks.Warning(
            f"{settings.WILMER_PUBLIC_DIR} has neither DiscussionIds nor Configs.",
            hint="Point WILMER_PUBLIC_DIR at WilmerAI's Public folder.",
            id="wilmer.W001",
        )
    ]
