"""Rules for any file, and references (configs.md §13.1, §13.2)."""

from __future__ import annotations

from tests.workflows_app.lint.worlds import (
    CHAT,
    COMPACTOR,
    MAIN,
    MEMORY,
    MODEL,
    ROUTED,
    ROUTING,
    USER,
    Case,
    World,
    answer,
    asking,
    calling,
    case,
    chat,
    memory,
    model,
    node,
    routed,
    user,
    using,
    without,
)

PLAIN = "Presets/P/Plain.json"
_TOOL_USER = {**user, "chatSummaryToolWorkflow": "Main", "discussionIdMemoryFileWorkflowSettings": "Memory-Settings"}

FILES = [
    case("json-syntax", {PLAIN: b'{"a": 1,}'}, note="comma"),
    case("json-syntax", {PLAIN: b"// no\n{}"}, note="comment"),
    case("json-syntax", {PLAIN: b"\xef\xbb\xbf{}"}, note="bom"),
    case("json-duplicate-key", {PLAIN: b'{"a": 1, "a": 2}'}, {PLAIN: b'{"a": 1, "b": {"a": 2}}'}),
    case("json-not-object", {PLAIN: []}),
    case("encoding", {PLAIN: '{"_note": "fünf"}'.encode("latin-1")}, {PLAIN: '{"_note": "fünf"}'.encode()}),
    case("unknown-field", {USER: {**user, "customWorkflo": "x"}}, {USER: {**user, "_comment": "x"}}),
    case("unknown-field", {MAIN: asking(temperature=1)}, {MAIN: asking(displayOnlyComment="x")}, note="node"),
    case("unused-field", {USER: {**user, "stream": True}}),
    case("unused-field", {MODEL: {**model, "modelNameForDisplayOnly": "M"}}, note="endpoint"),
    case("wrong-type", {MAIN: asking(prompt=5)}, {MAIN: asking(prompt=None)}),
    case("wrong-type", {MAIN: asking(maxResponseSizeInTokens="400")}, note="coerced"),
    case("wrong-type", {USER: {**user, "port": "many"}}, {USER: {**user, "port": 5001}}, note="port"),
    case("text-boolean", {MAIN: asking(allowTools="false")}, {MAIN: asking(allowTools=False)}),
    case("text-boolean", {USER: {**user, "customWorkflowOverride": "no"}}, note="user"),
    Case("case-mismatch", World({MAIN: asking(preset="plain")}, ignores_case=True)),
    case("name-unsafe", {MAIN: using(node("MCPToolCall", server="_examples/x", tool="t"))}),
]

