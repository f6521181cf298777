"""Make a link that signs somebody in once."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from wilmer_site.lib.clock import utc_now
from wilmer_site.sign_in_links import LINK_MINUTES, create_sign_in_link, ensure_first_user


class Command(BaseCommand):
    """`manage.py sign_in_link [name]` prints the link; whoever opens it within the hour is signed in."""

    help = "Print a link that signs a person in once. Without a name: the first administrator, made if need be."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", default="", help="the name people sign in with")
        parser.add_argument("--minutes", type=int, default=LINK_MINUTES, help="how long it stays good")

    def handle(self, *args: Any, **options: Any) -> None:
        user = _get_user(options["name"])
        self.stdout.write(link_address(create_sign_in_link(user, now=utc_now(), minutes=options["minutes"])))


def link_address(token: str) -> str:
    """The full address of a sign-in link on this machine."""
    host = "127.0.0.1" if settings.WILMER_HOST in {"0.0.0.0", "::", ""} else settings.WILMER_HOST
    host = f"[{host}]" if ":" in host else host
    return f"http://{host}:{settings.WILMER_PORT}{reverse('sign-in-link', args=[token])}"


def _get_user(name: str) -> User:
    if not name:
        return ensure_first_user()
    user = get_user_model().objects.filter(username=name, is_active=True).first()
    if user is None:
        raise CommandError(f"Nobody is called {name!r}. Make the person with: python manage.py createsuperuser")
    return user
