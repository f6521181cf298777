from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import SHARED
from tests.workflows_app.builders import write
from tests.workflows_app.configs_world import SECRET, furnish
from wilmer_site.lib.errors import InvalidError, RefusedError
from workflows_app.queries.config_forms import get_config_form
from workflows_app.queries.configs import list_configs
from workflows_app.services.config_form_saving import Added, FormChanges, FormOutcome, Typed, save_form

MAIN = "Endpoints/Main.json"
ODD = """{ "endpoint":"http://a" ,\r\n\t"apiKey" : "k\\u00e9y", "maxContextTokenSize": 8e3,
  "_comment": "kept \\ud83d\\ude00",   "addGenerationPrompt": "false", "presetSamplers": {"top_k" : 5.0}
}"""
PUBLIC = SHARED / "wilmer-public" / "Configs"


def as_sent(path: str, **changes: str) -> FormChanges:
    """What a browser sends back: every control as it was shown, but for some changes."""
    form = get_config_form(path)
    fields = [field for group in form.groups for field in group.fields]
    texts = {field.key: changes.get(str(field.pointer[-1]), field.text) for field in fields}
    return FormChanges({field.key: Typed(texts[field.key].replace("\n", "\r\n"), field.seen) for field in fields})


def save(path: str, changes: FormChanges, **more: str) -> FormOutcome:
    return save_form(path, changes, author="mona", **more)


def save_odd(opened: Path, **changes: str) -> str:
    file = furnish(opened) / MAIN
    file.write_bytes(ODD.encode())
    outcome = save(MAIN, as_sent(MAIN, **changes), insist_reason="a test")
    assert outcome.saved
    return file.read_bytes().decode()


def test_a_form_that_nobody_touched_changes_nothing(opened: Path) -> None:
    assert save_odd(opened) == ODD


@pytest.mark.parametrize(
    ("change", "old", "new"),
    [
        ({"endpoint": "http://b"}, '"http://a"', '"http://b"'),
        ({"maxContextTokenSize": "9000"}, "8e3", "9000"),
        ({"apiKey": "new"}, '"k\\u00e9y"', '"new"'),
        ({"addGenerationPrompt": ""}, '"false"', "false"),
        ({"presetSamplers": '{"top_k": 7}'}, '{"top_k" : 5.0}', '{"top_k": 7}'),
    ],
)
def test_a_form_edit_changes_only_that_value(opened: Path, change: dict[str, str], old: str, new: str) -> None:
    assert save_odd(opened, **change) == ODD.replace(old, new)


def test_an_emptied_number_takes_its_key_away(opened: Path) -> None:
    assert "maxContextTokenSize" not in save_odd(opened, maxContextTokenSize="")


def test_a_secret_is_kept_unless_typed_or_cleared(opened: Path) -> None:
    configs = furnish(opened)

    save(MAIN, as_sent(MAIN, modelNameToSendToAPI="x"))
    kept = json.loads((configs / MAIN).read_text())["apiKey"]
    changes = as_sent(MAIN)
    save(MAIN, FormChanges(changes.typed, cleared=frozenset({"/apiKey"})))

    assert kept == SECRET
    assert json.loads((configs / MAIN).read_text())["apiKey"] == ""


def test_no_form_says_a_secret(opened: Path) -> None:
    configs = furnish(opened)
    write(configs / "MCPServers/m.json", {"transport": "sse", "url": "http://u", "headers": {"X": SECRET}})

    assert SECRET not in repr(get_config_form(MAIN))
    assert SECRET not in repr(get_config_form("MCPServers/m.json"))
    assert SECRET not in repr(save(MAIN, as_sent(MAIN, endpoint="http://b")))


def test_secrets_of_a_tool_server_are_replaced_added_and_removed_one_by_one(opened: Path) -> None:
    file = furnish(opened) / "MCPServers/m.json"
    write(file, {"transport": "sse", "url": "http://u", "headers": {"A": "1", "B": "2"}})
    changes = as_sent("MCPServers/m.json", A="new")

    save(
        "MCPServers/m.json",
        FormChanges(changes.typed, removed=frozenset({"/headers/B"}), added=(Added("/headers", "C", "3"),)),
    )
    save("MCPServers/m.json", FormChanges({}, added=(Added("/env", "TOKEN", "t"),)))

    assert json.loads(file.read_text()) == {
        "transport": "sse",
        "url": "http://u",
        "headers": {"A": "new", "C": "3"},
        "env": {"TOKEN": "t"},
    }


def test_categories_are_added_edited_and_removed_in_their_order(opened: Path) -> None:
    file = furnish(opened) / "Routing/r.json"
    write(file, {"A": {"workflow": "Main", "description": "a"}, "B": {"workflow": "Main", "description": "b"}})
    typed = {"/A/description": Typed("changed")}
    added = (Added("", "C", "Facts", "c"),)

    save("Routing/r.json", FormChanges(typed, removed=frozenset({"/B"}), added=added))

    assert json.loads(file.read_text()) == {
        "A": {"workflow": "Main", "description": "changed"},
        "C": {"workflow": "Facts", "description": "c"},
    }


