"""The pages of configs, below /configs/."""

from __future__ import annotations

from django.urls import path

import memory.converters  # noqa: F401 - makes `<ref:…>` known
from workflows_app.views import config_actions, configs, endpoint_tests, starters, thresholds

config_patterns = [
    path("configs/", configs.config_list, name="config-list"),
    path("configs/new/", config_actions.config_new, name="config-new"),
    path("configs/undo/", config_actions.config_undo, name="config-undo"),
    path("configs/templates/", starters.starter_list, name="starter-list"),
    path("configs/templates/<slug:slug>/", starters.starter_start, name="starter-start"),
    path("configs/kinds/<slug:kind>/", configs.config_kind_list, name="config-kind-list"),
    path("configs/files/<path:path>/", configs.config_detail, name="config-detail"),
    path("configs/simulation/<path:path>/", configs.config_simulation, name="config-simulation"),
    path("configs/thresholds/<ref:ref>/", thresholds.threshold_apply, name="threshold-apply"),
    path("configs/test/<path:path>/", endpoint_tests.endpoint_test, name="endpoint-test"),
    path("configs/copy/<path:path>/", config_actions.config_copy, name="config-copy"),
    path("configs/rename/<path:path>/", config_actions.config_rename, name="config-rename"),
    path("configs/removal/<path:path>/", config_actions.config_removal, name="config-removal"),
    path("configs/delete/<path:path>/", config_actions.config_delete, name="config-delete"),
]
