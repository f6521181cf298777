"""Rules for nodes (configs.md §13.3)."""

from __future__ import annotations

from tests.workflows_app.lint.worlds import (
    COMPACTOR,
    MAIN,
    MEMORY,
    MODEL,
    ROUTED,
    USER,
    answer,
    asking,
    calling,
    case,
    memory,
    model,
    node,
    user,
    using,
    without,
)

_MEMORY = {USER: {**user, "discussionIdMemoryFileWorkflowSettings": "Memory-Settings"}, MEMORY: memory}
_SUMMARY = {
    USER: {**_MEMORY[USER], "chatSummaryToolWorkflow": "Tool"},
    MEMORY: memory,
    "Workflows/ann/Tool.json": [answer],
}
LOCK = node("WorkflowLock", workflowLockId="one")
TEXT = node("StaticResponse", content="x")
QUIET = {**answer, "is_responder": False}


def _routes(routes: dict[str, str], **values: object) -> dict[str, object]:
    start = node("ConditionalCustomWorkflow", conditionalKey="x", conditionalWorkflows=routes, **values)
    return {MAIN: using(start), "Workflows/ann/Child.json": [answer]}


def _condition(text: str) -> dict[str, object]:
    source = {**answer, "title": "Source", "is_responder": False}
    both = [source, node("Conditional", condition=text)]
    return {MAIN: [*both, {**answer, "prompt": "{agent1Output} {agent2Output}"}]}


