"""The pages that belong to no app: sign-in, account, errors, gallery, API reference."""

from __future__ import annotations
