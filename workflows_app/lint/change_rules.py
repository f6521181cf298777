"""Rules that compare a file with how it was saved before (configs.md §13.4)."""

from __future__ import annotations

from collections.abc import Iterator

from workflows_app.configs.documents import Document
from workflows_app.configs.kinds import ConfigKind
from workflows_app.lint.findings import Finding
from workflows_app.lint.folder import ConfigFolder
from workflows_app.lint.lookup import find_api_type, is_embeddings


def check_change(before: Document, after: Document, folder: ConfigFolder) -> Iterator[Finding]:
    """What a change does to memory that is there already."""
    if not folder.has_discussions:
        return
    if after.kind is ConfigKind.USER:
        key = "chatCompleteAddUserAssistant"
        if key in after.object and bool(before.object.get(key)) != bool(after.object[key]):
            yield Finding(
                "prefix-changes-hashes",
                after.path,
                (key,),
                "Every message gets another hash, so memory made before no longer matches its messages.",
                "Leave it as it was, or make the memory again.",
            )
    if after.kind is ConfigKind.ENDPOINT and is_embeddings(find_api_type(folder, after)):
        key = "modelNameToSendToAPI"
        if before.object.get(key) != after.object.get(key):
            yield Finding(
                "embedding-model-change",
                after.path,
                (key,),
                "Vectors made with the former model are not found any more.",
                "Embed the memories of all discussions again.",
            )
