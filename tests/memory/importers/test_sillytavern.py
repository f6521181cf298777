from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.memory.importers.chats import format_of, messages_in, problems_in, read, said_in, starts_in

OLD_HEADER = {"user_name": "Ilse", "character_name": "Narrator", "create_date": "2024-6-5 @14h 56m 50s 682ms"}
NEW_HEADER = {"chat_metadata": {"integrity": "x"}, "user_name": "unused", "character_name": "unused"}


def line(mes: Any = "Hi", *, user: bool = True, **more: Any) -> dict[str, Any]:
    return {"name": "Ilse" if user else "Narrator", "is_user": user, "mes": mes, **more}


def chat(*lines: Any) -> str:
    return "\n".join(item if isinstance(item, str) else json.dumps(item) for item in lines)


@pytest.mark.parametrize("header", [[OLD_HEADER], [NEW_HEADER], [{"chat_metadata": {}}], []])
def test_a_chat_is_read_with_any_header(header: list[Any]) -> None:
    events = read(chat(*header, line("Hi"), line("Ho", user=False)))

    assert format_of(events) == "sillytavern"
    assert said_in(events) == [("user", "Hi"), ("assistant", "Ho")]
    assert problems_in(events) == []


def test_the_title_is_the_character() -> None:
    assert starts_in(read(chat(OLD_HEADER, line())))[0].title == "Narrator"
    assert starts_in(read(chat(NEW_HEADER, line())))[0].title == ""


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("2024-03-02T09:16:03.000Z", datetime(2024, 3, 2, 9, 16, 3, tzinfo=UTC)),
        (1709370963000, datetime(2024, 3, 2, 9, 16, 3, tzinfo=UTC)),
        ("1709370963000", datetime(2024, 3, 2, 9, 16, 3, tzinfo=UTC)),
        ("June 19, 2023 2:20pm", datetime(2023, 6, 19, 14, 20, tzinfo=UTC)),
        ("2024-7-12@01h31m37s", datetime(2024, 7, 12, 1, 31, 37, tzinfo=UTC)),
        ("2024-6-5 @14h 56m 50s 682ms", datetime(2024, 6, 5, 14, 56, 50, 682000, tzinfo=UTC)),
        ("yesterday", None),
        (None, None),
    ],
)
def test_every_date_form_is_read(stored: Any, expected: datetime | None) -> None:
    assert messages_in(read(chat(line(send_date=stored))))[0].sent_at == expected


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ({"swipes": ["No", "Yes"], "swipe_id": 1, "mes": "Yes"}, "Yes"),
        ({"swipes": ["No", None, "Yes"], "swipe_id": 2, "mes": None}, "Yes"),
        ({"swipes": ["No"], "swipe_id": 9, "mes": None}, "No"),
        ({"swipes": ["No"], "swipe_id": 0, "mes": "Other"}, "Other"),
        ({"swipes": [{"message": "Yes"}], "swipe_id": 0, "mes": None}, "Yes"),
        ({"mes": {"message": "Yes"}}, "Yes"),
        ({"swipes": [], "mes": None}, ""),
    ],
)
def test_the_text_that_is_shown_counts(raw: dict[str, Any], text: str) -> None:
    assert said_in(read(chat(line("Hi"), {**line(user=False), **raw})))[1] == ("assistant", text)


def test_hidden_messages_and_narrators_are_not_for_memory() -> None:
    events = read(chat(line("a", is_system=True), line("b", user=False, extra={"type": "narrator"}), line("c")))

    assert said_in(events) == [("system", "a"), ("system", "b"), ("user", "c")]


def test_macros_become_names() -> None:
    assert said_in(read(chat(OLD_HEADER, line("{{char}} greets {{User}} {{x}}"))))[0][1] == "Narrator greets Ilse {{x}}"


def test_damaged_lines_are_told_of_and_the_others_kept() -> None:
    events = read(chat(OLD_HEADER, line("a"), '{"name": "x", "mes', "", line("b"), '{"n": 1}', "[]", line("c")))

    assert said_in(events) == [("user", "a"), ("user", "b"), ("user", "c")]
    assert [problem.line for problem in problems_in(events)] == [3, 6, 7]


def test_damage_in_the_first_line_does_not_hide_the_format() -> None:
    events = read(chat('{"user_name": "Il', line("a")))

    assert (format_of(events), said_in(events)) == ("sillytavern", [("user", "a")])


def test_a_file_with_nothing_but_a_header_has_no_messages() -> None:
    assert said_in(read(chat(OLD_HEADER))) == []


def test_windows_line_ends_and_a_byte_order_mark_are_fine() -> None:
    data = "\ufeff" + chat(OLD_HEADER, line("a"), line("b")).replace("\n", "\r\n")

    assert said_in(read(data)) == [("user", "a"), ("user", "b")]
