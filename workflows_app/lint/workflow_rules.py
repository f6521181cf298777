"""Rules for a workflow as a whole: who answers, what is used, locks and titles (configs.md §13.3)."""

from __future__ import annotations

from collections.abc import Iterator

from workflows_app.lint.file_rules import type_name
from workflows_app.lint.findings import Finding
from workflows_app.lint.folder import ConfigFolder
from workflows_app.lint.names import output_number
from workflows_app.lint.node_facts import ALWAYS_NULL, has_effect
from workflows_app.lint.workflow import WorkflowFile
from workflows_app.results import Severity

E, W, H = Severity.ERROR, Severity.WARNING, Severity.HINT


def check_shape(file: WorkflowFile) -> Iterator[Finding]:
    """The list of nodes."""
    value = file.document.value
    if isinstance(value, dict) and "nodes" not in value:
        yield Finding("nodes-missing", file.path, (), "The workflow has no `nodes`, so it does nothing.")
        return
    if isinstance(value, dict) and not isinstance(value["nodes"], list):
        yield Finding(
            "wrong-type", file.path, ("nodes",), f"`nodes` must be a list; it is {type_name(value['nodes'])}."
        )
        return
    if not file.items:
        yield Finding("nodes-empty", file.path, file.top, "The workflow has no node, so it does nothing.")
    for index, item in enumerate(file.items):
        if not isinstance(item, dict):
            yield Finding(
                "node-not-object",
                file.path,
                (*file.top, index),
                f"Node {index + 1} must be an object; it is {type_name(item)}.",
            )


def check_titles(file: WorkflowFile) -> Iterator[Finding]:
    """Each title once."""
    seen: dict[str, int] = {}
    for node in file.nodes:
        title = node.values.get("title")
        if not isinstance(title, str) or not title:
            continue
        if title in seen:
            yield Finding(
                "title-duplicate", file.path, node.pointer("title"), f"Node {seen[title]} has the title {title!r}, too."
            )
        seen.setdefault(title, node.number)


def check_responder(file: WorkflowFile) -> Iterator[Finding]:
    """Which node answers, and what comes after it."""
    opted = [node for node in file.nodes if node.opts_in]
    for node in opted[1:]:
        key = "is_responder" if "is_responder" in node.values else "returnToUser"
        yield Finding(
            "responder-several",
            file.path,
            node.pointer(key),
            f"Node {opted[0].number} answers; this one does not, although it says so.",
        )
    if not opted and file.nodes:
        yield from _check_silent(file)
    yield from _check_images(file)
    responder = file.responder
    if responder is None:
        return
    for node in file.nodes:
        if node.number > responder.number:
            yield Finding(
                "after-responder",
                file.path,
                node.at,
                f"Node {node.number} runs after the answer: it is not in it, delays an answer that is not "
                "streamed, and its failure makes that fail.",
            )


def check_effects(file: WorkflowFile) -> Iterator[Finding]:
    """Nodes whose work nobody sees, and uses of what is always null."""
    for node in file.nodes:
        if node is not file.responder and node.number not in file.used_outputs and not has_effect(node):
            yield Finding(
                "node-without-effect",
                file.path,
                node.at,
                f"Nobody uses the output of node {node.number}, and it changes nothing else.",
                f"Use {{agent{node.number}Output}} in a later node, or remove it.",
            )
        for use in node.templates:
            for name in use.template.names:
                source = file.by_number.get(output_number(name) or 0)
                if source is not None and source.number < node.number and source.type in ALWAYS_NULL:
                    yield Finding(
                        "output-null",
                        file.path,
                        use.at,
                        f"{{{name}}} is the output of {source.type}, which is always null.",
                    )


def check_locks(file: WorkflowFile) -> Iterator[Finding]:
    """Each lock once in a workflow."""
    seen: dict[str, int] = {}
    for node in file.nodes:
        name = node.values.get("workflowLockId")
        if node.type != "WorkflowLock" or not name:
            continue
        if str(name) in seen:
            yield Finding(
                "lock-repeated",
                file.path,
                node.pointer("workflowLockId"),
                f"Node {seen[str(name)]} holds the lock {name!r} already, so this one ends every request.",
            )
        seen.setdefault(str(name), node.number)


def check_python_files(file: WorkflowFile, folder: ConfigFolder) -> Iterator[Finding]:
    """Python files that are not there."""
    for node in file.nodes:
        path = node.values.get("module_path")
        if node.type != "PythonModule" or not isinstance(path, str) or not path or "{" in path:
            continue
        if folder.has_file is not None and not folder.has_file(path):
            yield Finding("python-module", file.path, node.pointer("module_path"), f"There is no file {path}.", "", W)


def _check_silent(file: WorkflowFile) -> Iterator[Finding]:
    last = file.nodes[-1]
    if len(file.nodes) > 1:
        yield Finding(
            "responder-none",
            file.path,
            file.top,
            "No node says that it answers, so the last one does.",
            "Switch `is_responder` on in the node that is to answer.",
        )
        key = next((key for key in ("is_responder", "returnToUser") if key in last.values), "")
        if key:
            yield Finding(
                "responder-last-false",
                file.path,
                last.pointer(key),
                f"`{key}` is off, but the last node answers when no other does.",
            )


def _check_images(file: WorkflowFile) -> Iterator[Finding]:
    responder = file.responder
    for node in file.nodes:
        if node.type == "ImageProcessor" and responder and responder.number < node.number:
            yield Finding(
                "image-off",
                file.path,
                node.at,
                f"The pictures are described after node {responder.number} has answered.",
                "Move this node before the one that needs the descriptions.",
            )
