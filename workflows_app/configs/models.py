"""The model of each kind of config file."""

from __future__ import annotations

from typing import Final

from workflows_app.configs.endpoint_models import ApiTypeConfig, EndpointConfig, McpServerConfig, PromptTemplateConfig
from workflows_app.configs.entries import ConfigModel
from workflows_app.configs.kinds import ConfigKind
from workflows_app.configs.settings_models import CompactorSettingsConfig, MemorySettingsConfig
from workflows_app.configs.user_model import CurrentUserConfig, UserConfig

MODELS: Final[dict[ConfigKind, type[ConfigModel]]] = {
    ConfigKind.USER: UserConfig,
    ConfigKind.CURRENT_USER: CurrentUserConfig,
    ConfigKind.ENDPOINT: EndpointConfig,
    ConfigKind.API_TYPE: ApiTypeConfig,
    ConfigKind.PROMPT_TEMPLATE: PromptTemplateConfig,
    ConfigKind.MCP_SERVER: McpServerConfig,
    ConfigKind.MEMORY_SETTINGS: MemorySettingsConfig,
    ConfigKind.COMPACTOR_SETTINGS: CompactorSettingsConfig,
}
"""Workflows, routing files, presets and output schemas have keys of their own and are described elsewhere."""
