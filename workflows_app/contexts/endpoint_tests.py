"""The test of an endpoint, step by step."""

from __future__ import annotations

from dataclasses import dataclass

from workflows_app.contexts.addresses import page_address
from workflows_app.contexts.configs import config_address
from workflows_app.services.endpoint_testing import EndpointTest, TestStep

_MARKS = {"ok": ("circle-check", "ok"), "warning": ("alert-triangle", "stale"), "failed": ("circle-x", "error")}


@dataclass(frozen=True, slots=True)
class StepView:
    """One step with its mark."""

    __test__ = False

    step: TestStep
    icon: str
    kind: str
    time: str

    @classmethod
    def build(cls, step: TestStep) -> StepView:
        """How it went, in a sign and in milliseconds."""
        icon, kind = _MARKS.get(step.state.value, ("info-circle", "info"))
        time = step.milliseconds or 0
        return cls(step, icon, kind, f"{time:,.0f} ms" if time >= 1 else "")


@dataclass(frozen=True, slots=True)
class EndpointTestContext:
    """The page: what would be sent where, and what came of it."""

    path: str
    name: str
    address: str
    model: str
    type: str
    result: EndpointTest | None
    steps: tuple[StepView, ...]
    self_url: str
    back_url: str
    list_url: str

    @classmethod
    def build(cls, path: str, facts: tuple[str, str, str, str], result: EndpointTest | None) -> EndpointTestContext:
        """`facts` are the endpoint's name, address, model and wire format."""
        name, address, model, kind = facts
        return cls(
            path=path,
            name=name,
            address=address,
            model=model,
            type=kind,
            result=result,
            steps=tuple(StepView.build(step) for step in result.steps) if result else (),
            self_url=page_address("endpoint-test", path),
            back_url=config_address(path),
            list_url=page_address("config-list"),
        )
