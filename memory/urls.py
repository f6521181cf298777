"""The pages of the memory app. The URL holds all state of a page."""

from __future__ import annotations

from django.urls import include, path, register_converter

from memory.converters import ArtefactConverter, NumberConverter, RefConverter
from memory.views import (
    chunk_editing,
    chunks,
    coverage,
    discussions,
    drafts,
    files,
    health,
    history,
    home,
    jobs,
    moving,
    previews,
    regeneration,
    search,
    state_documents,
    summaries,
    text_editing,
    tracker_editing,
    trackers,
    trash,
    unlocking,
    vector_memories,
    vector_memory_editing,
    why,
)

register_converter(RefConverter, "ref")
register_converter(ArtefactConverter, "artefact")
register_converter(NumberConverter, "number")

app_name = "memory"

_discussion = [
    path("", discussions.discussion_detail, name="discussion-detail"),
    path("version/", discussions.discussion_version, name="discussion-version"),
    path("unlock/", unlocking.discussion_unlock, name="discussion-unlock"),
    path("lock/", unlocking.discussion_lock, name="discussion-lock"),
    path("chunks/", chunks.chunk_list, name="chunk-list"),
    path("chunks/<number:number>/", chunks.chunk_detail, name="chunk-detail"),
    path("chunks/removal/", chunk_editing.chunk_bulk_removal, name="chunk-bulk-removal"),
    path("chunks/<number:number>/edit/", chunk_editing.chunk_edit, name="chunk-edit"),
    path("chunks/<number:number>/merge/", chunk_editing.chunk_merge, name="chunk-merge"),
    path("chunks/<number:number>/split/", chunk_editing.chunk_split, name="chunk-split"),
    path("chunks/<number:number>/move/", chunk_editing.chunk_move, name="chunk-move"),
    path("chunks/<number:number>/removal/", chunk_editing.chunk_removal, name="chunk-removal"),
    path("chunks/<number:number>/messages/", coverage.covered_messages, name="covered-messages"),
    path("vector-memories/<number:memory_id>/origin/", coverage.memory_origin, name="memory-origin"),
    path("coverage/", coverage.coverage_detail, name="coverage-detail"),
    path("why/", why.why_detail, name="why-detail"),
    path("preview/", previews.preview_list, name="preview-list"),
    path("summary/", summaries.summary_detail, name="summary-detail"),
    path("summary/edit/", text_editing.summary_edit, name="summary-edit"),
    path("summary/removal/", text_editing.summary_removal, name="summary-removal"),
    path("vector-memories/add/", vector_memory_editing.vector_memory_add, name="vector-memory-add"),
    path(
        "vector-memories/removal/",
        vector_memory_editing.vector_memory_bulk_removal,
        name="vector-memory-bulk-removal",
    ),
    path(
        "vector-memories/<number:memory_id>/edit/",
        vector_memory_editing.vector_memory_edit,
        name="vector-memory-edit",
    ),
    path(
        "vector-memories/<number:memory_id>/removal/",
        vector_memory_editing.vector_memory_removal,
        name="vector-memory-removal",
    ),
    path("vector-memories/", vector_memories.vector_memory_list, name="vector-memory-list"),
    path("vector-memories/<number:memory_id>/", vector_memories.vector_memory_detail, name="vector-memory-detail"),
    path("trackers/", trackers.tracker_list, name="tracker-list"),
    path("trackers/vector/", tracker_editing.tracker_vector_edit, name="tracker-vector-edit"),
    path("trackers/vector/log/<number:number>/", tracker_editing.tracker_log_cut, name="tracker-log-cut"),
    path("trackers/condensation/", tracker_editing.tracker_condensation_edit, name="tracker-condensation-edit"),
    path(
        "trackers/pending-timestamp/",
        tracker_editing.pending_timestamp_removal,
        name="pending-timestamp-removal",
    ),
    path("state-document/edit/", text_editing.state_document_edit, name="state-document-edit"),
    path("state-document/restore/", text_editing.state_document_restore, name="state-document-restore"),
    path("state-document/", state_documents.state_document_detail, name="state-document-detail"),
    path("regenerate/", regeneration.regeneration_start, name="regeneration-start"),
    path("files/", files.file_list, name="file-list"),
    path("files/<artefact:artefact>/", files.file_detail, name="file-detail"),
    path("health/", health.health_list, name="health-list"),
    path("copy/", moving.discussion_copy, name="discussion-copy"),
    path("rename/", moving.discussion_rename, name="discussion-rename"),
    path("rollback/", moving.discussion_rollback, name="discussion-rollback"),
    path("history/", history.history_list, name="history-list"),
    path("history/<number:number>/", history.revision_detail, name="revision-detail"),
    path("history/<number:number>/restore/", history.revision_restore, name="revision-restore"),
    path("history/batches/<uuid:batch>/", history.batch_detail, name="batch-detail"),
    path("history/batches/<uuid:batch>/undo/", history.revision_undo, name="revision-undo"),
    path("history/origins/<artefact:artefact>/", history.blame_detail, name="blame-detail"),
]

_job = [
    path("", jobs.job_detail, name="job-detail"),
    path("cancel/", jobs.job_cancel, name="job-cancel"),
    path("resume/", jobs.job_resume, name="job-resume"),
    path("retry/", jobs.job_retry, name="job-retry"),
    path("accept/", jobs.job_accept, name="job-accept"),
    path("reject/", jobs.job_reject, name="job-reject"),
    path("delete/", jobs.job_delete, name="job-delete"),
    path("drafts/<number:position>/", drafts.draft_detail, name="draft-detail"),
    path("drafts/<number:position>/accept/", drafts.draft_accept, name="draft-accept"),
    path("drafts/<number:position>/keep/", drafts.draft_keep, name="draft-keep"),
    path("drafts/<number:position>/reject/", drafts.draft_reject, name="draft-reject"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("discussions/", discussions.discussion_list, name="discussion-list"),
    path("discussions/<ref:ref>/", include(_discussion)),
    path("jobs/", jobs.job_list, name="job-list"),
    path("jobs/<number:job_id>/", include(_job)),
    path("problems/", health.problem_list, name="problem-list"),
    path("search/", search.search, name="search"),
    path("trash/", trash.trash_list, name="trash-list"),
    path("trash/add/", trash.trash_confirm, name="trash-confirm"),
    path("trash/purge/", trash.trash_purge, name="trash-purge"),
    path("trash/<str:name>/undo/", trash.trash_undo, name="trash-undo"),
]
