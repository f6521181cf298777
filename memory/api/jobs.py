"""Jobs and their drafts."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Query, Router

from memory import jobs
from memory.api.pages import page_object
from memory.api.registration import Reading, reads
from memory.api.requests import find_keys
from memory.api.writing import Writing, intent_of, writes
from memory.errors import DraftStaleError
from memory.queries import jobs as queries
from memory.schemas.jobs import (
    DecidedSchema,
    DecisionBody,
    DraftDetailSchema,
    DraftPage,
    DraftSchema,
    JobDetailSchema,
    JobPage,
    JobSchema,
    KeptTextBody,
)
from memory.services import drafts
from memory.services import jobs as rows
from memory.services.permission import require_administrator
from wilmer_site.lib.paging import PageRequest

router = Router()

_TAG = "Jobs"
JobId = Annotated[int, Path(ge=1, le=2**31)]
Position = Annotated[int, Path(ge=1, le=2**31, description="From 1, in the order of the job.")]
PageNumber = Annotated[int, Query(ge=1, le=1_000_000)]
PageSize = Annotated[int, Query(ge=1, le=500)]


def _writing(url_name: str, summary: str, response: Any = DecidedSchema) -> Writing:
    status = 204 if response is None else 200
    return Writing(url_name, _TAG, summary, response, needs_match=False, has_dry_run=False, status=status)


@reads(router, "/jobs", Reading("job-list", _TAG, "List jobs", JobPage, is_keyed=False))
def list_jobs(
    request: HttpRequest,
    state: Annotated[queries.JobState | None, Query()] = None,
    discussion: Annotated[str, Query(max_length=2000)] = "",
    page: PageNumber = 1,
    size: PageSize = 50,
) -> Any:
    """One page of the jobs of the folder that is open, the newest first."""
    wanted = queries.JobFilter(state.value if state else "", discussion)
    return page_object(request, queries.list_jobs(wanted, PageRequest(page, size)).map(JobSchema.build))


@reads(router, "/jobs/{job_id}", Reading("job", _TAG, "Get one job", JobDetailSchema))
def get_job(request: HttpRequest, job_id: JobId) -> Any:
    """A job with its progress and its log."""
    return JobDetailSchema.build_detail(queries.get_job(job_id))


@reads(router, "/jobs/{job_id}/drafts", Reading("draft-list", _TAG, "List the drafts of a job", DraftPage))
def list_drafts(request: HttpRequest, job_id: JobId, page: PageNumber = 1, size: PageSize = 50) -> Any:
    """Drafts beside the texts they would replace."""
    queries.get_job(job_id)
    return page_object(
        request, queries.list_drafts(job_id, PageRequest(page, size), find_keys(request)).map(DraftSchema.build)
    )


@reads(router, "/jobs/{job_id}/drafts/{position}", Reading("draft", _TAG, "Get one draft", DraftDetailSchema))
def get_draft(request: HttpRequest, job_id: JobId, position: Position) -> Any:
    """A draft with what was sent for it and the answer as it came."""
    return DraftDetailSchema.build_detail(queries.get_draft(job_id, position, find_keys(request)))


@writes(router, "POST", "/jobs/{job_id}/cancel", _writing("job-cancel", "Cancel a job"))
def cancel_job(request: HttpRequest, job_id: JobId) -> Any:
    """End it; it may still be `running` for a moment. Drafts that are ready stay."""
    rows.cancel_job(job_id)
    return _decided(job_id)


@writes(router, "POST", "/jobs/{job_id}/resume", _writing("job-resume", "Resume a job"))
def resume_job(request: HttpRequest, job_id: JobId) -> Any:
    """Go on with a cancelled or failed job where it stopped."""
    require_administrator(request.user)
    jobs.resume_job(job_id)
    return _decided(job_id)


@writes(router, "POST", "/jobs/{job_id}/retry", _writing("job-retry", "Retry what failed"))
def retry_job(request: HttpRequest, job_id: JobId) -> Any:
    """Make only those drafts anew that failed."""
    require_administrator(request.user)
    jobs.retry_job(job_id)
    return _decided(job_id)


@writes(router, "DELETE", "/jobs/{job_id}", _writing("job-delete", "Delete a job", None))
def delete_job(request: HttpRequest, job_id: JobId) -> Any:
    """Forget a job that is over, with its drafts and prompts."""
    rows.delete_job(job_id)


@writes(router, "POST", "/jobs/{job_id}/accept", _writing("job-accept", "Accept all drafts"))
def accept_all(request: HttpRequest, job_id: JobId) -> Any:
    """Store every draft that is ready, in one step that is undone together; those out of date are left and named."""
    return _decided(job_id, drafts.accept_all(job_id, _decider(request)))


@writes(router, "POST", "/jobs/{job_id}/reject", _writing("job-reject", "Reject all drafts"))
def reject_all(request: HttpRequest, job_id: JobId) -> Any:
    """Leave everything as it is stored."""
    return _decided(job_id, rejected=drafts.reject_drafts(job_id, None, _decider(request)))


@writes(router, "PUT", "/jobs/{job_id}/drafts/{position}", _writing("draft-keep", "Keep an edited draft"))
def keep_draft(request: HttpRequest, job_id: JobId, position: Position, body: KeptTextBody) -> Any:
    """Keep a text without deciding yet; it is checked as if it were stored."""
    drafts.edit_draft(job_id, position, body.text, find_keys(request))
    return _decided(job_id)


@writes(router, "POST", "/jobs/{job_id}/drafts/{position}/accept", _writing("draft-accept", "Accept a draft"))
def accept_draft(request: HttpRequest, job_id: JobId, position: Position, body: DecisionBody | None = None) -> Any:
    """Store a text, without one the draft as it is. 409 when something changed, with what is stored and its `seen`."""
    decider, decision = _decider(request), body or DecisionBody()
    accepted = drafts.try_draft(job_id, position, decider, text=decision.text, seen=decision.seen)
    if accepted.stale:
        clash = drafts.get_clash(job_id, position, decider.keys)
        raise DraftStaleError(
            "What this draft was made from or would replace has changed since. Compare the texts and choose.",
            job=job_id,
            draft=position,
            theirs=clash.stored_text,
            seen=clash.seen,
        )
    return _decided(job_id, accepted)


@writes(router, "POST", "/jobs/{job_id}/drafts/{position}/reject", _writing("draft-reject", "Reject a draft"))
def reject_draft(request: HttpRequest, job_id: JobId, position: Position) -> Any:
    """Leave what is stored."""
    return _decided(job_id, rejected=drafts.reject_drafts(job_id, [position], _decider(request)))


def _decider(request: HttpRequest) -> drafts.Decider:
    return drafts.Decider(intent_of(request).actor, find_keys(request))


def _decided(job_id: int, accepted: drafts.Accepted | None = None, rejected: int = 0) -> Any:
    return DecidedSchema.build(queries.get_job(job_id).card, accepted, rejected)
