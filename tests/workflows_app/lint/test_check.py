from __future__ import annotations

import json

import pytest

from tests.workflows_app.lint.worlds import CLEAN, MAIN, USER, World, answer, asking, calling, node, user, using
from workflows_app.configs.fields import fields_of, fields_of_node
from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.node_models import NODE_MODELS
from workflows_app.lint.check import check_folder
from workflows_app.results import Problem, Severity


def only(world: World, code: str) -> Problem:
    [problem] = [problem for problem in world.check() if problem.code == code]
    return problem


def test_problem_has_the_place_of_the_key() -> None:
    text = b'[\n  {\n    "title": "A", "type": "Standard",\n    "preset": "Plain", "endpointName": "Gone"\n  }\n]'

    problem = only(World({MAIN: text}), "endpoint-missing")

    assert (problem.path, problem.at, problem.line, problem.column) == (MAIN, "/0/endpointName", 4, 24)


def test_problem_of_an_absent_key_is_placed_at_the_object() -> None:
    problem = only(World({MAIN: asking(preset=...)}), "property-missing")

    assert (problem.at, problem.line, problem.column) == ("/0/preset", 2, 3)


def test_syntax_error_names_line_and_column_and_the_comma() -> None:
    problem = only(World({MAIN: b'[\n  {"a": 1,}\n]'}), "json-syntax")

    assert problem.line == 2
    assert "comma" in problem.mend


def test_later_duplicate_key_is_the_place() -> None:
    problem = only(World({"Presets/P/Plain.json": b'{"a": 1,\n "a": 2}'}), "json-duplicate-key")

    assert (problem.at, problem.line, problem.column) == ("/a", 2, 2)


def test_users_with_the_same_problem_share_one_entry() -> None:
    bob = {**user, "port": 5001, "workflowConfigsSubDirectoryOverride": "ann"}
    problem = only(World({"Users/bob.json": bob, MAIN: asking(endpointName="Gone")}), "endpoint-missing")

    assert "users ann, bob" in problem.message


def test_missing_workflow_says_where_one_of_that_name_is() -> None:
    world = World({MAIN: [node("CustomWorkflow", workflowName="Child")], "Workflows/_common/Child.json": [answer]})

    assert "Workflows/_common/Child.json" in only(world, "workflow-missing").mend


def test_missing_type_suggests_the_right_spelling() -> None:
    assert "`Standard`" in only(World({MAIN: asking(type="standard")}), "type-unknown").mend


@pytest.mark.parametrize(
    ("changes", "code", "severity"),
    [
        ({"maxResponseSizeInTokens": "400"}, "wrong-type", Severity.WARNING),
        ({"systemPrompt": 5}, "wrong-type", Severity.ERROR),
        ({"prompt": "{% if messages %}{% endif %}"}, "jinja-syntax", Severity.HINT),
        ({"prompt": "{{ bad", "jinja2": True}, "jinja-syntax", Severity.ERROR),
        ({"prompt": "{{ unknown }}", "jinja2": True}, "variable-unknown", Severity.WARNING),
    ],
)
def test_severity_depends_on_what_happens(changes: dict[str, object], code: str, severity: Severity) -> None:
    assert only(World({MAIN: asking(**changes)}), code).severity is severity


def test_cycle_through_a_conditional_is_a_warning() -> None:
    start = node("ConditionalCustomWorkflow", conditionalKey="x", conditionalWorkflows={"default": "Main"})
    loop = World({MAIN: [{**start, "is_responder": True}]})
    straight = World(calling([{**node("CustomWorkflow", workflowName="Main"), "is_responder": True}]))

    assert only(loop, "workflow-cycle").severity is Severity.WARNING
    assert only(straight, "workflow-cycle").severity is Severity.ERROR


def test_users_of_shared_folders_alone_need_no_routing() -> None:
    shared = {**user, "customWorkflowOverride": False, "allowSharedWorkflows": True}
    world = World({USER: shared, MAIN: None, "Workflows/_shared/fast/_DefaultWorkflow.json": [answer]})

    found = {(problem.code, problem.severity) for problem in world.check()}

    codes = ("routing-missing", "categorizer-missing", "default-workflow-missing")
    assert found == {(code, Severity.WARNING) for code in codes}


def test_input_is_an_error_when_nobody_passes_it() -> None:
    child = [{**answer, "prompt": "{agent1Input}"}]

    assert only(World(calling(child)), "input-unfilled").severity is Severity.ERROR


def test_settings_are_known_by_the_users_config_whatever_their_name() -> None:
    named = {**user, "discussionIdMemoryFileWorkflowSettings": "mine"}

    assert World({USER: named, "Workflows/ann/mine.json": {"_note": "all defaults"}}).check() == ()


@pytest.mark.parametrize(("path", "levels"), [("/a/x.py", {"hint", "warning"}), ("{agent1Output}", {"hint"})])
def test_python_file_that_is_not_there_is_a_warning(path: str, levels: set[str]) -> None:
    text, module = node("StaticResponse", content="x"), node("PythonModule", module_path=path)
    folder = World({MAIN: using(text, module)}).build()
    folder.has_file = lambda path: False

    assert {problem.severity for problem in check_folder(folder)} == levels


def test_one_users_check_leaves_other_files_out() -> None:
    world = World({"Presets/P/Plain.json": [], MAIN: asking(endpointName="Gone")})

    assert {problem.code for problem in world.check(user="ann")} == {"endpoint-missing"}


@pytest.mark.parametrize("value", [None, True, 5, "x", [], {}, [None, 5, "x", []], {"nodes": {"a": 1}}])
@pytest.mark.parametrize("path", sorted(CLEAN))
def test_any_json_value_can_be_checked(path: str, value: object) -> None:
    World({path: json.dumps(value).encode()}).check()


@pytest.mark.parametrize("value", [None, True, 5, "{", [], {}, [[]], {"a": {"b": []}}])
def test_any_value_of_any_field_can_be_checked(value: object) -> None:
    nodes = [dict.fromkeys(fields_of_node(kind), value) | {"type": kind} for kind in NODE_MODELS]

    users = dict.fromkeys(fields_of(ConfigKind.USER), value)

    World({MAIN: [*nodes, {"type": value}], USER: users, "Users/bob.json": users}).check()
