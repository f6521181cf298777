"""Copying, forking, renaming and rolling back a whole discussion."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from memory.contexts.moving import MovingContext, RollbackContext
from memory.forms_moving import CopyForm, NewIdForm, RollbackForm
from memory.queries import discussions
from memory.queries.transcripts import has_transcript
from memory.services.forking import try_copy
from memory.services.renaming import try_rename
from memory.services.rollback import roll_back, try_plan
from memory.types import DiscussionRef
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page

both = require_http_methods(["GET", "HEAD", "POST"])


@both
def discussion_copy(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Carry memory over into a new discussion, whole, in part, or up to a message."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    form = CopyForm(request.POST) if request.method == "POST" else CopyForm(initial=request.GET.dict())
    if form.is_valid():
        copied = try_copy(ref, form.order(), actor=request.user.get_username(), keys=keys, say=form.say)
        if copied:
            return done(request, "memory:discussion-detail", copied.ref, message="This is the copy.")
    context = MovingContext.build(header, form, "discussion-copy", has_chat=has_transcript(ref))
    status = 422 if form.is_bound else 200
    return render_page(request, "memory/fork_form.html", "copy-form", context, status=status)


@both
def discussion_rename(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Give a discussion another id."""
    header = discussions.get_header(ref, keys_of(request))
    form = NewIdForm(request.POST if request.method == "POST" else None, initial={"new_id": ref.discussion_id})
    if form.is_valid():
        actor = request.user.get_username()
        renamed = try_rename(ref, form.cleaned_data["new_id"], actor=actor, say=form.say)
        if renamed:
            return done(request, "memory:discussion-detail", renamed, message="Renamed.")
    context = MovingContext.build(header, form, "discussion-rename", has_chat=False)
    status = 422 if form.is_bound else 200
    return render_page(request, "memory/rename_form.html", "rename-form", context, status=status)


@both
def discussion_rollback(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Say what rolling back would leave, then do it in every layer at once."""
    keys = keys_of(request)
    header = discussions.get_header(ref, keys)
    form = RollbackForm(request.POST) if request.method == "POST" else RollbackForm.from_url(request.GET)
    plan = try_plan(ref, form.point(), keys, say=form.say) if form.is_valid() else None
    if plan and request.method == "POST" and form.has_seen(plan.digest):
        actor = request.user.get_username()
        rolled = roll_back(ref, form.point(), actor=actor, keys=keys, digest=plan.digest)
        return done(
            request, "memory:batch-detail", ref, rolled.batch, message="Rolled back. It can be taken back here."
        )
    context = RollbackContext.build(header, form, plan, has_chat=has_transcript(ref))
    status = 409 if plan and request.method == "POST" else 422 if form.is_bound and not plan else 200
    return render_page(request, "memory/rollback_form.html", "rollback-form", context, status=status)
