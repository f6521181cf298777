"""Rules for templates: names, braces, Jinja2 (configs.md §13.3)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from workflows_app.lint.file_rules import suggest
from workflows_app.lint.findings import Finding
from workflows_app.lint.names import BUILT_IN, DATES, LIST, ROUTING, SLICES, input_number, output_number
from workflows_app.lint.scope import KnownNames, Scope
from workflows_app.lint.templates import find_failure
from workflows_app.lint.workflow import Node, TemplateUse, WorkflowFile
from workflows_app.results import Severity

E, W, H = Severity.ERROR, Severity.WARNING, Severity.HINT

_PROMPTS: Final = ("prompt", "systemPrompt")


def check_templates(file: WorkflowFile, scope: Scope) -> Iterator[Finding]:
    """Every template of every node."""
    for node in file.nodes:
        for use in node.templates:
            if use.is_early:
                yield from _check_early(file, use, scope)
            else:
                yield from _check_names(file, node, use, scope)
                yield from _check_braces(file, node, use, scope)


def check_shadows(file: WorkflowFile) -> Iterator[Finding]:
    """Custom variables that something else hides, or that hide a date."""
    hidden = BUILT_IN - DATES
    for name in file.variables:
        if name in DATES:
            yield Finding(
                "variable-shadowed",
                file.path,
                (name,),
                f"`{name}` hides the date of that name.",
                "Choose another name.",
            )
        elif name in hidden or output_number(name) or input_number(name):
            yield Finding(
                "variable-shadowed",
                file.path,
                (name,),
                f"`{name}` is hidden by the variable of that name.",
                "Choose another name.",
            )


def check_inputs(file: WorkflowFile, scope: Scope) -> Iterator[Finding]:
    """Inputs that callers do not pass."""
    if not scope.starts:
        return
    for node in file.nodes:
        for use in node.templates:
            for name in use.template.names:
                number = input_number(name)
                if number is None or number <= scope.fewest_inputs:
                    continue
                yield _unfilled(file, use, number, scope)


def _unfilled(file: WorkflowFile, use: TemplateUse, number: int, scope: Scope) -> Finding:
    if number > scope.most_inputs:
        message = f"{{agent{number}Input}} is used, but nobody passes so many inputs."
        return Finding("input-unfilled", file.path, use.at, message, "Add it to `scoped_variables` of the caller.", E)
    meanest = min(scope.starts, key=lambda start: start.inputs)
    return Finding(
        "input-unfilled",
        file.path,
        use.at,
        f"{{agent{number}Input}} is used, but {meanest.caller} passes only {meanest.inputs} inputs.",
        "Add it to `scoped_variables` of that caller.",
    )


def _check_early(file: WorkflowFile, use: TemplateUse, scope: Scope) -> Iterator[Finding]:
    for name in use.template.names:
        if name in file.variables or input_number(name):
            continue
        key = use.at[-1]
        if name in BUILT_IN or output_number(name) or name in ROUTING:
            yield Finding(
                "endpoint-template-output",
                file.path,
                use.at,
                f"{{{name}}} does not exist where `{key}` is read.",
                "Only variables of this workflow and inputs can be used here.",
            )
        else:
            yield _unknown(file, use, name, scope, "")


def _check_names(file: WorkflowFile, node: Node, use: TemplateUse, scope: Scope) -> Iterator[Finding]:
    for name in use.template.names:
        number = output_number(name)
        if number is not None:
            yield from _check_output(file, node, use, number)
        elif name in ROUTING and not scope.is_categorizer and name not in file.variables:
            # A workflow that nobody reaches may be meant for the categoriser.
            if scope.starts:
                yield Finding(
                    "variable-routing-only",
                    file.path,
                    use.at,
                    f"{{{name}}} exists only in the workflow that names the category.",
                )
        elif input_number(name) is None:
            for user in scope.users_without(name):
                # Jinja2 leaves unknown names empty, and files may count on that.
                yield _unknown(file, use, name, scope, user)


def _check_output(file: WorkflowFile, node: Node, use: TemplateUse, number: int) -> Iterator[Finding]:
    if number > len(file.items):
        yield Finding(
            "output-beyond",
            file.path,
            use.at,
            f"{{agent{number}Output}} is used, but there are only {len(file.items)} nodes.",
        )
    elif number >= node.number:
        what = "this node itself" if number == node.number else f"node {number}, which runs later"
        yield Finding(
            "output-later",
            file.path,
            use.at,
            f"{{agent{number}Output}} is the output of {what}, so nothing in the text is replaced.",
        )


def _unknown(file: WorkflowFile, use: TemplateUse, name: str, scope: Scope, user: str) -> Finding:
    near = suggest(name, [*scope.fixed, *scope.by_user.get(user, ())])
    effect = "it is left empty" if use.template.is_jinja else "nothing in the text is replaced"
    return Finding(
        "variable-unknown",
        file.path,
        use.at,
        f"There is no variable {{{name}}}; {effect}.",
        f"Did you mean {{{near}}}?" if near else "Double the braces if they are text.",
        W if use.template.is_jinja else E,
        user,
    )


def _check_braces(file: WorkflowFile, node: Node, use: TemplateUse, scope: Scope) -> Iterator[Finding]:
    template = use.template
    if template.is_jinja or template.looks_like_jinja:
        yield from _check_jinja(file, use)
    elif "{" in template.text or "}" in template.text:
        yield from _check_format(file, use, scope.known_to(node.number))


def _check_jinja(file: WorkflowFile, use: TemplateUse) -> Iterator[Finding]:
    template = use.template
    if not template.is_jinja:
        message = "This looks like Jinja2, but `jinja2` is off."
        mend = "Switch `jinja2` on, or write {name} without spaces."
        yield Finding("jinja-syntax", file.path, use.at, message, mend, H)
    elif template.syntax_error:
        message = f"The Jinja2 template cannot be read: {template.syntax_error}."
        yield Finding("jinja-syntax", file.path, use.at, message)


def _check_format(file: WorkflowFile, use: TemplateUse, values: KnownNames) -> Iterator[Finding]:
    template, path, at = use.template, file.path, use.at
    failure = find_failure(template, values)
    if failure:
        message = f"Filling in the text fails the node: {failure}."
        yield Finding("brace-odd", path, at, message, "Double braces that are text.")
    elif template.json_names:
        taken = _short(template.json_names[0])
        message = f"{{{taken}}} is taken for a variable, so nothing in the text is replaced."
        yield Finding("brace-json", path, at, message, "Double the braces of JSON: {{ and }}.")
    for name in dict.fromkeys(template.doubled):
        if name in values:
            message = f"{{{{{name}}}}} gives the value of {name}, not its name."
            yield Finding("brace-doubled-name", path, at, message)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 30 else f"{line[:30]}…"


def check_prompt_clamp(file: WorkflowFile, node: Node, is_on: bool) -> Iterator[Finding]:
    """Conversation in a prompt that the clamp does not shorten as a whole."""
    if not is_on or not node.values.get("prompt"):
        return
    for use in node.templates:
        if use.at[-1] not in _PROMPTS:
            continue
        used = [name for name in use.template.names if name in SLICES or name == LIST]
        if LIST in used or len(used) > 1:
            yield Finding(
                "clamp-prompt",
                file.path,
                use.at,
                "The conversation in this text is not shortened as a whole, although the clamp is on.",
                "Use one conversation variable, or send the conversation without a prompt.",
            )
