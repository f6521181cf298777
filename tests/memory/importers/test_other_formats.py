from __future__ import annotations

import json
from typing import Any

import pytest

from tests.memory.importers.chats import format_of, messages_in, problems_in, read, read_json, said_in, starts_in


def kobold(prompt: str, *actions: str, **settings: Any) -> dict[str, Any]:
    saved = settings or None
    return {"gamestarted": True, "prompt": prompt, "memory": "m", "actions": list(actions), "savedsettings": saved}


def test_kobold_instruct_pieces_are_joined_before_they_are_split() -> None:
    save = kobold("{{[INPUT]}}\nHi\n{{[OUT", "PUT]}}\nHo", "!\n{{[INPUT]}}\nBye [<|p|x|p|>]", opmode=4)

    events = read_json(save)

    assert format_of(events) == "kobold"
    assert said_in(events) == [("user", "Hi"), ("assistant", "Ho!"), ("user", "Bye")]


def test_kobold_end_marks_and_raw_tags_are_understood() -> None:
    ends = kobold("{{[INPUT]}}Hi{{[INPUT_END]}}{{[OUTPUT]}}Ho{{[OUTPUT_END]}}", opmode=4)
    tags = kobold(
        "\n### I:\nHi\n### R:\nHo", opmode=4, instruct_starttag="\\n### I:\\n", instruct_endtag="\\n### R:\\n"
    )

    assert said_in(read_json(ends)) == said_in(read_json(tags)) == [("user", "Hi"), ("assistant", "Ho")]


def test_kobold_chat_lines_begin_with_names() -> None:
    save = kobold("\nAnn: Hi: all\nstill me\nBo: Ho", "\nCy: Hu", opmode=3, chatname="Ann", chatopponent="Bo||$||Cy")

    said = messages_in(read_json(save))

    assert [(one.role, one.name, one.content) for one in said] == [
        ("user", "Ann", "Hi: all\nstill me"),
        ("assistant", "Bo", "Ho"),
        ("assistant", "Cy", "Hu"),
    ]


@pytest.mark.parametrize("save", [kobold("Once", " upon", opmode=1), kobold("Once", " upon")])
def test_kobold_stories_are_one_text_and_that_is_said(save: dict[str, Any]) -> None:
    events = read_json(save)

    assert said_in(events) == [("assistant", "Once upon")]
    assert "without turns" in problems_in(events)[0].text


@pytest.mark.parametrize(
    "save",
    [
        {
            "file_version": 2,
            "prompt": "A",
            "actions": {"actions": {"1": {"Selected Text": "C"}, "0": {"Selected Text": "B"}}},
        },
        {"ga": ["A", "B", "C"], "cm": "m", "ca": "", "ct": "", "cwi": [], "ess": ""},
    ],
)
def test_old_kobold_saves_are_read(save: dict[str, Any]) -> None:
    assert said_in(read_json(save)) == [("assistant", "ABC")]


def test_a_kobold_save_that_breaks_off_keeps_what_is_whole() -> None:
    events = read('{"gamestarted": true, "prompt": "{{[INPUT]}}Hi", "actions": ["{{[OUTPUT]}}Ho", "x')

    assert said_in(events) == [("user", "Hi")]
    assert "ends in the middle" in problems_in(events)[0].text


HISTORY = {
    "internal": [["<|BEGIN-VISIBLE-CHAT|>", "Hello <you>"], ["Hi", ""], ["", "Ho"]],
    "visible": [["", "Hello &lt;you&gt;"]],
    "metadata": {"user_1": {"timestamp": "May 03, 2026 03:13"}, "assistant_2": {"timestamp": ""}},
}


def test_text_generation_rows_are_read() -> None:
    events = read_json(HISTORY)

    assert format_of(events) == "text-generation-webui"
    assert said_in(events) == [("assistant", "Hello <you>"), ("user", "Hi"), ("assistant", "Ho")]
    assert [bool(said.sent_at) for said in messages_in(events)] == [False, True, False]


def test_older_text_generation_rows_are_read() -> None:
    assert said_in(read_json({"data": [["Hi", "Ho"]], "data_visible": []})) == [("user", "Hi"), ("assistant", "Ho")]


