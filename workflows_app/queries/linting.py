"""What is wrong with the config files of the folder that is open (configs.md §13)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

from workflows_app import wiring
from workflows_app.configs.documents import Document, read_document
from workflows_app.errors import ConfigNotFoundError
from workflows_app.lint.check import check_folder
from workflows_app.lint.folder import ConfigFolder
from workflows_app.results import Problem, ProblemFilter, ProblemReport
from workflows_app.stores.config_tree import DocumentCache, has_file, ignores_case, list_config_files

_CACHE = DocumentCache()


def lint_file(configs_root: Path, path: str, text: str | None = None) -> tuple[Problem, ...]:
    """The problems of one file, as they are with the whole folder around it.

    `path` is below `Configs`, with `.json`; `text` is unsaved content that counts instead of the file's own. A file
    that does not exist and has no `text` has no problems.
    """
    folder = read_folder(configs_root)
    if text is not None:
        folder = _with_text(folder, path, text)
    if path not in folder.documents:
        return ()
    return check_folder(folder, only=path)


def lint_folder(configs_root: Path, user: str | None = None) -> tuple[Problem, ...]:
    """The problems of all files, in the order of paths and lines; with `user` those that concern this user alone."""
    return check_folder(read_folder(configs_root), user=user)


def list_problems(user: str | None = None) -> tuple[Problem, ...]:
    """The problems of the folder that is open."""
    return lint_folder(wiring.get_config_root(), user)


def read_folder(configs_root: Path) -> ConfigFolder:
    """The index of a whole folder; files that did not change since they were last read are not parsed again."""
    documents: dict[str, Document] = {}
    for path in list_config_files(configs_root):
        document = _CACHE.read(configs_root / path, path)
        if document is not None:
            documents[path] = document
    return ConfigFolder(documents, ignores_case(configs_root), wiring.has_discussions(), has_file)


def _with_text(folder: ConfigFolder, path: str, text: str) -> ConfigFolder:
    before = folder.documents.get(path)
    documents = {**folder.documents, path: read_document(path, text.encode("utf-8", "replace"))}
    return replace(folder, documents=documents, saved={path: before} if before else {})


def get_problem_report(wanted: ProblemFilter) -> ProblemReport:
    """The problems of the folder that is open. Raises ConfigNotFoundError for an unknown user."""
    users = tuple(wiring.list_user_names())
    if wanted.user and wanted.user.lower() not in (name.lower() for name in users):
        raise ConfigNotFoundError(f"There is no user {wanted.user!r}.", kind="user", path=wanted.user)
    found = list_problems(wanted.user or None)
    return ProblemReport(
        problems=tuple(problem for problem in found if wanted.passes(problem)),
        by_severity=Counter(p.severity for p in found if replace(wanted, severity="").passes(p)),
        by_kind=Counter(p.kind for p in found if replace(wanted, kind="").passes(p)),
        users=users,
    )


def find_config_root() -> Path:
    """The configs folder that is open."""
    return wiring.get_config_root()


def list_paths(configs_root: Path) -> list[str]:
    """Every config file below a folder."""
    return list_config_files(configs_root)


def list_user_names(configs_root: Path) -> list[str]:
    """Every user that has a config in a folder."""
    return [document.name for document in read_folder(configs_root).users]
