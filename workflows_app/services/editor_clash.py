"""Two texts of one file that were made from a third: what each changed, and both together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from wilmer_site.lib.errors import InvalidError
from workflows_app.engine.config_diff import ConfigDiff, diff_documents
from workflows_app.engine.config_merge import Merge, merge_texts
from workflows_app.engine.config_secrets import list_open_secrets, mask_alike, restore_text, unmask_some
from workflows_app.engine.json_places import parse, read_value
from workflows_app.engine.line_ends import restore_line_ends
from workflows_app.queries.editing import EditorRequest
from workflows_app.services import config_versions
from workflows_app.services.config_saving import find_config
from workflows_app.stores.config_writes import decode

_TYPE_AGAIN = '""'


@dataclass(frozen=True, slots=True)
class Clash:
    """Both texts and what can be made of them. Equal secrets have equal masks in everything that is shown."""

    path: str
    etag: str
    """The version on disk now."""
    ours: str = field(repr=False)
    """To be shown."""
    theirs: str = field(repr=False)
    ours_to_edit: str = field(repr=False, default="")
    """To go on with on top of theirs: its masks are those of their text, secrets that were typed are in it."""
    our_changes: ConfigDiff | None = None
    their_changes: ConfigDiff | None = None
    """None where a text cannot be taken apart."""
    merge: Merge | None = None
    """None when they cannot be merged; `reason` says why."""
    reason: str = ""
    lost_secrets: int = 0
    """Secrets of ours that their text has no more: their places are empty in what is to be edited."""


def review_clash(request: EditorRequest) -> Clash:
    """Both texts side by side with what each changed, and a merge of them as far as that can be."""
    path, current = request.path, find_config(request.path)
    base_bytes = config_versions.find_content(path, request.etag)
    base = decode(base_bytes)[0] if base_bytes is not None else ""
    ours = restore_line_ends(restore_text(path, request.text, base), current.text)
    (theirs, before, mine), secrets = mask_alike(path, (current.text, base, ours))
    filled = _fill_in(request, secrets, mask_alike(path, (current.text,))[1])
    lost = sum(f'#{number}"' in mine for number, written in filled.items() if written == _TYPE_AGAIN)
    shown = Clash(path, current.etag, mine, theirs, unmask_some(path, mine, filled), lost_secrets=lost)
    if base_bytes is None:
        return _only(shown, "The text that yours was begun from was never kept, so nobody knows what you changed.")
    try:
        first, second = (diff_documents(_value(before), _value(text)) for text in (mine, theirs))
        merge = merge_texts(before, mine, theirs)
    except InvalidError as error:
        return _only(shown, f"They cannot be merged: {error.message}")
    merge.text = unmask_some(path, merge.text, filled)
    return replace(shown, our_changes=first, their_changes=second, merge=merge)


def _fill_in(request: EditorRequest, secrets: Mapping[int, str], theirs: Mapping[int, str]) -> dict[int, str]:
    """What to write for secrets that their text does not have: what was typed as it was typed, nothing for others."""
    typed = list_open_secrets(request.path, request.text)
    return {
        number: secret if secret in typed else _TYPE_AGAIN for number, secret in secrets.items() if number not in theirs
    }


def _only(clash: Clash, reason: str) -> Clash:
    return replace(clash, reason=reason)


def _value(text: str) -> object:
    return read_value(text, parse(text).root)