REFERENCES = [
    case("workflow-missing", {USER: {**user, "customWorkflow": "Gone"}}, also=("workflow-unreachable",), note="user"),
    case("workflow-missing", {MAIN: [node("CustomWorkflow", workflowName="Gone")]}, calling([answer]), note="node"),
    case("workflow-name-template", {MAIN: [node("CustomWorkflow", workflowName="{which}")]}, calling([answer])),
    case(
        "endpoint-missing",
        {MAIN: asking(endpointName="Gone")},
        {MAIN: {"nodes": asking(endpointName="{m}"), "m": "Model"}},
    ),
    case("endpoint-missing", {MAIN: {"nodes": asking(endpointName="{m}"), "m": "Gone"}}, note="variable"),
    case(
        "endpoint-template-output",
        {MAIN: using(node("StaticResponse", content="Model"), endpointName="{agent1Output}")},
    ),
    case("endpoint-template-output", {MAIN: asking(maxResponseSizeInTokens="{YYYY_MM_DD}")}, note="number"),
    case("preset-missing", {MAIN: asking(preset="Gone")}, {"Presets/P/ann/Own.json": {}, MAIN: asking(preset="Own")}),
    case("preset-missing", {"Presets/Q/Other.json": {}, MAIN: asking(preset="Other")}, note="other-type"),
    case(
        "preset-empty-samplers",
        {MAIN: asking(preset="Model")},
        {MODEL: {**model, "presetSamplers": {"temperature": 1}}, MAIN: asking(preset="Model")},
        note="no-file",
    ),
    case("preset-empty-samplers", {MAIN: asking(preset="Model"), "Presets/P/Model.json": {}}, note="file"),
    case("endpoint-needless", {MAIN: using(node("StaticResponse", content="x", endpointName="Model"))}),
    case("endpoint-is-embeddings", {MAIN: asking(endpointName="Vectors")}),
    case(
        "endpoint-not-embeddings",
        {MAIN: using(node("VectorMemorySearch", input="x", embeddingEndpointName="Model"))},
        {MAIN: using(node("VectorMemorySearch", input="x", embeddingEndpointName="Vectors"))},
    ),
    case("apitype-missing", {"Endpoints/Other.json": {**model, "apiTypeConfigFileName": "Gone"}}),
    case("apitype-absent", {"Endpoints/Other.json": without(model, "apiTypeConfigFileName")}),
    case("apitype-unknown-type", {"ApiTypes/Other.json": {"type": "telepathy"}}),
    case("apitype-unknown-type", {"ApiTypes/Other.json": {"type": "ollamaApiChatImageSpecific"}}, note="old"),
    case("template-missing", {MODEL: {**model, "promptTemplate": "gone"}}, note="endpoint"),
    case("template-missing", {MODEL: without(model, "promptTemplate")}, note="absent"),
    case("template-missing", {USER: {**user, "chatPromptTemplateName": "gone"}}, note="user"),
    case(
        "backup-loop",
        {
            MODEL: {**model, "backupEndpointName": "Other"},
            "Endpoints/Other.json": {**model, "backupEndpointName": "Model"},
        },
        {MODEL: {**model, "backupEndpointName": "Other"}, "Endpoints/Other.json": model},
    ),
    case("backup-missing", {MODEL: {**model, "backupEndpointName": "Gone"}}),
    case(
        "backup-missing",
        {MODEL: {**model, "backupEndpointName": "Other", "backupPresetName": "Gone"}, "Endpoints/Other.json": model},
        {MODEL: {**model, "backupEndpointName": "Other", "backupPresetName": "Plain"}, "Endpoints/Other.json": model},
        note="preset",
    ),
    case(
        "backup-remote",
        {
            MODEL: {**model, "backupEndpointName": "Far"},
            "Endpoints/Far.json": {**model, "endpoint": "https://api.example.com"},
        },
        {
            MODEL: {**model, "backupEndpointName": "Far"},
            "Endpoints/Far.json": {**model, "endpoint": "https://api.example.com", "allowRemoteBackup": True},
        },
    ),
    case("user-missing", {"Users/_current-user.json": {"currentUser": "bob"}}),
    case("user-missing-required", {USER: without(user, "chatCompleteAddUserAssistant")}),
    case(
        "routing-missing", {**ROUTED, USER: {**routed, "routingConfig": "Gone"}}, ROUTED, also=("workflow-unreachable",)
    ),
    case("default-workflow-missing", {**ROUTED, "Workflows/ann/_DefaultWorkflow.json": None}, ROUTED),
    case("categorizer-missing", {**ROUTED, "Workflows/ann/Sort.json": None}, ROUTED),
    case(
        "tool-workflow-missing",
        {
            USER: {**user, "discussionIdMemoryFileWorkflowSettings": "Memory-Settings"},
            MEMORY: memory,
            MAIN: using(node("RecentMemory")),
        },
        {
            USER: {**_TOOL_USER, "recentMemoryToolWorkflow": "Tool"},
            MEMORY: memory,
            "Workflows/ann/Tool.json": [answer],
            MAIN: using(node("RecentMemory")),
        },
    ),
    case(
        "settings-missing",
        {MAIN: [node("QualityMemory"), answer]},
        {USER: _TOOL_USER, MEMORY: memory, MAIN: [node("QualityMemory"), answer]},
        note="empty",
    ),
    case(
        "settings-missing",
        {USER: {**user, "contextCompactorSettingsFile": "Compactor-Settings"}},
        {
            USER: {**user, "contextCompactorSettingsFile": "Compactor-Settings"},
            COMPACTOR: {"endpointName": "Model", "preset": "Plain"},
        },
        note="file",
    ),
    case(
        "folder-override-lost",
        {
            **calling([answer], workflowUserFolderOverride="_common"),
            "Workflows/ann/Child.json": None,
            "Workflows/_common/Child.json": [{**node("CustomWorkflow", workflowName="Deep"), "is_responder": True}],
            "Workflows/_common/Deep.json": [answer],
        },
        also=("workflow-missing", "workflow-unreachable"),
    ),
    case("workflow-cycle", calling([node("CustomWorkflow", workflowName="Main")]), calling([answer])),
    case("workflow-unreachable", {"Workflows/ann/Lonely.json": [answer]}, calling([answer])),
    case(
        "mcp-missing",
        {MAIN: using(node("MCPToolCall", server="Gone", tool="t"))},
        {
            MAIN: using(node("MCPToolCall", server="S", tool="t")),
            "MCPServers/S.json": {"transport": "stdio", "command": "x"},
        },
    ),
    case(
        "mcp-transport",
        {"MCPServers/S.json": {"transport": "pigeon"}},
        {"MCPServers/S.json": {"transport": "sse", "url": "http://x"}},
    ),
    case("mcp-transport", {"MCPServers/S.json": {"command": "x"}}, note="absent"),
    case(
        "schema-missing",
        {MAIN: asking(structuredOutputFile="Gone")},
        {MAIN: asking(structuredOutputFile="S"), "StructuredOutputs/S.json": {"type": "object"}},
    ),
    case("preset-missing", {CHAT: {**chat, "presetType": "Q"}}, note="type-of-api"),
    case(
        "category-default-workflow",
        {
            **ROUTED,
            ROUTING: {
                "A": {"workflow": "_DefaultWorkflow", "description": "x"},
                "B": {"workflow": "Main", "description": "y"},
            },
        },
        ROUTED,
    ),
]
