"""A configs folder in which many files name each other."""

from __future__ import annotations

from pathlib import Path

from tests.workflows_app.builders import USER, write, write_endpoint, write_workflow

SECRET = "sk-very-secret-0815"
ANSWER = {"type": "Standard", "title": "Answer", "endpointName": "Main", "preset": "plain", "prompt": "Hello"}


def furnish(public: Path) -> Path:
    """User `ann` with two endpoints, workflows and memory settings; gives the configs folder."""
    configs = public / "Configs"
    settings = {"endpointName": "Main", "preset": "plain", "vectorMemoryWorkflowName": "Facts"}
    write(configs / "Users/ann.json", {**USER, "discussionIdMemoryFileWorkflowSettings": "Settings"})
    write(configs / "Users/_current-user.json", {"currentUser": "ann"})
    write_endpoint(public, "Main", "http://127.0.0.1:1", promptTemplate="_chatonly", apiKey=SECRET)
    write_endpoint(public, "Other", "http://127.0.0.1:2", backupEndpointName="Main", backupPresetName="plain")
    write(configs / "Workflows/ann/Settings.json", settings)
    write_workflow(public, "Main", {"type": "CustomWorkflow", "title": "Facts", "workflowName": "Facts"}, ANSWER)
    write_workflow(public, "Facts", {**ANSWER, "title": "Find"}, {"type": "QualityMemory", "title": "Remember"})
    return configs


def add_user(configs: Path, name: str, **values: object) -> None:
    """One more user, who has the workflow folder of `ann` unless told otherwise."""
    user = {**USER, "workflowConfigsSubDirectoryOverride": "ann", "presetConfigsSubDirectoryOverride": "ann"}
    write(configs / f"Users/{name}.json", user | values)
