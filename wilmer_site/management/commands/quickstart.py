"""Everything between a fresh checkout and a console that answers. Behind `make run`."""

from __future__ import annotations

import errno
import signal
from typing import Any, NoReturn

import waitress
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from memory.services.transcripts_sample import attach_sample_transcripts
from wilmer_site import installation, readiness
from wilmer_site.jobs_queue import build_consumer, check_queue, queue
from wilmer_site.lib.clock import utc_now
from wilmer_site.management.commands.sign_in_link import link_address
from wilmer_site.sign_in_links import LINK_MINUTES, create_sign_in_link, ensure_first_user

THREADS = 48
"""More than the open streams of one browser or two: an open stream holds a thread (measured, docs/scaling.md)."""

SHUTDOWN_SECONDS = 10
"""The server itself gives requests in hand five seconds."""


class Command(BaseCommand):
    """Prepares the installation, prints a sign-in link, works off jobs and serves until Ctrl-C."""

    help = "Prepare everything that is missing, print a sign-in link and serve."

    def handle(self, *args: Any, **options: Any) -> None:
        server = _open_server()
        self._prepare()
        self._greet()
        _leave_on_signals()
        consumer = build_consumer(queue)
        consumer.start()
        try:
            server.run()
        finally:
            _be_patient_again()
            self.stdout.write("\nStopping; a job in hand is finished first, or taken up again at the next start.")
            server.close()
            consumer.stop(graceful=False)

    def _prepare(self) -> None:
        if settings.WILMER_IS_SAMPLE and installation.copy_sample():
            self.stdout.write(f"Copied the sample workspace to {settings.WILMER_PUBLIC_DIR}.")
        readiness.check_user()
        readiness.migrate_database()
        if settings.WILMER_IS_SAMPLE:
            attach_sample_transcripts(settings.BASE_DIR / "sample" / "transcripts")
        check_queue(queue)
        if installation.collect_static():
            self.stdout.write("Collected the static files.")

    def _greet(self) -> None:
        user = ensure_first_user()
        link = link_address(create_sign_in_link(user, now=utc_now()))
        folder = f"{settings.WILMER_PUBLIC_DIR}{' (the sample)' if settings.WILMER_IS_SAMPLE else ''}"
        self.stdout.write(
            f"\n  Memory console\n  Folder   {folder}\n  Sign in  {link}\n"
            f"           (once, within {LINK_MINUTES} minutes; Ctrl-C stops the console)\n"
        )
        self.stdout.flush()


def _open_server() -> Any:
    """Take the port first: nothing is prepared for a server that cannot start."""
    try:
        return waitress.create_server(
            _late_application,
            host=settings.WILMER_HOST,
            port=settings.WILMER_PORT,
            threads=THREADS,
            ident="memory-console",
            channel_timeout=600,
        )
    except OSError as error:
        raise CommandError(_explain(error)) from None


def _late_application(environ: Any, start_response: Any) -> Any:
    """Load the application with the first request: it lists the static files then, and they must be there."""
    from wilmer_site.wsgi import application

    return application(environ, start_response)


def _explain(error: OSError) -> str:
    place = f"{settings.WILMER_HOST}:{settings.WILMER_PORT}"
    if error.errno == errno.EADDRINUSE:
        return (
            f"{place} is taken; perhaps the console is running already. "
            f"Stop that, or choose another port: WILMER_PORT={settings.WILMER_PORT + 1} make run"
        )
    return f"Cannot listen at {place}: {error.strerror or error}. Check WILMER_HOST and WILMER_PORT."


def _leave_on_signals() -> None:
    for name in ("SIGINT", "SIGTERM", "SIGALRM"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _leave)


def _leave(*_: Any) -> NoReturn:
    """End the server. What a signal raises can get lost, inside a destructor for one, so it is said again until it is
    heard.
    """
    if hasattr(signal, "alarm"):
        signal.alarm(SHUTDOWN_SECONDS)
    raise SystemExit(0)


def _be_patient_again() -> None:
    if hasattr(signal, "alarm"):
        signal.alarm(0)
