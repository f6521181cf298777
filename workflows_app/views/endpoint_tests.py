"""The test of an endpoint. Nothing is sent before somebody presses the button."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_http_methods

from wilmer_site.lib.htmx import HtmxHttpRequest, render_page
from workflows_app.contexts.endpoint_tests import EndpointTestContext
from workflows_app.queries.endpoints import get_target, show_address
from workflows_app.services.endpoint_testing import run_endpoint_test


@require_http_methods(["GET", "HEAD", "POST"])
def endpoint_test(request: HtmxHttpRequest, path: str) -> HttpResponse:
    """What would be asked; sent as a form, what came of it."""
    target = get_target(path)
    result = run_endpoint_test(path) if request.method == "POST" else None
    endpoint = target.endpoint
    facts = (
        target.name,
        show_address(target),
        str(endpoint.get("modelNameToSendToAPI") or ""),
        target.type,
    )
    context = EndpointTestContext.build(path, facts, result)
    return render_page(request, "configs/endpoint_test.html", "test-result", context)
