"""The pages of workflows and runs."""

from __future__ import annotations

from django.urls import path

from workflows_app.urls_configs import config_patterns
from workflows_app.views import attempts, comparison, editor, node_runs, problems, runs, versions, workflows

app_name = "workflows"

urlpatterns = [
    path("workflows/", workflows.workflow_list, name="workflow-list"),
    path("workflows/problems/", problems.problem_list, name="problem-list"),
    path("workflows/run/", runs.run_start, name="run-start"),
    path("workflows/files/<path:path>/", workflows.workflow_detail, name="workflow-detail"),
    path("workflows/new/", workflows.workflow_new, name="workflow-new"),
    path("workflows/edit/<path:path>/", editor.config_edit, name="config-edit"),
    path("workflows/edit-change/<path:path>/", editor.config_change, name="config-change"),
    path("workflows/edit-look/<path:path>/", editor.config_look, name="config-look"),
    path("workflows/edit-save/<path:path>/", editor.config_save, name="config-save"),
    path("workflows/edit-dry-run/<path:path>/", editor.config_dry_run, name="config-dry-run"),
    path("workflows/edit-schema/<path:path>/", editor.config_schema, name="config-schema"),
    path("workflows/versions/<path:path>/", versions.config_versions, name="config-versions"),
    path("workflows/version/<int:number>/<path:path>/", versions.config_version, name="config-version"),
    path("workflows/version-name/<int:number>/<path:path>/", versions.config_version_name, name="config-version-name"),
    path("workflows/version-restore/<int:number>/<path:path>/", versions.config_restore, name="config-restore"),
    path("workflows/runs/", runs.run_list, name="run-list"),
    path("workflows/runs/compare/", comparison.run_compare, name="run-compare"),
    path("workflows/runs/<int:run_id>/", runs.run_detail, name="run-detail"),
    path("workflows/runs/<int:run_id>/events/", runs.run_events, name="run-events"),
    path("workflows/runs/<int:run_id>/cancel/", runs.run_cancel, name="run-cancel"),
    path("workflows/runs/<int:run_id>/delete/", runs.run_delete, name="run-delete"),
    path("workflows/runs/<int:run_id>/nodes/<int:number>/", node_runs.node_run_detail, name="node-run-detail"),
    path("workflows/runs/<int:run_id>/nodes/<int:number>/rerun/", node_runs.node_run_rerun, name="node-run-rerun"),
    path("workflows/runs/<int:run_id>/nodes/<int:number>/pin/", node_runs.node_run_pin, name="node-run-pin"),
    path("workflows/runs/<int:run_id>/nodes/<int:number>/calls/<int:call>/curl/", attempts.call_curl, name="call-curl"),
    path("workflows/runs/<int:run_id>/nodes/<int:number>/attempts/", attempts.attempt_list, name="attempt-list"),
    path("workflows/runs/<int:run_id>/nodes/<int:number>/attempts/new/", attempts.attempt_start, name="attempt-create"),
    path(
        "workflows/runs/<int:run_id>/nodes/<int:number>/attempts/<int:attempt>/cancel/",
        attempts.attempt_cancel,
        name="attempt-cancel",
    ),
    *config_patterns,
]
