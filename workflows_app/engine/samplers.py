"""The samplers of a request: from a preset file, or from an endpoint's neutral names (configs.md §6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from workflows_app.types import JsonObject, Target

LITERAL_NULL = "__wilmer_null__"
_UNTOUCHED = frozenset({"json_schema", "grammar"})
_OFF_WORDS = frozenset({"off", "false", "no", "0", "none", "disabled", ""})
_EFFORTS = frozenset({"low", "medium", "high"})


@dataclass(frozen=True, slots=True)
class Sizes:
    """What a node asks for beside its samplers."""

    response_tokens: int | None
    is_streaming: bool


def build_samplers(preset: JsonObject, target: Target, sizes: Sizes) -> dict[str, Any]:
    """The preset with stream flag, context size and response size set over it, and what is null left out."""
    api_type = target.api_type
    samplers = dict(preset)
    _set(samplers, api_type.get("streamPropertyName"), sizes.is_streaming)
    _set_unless_null(samplers, api_type.get("truncateLengthPropertyName"), target.endpoint.get("maxContextTokenSize"))
    _set_unless_null(samplers, api_type.get("maxNewTokensPropertyName"), sizes.response_tokens)
    return _without_nulls(samplers)


def translate_samplers(neutral: JsonObject, api_type: JsonObject) -> dict[str, Any]:
    """Samplers in neutral names as the calling endpoint's API type names them; unknown ones are dropped."""
    names = api_type.get("samplerFieldMap") or {}
    translated = {names[key]: value for key, value in neutral.items() if key in names}
    kwargs = _thinking(neutral, api_type, translated)
    if api_type.get("supportsChatTemplateKwargs"):
        kwargs |= neutral.get("chat_template_kwargs") or {}
    if kwargs:
        translated["chat_template_kwargs"] = kwargs
    return translated


def merge_presets(base: JsonObject, over: JsonObject) -> dict[str, Any]:
    """A preset laid over another one, objects merged at every depth."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        both = isinstance(value, dict) and isinstance(below, dict)
        merged[key] = merge_presets(below, value) if both else value  # type: ignore[arg-type]
    return merged


def _set(samplers: dict[str, Any], name: Any, value: Any) -> None:
    if name:
        samplers[name] = value


def _set_unless_null(samplers: dict[str, Any], name: Any, value: Any) -> None:
    """An explicit null in the preset says that this server must not get the size at all."""
    if name and value is not None and not (name in samplers and samplers[name] is None):
        samplers[name] = value


def _without_nulls(values: JsonObject) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for key, value in values.items():
        if key in _UNTOUCHED:
            kept[key] = value
            continue
        cleaned = _without_nulls(value) if isinstance(value, dict) else value
        if cleaned is None or cleaned == {}:
            continue
        kept[key] = None if cleaned == LITERAL_NULL else cleaned
    return kept


def _thinking(neutral: JsonObject, api_type: JsonObject, translated: dict[str, Any]) -> dict[str, Any]:
    """Sets the thinking switch on top, or gives the template arguments that carry it."""
    how = api_type.get("thinking") or {}
    value = _thinking_value(neutral.get("thinkingMode"), how.get("mode"))
    if value is None or not how.get("field"):
        return {}
    if how.get("location") == "chat_template_kwargs":
        return {how["field"]: value}
    translated[how["field"]] = value
    return {}


def _thinking_value(wanted: Any, mode: Any) -> bool | str | None:
    if wanted is None or mode not in ("bool", "effort"):
        return None
    word = str(wanted).strip().lower()
    if mode == "bool":
        return word not in _OFF_WORDS
    if word in _OFF_WORDS:
        return None
    return word if word in _EFFORTS else "medium"
