"""The reader's own account: password and API tokens."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.forms import PasswordChangeForm, SetPasswordForm
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from wilmer_site import api_tokens
from wilmer_site.contexts import AccountContext
from wilmer_site.forms import ApiTokenForm
from wilmer_site.keyring import forget_keys, forget_keys_of
from wilmer_site.lib.clock import utc_now
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page

_PASSWORD_SET = "Your password is set. Other sign-ins are over; API tokens stay valid until you revoke them."


@never_cache
@require_safe
def account(request: HtmxHttpRequest) -> HttpResponse:
    """Show password and tokens."""
    return _account_page(request)


@sensitive_post_parameters()
@require_POST
def account_password(request: HtmxHttpRequest) -> HttpResponse:
    """Set a first password, or change it. Other sign-ins end, and all keys of the person are forgotten."""
    form = _password_form(_reader(request), request.POST)
    if not form.is_valid():
        return _account_page(request, password_form=form)
    form.save()
    forget_keys_of(form.user)
    update_session_auth_hash(request, form.user)
    return done(request, "account", event="account-changed", message=_PASSWORD_SET)


@never_cache
@require_POST
def token_create(request: HtmxHttpRequest) -> HttpResponse:
    """Make a token and show it this once."""
    form = ApiTokenForm(request.POST)
    if not form.is_valid():
        return _account_page(request, token_form=form)
    _, secret = api_tokens.create_token(_reader(request), now=utc_now(), **form.cleaned_data)
    return _account_page(request, new_secret=secret)


@require_POST
def token_delete(request: HtmxHttpRequest, token_id: int) -> HttpResponse:
    """Revoke a token."""
    api_tokens.delete_token(_reader(request), token_id=token_id)
    return done(request, "account", event="account-changed", message="The token is revoked.")


@require_POST
def keys_forget(request: HtmxHttpRequest) -> HttpResponse:
    """Lock every discussion that was unlocked during this sign-in."""
    forget_keys(request)
    return done(request, "account", event="keys-changed", message="The unlocked keys are forgotten.")


def _account_page(request: HtmxHttpRequest, **changes: Any) -> HttpResponse:
    reader = _reader(request)
    shown: dict[str, Any] = {
        "has_password": reader.has_usable_password(),
        "password_form": _password_form(reader),
        "token_form": ApiTokenForm(initial={"days": "90"}),
        "tokens": api_tokens.list_tokens(reader),
        "now": utc_now(),
    }
    context = AccountContext(**{**shown, **changes})
    is_invalid = any(form.is_bound for form in (context.password_form, context.token_form))
    return render_page(request, "wilmer_site/account.html", "", context, status=422 if is_invalid else 200)


def _password_form(user: User, data: Any = None) -> Any:
    kind = PasswordChangeForm if user.has_usable_password() else SetPasswordForm
    form = kind(user, data)
    for form_field in form.fields.values():
        form_field.widget.attrs["class"] = "form-control"
        form_field.widget.attrs.pop("autofocus", None)
        if isinstance(form_field, forms.Field):
            form_field.help_text = ""
    return form


def _reader(request: HtmxHttpRequest) -> User:
    if not isinstance(request.user, User):  # pragma: no cover - the middleware lets nobody else in
        raise TypeError("account pages need a sign-in")
    return request.user
