"""Configs as a run reads them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.workflows_app.builders import write, write_endpoint
from wilmer_site.lib.ids import UnsafeNameError
from workflows_app.errors import ConfigInvalidError, ConfigNotFoundError, WorkflowNotFoundError
from workflows_app.stores.config_files import ConfigFiles
from workflows_app.stores.served_users import choose_user, list_model_names


@pytest.fixture
def configs(public: Path) -> ConfigFiles:
    return ConfigFiles(public / "Configs", "ann")


def test_prompt_template_is_read_only_when_needed(public: Path, configs: ConfigFiles) -> None:
    write_endpoint(public, "first", "http://127.0.0.1", promptTemplate="nope")

    target = configs.read_target("first")

    with pytest.raises(ConfigNotFoundError, match="nope"):
        target.template["promptTemplateUserPrefix"]


def test_endpoint_must_say_its_api_type(public: Path, configs: ConfigFiles) -> None:
    write(public / "Configs/Endpoints/bad.json", {"endpoint": "http://127.0.0.1", "promptTemplate": None})

    with pytest.raises(ConfigInvalidError, match="apiTypeConfigFileName"):
        configs.read_target("bad")


def test_embeddings_endpoint_needs_no_template(public: Path, configs: ConfigFiles) -> None:
    write(public / "Configs/ApiTypes/e.json", {"type": "openAIEmbeddings"})
    write(public / "Configs/Endpoints/e.json", {"endpoint": "http://127.0.0.1", "apiTypeConfigFileName": "e"})

    assert configs.read_target("e").type == "openAIEmbeddings"


def test_own_samplers_are_translated_and_extended(public: Path, configs: ConfigFiles) -> None:
    names = {"type": "openAIChatCompletion", "presetType": "P", "samplerFieldMap": {"temperature": "temp"}}
    write(public / "Configs/ApiTypes/mapped.json", names)
    write(public / "Configs/Presets/P/more.json", {"top_p": 0.9})
    samplers = {"presetSamplers": {"temperature": 0.3, "unknown": 1}}
    write_endpoint(
        public, "own", "http://127.0.0.1", apiTypeConfigFileName="mapped", appendPresetName="more", **samplers
    )

    assert configs.read_preset("own", configs.read_target("own")) == {"temp": 0.3, "top_p": 0.9}


@pytest.mark.parametrize("name", ["../../../etc/passwd", "../../Users/ann"])
def test_names_stay_in_the_configs_folder_or_find_nothing(configs: ConfigFiles, name: str) -> None:
    with pytest.raises((UnsafeNameError, WorkflowNotFoundError, ConfigInvalidError)):
        configs.read_workflow(f"../{name}")


def test_several_users_need_a_choice(public: Path) -> None:
    with pytest.raises(ConfigInvalidError, match="ann, bob"):
        choose_user(public / "Configs", ["ann", "bob"])


def test_models_of_a_damaged_user_are_still_listed(public: Path) -> None:
    (public / "Configs/Users/bob.json").write_text("{")

    assert list_model_names(public / "Configs", ["ann", "bob"]) == ["ann", "bob"]
