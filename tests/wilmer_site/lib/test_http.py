from __future__ import annotations

import json

import pytest
from django.test import RequestFactory

from wilmer_site.lib import errors
from wilmer_site.lib.http import Problem, error_body, problem_response, status_of


class DeepError(errors.ConflictError):
    code = "deep"


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (errors.NotFoundError("x"), 404),
        (errors.InvalidError("x"), 422),
        (errors.TooLargeError("x"), 413),
        (errors.RefusedError("x"), 403),
        (DeepError("x"), 409),
        (errors.BusyError("x"), 503),
        (errors.UpstreamError("x"), 502),
        (errors.WilmerError("x"), 500),
    ],
)
def test_status_of_follows_the_family(error: errors.WilmerError, status: int) -> None:
    assert status_of(error) == status


def test_error_body_has_the_one_shape() -> None:
    body = error_body(DeepError("Too late.", file="memories.json"))

    expected = {"code": "deep", "message": "Too late.", "status": 409, "details": {"file": "memories.json"}}
    assert body == {"error": expected}


def test_problem_response_is_json_below_the_api(rf: RequestFactory) -> None:
    response = problem_response(rf.get("/api/v1/x"), Problem(503, "busy", "Later.", {"at": object}))

    assert response["Content-Type"] == "application/json"
    assert response["Retry-After"] == "2"
    assert json.loads(response.content)["error"]["code"] == "busy"
