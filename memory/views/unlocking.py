"""Unlocking an encrypted discussion for one sign-in, and locking it again."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from memory.contexts.unlocking import DiscussionUnlockContext
from memory.forms import UnlockForm
from memory.queries import discussions
from memory.types import DiscussionRef
from wilmer_site.keyring import add_key, forget_keys, keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page


@sensitive_post_parameters("api_key")
@require_http_methods(["GET", "HEAD", "POST"])
def discussion_unlock(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Ask for the key; keep it in memory for this sign-in when it opens the discussion."""
    header = discussions.get_header(ref, keys_of(request))
    form = UnlockForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and discussions.unlock(ref, form.key()):
        add_key(request, form.key_hash(ref), form.key())
        return done(request, "memory:discussion-detail", ref, message="Unlocked until you sign out or lock it again.")
    form.note_refusal()
    context = DiscussionUnlockContext.build(header, form)
    status = 422 if form.is_bound else 200
    return render_page(request, "memory/discussion_unlock.html", "unlock-form", context, status=status)


@require_POST
def discussion_lock(request: HtmxHttpRequest, ref: DiscussionRef) -> HttpResponse:
    """Forget every key of this sign-in."""
    forget_keys(request)
    return done(request, "memory:discussion-detail", ref, message="Locked. Every key of this sign-in is forgotten.")
