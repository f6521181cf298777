"""Configs are saved whole, as versions, and never over somebody else's change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memory.models import AuditEntry
from wilmer_site.lib.errors import ConflictError, RefusedError
from wilmer_site.lib.ids import UnsafeNameError
from workflows_app.errors import ConfigChangedError, ConfigHasErrorsError, ConfigNotFoundError
from workflows_app.services import config_saving, config_versions

PATH = "Workflows/ann/Main.json"
TEXT = '[\r\n  {"title":"A", "type": "StaticResponse", "content": "x"}\r\n]'


@pytest.fixture
def file(opened: Path) -> Path:
    """A workflow file with unusual bytes."""
    found = opened / "Configs" / PATH
    found.parent.mkdir(parents=True, exist_ok=True)
    found.write_bytes(TEXT.encode())
    return found


def save(text: str, etag: str | None = None, **signed: Any) -> Any:
    etag = config_saving.find_config(PATH).etag if etag is None else etag
    return config_saving.save_config(PATH, text, expected_etag=etag, author="ann", **signed)


def test_a_file_is_read_with_its_kind_and_version(file: Path) -> None:
    document = config_saving.read_config(PATH)
    assert (document.text, document.kind, document.encoding) == (TEXT, "workflow", "utf-8")
    assert len(document.etag) == 64


def test_saving_unchanged_writes_nothing(file: Path) -> None:
    before = file.stat().st_mtime_ns
    saved = save(TEXT)
    assert (saved.is_changed, saved.version, file.stat().st_mtime_ns) == (False, 0, before)
    assert config_versions.list_versions(PATH) == ()


def test_a_save_is_a_version_and_keeps_the_one_before(file: Path) -> None:
    saved = save(TEXT.replace("x", "y"), note="Say y")
    first = config_versions.get_version(PATH, 1)
    newest = config_versions.get_version(PATH, 2)
    assert file.read_bytes().decode() == TEXT.replace("x", "y")
    assert (saved.version, saved.etag) == (2, newest.digest)
    assert (first.text, first.author, first.is_outside) == (TEXT, "as found", True)
    assert (newest.author, newest.note, newest.is_current) == ("ann", "Say y", True)


def test_every_write_is_in_the_audit_log(file: Path) -> None:
    save(TEXT.replace("x", "y"))
    config_saving.restore_version(PATH, 1, expected_etag=config_saving.read_config(PATH).etag, author="bea")
    config_saving.delete_config(PATH, expected_etag=config_saving.read_config(PATH).etag, author="ann")
    entries = AuditEntry.objects.filter(target=PATH).order_by("id").values_list("actor", "action")
    assert list(entries) == [("ann", "config-saved"), ("bea", "config-restored"), ("ann", "config-deleted")]


def test_a_change_made_outside_is_kept(file: Path) -> None:
    save(TEXT.replace("x", "y"))
    file.write_text("[]")
    newest, *_ = config_versions.list_versions(PATH)
    assert (newest.number, newest.author, newest.is_current) == (3, "another program", True)


def test_a_clash_writes_nothing_and_gives_both_texts(file: Path) -> None:
    etag = config_saving.read_config(PATH).etag
    file.write_text("[]")
    with pytest.raises(ConfigChangedError) as caught:
        save("[1]", etag)
    assert (caught.value.extra["yours"], caught.value.extra["theirs"]) == ("[1]", "[]")
    assert file.read_text() == "[]"


def test_errors_need_a_reason(file: Path) -> None:
    with pytest.raises(ConfigHasErrorsError) as caught:
        save("[1,]")
    assert caught.value.extra["problems"][0]["code"] == "json-syntax"
    assert save("[1,]", insist_reason="Half done").version == 2
    assert "Half done" in config_versions.get_version(PATH, 2).note


def test_a_new_file_is_made_only_where_none_is(file: Path) -> None:
    with pytest.raises(ConfigChangedError, match="already"):
        save("[]", "")
    made = config_saving.save_config("Workflows/ann/New.json", "[]", expected_etag="", author="ann")
    assert (made.version, (file.parent / "New.json").read_text()) == (1, "[]")


def test_a_deleted_file_can_be_restored(file: Path) -> None:
    config_saving.delete_config(PATH, expected_etag=config_saving.read_config(PATH).etag, author="ann")
    assert not file.exists()
    deletion, found = config_versions.list_versions(PATH)
    assert (deletion.is_deletion, found.is_deletion) == (True, False)
    config_saving.restore_version(PATH, 1, expected_etag="", author="ann")
    assert file.read_bytes().decode() == TEXT
    with pytest.raises(ConflictError, match="nothing to restore"):
        config_saving.restore_version(PATH, 2, expected_etag="", author="ann")


def test_versions_follow_a_renamed_file(file: Path) -> None:
    save(TEXT.replace("x", "y"))
    etag = config_saving.read_config(PATH).etag
    config_saving.rename_config(PATH, "Workflows/ann/Other.json", expected_etag=etag, author="ann")
    assert [version.number for version in config_versions.list_versions("Workflows/ann/Other.json")] == [3, 2, 1]
    assert config_versions.list_versions(PATH) == ()


def test_a_rename_never_replaces_a_file(file: Path) -> None:
    (file.parent / "Other.json").write_text("[]")
    etag = config_saving.read_config(PATH).etag
    with pytest.raises(ConflictError):
        config_saving.rename_config(PATH, "Workflows/ann/Other.json", expected_etag=etag, author="ann")
    assert file.exists()


def test_a_version_gets_a_name(file: Path) -> None:
    save("[]")
    assert config_saving.name_version(PATH, 2, " Before the trip ").name == "Before the trip"


def test_a_secret_is_kept_through_its_mask(opened: Path) -> None:
    path, file = "Endpoints/e.json", opened / "Configs/Endpoints/e.json"
    file.write_text('{"endpoint": "http://127.0.0.1", "apiKey": "s3cret"}')
    from workflows_app.engine.config_secrets import mask_text

    document = config_saving.read_config(path)
    shown = mask_text(path, document.text).replace("127.0.0.1", "127.0.0.2")
    assert "s3cret" not in shown
    config_saving.save_config(path, shown, expected_etag=document.etag, author="ann", insist_reason="Not checked here")
    assert json.loads(file.read_text()) == {"endpoint": "http://127.0.0.2", "apiKey": "s3cret"}


def test_nothing_is_written_when_the_console_is_read_only(file: Path, settings: Any) -> None:
    settings.WILMER_READ_ONLY = True
    with pytest.raises(RefusedError):
        save("[]")
    assert file.read_bytes().decode() == TEXT


@pytest.mark.parametrize(
    "path", ["../x.json", "Users/../../x.json", "/etc/x.json", "Users/x", "Users/.x.json", "a\n.json"]
)
def test_no_path_leads_out_of_the_folder(opened: Path, path: str) -> None:
    with pytest.raises(UnsafeNameError):
        config_saving.save_config(path, "{}", expected_etag="", author="ann")


def test_a_link_out_of_the_folder_is_not_followed(opened: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.json").write_text("{}")
    (opened / "Configs/Users/link.json").symlink_to(tmp_path.parent / "elsewhere.json")
    with pytest.raises(ConfigNotFoundError):
        config_saving.read_config("Users/link.json")
    with pytest.raises(UnsafeNameError):
        config_saving.save_config("Users/link.json", "{}", expected_etag="", author="ann")


def test_what_is_not_there_is_not_found(opened: Path) -> None:
    with pytest.raises(ConfigNotFoundError):
        config_saving.read_config("Users/nobody.json")


def test_bytes_that_are_no_utf8_stay(file: Path) -> None:
    file.write_bytes(b'[{"title": "caf\xe9", "content": "x", "type": "StaticResponse"}]')
    document = config_saving.read_config(PATH)
    save(document.text.replace('"x"', '"y"'), insist_reason="Old file")
    assert file.read_bytes() == b'[{"title": "caf\xe9", "content": "y", "type": "StaticResponse"}]'
