"""What can be asked for, and how calls are shown before they are made."""

from __future__ import annotations

import pytest

from memory.engine.memory_settings import Target
from memory.engine.model_calls import ModelCall, Purpose, WorkflowCall
from memory.engine.regeneration import Kind, Layer, RegenerationRequest, digest_of, view_call
from wilmer_site.lib.errors import InvalidError

CALL = WorkflowCall("Remember", ("a {agent2Input}", "b"), Purpose.FILE_MEMORY)


def test_inputs_are_filled_in_once_and_outputs_stay() -> None:
    nodes = [
        {"title": "One", "prompt": "{agent1Input} and {agent2Input}", "endpointName": "E"},
        {"type": "Standard", "prompt": "{agent1Output} {agent9Input}"},
        {"type": "PythonModule", "prompt": "not a model"},
    ]

    first, second = view_call(CALL, nodes)

    assert (first.title, first.endpoint, first.prompt) == ("One", "E", "a {agent2Input} and b")
    assert (second.title, second.prompt) == ("Node 2", "{agent1Output} {agent9Input}")


def test_a_direct_call_is_shown_as_it_is() -> None:
    (view,) = view_call(ModelCall(Target("E", "P", 5), "system", "prompt", Purpose.SUMMARY), [])

    assert (view.endpoint, view.preset, view.max_tokens, view.system_prompt, view.prompt) == (
        "E",
        "P",
        5,
        "system",
        "prompt",
    )


@pytest.mark.parametrize(("first", "last"), [(None, None), (0, 1), (3, 2), (-1, None)])
def test_what_is_no_range_is_refused(first: int | None, last: int | None) -> None:
    with pytest.raises(InvalidError):
        _ = RegenerationRequest(Kind.CHUNKS, first, last).numbers


def test_one_number_is_a_range_of_one() -> None:
    assert RegenerationRequest(Kind.CHUNKS, 4).numbers == (4, 4)


def test_a_request_survives_being_kept() -> None:
    request = RegenerationRequest(Kind.EMBED, replaces=True)

    assert RegenerationRequest.from_json(request.to_json()) == request


@pytest.mark.parametrize("kind", list(Kind))
def test_every_kind_has_a_layer(kind: Kind) -> None:
    assert RegenerationRequest(kind).layer in set(Layer)


def test_a_digest_changes_with_any_part() -> None:
    assert digest_of("a", ["b"]) == digest_of("a", ["b"])
    assert len({digest_of("ab"), digest_of("a", "b"), digest_of(["a", "b"])}) == 3
