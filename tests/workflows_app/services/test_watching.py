from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.workflows_app.builders import write_endpoint
from tests.workflows_app.runs import answering, finish_rerun, finish_run
from workflows_app.queries.runs import get_node
from workflows_app.run_results import PromptText
from workflows_app.services.watching import cut_text


def prompt_of(opened: Path, key: str, **values: Any) -> PromptText:
    run = finish_run(opened, answering(**values))
    return next(prompt for prompt in get_node(run.card.id, 1).prompts if prompt.key == key)


def test_names_in_jinja_blocks_count(opened: Path) -> None:
    found = prompt_of(
        opened, "prompt", jinja2=True, prompt="{% if chat_user_prompt_last_one %}{{ todays_date_pretty }}{% endif %}"
    )

    assert set(found.names) == {"chat_user_prompt_last_one", "todays_date_pretty"}


def test_template_with_a_mistake_is_shown_as_it_stands(opened: Path) -> None:
    assert prompt_of(opened, "systemPrompt", systemPrompt="a lone } brace").text == "a lone } brace"


def test_variable_that_cannot_be_made_says_why(opened: Path) -> None:
    write_endpoint(opened, "template", "http://127.0.0.1:1", apiTypeConfigFileName="built-in", promptTemplate="nowhere")

    run = finish_run(opened, answering("template", prompt="{templated_system_prompt}"))

    assert get_node(run.card.id, 1).row.number == 1


def test_replayed_answer_is_streamed_like_any_other(opened: Path) -> None:
    run_id = finish_run(opened, answering()).card.id

    assert finish_rerun(run_id, 1, output="typed").answer == "typed"


@pytest.mark.parametrize(("text", "shown"), [("abc", "abc"), ("abcdef", "abc\n[… 3 more characters]")])
def test_long_texts_are_cut(text: str, shown: str) -> None:
    assert cut_text(text, 3) == shown
