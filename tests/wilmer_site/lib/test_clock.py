from __future__ import annotations

from datetime import timedelta

from wilmer_site.lib.clock import local_now, utc_now


def test_utc_now_is_aware_and_in_utc() -> None:
    assert utc_now().utcoffset() == timedelta(0)


def test_local_now_has_no_offset() -> None:
    assert local_now().tzinfo is None
