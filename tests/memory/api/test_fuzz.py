"""Any request at all, made from the OpenAPI document, is answered as documented and never with 500."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import hypothesis
import pytest
import schemathesis
from django.contrib.auth.models import User
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.builders import API_KEY, build_discussion
from wilmer_site.api import api
from wilmer_site.api_tokens import create_token
from wilmer_site.lib.clock import utc_now
from wilmer_site.wsgi import application

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
EXAMPLES = 12
"""For each operation; soak runs take more."""

SCHEMA = schemathesis.openapi.from_dict(api.get_openapi_schema())
SCHEMA.app = application
OPERATIONS = [result.ok() for result in SCHEMA.get_all_operations()]
MEMORY = [operation for operation in OPERATIONS if "workflow" not in operation.path]


@pytest.fixture
def token(person: User) -> str:
    return create_token(person, name="fuzz", scope="read", now=utc_now(), days=1)[1]


@pytest.mark.parametrize("operation", MEMORY, ids=[f"{found.method} {found.path}" for found in MEMORY])
def test_any_request_is_answered_as_documented(public: Path, token: str, operation: Any) -> None:
    kept = build_discussion(public, "kept", api_key=API_KEY, encrypted=True)
    known = [build_discussion(public).text, kept.text]

    @hypothesis.given(case=operation.as_strategy(), ref=st.sampled_from([None, *known]))
    @hypothesis.settings(
        max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(hypothesis.HealthCheck)
    )
    def check(case: Any, ref: str | None) -> None:
        if ref and "ref" in case.path_parameters:
            case.path_parameters["ref"] = ref
        case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=CHECKS)

    check()
