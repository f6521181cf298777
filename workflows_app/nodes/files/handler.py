"""`GetCustomFile` and `SaveCustomFile` (workflows.md §10.9, §10.10)."""

from __future__ import annotations

from workflows_app.engine.node import NodeContext, NodeHandler, at_once
from workflows_app.errors import NodeFailedError
from workflows_app.nodes.files.config import (
    APPEND,
    OVERWRITE,
    PropertyMistakeError,
    ReadSettings,
    SaveSettings,
    read_get_settings,
    read_save_settings,
)
from workflows_app.nodes.files.editing import describe_edit, edit_text
from workflows_app.stores.file_access import FileAccess

MISSING = "Custom instruction file did not exist"
EMPTY = "No additional information added"


def get_custom_file(context: NodeContext) -> str:
    """The file's text, or what is wrong. Raises SwitchedOffError outside of the allowed folders."""
    try:
        settings = read_get_settings(context)
    except PropertyMistakeError as mistake:
        return str(mistake)
    access = context.run.facility(FileAccess)
    text = access.find_text(access.locate_named(settings.path))
    return MISSING if text is None else _cut(text, settings) if text else EMPTY


def save_custom_file(context: NodeContext) -> str:
    """What was done to the file, or what is wrong. Raises SwitchedOffError outside of the allowed folders."""
    try:
        settings = read_save_settings(context)
    except PropertyMistakeError as mistake:
        return str(mistake)
    access = context.run.facility(FileAccess)
    try:
        return _save(access, settings)
    except NodeFailedError as error:
        return f"Error saving file: {error.message}"


def _cut(text: str, settings: ReadSettings) -> str:
    pieces = text.split(settings.piece_delimiter)
    if settings.head:
        text = settings.piece_delimiter.join(pieces[: settings.head])
    elif settings.tail:
        text = settings.piece_delimiter.join(pieces[-settings.tail :])
    if not settings.delimiter or not settings.return_delimiter:
        return text
    return text.replace(settings.delimiter, settings.return_delimiter)


def _save(access: FileAccess, settings: SaveSettings) -> str:
    path = access.locate(settings.path)
    if path.is_dir():
        raise NodeFailedError(f"Could not write to file at {settings.path}")
    if settings.mode == OVERWRITE:
        access.write_text(path, settings.content)
    elif settings.mode == APPEND:
        access.write_text(path, f"{access.find_editable_text(path) or ''}{settings.content}")
    else:
        edit = edit_text(access.find_editable_text(path) or "", settings)
        if edit.count:
            access.write_text(path, edit.text)
        return describe_edit(edit, settings)
    return f"File successfully saved to {settings.path}"


HANDLERS: dict[str, NodeHandler] = {
    "GetCustomFile": at_once(get_custom_file),
    "SaveCustomFile": at_once(save_custom_file),
}
