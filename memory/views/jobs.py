"""Jobs: listed, watched, cancelled, taken up again."""

from __future__ import annotations

from django.http import HttpResponse
from django.views.decorators.http import require_POST, require_safe

from memory import jobs
from memory.contexts.jobs import JobDetailContext, JobListContext
from memory.forms import parse_page
from memory.job_forms import parse_job_filter
from memory.queries import jobs as queries
from memory.services import drafts
from memory.services import jobs as rows
from memory.services.permission import require_administrator
from wilmer_site.keyring import keys_of
from wilmer_site.lib.htmx import HtmxHttpRequest, done, render_page


@require_safe
def job_list(request: HtmxHttpRequest) -> HttpResponse:
    """One page of the jobs, the newest first."""
    jobs.reap_jobs()
    wanted = parse_job_filter(request.GET)
    context = JobListContext.build(
        wanted, queries.list_jobs(wanted, parse_page(request.GET)), queries.count_states(wanted)
    )
    return render_page(request, "memory/job_list.html", "job-table", context)


@require_safe
def job_detail(request: HtmxHttpRequest, job_id: int) -> HttpResponse:
    """One job: how far it is, its drafts, its log."""
    jobs.reap_jobs()
    job = queries.get_job(job_id)
    context = JobDetailContext.build(
        job,
        queries.list_drafts(job_id, parse_page(request.GET), keys_of(request)),
        queries.find_next_undecided(job_id, 0),
    )
    return render_page(request, "memory/job_detail.html", "job", context)


@require_POST
def job_cancel(request: HtmxHttpRequest, job_id: int) -> HttpResponse:
    """End a job; what is ready stays for review."""
    rows.cancel_job(job_id)
    return done(request, "memory:job-detail", job_id, event="jobs-changed", message="Cancelling the job.")


@require_POST
def job_resume(request: HtmxHttpRequest, job_id: int) -> HttpResponse:
    """Go on where a job stopped."""
    require_administrator(request.user)
    jobs.resume_job(job_id)
    return done(request, "memory:job-detail", job_id, event="jobs-changed", message="The job goes on.")


@require_POST
def job_retry(request: HtmxHttpRequest, job_id: int) -> HttpResponse:
    """Try again only what failed."""
    require_administrator(request.user)
    jobs.retry_job(job_id)
    return done(request, "memory:job-detail", job_id, event="jobs-changed", message="What failed is tried again.")


@require_POST
def job_delete(request: HtmxHttpRequest, job_id: int) -> HttpResponse:
    """Forget a job that is over, with its drafts."""
    rows.delete_job(job_id)
    return done(request, "memory:job-list", event="jobs-changed", message=f"Job {job_id} is deleted.")


@require_POST
def job_accept(request: HtmxHttpRequest, job_id: int) -> HttpResponse:
    """Store every draft that is ready, in one step."""
    decider = drafts.Decider(request.user.get_username(), keys_of(request))
    accepted = drafts.accept_all(job_id, decider)
    left = f" {len(accepted.stale)} out of date were left." if accepted.stale else ""
    message = f"{len(accepted.positions)} accepted.{left}"
    return done(request, "memory:job-detail", job_id, event="jobs-changed", message=message)


@require_POST
def job_reject(request: HtmxHttpRequest, job_id: int) -> HttpResponse:
    """Leave everything as it is stored."""
    decider = drafts.Decider(request.user.get_username(), keys_of(request))
    count = drafts.reject_drafts(job_id, None, decider)
    return done(request, "memory:job-detail", job_id, event="jobs-changed", message=f"{count} rejected.")
