from __future__ import annotations

from memory.engine.prompts import build_memory_values, build_prompt, fill_template


def test_longer_placeholder_wins_over_its_beginning() -> None:
    assert fill_template("[ab][a", {"[a": "1", "[ab]": "2"}) == "21"


def test_variables_are_resolved_before_data_comes_in() -> None:
    prompt = build_prompt("{who} [TextChunk]", {"[TextChunk]": "{who}"}, lambda text: text.replace("{who}", "Mira"))

    assert prompt == "Mira {who}"


def test_only_the_last_three_memories_are_recent() -> None:
    values = build_memory_values("chunk", ["a", "b", "c", "d"], "")

    assert values["[Memory_file]"] == "b\n--------------\nc\n--------------\nd"
    assert values["[Chat_Summary]"] == "There is not yet a summary file"
