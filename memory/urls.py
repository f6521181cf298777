"""The pages of the memory app. The URL holds all state of a page."""

from __future__ import annotations

from django.urls import include, path, register_converter

from memory.converters import ArtefactConverter, NumberConverter, RefConverter
from memory.views import (
    chunks,
    discussions,
    files,
    health,
    home,
    search,
    state_documents,
    summaries,
    trackers,
    unlocking,
    vector_memories,
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
    path("summary/", summaries.summary_detail, name="summary-detail"),
    path("vector-memories/", vector_memories.vector_memory_list, name="vector-memory-list"),
    path("vector-memories/<number:memory_id>/", vector_memories.vector_memory_detail, name="vector-memory-detail"),
    path("trackers/", trackers.tracker_list, name="tracker-list"),
    path("state-document/", state_documents.state_document_detail, name="state-document-detail"),
    path("files/", files.file_list, name="file-list"),
    path("files/<artefact:artefact>/", files.file_detail, name="file-detail"),
    path("health/", health.health_list, name="health-list"),
]

urlpatterns = [
    path("", home.home, name="home"),
    path("discussions/", discussions.discussion_list, name="discussion-list"),
    path("discussions/<ref:ref>/", include(_discussion)),
    path("problems/", health.problem_list, name="problem-list"),
    path("search/", search.search, name="search"),
]
