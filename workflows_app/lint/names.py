"""The variables WilmerAI brings along, by where they exist (workflows.md §6.4, §11.2)."""

from __future__ import annotations

import re
from typing import Final

DATES: Final = frozenset(
    {
        "todays_date_pretty",
        "todays_date_iso",
        "YYYY_MM_DD",
        "current_time_12h",
        "current_time_24h",
        "current_month_full",
        "current_day_of_week",
        "current_day_of_month",
    }
)
REQUEST: Final = frozenset({"Discussion_Id", "time_context_summary"})
_SLICES: Final = (
    *(f"last_{word}" for word in ("one", "two", "three", "four", "five", "ten", "twenty")),
    "n_messages",
    "estimated_token_limit",
    "min_n_max_tokens",
    "without_system",
)
SLICES: Final = frozenset(f"{form}_user_prompt_{name}" for form in ("chat", "templated") for name in _SLICES)
"""Names that hold messages."""
CONVERSATION: Final = SLICES | {"chat_system_prompt", "templated_system_prompt"}
LIST: Final = "messages"
ROUTING: Final = frozenset(
    {
        "category_colon_descriptions",
        "category_colon_descriptions_newline_bulletpoint",
        "categoriesSeparatedByOr",
        "categoryNameBulletpoints",
        "category_list",
        "category_descriptions",
    }
)
BUILT_IN: Final = DATES | REQUEST | CONVERSATION | {LIST}
OUTPUT: Final = re.compile(r"agent([1-9]\d*)Output")
INPUT: Final = re.compile(r"agent([1-9]\d*)Input")


def output_number(name: str) -> int | None:
    """Which node's output a name is."""
    match = OUTPUT.fullmatch(name)
    return int(match.group(1)) if match else None


def input_number(name: str) -> int | None:
    """Which input a name is."""
    match = INPUT.fullmatch(name)
    return int(match.group(1)) if match else None
