"""Every component on one page."""

from __future__ import annotations

from datetime import timedelta

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from wilmer_site.contexts import GalleryContext
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page
from wilmer_site.lib.paging import Page

_ICONS = (
    "adjustments", "alert-triangle", "archive", "check", "clock", "copy",
    "database", "download", "edit", "eye", "filter", "folder",
    "history", "key", "lock", "messages", "refresh", "route",
    "search", "stack-2", "trash", "user",
)  # fmt: skip
"""A few; all of them are listed in static/vendor/build/icons.txt."""


@require_safe
def gallery(request: HtmxHttpRequest) -> HttpResponse:
    """Show the components to staff."""
    if not getattr(request.user, "is_staff", False):
        raise PermissionDenied("The gallery is for staff.")
    now = utc_now()
    context = GalleryContext(
        now=now,
        earlier=now - timedelta(hours=3, minutes=12),
        hash="a41f0c9b5d2e7781a41f0c9b5d2e7781a41f0c9b5d2e7781a41f0c9b5d2e7709",
        icons=_ICONS,
        file_states=("present", "empty", "absent", "damaged", "locked", "unreadable", "too-large"),
        chips=(("All", "?", 7, True), ("Condensed", "?only=condensed", 1, False), ("Stale", "?only=stale", 1, False)),
        tabs=(("Chunks", "?", "7", True), ("Summary", "?tab=summary", "", False), ("Trackers", "?tab=x", "", False)),
        pages=Page([], 214, 3, 25),
    )
    return render_page(request, "wilmer_site/gallery.html", "", context)
