"""Endpoint files as something that can be spoken to."""

from __future__ import annotations

import re

from wilmer_site.lib.errors import WilmerError
from workflows_app import wiring
from workflows_app.engine.config_secrets import hides_secret
from workflows_app.errors import ConfigInvalidError
from workflows_app.types import JsonObject, LazyObject, Target


def get_target(path: str) -> Target:
    """The endpoint at a path below `Configs`, whichever users have it; a missing API type is an empty one.

    Raises ConfigNotFoundError, ConfigInvalidError for a file that is no endpoint.
    """
    file = wiring.get_config_library().get(path)
    if file.area != "Endpoints":
        raise ConfigInvalidError(f"{path} is no endpoint.", path=path)
    if not isinstance(file.document, dict):
        raise ConfigInvalidError(f"{path} cannot be used. {file.problem or 'It must be a JSON object.'}", path=path)
    api_type = _read(f"ApiTypes/{file.document.get('apiTypeConfigFileName')}.json")
    template = f"PromptTemplates/{file.document.get('promptTemplate') or _users_template()}.json"
    return Target(file.name, file.document, api_type, LazyObject(lambda: _read(template)))


def show_address(target: Target) -> str:
    """The endpoint's address without a password, and without a query that has a key in it."""
    address = str(target.endpoint.get("endpoint") or "")
    scheme, mark, rest = address.partition("://")
    host, slash, path = rest.partition("/")
    shown = f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}" if mark else address
    return re.split(r"[?#]", shown)[0] if hides_secret(shown) else shown


def _read(path: str) -> JsonObject:
    library = wiring.get_config_library()
    document = library.get(path).document if library.exists(path) else {}
    return document if isinstance(document, dict) else {}


def _users_template() -> str:
    """The prompt template of the user whose config counts."""
    try:
        return str(wiring.open_configs().user.get("chatPromptTemplateName") or "")
    except WilmerError:
        return ""
