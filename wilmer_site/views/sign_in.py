"""In and out."""

from __future__ import annotations

from django.contrib.auth import login, logout
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from wilmer_site import sign_in_links
from wilmer_site.contexts import SignInContext, SignInLinkContext
from wilmer_site.forms import SignInForm
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.htmx import HtmxHttpRequest, render_page

_BACKEND = "django.contrib.auth.backends.ModelBackend"


@login_not_required
@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "POST"])
def sign_in(request: HtmxHttpRequest) -> HttpResponse:
    """Show the sign-in form, or sign in."""
    next_url = _safe_next(request)
    if request.user.is_authenticated:
        return HttpResponseRedirect(next_url)
    form = SignInForm(request, request.POST if request.method == "POST" else None)
    if form.is_valid():
        login(request, form.get_user())
        return HttpResponseRedirect(next_url)
    status = 422 if form.is_bound else 200
    return render_page(request, "wilmer_site/sign_in.html", "sign-in", SignInContext(form, next_url), status=status)


@login_not_required
@never_cache
@require_http_methods(["GET", "POST"])
def sign_in_link(request: HtmxHttpRequest, token: str) -> HttpResponse:
    """Show one button, or sign in by it: a GET changes nothing, so previews and scanners cannot use the link up."""
    if request.method == "POST":
        login(request, sign_in_links.use_sign_in_link(token, now=utc_now()), backend=_BACKEND)
        return HttpResponseRedirect("/")
    if request.user.is_authenticated:
        return HttpResponseRedirect("/")
    link = sign_in_links.get_sign_in_link(token, now=utc_now())
    context = SignInLinkContext(link.user.get_username())
    return render_page(request, "wilmer_site/sign_in_link.html", "", context)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the sign-in; the keys that were unlocked are forgotten with it."""
    logout(request)
    return HttpResponseRedirect("/sign-in/")


def _safe_next(request: HttpRequest) -> str:
    wanted = request.POST.get("next") or request.GET.get("next") or "/"
    return wanted if url_has_allowed_host_and_scheme(wanted, allowed_hosts=None) else "/"
