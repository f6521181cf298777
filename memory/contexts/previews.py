"""What each memory node would give to a workflow now."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memory.contexts.addresses import discussion_api_address, page_address
from memory.contexts.discussions import DiscussionStrip
from memory.engine.previews import Preview
from memory.forms import PreviewForm
from memory.results import DiscussionHeader

SHOWN_CHARACTERS = 20_000
"""How much of a text the page shows; the JSON has all of it."""


@dataclass(frozen=True, slots=True)
class PreviewListContext:
    """One card for each node."""

    discussion: DiscussionStrip
    previews: tuple[Preview, ...]
    form: PreviewForm
    page_url: str
    api_url: str

    @classmethod
    def build(cls, header: DiscussionHeader, previews: tuple[Preview, ...], form: PreviewForm) -> PreviewListContext:
        """The page for what was asked."""
        ref = header.card.ref
        asked = form.preview_request()
        return cls(
            discussion=DiscussionStrip.build(header, "preview-list"),
            previews=tuple(_shorten(preview) for preview in previews),
            form=form,
            page_url=page_address("preview-list", ref),
            api_url=discussion_api_address(
                ref, "previews", parameters=[("keywords", asked.keywords), ("chunks", asked.max_chunks)]
            ),
        )


def _shorten(preview: Preview) -> Preview:
    if len(preview.text) <= SHOWN_CHARACTERS:
        return preview
    note = f"{preview.note} The first {SHOWN_CHARACTERS:,} of {len(preview.text):,} characters; the JSON has all."
    return replace(preview, text=preview.text[:SHOWN_CHARACTERS], note=note)
