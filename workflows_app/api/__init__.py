"""The REST API of workflows and runs. Mounted below /api/v1 by `wilmer_site.api`."""

from __future__ import annotations

from ninja import Router

from workflows_app.api import attempts, config_actions, configs, problems, runs, schemas, workflows

router = Router()
"""Every operation of this app."""

for _module in (config_actions, configs, workflows, runs, attempts, problems, schemas):
    router.add_router("", _module.router)
