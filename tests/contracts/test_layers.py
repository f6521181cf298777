"""Who may touch the disk, a database file, a request or the screen; import-linter checks the rest of the layers."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
APPS = [path for app in ("memory", "workflows_app") for path in sorted((ROOT / app).rglob("*.py"))]
MODULES = [*APPS, *sorted((ROOT / "wilmer_site").rglob("*.py"))]
WEB = ("django.http", "django.shortcuts")
FILE_METHODS = {"read_text": 0, "read_bytes": 0, "write_text": 1, "write_bytes": 1}
"""With how many values Path's own methods are called: a store's method of that name takes a path before them."""


def list_imports(tree: ast.AST) -> Iterator[str]:
    """The modules that a module imports, inside functions too; `from a import b` gives both `a` and `a.b`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))


def imports_any(tree: ast.AST, modules: tuple[str, ...]) -> list[str]:
    """What is imported of some modules or from below them."""
    return [name for name in list_imports(tree) if name.startswith(tuple(f"{module}." for module in modules))
            or name in modules]  # fmt: skip


def list_file_calls(tree: ast.AST) -> Iterator[str]:
    """Calls that open, read or write a file by themselves."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _opens_a_file(node):
            yield f"line {node.lineno}: {ast.unparse(node)}"


def _opens_a_file(call: ast.Call) -> bool:
    function = call.func
    if isinstance(function, ast.Name):
        return function.id == "open"
    if not isinstance(function, ast.Attribute):
        return False
    if function.attr == "open":
        return ast.unparse(function.value) in {"os", "io", "codecs", "gzip"} or _is_mode(call.args)
    return len(call.args) <= FILE_METHODS.get(function.attr, -1)


def _is_mode(values: list[ast.expr]) -> bool:
    """Path.open takes a mode or nothing; a store's open takes what is to be opened."""
    return not values or (isinstance(values[0], ast.Constant) and isinstance(values[0].value, str))


def list_calls(tree: ast.AST, name: str) -> list[int]:
    """The lines that call a builtin."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call.lineno for call in calls if isinstance(call.func, ast.Name) and call.func.id == name]


def parametrize(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", paths, ids=lambda path: str(path.relative_to(ROOT)))


def is_in(path: Path, *folders: str) -> bool:
    return not set(folders).isdisjoint(path.relative_to(ROOT).with_suffix("").parts)


@parametrize([path for path in APPS if is_in(path, "services", "queries")])
def test_services_and_queries_know_no_request(path: Path) -> None:
    assert imports_any(ast.parse(path.read_text("utf-8")), WEB) == []


@parametrize([path for path in APPS if not is_in(path, "stores")])
def test_only_stores_open_database_files(path: Path) -> None:
    assert imports_any(ast.parse(path.read_text("utf-8")), ("sqlite3",)) == []


@parametrize([path for path in APPS if not is_in(path, "stores", "commands")])
def test_only_stores_open_files(path: Path) -> None:
    assert list(list_file_calls(ast.parse(path.read_text("utf-8")))) == []


@parametrize([path for path in MODULES if not is_in(path, "commands")])
def test_only_commands_print(path: Path) -> None:
    assert list_calls(ast.parse(path.read_text("utf-8")), "print") == []


@pytest.mark.parametrize(
    ("code", "is_found"),
    [
        ("open('a')", True),
        ("path.open()", True),
        ("path.open('rb')", True),
        ("os.open(path, os.O_RDONLY)", True),
        ("path.read_text(encoding='utf-8')", True),
        ("path.write_bytes(data)", True),
        ("folders.open(ref, limit_bytes=1)", False),
        ("access.write_text(path, text)", False),
        ("files.read_text(path)", False),
    ],
)
def test_list_file_calls_tells_paths_from_stores(code: str, is_found: bool) -> None:
    assert bool(list(list_file_calls(ast.parse(code)))) == is_found


@pytest.mark.parametrize("code", ["import sqlite3", "from sqlite3 import connect", "def f():\n import sqlite3.dbapi2"])
def test_imports_any_finds_every_form(code: str) -> None:
    assert imports_any(ast.parse(code), ("sqlite3",))
    assert not imports_any(ast.parse("import sqlite3x"), ("sqlite3",))
    assert imports_any(ast.parse("from django import shortcuts"), WEB)
