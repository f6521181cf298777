"""Rules for users: what answers their requests, and everything their configs name (configs.md §13.2, §13.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from workflows_app.configs.documents import Document
from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.places import DEFAULT_WORKFLOW, prompt_template_file, routing_file, user_file
from workflows_app.lint.endpoint_rules import check_exists
from workflows_app.lint.findings import Finding
from workflows_app.lint.folder import ConfigFolder
from workflows_app.lint.lookup import UserView, join
from workflows_app.lint.reach import TOOL_WORKFLOWS, Workshop
from workflows_app.results import Severity

E, W, H = Severity.ERROR, Severity.WARNING, Severity.HINT

_REQUIRED: Final = ("chatCompleteAddUserAssistant", "chatCompletionAddMissingAssistantGenerator")
_SETTINGS: Final = ("discussionIdMemoryFileWorkflowSettings", "contextCompactorSettingsFile")


def check_user(user: UserView) -> Iterator[Finding]:
    """One user's config."""
    path, config = user.document.path, user.config
    for key in _REQUIRED:
        if key not in config:
            yield Finding(
                "user-missing-required",
                path,
                (key,),
                f"`{key}` is missing, which fails every request.",
                "Set it to true or false.",
            )
    yield from _check_template(user)
    if config.get("customWorkflowOverride"):
        yield from _check_custom(user)
    else:
        yield from _check_routing(user)
    for key in (*TOOL_WORKFLOWS, *_SETTINGS):
        if user.text(key):
            code = "settings-missing" if key in _SETTINGS else "workflow-missing"
            yield from _check_named(user, key, code)
    if config.get("encryptUsingApiKey"):
        yield Finding(
            "encrypt-without-key",
            path,
            ("encryptUsingApiKey",),
            "Requests that bring no bearer key are stored without encryption.",
        )


def check_users(folder: ConfigFolder, workshop: Workshop) -> Iterator[Finding]:
    """What concerns several users, or their names."""
    ports: dict[int, str] = {}
    for user in workshop.users:
        yield from _check_name(user.document, user.name, ())
        port = user.config.get("port", 5000)
        if isinstance(port, int) and port in ports:
            yield Finding(
                "user-port-clash",
                user.document.path,
                ("port",),
                f"The port {port} is that of {ports[port]}, too.",
                "Only matters when both are served at once, each on its own.",
            )
        if isinstance(port, int):
            ports.setdefault(port, user.name)
    for document in folder.list_kind(ConfigKind.CURRENT_USER):
        yield from _check_current(document, folder)


def _check_name(document: Document, name: str, at: tuple[str, ...]) -> Iterator[Finding]:
    if name != name.lower():
        yield Finding(
            "user-name-case",
            document.path,
            at,
            f"{name!r} has capitals: the user's file is looked for in lower case, the user's folders as written.",
            "Use lower case for the user everywhere.",
        )


def _check_current(document: Document, folder: ConfigFolder) -> Iterator[Finding]:
    name = document.object.get("currentUser")
    if not isinstance(name, str) or not name:
        yield Finding("user-missing", document.path, ("currentUser",), "No current user is named.")
        return
    path = join(*user_file(name))
    missing = Finding("user-missing", document.path, ("currentUser",), f"There is no {path}.")
    yield from check_exists(folder, path, missing)
    yield from _check_name(document, name, ("currentUser",))


def _check_template(user: UserView) -> Iterator[Finding]:
    path, at = user.document.path, ("chatPromptTemplateName",)
    name = user.text("chatPromptTemplateName")
    if not name:
        yield Finding(
            "template-missing",
            path,
            at,
            "`chatPromptTemplateName` is missing, which fails requests.",
            "Name a prompt template, such as _chatonly.",
        )
        return
    file = join(*prompt_template_file(name))
    yield from check_exists(user.folder, file, Finding("template-missing", path, at, f"There is no {file}."))


def _check_custom(user: UserView) -> Iterator[Finding]:
    if user.text("customWorkflow"):
        yield from _check_named(user, "customWorkflow", "workflow-missing")
        return
    yield Finding(
        "workflow-missing",
        user.document.path,
        ("customWorkflow",),
        "`customWorkflowOverride` is on, but no workflow is named.",
        "Name one in `customWorkflow`.",
    )


def _check_routing(user: UserView) -> Iterator[Finding]:
    """A user who is only asked through shared folders needs none of this."""
    path = user.document.path
    severity = W if user.shared_workflows and not user.text("routingConfig") else E
    name = user.text("routingConfig")
    file = join(*routing_file(name))
    if not name:
        yield Finding(
            "routing-missing",
            path,
            ("routingConfig",),
            "No routing file is named.",
            "Name one, or switch `customWorkflowOverride` on.",
            severity,
        )
    else:
        yield from check_exists(
            user.folder, file, Finding("routing-missing", path, ("routingConfig",), f"There is no {file}.")
        )
    if user.text("categorizationWorkflow"):
        yield from _check_named(user, "categorizationWorkflow", "categorizer-missing")
    else:
        yield Finding(
            "categorizer-missing",
            path,
            ("categorizationWorkflow",),
            "No workflow names the category.",
            "Name one in `categorizationWorkflow`.",
            severity,
        )
    default = user.workflow(DEFAULT_WORKFLOW)
    missing = Finding(
        "default-workflow-missing", path, (), f"There is no {default} to fall back to.", severity=severity
    )
    yield from check_exists(user.folder, default, missing)


def _check_named(user: UserView, key: str, code: str) -> Iterator[Finding]:
    file = user.workflow(user.text(key))
    missing = Finding(code, user.document.path, (key,), f"There is no {file}.", where_else(user.folder, file))
    yield from check_exists(user.folder, file, missing)


def where_else(folder: ConfigFolder, path: str) -> str:
    """Where a file of the same name is, as advice."""
    top, _, rest = path.partition("/")
    found = folder.find_elsewhere(top, rest.rpartition("/")[2])
    return f"A file of that name is at {', '.join(found[:3])}." if found else "Make it, or name another one."
