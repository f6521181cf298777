"""Two versions of a config file compared, their secrets masked."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from wilmer_site.lib.errors import InvalidError
from workflows_app import wiring
from workflows_app.engine.config_diff import ConfigDiff, diff_documents
from workflows_app.engine.config_secrets import mask_alike, mask_text
from workflows_app.engine.json_places import parse, read_value
from workflows_app.errors import ConfigChangedError, ConfigNotFoundError
from workflows_app.results import ConfigVersionCard
from workflows_app.services.config_saving import find_config, read_config, restore_version
from workflows_app.services.config_versions import get_version, has_versions, list_versions


@dataclass(frozen=True, slots=True)
class VersionComparison:
    """A version and what differs from another one."""

    card: ConfigVersionCard
    against: int
    """Number of the other version; 0 for an empty file."""
    before: str = field(repr=False)
    after: str = field(repr=False)
    diff: ConfigDiff | None
    """None when one of the two cannot be taken apart."""
    others: tuple[ConfigVersionCard, ...]
    etag: str
    """Of the file on disk."""
    is_read_only: bool
    clash: str = ""
    """Why the version was not restored just now; empty when nobody tried."""


def list_known_versions(path: str) -> tuple[ConfigVersionCard, ...]:
    """The versions of a file that is there, or was. Raises ConfigNotFoundError for any other path."""
    if not has_versions(path):
        read_config(path)
    return list_versions(path)


def compare_version(path: str, number: int, against: int | None = None) -> VersionComparison:
    """A version against another one; without a number against the one before it.

    Raises ConfigVersionNotFoundError.
    """
    card = get_version(path, number)
    cards = list_versions(path)
    other = against if against is not None else max((one.number for one in cards if one.number < number), default=0)
    kept = (get_version(path, other).text or "") if other else ""
    # Masked alike, so that a secret that was changed is seen to be another one.
    (before, after), _ = mask_alike(path, (kept, card.text or ""))
    return VersionComparison(
        card=card if card.text is None else replace(card, text=after),
        against=other,
        before=before,
        after=after,
        diff=_diff(before, after),
        others=tuple(one for one in cards if one.number != number),
        etag=find_config(path).etag,
        is_read_only=wiring.is_read_only(),
    )


def get_masked_version(path: str, number: int) -> ConfigVersionCard:
    """A version whose text may be shown."""
    card = get_version(path, number)
    return card if card.text is None else replace(card, text=mask_text(path, card.text))


def restore_or_review(path: str, number: int, *, etag: str, author: str) -> VersionComparison | None:
    """Restore a version; when the file is no longer what the person saw, nothing is written and this says what differs.

    Raises ConfigVersionNotFoundError.
    """
    try:
        restore_version(path, number, expected_etag=etag, author=author)
    except (ConfigChangedError, ConfigNotFoundError) as clash:
        cards = list_versions(path)
        newest = cards[0].number if cards else None
        return replace(compare_version(path, number, newest if newest != number else None), clash=clash.message)
    return None


def _diff(before: str, after: str) -> ConfigDiff | None:
    try:
        return diff_documents(_value(before), _value(after))
    except InvalidError:
        return None


def _value(text: str) -> object:
    return read_value(text, parse(text).root) if text.strip() else []
