"""Every rule with its usual severity and what it says (configs.md §13)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workflows_app.results import Severity

E, W, H = Severity.ERROR, Severity.WARNING, Severity.HINT


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. Some problems of a rule are more or less severe than usual."""

    code: str
    severity: Severity
    title: str


def _rules(*entries: tuple[str, Severity, str]) -> dict[str, Rule]:
    return {code: Rule(code, severity, title) for code, severity, title in entries}


_FILE = _rules(
    ("json-syntax", E, "The file is no JSON"),
    ("json-duplicate-key", W, "A key comes twice in one object"),
    ("json-not-object", E, "The file is not what this kind of file must be"),
    ("encoding", W, "The file is not UTF-8"),
    ("unknown-field", H, "Nothing reads this field"),
    ("unused-field", H, "A field that WilmerAI no longer reads"),
    ("wrong-type", E, "A value of the wrong type"),
    ("text-boolean", W, "A text in a switch, which is on"),
    ("case-mismatch", W, "A name that differs in letter case"),
    ("name-unsafe", E, "A name with path parts where only plain names work"),
)
_REFERENCES = _rules(
    ("workflow-missing", E, "A workflow that is not there"),
    ("workflow-name-template", E, "Variables in the name of a workflow"),
    ("endpoint-missing", E, "An endpoint that is not there"),
    ("endpoint-template-output", E, "A variable that does not exist yet where endpoint, preset and numbers are read"),
    ("preset-missing", E, "A preset that is not there"),
    ("preset-empty-samplers", W, "A preset named like an endpoint without samplers"),
    ("endpoint-needless", W, "An endpoint on a node that asks no model"),
    ("endpoint-is-embeddings", E, "An embeddings endpoint where text is wanted"),
    ("endpoint-not-embeddings", E, "A text endpoint where embeddings are wanted"),
    ("apitype-missing", E, "An API type that is not there"),
    ("apitype-absent", E, "An endpoint without an API type"),
    ("apitype-unknown-type", E, "A wire format that WilmerAI does not know"),
    ("template-missing", E, "A prompt template that is not there"),
    ("backup-loop", E, "Backup endpoints that lead round in a circle"),
    ("backup-missing", E, "A backup that is not there"),
    ("backup-remote", E, "A public backup that is not allowed"),
    ("user-missing", E, "A user that is not there"),
    ("user-missing-required", E, "A switch without which every request fails"),
    ("routing-missing", E, "A routing file that is not there"),
    ("default-workflow-missing", E, "No default workflow to fall back to"),
    ("categorizer-missing", E, "No workflow that names the category"),
    ("tool-workflow-missing", E, "A node needs a workflow that the user does not name"),
    ("settings-missing", E, "A node needs settings that are not there"),
    ("folder-override-lost", W, "A child that lies only in its caller's folder"),
    ("workflow-cycle", E, "Workflows that start each other"),
    ("workflow-unreachable", H, "Nothing leads to this workflow"),
    ("mcp-missing", E, "An MCP server that is not there"),
    ("mcp-transport", E, "An MCP server with an unknown transport"),
    ("schema-missing", E, "An output schema that is not there"),
)
_NODES = _rules(
    ("node-not-object", E, "A node that is no object"),
    ("nodes-missing", W, "A workflow without `nodes`"),
    ("nodes-empty", W, "A workflow with no node"),
    ("type-unknown", E, "A node type that does not exist"),
    ("type-absent", H, "A node without a type"),
    ("property-missing", E, "A property that the node needs"),
    ("standard-without-endpoint", E, "A model call without an endpoint"),
    ("value-range", E, "A value outside of those allowed"),
    ("responder-ignored-key", W, "`isResponder`, which means nothing"),
    ("responder-several", W, "More than one node wants to answer"),
    ("responder-none", H, "No node says that it answers"),
    ("responder-last-false", W, "The last node says it does not answer, but does"),
    ("responder-both-keys", W, "`is_responder` and `returnToUser` differ"),
    ("responder-not-text", W, "The answering node gives nothing a chat can show"),
    ("after-responder", H, "A node after the answer"),
    ("node-without-effect", H, "A node whose output nobody uses"),
    ("output-later", E, "The output of a node that has not run yet"),
    ("output-beyond", E, "The output of a node that does not exist"),
    ("output-null", W, "The output of a node that gives nothing"),
    ("input-unfilled", W, "An input that a caller does not pass"),
    ("input-unused", H, "An input that the workflow does not use"),
    ("scoped-not-list", E, "Inputs that are not a list"),
    ("variable-unknown", E, "A variable that does not exist"),
    ("variable-routing-only", E, "A variable of the categorisation workflow alone"),
    ("variable-shadowed", W, "A variable hidden by another of the same name"),
    ("brace-odd", E, "Braces that do not belong together"),
    ("brace-json", W, "JSON in a template without doubled braces"),
    ("brace-doubled-name", H, "Doubled braces around a variable"),
    ("jinja-syntax", E, "Jinja2 that cannot be read, or is not switched on"),
    ("condition-syntax", E, "A condition that is always false because of a mistake"),
    ("condition-unquoted", W, "An output compared without quotes"),
    ("condition-unsafe", H, "An output in quotes that it may contain itself"),
    ("route-no-default", W, "No route for other keys"),
    ("route-case-duplicate", W, "Routes that differ only in letter case"),
    ("route-override-unused", W, "Prompts for a route that does not exist"),
    ("route-key-spaces", W, "A route that can never be chosen"),
    ("override-without-target", W, "A prompt for a workflow whose nodes have none"),
    ("lock-repeated", E, "A lock taken twice in one run"),
    ("lock-template", W, "Variables in the name of a lock"),
    ("timestamps-without-id", H, "Message times need a discussion"),
    ("group-chat-without-timestamps", H, "Group chat without message times"),
    ("prompt-and-last-messages", H, "A number of messages beside a prompt"),
    ("clamp-prompt", H, "Conversation in a prompt that is not shortened"),
    ("tokens-exceed-window", W, "An answer as large as the whole context"),
    ("image-off", W, "Pictures that do not reach the model"),
    ("python-module", H, "Python, which the console does not run"),
    ("web-open", H, "A host that comes from an output, without a guard"),
    ("title-duplicate", H, "Two nodes with the same title"),
    ("title-absent", H, "A node without a title"),
)
_CONFIGS = _rules(
    ("endpoint-url", E, "An address that is none"),
    ("endpoint-model-empty", W, "No model name"),
    ("think-tags-missing", W, "Think blocks are to be removed, but no tags are given"),
    ("switch-without-text", H, "A switch whose text is empty"),
    ("text-without-switch", H, "A text whose switch is off"),
    ("sampler-unmapped", W, "A sampler that is dropped"),
    ("preset-overrides-request", E, "A preset that replaces part of the request"),
    ("preset-response-size", W, "A response size that has no effect"),
    ("estimation-level", W, "An unknown level of token estimation"),
    ("category-name", E, "A category name that cannot work"),
    ("category-contained", W, "A category name within another"),
    ("category-default-workflow", H, "A category that leads to the default workflow"),
    ("user-name-case", W, "Capitals in a user name"),
    ("user-port-clash", H, "Two users with the same port"),
    ("prefix-changes-hashes", W, "A switch that changes the hash of every message"),
    ("embedding-model-change", W, "Another embeddings model than the vectors were made with"),
    ("encrypt-without-key", H, "Encryption needs a key in each request"),
    ("vector-without-workflow", H, "Vector memories without a workflow of their own"),
    ("state-without-workflow", E, "A state document without a workflow"),
    ("condense-without-threshold", E, "Condensing without a number of memories"),
    ("placeholder-missing", W, "A prompt without its placeholder"),
    ("placeholder-unknown", W, "A placeholder that does not exist"),
)
RULES: Final[dict[str, Rule]] = {**_FILE, **_REFERENCES, **_NODES, **_CONFIGS}
"""By code, in the order of configs.md §13."""
