"""The size and naming of what we write."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted(
    path
    for package in ("wilmer_site", "memory", "workflows_app")
    for path in (ROOT / package).rglob("*.py")
    if "migrations" not in path.parts
)
MAX_MODULE_LINES = 350
MAX_FUNCTION_LINES = 40
MAX_MEDIAN_LINES = 8
UNWANTED_NAMES = {"utils", "util", "helpers", "tools", "common", "manager", "misc"}

each = pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))


def list_functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function and method of a module."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def count_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring and decorators."""
    first = function.body[1] if ast.get_docstring(function) and len(function.body) > 1 else function.body[0]
    return (function.end_lineno or 0) - first.lineno + 1


@each
def test_module_is_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MAX_MODULE_LINES


@each
def test_functions_are_short(path: Path) -> None:
    assert {function.name: count_lines(function) for function in list_functions(path)
            if count_lines(function) > MAX_FUNCTION_LINES} == {}  # fmt: skip


@each
def test_module_name_says_what_is_in_it(path: Path) -> None:
    assert path.stem not in UNWANTED_NAMES


@each
def test_views_catch_no_errors(path: Path) -> None:
    is_view = "views" in path.parts
    tries = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Try)]

    assert not (is_view and tries)


def test_functions_are_short_in_the_main() -> None:
    assert median(count_lines(function) for path in MODULES for function in list_functions(path)) <= MAX_MEDIAN_LINES