SHAPES = [
    case("node-not-object", {MAIN: [answer, "x"]}),
    case("nodes-missing", {MAIN: {"a": 1}}, {MAIN: {"nodes": [answer]}}),
    case("nodes-empty", {MAIN: []}),
    case("wrong-type", {MAIN: {"nodes": None}}, note="nodes"),
    case("type-unknown", {MAIN: asking(type="standard")}, {MAIN: asking()}),
    case("type-absent", {MAIN: asking(type=...)}),
    case("property-missing", {MAIN: using(node("TagTextExtractor", tagToExtractFrom="x"))}),
    case("property-missing", {MAIN: asking(preset=...)}, note="preset"),
    case(
        "property-missing",
        {MAIN: using(node("SaveCustomFile", filepath="x", mode="replace", content="y"))},
        {MAIN: using(node("SaveCustomFile", filepath="x", mode="trim"))},
        note="save",
    ),
    case("standard-without-endpoint", {MAIN: asking(endpointName=...)}),
    case(
        "value-range",
        {MAIN: using(node("DelimitedChunker", content="x", delimiter=",", mode="middle", count=1))},
        {MAIN: using(node("DelimitedChunker", content="x", delimiter=",", mode="head", count=1))},
        note="mode",
    ),
    case(
        "value-range",
        {MAIN: using(node("DelimitedChunker", content="x", delimiter=",", mode="head", count=0))},
        note="count",
    ),
    case(
        "value-range",
        {MAIN: using(node("GetCustomFile", filepath="x", headCount=1, tailCount=1))},
        {MAIN: using(node("GetCustomFile", filepath="x", headCount=1))},
        note="both",
    ),
    case("value-range", {MAIN: using(node("WebFetch", url="http://x", onError="ignore"))}, note="on-error"),
    case("value-range", {MAIN: using(node("VectorMemorySearch", input="x", searchMode="magic"))}, note="search"),
    case("value-range", {MAIN: using(node("WebFetch", url="http://x", timeout=0))}, note="timeout"),
    case("value-range", {MAIN: using(node("WebFetch", url="http://x", allowedHosts=[]))}, note="hosts"),
    case(
        "value-range",
        calling([answer])
        | {MAIN: using(node("ConversationChunkProcessor", id="a b", workflowName="Child", cursorDirectory="x"))},
        calling([answer])
        | {MAIN: using(node("ConversationChunkProcessor", id="a-b", workflowName="Child", cursorDirectory="x"))},
        note="chunk-id",
    ),
    case("responder-ignored-key", {MAIN: asking(isResponder=True)}),
    case(
        "responder-several",
        {MAIN: [{**answer, "title": "First"}, answer]},
        also=("after-responder", "node-without-effect"),
    ),
    case(
        "responder-none",
        {MAIN: [TEXT, without({**answer, "prompt": "{agent1Output}"}, "is_responder")]},
        {MAIN: asking(is_responder=...)},
    ),
    case("responder-last-false", {MAIN: using(TEXT, is_responder=False)}, also=("responder-none",)),
    case("responder-both-keys", {MAIN: asking(returnToUser=False)}, {MAIN: asking(returnToUser=True)}),
    case("responder-not-text", {MAIN: [LOCK]}, {MAIN: [LOCK, answer]}),
    case(
        "responder-not-text",
        _SUMMARY | {MAIN: [node("FullChatSummary")]},
        _SUMMARY | {MAIN: using(node("FullChatSummary"))},
        note="list",
    ),
    case(
        "after-responder",
        _MEMORY | {MAIN: [answer, node("QualityMemory")]},
        _MEMORY | {MAIN: [node("QualityMemory"), answer]},
    ),
    case("node-without-effect", {MAIN: [TEXT, answer]}, {MAIN: using(TEXT)}),
    case("title-duplicate", {MAIN: using(TEXT, TEXT)}, {MAIN: using(TEXT, {**TEXT, "title": "B"})}),
    case("title-absent", {MAIN: asking(title=...)}, {MAIN: asking(title=..., agentName="A")}),
]
VARIABLES = [
    case("output-later", {MAIN: asking(prompt="{agent1Output}")}, {MAIN: using(TEXT)}),
    case("output-beyond", {MAIN: asking(prompt="{agent2Output}")}),
    case("output-null", {MAIN: using(LOCK)}),
    case(
        "input-unfilled",
        calling([{**answer, "prompt": "{agent2Input}"}], scoped_variables=["x"]),
        calling([{**answer, "prompt": "{agent1Input}"}], scoped_variables=["x"]),
    ),
    case("input-unfilled", {MAIN: asking(prompt="{agent1Input}")}, note="root"),
    case("input-unused", calling([answer], scoped_variables=["x"])),
    case("scoped-not-list", calling([{**answer, "prompt": "{agent1Input}"}], scoped_variables="x")),
    case(
        "variable-unknown",
        {MAIN: asking(prompt="{persona}")},
        {MAIN: {"nodes": asking(prompt="{persona}"), "persona": "A cook"}},
    ),
    case(
        "variable-unknown",
        {MAIN: asking(prompt="{persona}")},
        {USER: {**user, "userWideWorkflowVariables": {"persona": "A cook"}}, MAIN: asking(prompt="{persona}")},
        note="user",
    ),
    case("variable-routing-only", {MAIN: asking(prompt="{categoriesSeparatedByOr}")}, ROUTED),
    case(
        "variable-shadowed", {MAIN: {"nodes": asking(), "chat_system_prompt": "x"}}, {MAIN: {"nodes": asking(), "a": 1}}
    ),
    case("variable-shadowed", {MAIN: {"nodes": asking(), "YYYY_MM_DD": "x"}}, note="date"),
    case("brace-odd", {MAIN: asking(prompt="a { b")}, {MAIN: asking(prompt="a {{ b }} c")}),
    case("brace-odd", {MAIN: asking(prompt="{}")}, {MAIN: asking(prompt='{{"a": 1}}')}, note="empty"),
    case("brace-odd", {MAIN: asking(prompt="{{}}")}, note="second-pass"),
    case(
        "brace-odd",
        {MAIN: {"nodes": asking(prompt="{a}"), "a": "x { y"}},
        {MAIN: {"nodes": asking(prompt="{a}"), "a": "x {chat_system_prompt} y"}},
        note="in-variable",
    ),
    case("brace-json", {MAIN: asking(prompt='{"a": 1}')}, {MAIN: using(TEXT, prompt='{{"a": {agent1Output}}}')}),
    case("brace-doubled-name", {MAIN: asking(prompt="{{YYYY_MM_DD}}")}),
    case(
        "jinja-syntax",
        {MAIN: asking(prompt="{% if %}", jinja2=True)},
        {MAIN: asking(prompt="{% if messages %}x{% endif %}", jinja2=True)},
    ),
    case("jinja-syntax", {MAIN: asking(prompt="{% if messages %}x{% endif %}")}, note="off"),
    case("condition-syntax", _condition("'{agent1Output}' = 'yes'"), note="equals", also=()),
    case("condition-syntax", _condition("NOT {agent1Output}"), _condition("{agent1Output} > 5"), note="not"),
    case("condition-unquoted", _condition("{agent1Output} == yes"), _condition("{agent1Output} == 5")),
    case("condition-unsafe", _condition("'{agent1Output}' == 'yes'"), _condition("{agent1Output} > 5")),
]
FLOW = [
    case("route-no-default", _routes({"a": "Child"}), _routes({"a": "Child"}, UseDefaultContentInsteadOfWorkflow="")),
    case("route-case-duplicate", _routes({"a": "Child", "A": "Child", "default": "Child"})),
    case(
        "route-override-unused",
        _routes({"default": "Child"}, routeOverrides={"b": {"firstNodePromptOverride": "x"}}),
        _routes({"b": "Child", "default": "Child"}, routeOverrides={"B": {"firstNodePromptOverride": "x"}}),
    ),
    case(
        "route-override-unused",
        _routes({"default": "Child"}, firstNodePromptOverride="x"),
        note="node",
        also=("unknown-field",),
    ),
    case("route-key-spaces", _routes({" a": "Child", "default": "Child"})),
    case(
        "override-without-target",
        calling([TEXT], firstNodePromptOverride="x"),
        calling([answer], firstNodePromptOverride="x"),
    ),
    case(
        "lock-repeated",
        {MAIN: [LOCK, {**LOCK, "title": "Again"}, answer]},
        {MAIN: [LOCK, {**LOCK, "title": "B", "workflowLockId": "two"}, answer]},
    ),
    case(
        "lock-repeated",
        {
            MAIN: [LOCK, {**node("CustomWorkflow", workflowName="Child"), "is_responder": True}],
            "Workflows/ann/Child.json": [LOCK, answer],
        },
        {
            MAIN: [{**node("CustomWorkflow", workflowName="Child"), "is_responder": True}],
            "Workflows/ann/Child.json": [LOCK, answer],
        },
        note="child",
    ),
    case("lock-template", {MAIN: [{**LOCK, "workflowLockId": "{Discussion_Id}"}, answer]}),
    case(
        "workflow-cycle",
        {MAIN: using(node("ConditionalCustomWorkflow", conditionalKey="x", conditionalWorkflows={"default": "Main"}))},
        note="conditional",
    ),
]
HINTS = [
    case("timestamps-without-id", {MAIN: asking(addDiscussionIdTimestampsForLLM=True)}),
    case(
        "group-chat-without-timestamps",
        {MAIN: asking(useGroupChatTimestampLogic=True)},
        {MAIN: asking(useGroupChatTimestampLogic=True, addDiscussionIdTimestampsForLLM=True)},
    ),
    case(
        "prompt-and-last-messages",
        {MAIN: asking(lastMessagesToSendInsteadOfPrompt=5)},
        {MAIN: asking(lastMessagesToSendInsteadOfPrompt=5, acceptImages=True)},
    ),
    case(
        "clamp-prompt",
        {
            MAIN: asking(
                clampPromptToContextWindow=True, prompt="{chat_user_prompt_last_one} {chat_user_prompt_last_ten}"
            )
        },
        {MAIN: asking(clampPromptToContextWindow=True)},
    ),
    case(
        "tokens-exceed-window",
        {MAIN: asking(maxResponseSizeInTokens=8000)},
        {MAIN: asking(maxResponseSizeInTokens=7999)},
    ),
    case("image-off", {MAIN: asking(maxImagesToSend=3)}, {MAIN: asking(maxImagesToSend=3, acceptImages=True)}),
    case(
        "image-off",
        {MAIN: [answer, node("ImageProcessor", endpointName="Model", preset="Plain", addAsUserMessage=True)]},
        also=("after-responder",),
        note="late",
    ),
    case("python-module", {MAIN: using(node("PythonModule", module_path="x.py"))}),
    case(
        "web-open",
        {MAIN: using(TEXT, node("WebFetch", url="{agent1Output}"))},
        {MAIN: using(TEXT, node("WebFetch", url="http://here/{agent1Output}"))},
    ),
    case(
        "web-open",
        {MAIN: using(TEXT, node("CurlCommand", args=["https://{agent1Output}/"]))},
        {MAIN: using(TEXT, node("CurlCommand", args=["https://{agent1Output}/"], allowedHosts=["a"]))},
        note="curl",
    ),
    case(
        "placeholder-missing",
        {MAIN: [node("chatSummarySummarizer", endpointName="Model", preset="Plain", prompt="Go on.")]},
        {MAIN: [node("chatSummarySummarizer", endpointName="Model", preset="Plain", prompt="[LATEST_MEMORIES]")]},
        note="node",
    ),
    case(
        "settings-missing",
        {MAIN: using(node("ContextCompactor"))},
        {
            USER: {**user, "contextCompactorSettingsFile": "Compactor-Settings"},
            COMPACTOR: {"endpointName": "Model", "preset": "Plain"},
            MAIN: using(node("ContextCompactor")),
        },
        note="compactor",
    ),
    case("text-without-switch", {MAIN: asking(responseStartTextToRemove="x")}, note="node"),
    case(
        "tokens-exceed-window",
        {MODEL: {**model, "maxContextTokenSize": 300}, MAIN: asking(maxResponseSizeInTokens=400)},
        note="small",
    ),
]