@pytest.mark.parametrize("bad", ['["only one"]', "[1, 2]", "{}", '["a" "b"]'])
def test_a_damaged_row_is_told_of_and_the_others_kept(bad: str) -> None:
    events = read(f'{{"internal": [["Hi", "Ho"],\n{bad},\n["Bye", "Ciao"]], "visible": []}}')

    assert [text for _, text in said_in(events)] == ["Hi", "Ho", "Bye", "Ciao"]
    assert problems_in(events)[0].line == 2


def test_text_generation_history_that_breaks_off_keeps_what_is_whole() -> None:
    events = read(json.dumps(HISTORY)[:90])

    assert said_in(events)[0] == ("assistant", "Hello <you>")
    assert problems_in(events)


def version(role: str, text: str) -> dict[str, Any]:
    if role == "user":
        return {"type": "singleStep", "role": role, "content": [{"type": "text", "text": text}, {"type": "file"}]}
    thinking = {"type": "contentBlock", "style": {"type": "thinking"}, "content": [{"type": "text", "text": "hm"}]}
    block = {"type": "contentBlock", "content": [{"type": "text", "text": text}]}
    return {"type": "multiStep", "role": role, "steps": [thinking, block, {"type": "toolStatus"}]}


def studio(*messages: Any) -> dict[str, Any]:
    return {"name": "Garden", "createdAt": 1709370963000, "messages": list(messages), "tokenCount": 5}


def test_lm_studio_takes_the_selected_version() -> None:
    two = {"versions": [version("assistant", "No"), version("assistant", "Yes")], "currentlySelected": 1}

    events = read_json(studio({"versions": [version("user", "Hi")], "currentlySelected": 0}, two))

    assert format_of(events) == "lm-studio"
    assert said_in(events) == [("user", "Hi"), ("assistant", "Yes")]
    assert starts_in(events)[0].title == "Garden"


@pytest.mark.parametrize("selected", [9, -1, None, "x"])
def test_lm_studio_selection_out_of_range_is_the_last_version(selected: Any) -> None:
    message = {"versions": [version("user", "No"), version("user", "Yes")], "currentlySelected": selected}

    assert said_in(read_json(studio(message))) == [("user", "Yes")]


@pytest.mark.parametrize("bad", [{"versions": []}, {"versions": [{"content": []}]}, 5])
def test_lm_studio_messages_without_version_are_told_of(bad: Any) -> None:
    good = {"versions": [version("user", "Hi")], "currentlySelected": 0}

    events = read_json(studio(good, bad, good))

    assert (len(said_in(events)), len(problems_in(events))) == (2, 1)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("agnai", {"messages": [{"msg": "Hi", "userId": "u"}, {"msg": "Ho"}]}),
        (
            "cai-tools",
            {
                "histories": {
                    "histories": [
                        {"msgs": [{"src": {"is_human": True}, "text": "Hi"}, {"src": {"name": "Bo"}, "text": "Ho"}]}
                    ]
                }
            },
        ),
        (
            "risu",
            {"type": "risuChat", "data": {"message": [{"role": "user", "data": "Hi"}, {"role": "char", "data": "Ho"}]}},
        ),
        (
            "claude",
            [
                {
                    "name": "x",
                    "chat_messages": [{"sender": "human", "text": "Hi"}, {"sender": "assistant", "text": "Ho"}],
                }
            ],
        ),
    ],
)
def test_small_formats_are_read(name: str, value: Any) -> None:
    events = read_json(value)

    assert (format_of(events), said_in(events)) == (name, [("user", "Hi"), ("assistant", "Ho")])


@pytest.mark.parametrize(
    "value",
    [
        {"messages": [{"msg": None}]},
        {"type": "risuChat", "data": {"message": [5]}},
        {"type": "risuChat"},
        [{"chat_messages": [{}]}],
        {"histories": {"histories": [{"msgs": [{"text": 5}]}, 7]}},
    ],
)
def test_damaged_small_formats_have_no_messages(value: Any) -> None:
    assert said_in(read_json(value)) == []