def test_keys_of_a_preset_are_free(opened: Path) -> None:
    file = furnish(opened) / "Presets/P/plain.json"
    added = (Added("", "stop", '["a"]'), Added("", "name", "plain text"))

    save("Presets/P/plain.json", FormChanges({"/temperature": Typed("0.75")}, added=added))

    assert json.loads(file.read_text()) == {"temperature": 0.75, "stop": ["a"], "name": "plain text"}


def test_what_another_program_changed_meanwhile_is_asked_about(opened: Path) -> None:
    configs = furnish(opened)
    changes = as_sent(MAIN, modelNameToSendToAPI="mine")
    write(configs / MAIN, {**json.loads((configs / MAIN).read_text()), "modelNameToSendToAPI": "theirs"})

    outcome = save(MAIN, changes)
    field = outcome.form.find("/modelNameToSendToAPI")

    assert (outcome.is_clash, outcome.saved) == (True, None)
    assert field and (field.text, "theirs" in field.error) == ("mine", True)
    assert save(MAIN, FormChanges({"/modelNameToSendToAPI": Typed(field.text, field.seen)})).saved


def test_what_another_program_changed_elsewhere_is_no_clash(opened: Path) -> None:
    configs = furnish(opened)
    changes = as_sent(MAIN, modelNameToSendToAPI="mine")
    write(configs / MAIN, {**json.loads((configs / MAIN).read_text()), "maxContextTokenSize": 4096})

    assert save(MAIN, changes).saved
    now = json.loads((configs / MAIN).read_text())
    assert (now["modelNameToSendToAPI"], now["maxContextTokenSize"]) == ("mine", 4096)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"maxContextTokenSize": "many"}, "is not a whole number"),
        ({"maxContextTokenSize": "0"}, "at least 1"),
        ({"presetSamplers": "{"}, "no JSON"),
        ({"presetSamplers": "[]"}, "must be an object"),
        ({"wilmerContextEstimationLevel": "wild"}, "one of conservative"),
    ],
)
def test_what_cannot_be_is_said_at_the_field_and_kept_as_typed(opened: Path, change: Any, words: str) -> None:
    configs = furnish(opened)
    before = (configs / MAIN).read_bytes()

    outcome = save(MAIN, as_sent(MAIN, **change))
    field = outcome.form.find(f"/{next(iter(change))}")

    assert outcome.saved is None
    assert field and words in field.error and field.text == next(iter(change.values()))
    assert (configs / MAIN).read_bytes() == before


def test_texts_no_browser_gives_back_are_not_offered(opened: Path) -> None:
    configs = furnish(opened)
    (configs / MAIN).write_text(
        '{"endpoint": "a\\u0000b", "modelNameToSendToAPI": "\\ud800", "startThinkTag": "\\r\\n"}'
    )

    assert [
        get_config_form(MAIN).find(key).control for key in ("/endpoint", "/modelNameToSendToAPI", "/startThinkTag")
    ] == [  # type: ignore[union-attr]
        "fixed"
    ] * 3


def test_files_without_a_form_are_refused(opened: Path) -> None:
    configs = furnish(opened)
    (configs / MAIN).write_text('{"endpoint": ')

    with pytest.raises(InvalidError):
        save(MAIN, FormChanges({}))


def test_nothing_is_saved_in_a_read_only_console(opened: Path, settings: Any) -> None:
    furnish(opened)
    settings.WILMER_READ_ONLY = True

    with pytest.raises(RefusedError):
        save(MAIN, as_sent(MAIN))


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the example folder is not there")
def test_every_public_file_saved_untouched_keeps_every_byte(opened: Path, settings: Any) -> None:
    import shutil

    shutil.rmtree(opened / "Configs")
    shutil.copytree(PUBLIC, opened / "Configs")
    for file in (opened / "Configs").rglob("*"):
        file.chmod(0o755 if file.is_dir() else 0o644)
    paths = [entry.path for entry in list_configs()]

    assert len(paths) > 100
    for path in paths:
        form = get_config_form(path)
        assert form.problem or save(path, as_sent(path)).saved
        assert (opened / "Configs" / path).read_bytes() == (PUBLIC / path).read_bytes(), path


ROUTES = '{\n  "A": {"workflow": "a", "description": "x"},\n\n  "1": {"workflow":"b"} ,\n  "C": {}\n}'


@pytest.mark.parametrize(
    ("order", "keys"),
    [
        (("/C", "/A", "/1"), ["C", "A", "1"]),
        (("/1", "/nothing", "/1", "/A"), ["1", "A", "C"]),
        ((), ["A", "1", "C"]),
    ],
)
def test_categories_are_put_into_another_order(opened: Path, order: tuple[str, ...], keys: list[str]) -> None:
    file = furnish(opened) / "Routing/r.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(ROUTES)

    save("Routing/r.json", FormChanges({}, order=order), insist_reason="no such workflows yet")

    assert list(json.loads(file.read_text())) == keys
    assert json.loads(file.read_text()) == json.loads(ROUTES)
    assert file.read_text().count('{"workflow":"b"}') == 1


def test_another_order_survives_a_form_that_could_not_be_saved(opened: Path) -> None:
    file = furnish(opened) / "Routing/r.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(ROUTES)

    outcome = save("Routing/r.json", FormChanges({}, order=("/C", "/1", "/A")))

    assert outcome.saved is None
    assert [group.title for group in outcome.form.groups] == ["C", "1", "A", "New category"]
    assert outcome.form.order == ("/A", "/1", "/C")
