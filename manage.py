#!/usr/bin/env python3
"""Django's command line, with settings of this project."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run one management command; a setting that cannot be used ends it with one sentence and status 2."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "wilmer_site.settings")
    from django.core.management import execute_from_command_line

    from wilmer_site.lib.env import SettingError

    try:
        execute_from_command_line(sys.argv)
    except SettingError as error:
        sys.stderr.write(f"{error}\n")
        sys.exit(2)


if __name__ == "__main__":
    main()
