"""Which discussions there are."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from memory.contexts.discussions import DiscussionListContext
from memory.errors import DiscussionNotFoundError
from memory.forms import parse_discussion_filter, parse_page
from memory.queries import discussions
from memory.types import DiscussionRef
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page


@require_safe
def discussion_list(request: HtmxHttpRequest) -> HttpResponse:
    """One page of the discussions, filtered and sorted as the URL says."""
    wanted = parse_discussion_filter(request.GET)
    page = discussions.list_discussions(wanted, parse_page(request.GET))
    context = DiscussionListContext.build(wanted, page, discussions.count_chips(wanted))
    return render_page(request, "memory/discussion_list.html", "discussion-table", context)


@require_safe
def discussion_detail(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:  # noqa: ARG001
    """The way into a discussion: its first tab."""
    return HttpResponseRedirect(reverse("memory:chunk-list", args=[ref]))


@require_safe
def discussion_version(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:  # noqa: ARG001
    """A text that changes whenever a file of the discussion changes, for live notices."""
    version = discussions.find_version(ref)
    if version is None:
        raise DiscussionNotFoundError("There is no such discussion in this folder any more.")
    response = JsonResponse({"version": version})
    response["Cache-Control"] = "no-store"
    return response
