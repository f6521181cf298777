"""Where everything is mounted."""

from __future__ import annotations

from importlib.util import find_spec

from django.urls import URLPattern, URLResolver, include, path
from django.views.generic import RedirectView

from wilmer_site.api import api
from wilmer_site.views import account, gallery, sign_in

handler400 = "wilmer_site.views.errors.bad_request"
handler403 = "wilmer_site.views.errors.refused"
handler404 = "wilmer_site.views.errors.not_found"
handler500 = "wilmer_site.views.errors.broken"


def _mounted(prefix: str, module: str) -> list[URLResolver]:
    """The pages of an app, when the installation has them."""
    return [path(prefix, include(module))] if find_spec(module) else []


urlpatterns: list[URLPattern | URLResolver] = [
    # sign-in/
    path("sign-in/", sign_in.sign_in, name="sign-in"),
    path("sign-in/link/<str:token>/", sign_in.sign_in_link, name="sign-in-link"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    # account/
    path("account/", account.account, name="account"),
    path("account/password/", account.account_password, name="account-password"),
    path("account/tokens/", account.token_create, name="token-create"),
    path("account/tokens/<int:token_id>/delete/", account.token_delete, name="token-delete"),
    path("account/keys/forget/", account.keys_forget, name="keys-forget"),
    # gallery/
    path("gallery/", gallery.gallery, name="gallery"),
    # api/
    path("api/docs", RedirectView.as_view(pattern_name="api:openapi-view"), name="api-docs"),
    path("api/v1/", api.urls),
    # the apps
    *_mounted("", "workflows_app.urls"),
    *_mounted("", "memory.urls"),
]
