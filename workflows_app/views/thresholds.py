"""Taking over thresholds that were tried out on the page Why of a discussion."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from memory.forms import ThresholdForm, parse_writer_path
from memory.services.explaining import get_present_thresholds
from memory.types import DiscussionRef
from wilmer_site.lib.errors import InvalidError
from wilmer_site.lib.htmx import HtmxHttpRequest
from workflows_app.services.threshold_saving import apply_thresholds


@require_POST
def threshold_apply(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Write the thresholds into the memory settings and go back to the page Why."""
    form = ThresholdForm.from_url(request.POST, get_present_thresholds(parse_writer_path(request.POST)))
    if not form.is_valid():
        raise InvalidError("A threshold is no number that can be used; nothing was saved.", errors=form.errors)
    saved = apply_thresholds(form.what_if(), author=request.user.get_username())
    text = f"Saved in {saved.path}." if saved.is_changed else "The memory settings say that already."
    messages.success(request, text)
    return redirect("memory:why-detail", ref)
