"""The forms of the account page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm

from wilmer_site.models import ApiToken

_EXPIRY = (("30", "30 days"), ("90", "90 days"), ("365", "a year"), ("", "never"))


def _text(autocomplete: str, **more: Any) -> dict[str, Any]:
    return {"class": "form-control", "autocomplete": autocomplete, **more}


class SignInForm(AuthenticationForm):
    """Name and password; Django checks them and axes counts the failures."""

    username = forms.CharField(label="Name", widget=forms.TextInput(_text("username", autofocus=True)))
    password = forms.CharField(label="Password", strip=False, widget=forms.PasswordInput(_text("current-password")))
    error_messages = {
        "invalid_login": "No such name and password. Mind capitals; after five attempts the name rests a while.",
        "inactive": "This account is switched off.",
    }


class ApiTokenForm(forms.Form):
    """What a new token is called, what it may do, for how long."""

    name = forms.CharField(
        max_length=80, label="What is it for?", widget=forms.TextInput(_text("off", placeholder="nightly export"))
    )
    scope = forms.ChoiceField(
        choices=ApiToken.Scope.choices, label="It may", widget=forms.Select({"class": "form-select"})
    )
    days = forms.TypedChoiceField(
        choices=_EXPIRY,
        coerce=int,
        empty_value=None,
        required=False,
        label="Expires",
        widget=forms.Select({"class": "form-select"}),
    )
