"""What changed between two contents of a config."""

from __future__ import annotations

from typing import Any

from workflows_app.engine.config_diff import MISSING, ChangeKind, diff_documents

A, B, C = {"title": "A"}, {"title": "B"}, {"title": "C", "type": "Conditional"}


def changes(before: Any, after: Any) -> list[tuple[str, int | None, int | None]]:
    return [(change.kind.value, change.before, change.after) for change in diff_documents(before, after).nodes]


def test_equal_documents_differ_in_nothing() -> None:
    assert diff_documents([A, B], [A, B]).is_empty
    assert diff_documents({"x": 1, "nodes": [A]}, {"nodes": [A], "x": 1}).is_empty


def test_nodes_come_and_go() -> None:
    assert changes([A, C], [A]) == [("removed", 1, None)]
    assert changes([A], [C, A]) == [("added", None, 0)]


def test_a_moved_node_is_one_change() -> None:
    assert changes([A, B, C], [C, A, B]) == [("moved", 2, 0)]


def test_changed_properties_are_named_with_both_values() -> None:
    (change,) = diff_documents([{**A, "prompt": "x", "gone": 1}], [{**A, "prompt": "y", "new": True}]).nodes
    found = [(field.name, field.before, field.after) for field in change.fields]
    assert change.kind is ChangeKind.CHANGED
    assert found == [("prompt", "x", "y"), ("gone", 1, MISSING), ("new", MISSING, True)]


def test_a_node_with_another_title_is_the_same_by_its_type() -> None:
    assert changes([A, {**C, "x": 1}], [A, {**C, "title": "New", "x": 1}]) == [("changed", 1, 1)]


def test_keys_of_other_documents_are_compared() -> None:
    (field,) = diff_documents({"port": 1, "a": 1}, {"port": 1.0, "a": 1}).fields
    assert (field.name, field.before, field.after) == ("port", 1, 1.0)


def test_form_of_the_file_does_not_matter() -> None:
    assert diff_documents([A], {"nodes": [A]}).is_empty
