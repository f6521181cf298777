"""Edits of every kind in a process that dies at any moment: `python -m tests.memory.services.killing_writes FOLDER`.

The program forks one process per line it reads, so that dying costs milliseconds and not a start of Python.
"""

from __future__ import annotations

import json
import os
import random
import sys
from pathlib import Path
from typing import Any

LIFETIMES = 10_000
"""So many changes no process lives to make."""


def start(folder: Path) -> None:
    """A console of its own in a folder, with one discussion."""
    from tests.builders import build_discussion, build_public_folder

    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "wilmer_site.settings",
        "WILMER_STATE_DIR": str(folder / "state"),
        "WILMER_PUBLIC_DIR": str(folder / "Public"),
        "WILMER_LOG_LEVEL": "ERROR",
    }
    (folder / "state").mkdir()
    build_discussion(build_public_folder(folder), "anna", chunks=6, memories=6, condensed_up_to=1)
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)


def change_for_ever(seed: int) -> None:
    """Edit, delete, add, roll back and take back, until the process is killed."""
    from memory.models import Revision
    from memory.services import chunks_editing, texts_editing, vector_memories_editing
    from memory.services.editing import Editor
    from memory.services.restoring import try_undo
    from memory.types import DiscussionId, DiscussionRef
    from wilmer_site.lib.errors import WilmerError

    choose, ref = random.Random(seed), DiscussionRef(DiscussionId("anna"))
    editor = Editor(ref, "mona")

    def undo() -> None:
        batches = list(Revision.objects.filter(discussion="anna", actor="mona").order_by("-id")[:1])
        for revision in batches:
            try_undo(ref, revision.batch, actor="mona", keys={}, force=True)

    for number in range(LIFETIMES):
        text = f"edit {seed} {number} " * 40
        edit = vector_memories_editing.MemoryEdit(text=text, metadata={"title": "t"})
        changes = (
            lambda text=text: chunks_editing.edit_chunk(editor, choose.randint(1, 3), text),
            lambda text=text: texts_editing.edit_summary(editor, texts_editing.SummaryEdit(text)),
            lambda text=text: texts_editing.edit_state_document(editor, text),
            lambda: chunks_editing.merge_chunks(editor, 1),
            lambda edit=edit: vector_memories_editing.add_memory(editor, edit),
            lambda edit=edit: vector_memories_editing.change_memory(editor, choose.randint(1, 3), edit),
            undo,
            undo,
        )
        try:
            choose.choice(changes)()
        except WilmerError:
            continue  # Nothing left to merge, an id that was never there.


def check() -> dict[str, Any]:
    """What is found after a kill, by the next start."""
    from memory import wiring
    from memory.engine.history import FIRST_SIGHT
    from memory.models import Revision
    from memory.queries.noticing import notice_writes
    from memory.stores.vector_db import VectorDatabase
    from memory.stores.vector_writes import undo_interrupted_write
    from memory.types import Artefact, DiscussionId, DiscussionRef

    ref = DiscussionRef(DiscussionId("anna"))
    files = wiring.open_discussion(ref)
    with files.lock():
        undo_interrupted_write(files.vector_path())
    notice_writes(ref, {})
    facts = VectorDatabase(files.vector_path(), ref.discussion_id).check()
    home = files.place(Artefact.MEMORIES).path.parent
    outside = Revision.objects.filter(origin="outside").exclude(action=FIRST_SIGHT)
    return {
        "states": sorted({report.state.value for report in files.reports()}),
        "unrecorded": [f"{row.artefact} {row.action}" for row in outside],
        "begun": Revision.objects.filter(state="pending").count(),
        "temps": sorted(path.name for path in home.iterdir() if path.name.endswith(".tmp")),
        "database": [
            facts.problem,
            facts.file_damage,
            facts.index_problem,
            facts.unindexed.count,
            facts.index_orphans.count,
            facts.stale_index.count,
            facts.embedding_orphans.count,
        ],
        "revisions": Revision.objects.count(),
    }


def serve() -> None:
    from django.db import connections

    for line in sys.stdin:
        order = json.loads(line)
        if "wait" in order:
            answer(os.waitpid(order["wait"], 0)[1])
        elif "check" in order:
            answer(check())
        else:
            connections.close_all()
            pid = os.fork()
            if pid == 0:
                live_and_die(order["seed"])
            answer(pid)


def answer(value: object) -> None:
    sys.stdout.write(f"{json.dumps(value)}\n")
    sys.stdout.flush()


def live_and_die(seed: int) -> None:
    code = 1
    try:
        change_for_ever(seed)
        code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    start(Path(sys.argv[1]))
    answer("ready")
    serve()
