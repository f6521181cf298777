"""The rolling summary."""

from __future__ import annotations

from memory.engine.chunk_facts import count_behind, covered_count, link_of
from memory.engine.tokens import estimate_tokens
from memory.engine.versions import summary_version
from memory.results import ApiKeys, Summary, SummaryLink
from memory.stores.readings import recall_list
from memory.types import Artefact, DiscussionRef
from memory.wiring import open_discussion


def get_summary(ref: DiscussionRef, keys: ApiKeys) -> Summary:
    """The text of the first entry and the link of the last (memory.md §4); the report says if it is locked or damaged.

    Raises DiscussionNotFoundError.
    """
    discussion = open_discussion(ref, keys)
    summary = recall_list(discussion, Artefact.SUMMARY)
    ledger = recall_list(discussion, Artefact.MEMORIES).entries
    text = summary.entries[0].text if summary.entries else ""
    link = link_of(summary.entries, ledger)
    return Summary(
        report=summary.report,
        text=text,
        hash=summary.entries[-1].hash if summary.entries else "",
        link=link,
        token_estimate=estimate_tokens(text),
        covered_chunks=covered_count(summary.entries, ledger),
        total_chunks=len(ledger),
        behind=count_behind(summary.entries, ledger) if link is SummaryLink.LINKED else None,
        version=summary_version(summary.entries),
    )
