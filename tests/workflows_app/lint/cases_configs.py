"""Rules for configs (configs.md §13.4)."""

from __future__ import annotations

from tests.workflows_app.lint.worlds import (
    CHAT,
    COMPACTOR,
    MEMORY,
    MODEL,
    ROUTED,
    ROUTING,
    USER,
    Case,
    World,
    answer,
    case,
    chat,
    memory,
    model,
    user,
)

_SETTINGS = {**user, "discussionIdMemoryFileWorkflowSettings": "Memory-Settings"}
_COMPACTING = {USER: {**user, "contextCompactorSettingsFile": "Compactor-Settings"}}
_PLAIN = "Presets/P/Plain.json"


def _categories(*names: str) -> dict[str, object]:
    entries = {name: {"workflow": "Main", "description": "x"} for name in names}
    return {**ROUTED, ROUTING: entries}


def _memory(**values: object) -> dict[str, object]:
    tool = {"Workflows/ann/Tool.json": [answer]} if "Tool" in values.values() else {}
    return {USER: _SETTINGS, MEMORY: {**memory, **values}, **tool}


def _compactor(**values: object) -> dict[str, object]:
    return {**_COMPACTING, COMPACTOR: {"endpointName": "Model", "preset": "Plain", **values}}


_CHANGED = {USER: {**user, "chatCompleteAddUserAssistant": True}}
_EMBEDDING = {**model, "apiTypeConfigFileName": "Embed"}
CONFIGS = [
    case("endpoint-url", {MODEL: {**model, "endpoint": "127.0.0.1:5001"}}),
    case(
        "endpoint-url",
        {MODEL: {**model, "endpoint": "http://127.0.0.1:5001/v1/"}},
        {MODEL: {**model, "endpoint": "http://127.0.0.1:5001/proxy"}},
        note="v1",
    ),
    case(
        "endpoint-model-empty",
        {MODEL: {**model, "modelNameToSendToAPI": ""}},
        {MODEL: {**model, "modelNameToSendToAPI": "", "dontIncludeModel": True}},
    ),
    case(
        "endpoint-model-empty",
        {MODEL: {**model, "dontIncludeModel": True}, CHAT: {**chat, "type": "ollamaApiChat"}},
        note="ignored",
    ),
    case(
        "think-tags-missing",
        {MODEL: {**model, "removeThinking": True, "endThinkTag": "</t>"}},
        {MODEL: {**model, "removeThinking": True, "startThinkTag": "<t>", "endThinkTag": "</t>"}},
    ),
    case(
        "switch-without-text",
        {MODEL: {**model, "addTextToStartOfPrompt": True}},
        {MODEL: {**model, "addTextToStartOfPrompt": True, "textToAddToStartOfPrompt": "x"}},
    ),
    case("text-without-switch", {MODEL: {**model, "textToAddToStartOfPrompt": "x"}}),
    case(
        "sampler-unmapped",
        {MODEL: {**model, "presetSamplers": {"top_k": 5}}},
        {MODEL: {**model, "presetSamplers": {"temperature": 5}}},
    ),
    case("sampler-unmapped", {MODEL: {**model, "presetSamplers": {"warmth": 5}}}, note="unknown"),
    case("preset-overrides-request", {_PLAIN: {"messages": []}}),
    case("preset-response-size", {_PLAIN: {"max_tokens": 5}}, {_PLAIN: {"max_tokens": None}}),
    case(
        "estimation-level",
        {MODEL: {**model, "wilmerContextEstimationLevel": "bold"}},
        {MODEL: {**model, "wilmerContextEstimationLevel": "balanced"}},
    ),
    case("category-name", _categories("TWO WORDS", "B"), _categories("TWO_WORDS", "B")),
    case("category-name", _categories("!?", "B"), note="punctuation"),
    case("category-contained", _categories("CODE", "ENCODE"), _categories("ENCODE", "CODE")),
    case("user-name-case", {"Users/Bob.json": {**user, "workflowConfigsSubDirectoryOverride": "ann", "port": 5001}}),
    case(
        "user-port-clash",
        {"Users/bob.json": {**user, "workflowConfigsSubDirectoryOverride": "ann"}},
        {"Users/bob.json": {**user, "workflowConfigsSubDirectoryOverride": "ann", "port": 5001}},
    ),
    Case(
        "prefix-changes-hashes",
        World(_CHANGED, has_discussions=True, before={USER: user}),
        World(_CHANGED, has_discussions=True, before=_CHANGED),
    ),
    Case(
        "embedding-model-change",
        World(has_discussions=True, before={"Endpoints/Vectors.json": {**_EMBEDDING, "modelNameToSendToAPI": "old"}}),
        World(has_discussions=False, before={"Endpoints/Vectors.json": {**_EMBEDDING, "modelNameToSendToAPI": "old"}}),
    ),
    case("encrypt-without-key", {USER: {**user, "encryptUsingApiKey": True}}),
    case(
        "vector-without-workflow",
        _memory(useVectorForQualityMemory=True),
        _memory(useVectorForQualityMemory=True, vectorMemoryWorkflowName="Tool"),
    ),
    case(
        "state-without-workflow",
        _memory(useStateDocument=True),
        _memory(useStateDocument=True, stateDocumentWorkflowName="Tool"),
    ),
    case(
        "condense-without-threshold",
        _memory(condenseMemories=True),
        _memory(condenseMemories=True, memoriesBeforeCondensation=3),
    ),
    case("placeholder-missing", _memory(prompt="Write."), _memory(prompt="Write.", fileMemoryWorkflowName="Tool")),
    case(
        "placeholder-missing",
        _compactor(oldestUpdatePrompt="[NEW_CONTENT]"),
        _compactor(oldestUpdatePrompt="[NEW_CONTENT] [EXISTING_SUMMARY]"),
        note="compactor",
    ),
    case(
        "placeholder-unknown",
        _memory(prompt="[TextChunk] [MemoryFile]"),
        _memory(prompt="[TextChunk] [Memory_file] [Note]"),
    ),
    case("brace-odd", _memory(prompt="[TextChunk] {"), note="settings"),
    case("wrong-type", _memory(chunkEstimatedTokenSize="1000"), note="settings"),
    case(
        "endpoint-missing", _memory(endpointName="Gone"), _memory(endpointName="Model", preset="Plain"), note="settings"
    ),
    case("preset-missing", _memory(endpointName="Model", preset="Gone"), note="settings"),
    case("workflow-missing", _memory(fileMemoryWorkflowName="Gone"), note="settings"),
    case(
        "property-missing",
        {**_COMPACTING, COMPACTOR: {"endpointName": "Model", "recentContextTokens": 9}},
        note="compactor",
    ),
    case(
        "property-missing",
        {**ROUTED, ROUTING: {"A": {"workflow": "Main"}, "B": {"workflow": "Main", "description": "y"}}},
        note="routing",
    ),
]
