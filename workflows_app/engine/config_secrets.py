"""Which values of config files are secrets, and texts in which they do not show (configs.md §11). Pure.

A mask names the secret it stands for by its number in the file it came from, so that a masked text can be edited,
its nodes moved about, and the secrets put back where their masks have gone.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from urllib.parse import unquote_plus, urlsplit

from wilmer_site.lib.errors import TooLargeError
from workflows_app.engine import json_text
from workflows_app.engine.config_references import Pointer, list_texts
from workflows_app.errors import ConfigInvalidError

_MASK = "••••••••#{}"
_MASKED = re.compile("••••••••#([0-9]+)")
_PLAIN_OPTION = re.compile(r"--?[A-Za-z][\w-]*")
_KEYS = ("apiKey", "headers", "env", "body", "args", "proxy")
_KEY_LIKE = re.compile(r"api[_-]?key|(?:access[_-]?)?token|bearer|password|secret|authorization", re.IGNORECASE)
"""`apiKey`, and what people write in its place by mistake."""
_KEY_NAME = re.compile(
    r"(?:^|[\W_]|(?<=[a-z])(?=[A-Z]))(?:(?i:key|apikey|token|secret|password|passwd|pwd|auth|authorization|bearer)"
    r"|(?i:sig|signature|credentials?))$"
)
"""The name of a parameter or option whose value is a secret, such as `key`, `--api-key`, `X-Auth-Token`."""
_NAMED_VALUE = re.compile(r"([\w.-]{1,80})\s*[:=]\s*(?=\S)")
_VARIABLES = re.compile(r"\$?\{+[^{}]*\}+")
_KEY_IN_TEXT = re.compile(rf'"(?:{"|".join(_KEYS)}|{_KEY_LIKE.pattern})"\s*:\s*', re.IGNORECASE)
_COLON = re.compile(r"\s*:")
_ADDRESS_OR_MASK = re.compile(rf'"(?:[A-Za-z][\w+.-]*://[^\s"]*|{_MASKED.pattern})"')
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[\]{}]')


def is_masked(value: Any) -> bool:
    """Whether a value is a mask and no secret of its own."""
    return isinstance(value, str) and _MASKED.fullmatch(value) is not None


def hides_secret(address: str) -> bool:
    """Whether an address has a password or a key in it (`https://me:pw@host`, `…?api_key=…`), or is the mask of one."""
    try:
        return is_masked(address) or bool(list_address_secrets(address))
    except ValueError:
        return "@" in address


def list_address_secrets(address: str) -> tuple[str, ...]:
    """The password and the keys in an address, as they are written. Raises ValueError for what is no address."""
    parts = urlsplit(address if "://" in address else f"//{address}")
    pairs = (pair.partition("=") for pair in f"{parts.query}&{parts.fragment}".split("&"))
    keys = (
        value for name, _, value in pairs if _KEY_NAME.search(unquote_plus(name)) and _is_fixed(unquote_plus(value))
    )
    return tuple(secret for secret in (parts.password, *keys) if secret)


def list_secrets(path: str, document: Any) -> tuple[Pointer, ...]:
    """Where the secrets of a file are that are set, in the order of the text. `path` is below `Configs`."""
    finder = _FINDERS.get(path.partition("/")[0])
    found = finder(document) if finder else ()
    return tuple(pointer for pointer, text in found if text)


def has_secrets(path: str, text: str) -> bool:
    """Whether a text has any secret to hide."""
    return bool(_spans(path, text))


def mask_text(path: str, text: str) -> str:
    """The text of a file with a mask in the place of every secret. One that is no JSON is masked by its looks."""
    pieces, at = [], 0
    for number, (start, end) in enumerate(_spans(path, text), start=1):
        pieces += [text[at:start], _written(number)]
        at = end
    return "".join(pieces) + text[at:]


def mask_alike(path: str, texts: Sequence[str]) -> tuple[tuple[str, ...], dict[int, str]]:
    """Several texts of one file, masked so that equal secrets have equal masks, and the secrets by their numbers.

    The numbers of the first text are its own, as in `mask_text`; of equal secrets the first number counts.
    """
    written = {number: texts[0][start:end] for number, (start, end) in enumerate(_spans(path, texts[0]), start=1)}
    numbers = {_value_of(secret): number for number, secret in reversed(written.items())}
    masked = []
    for text in texts:
        pieces, at = [], 0
        for start, end in _spans(path, text):
            secret = text[start:end]
            number = numbers.setdefault(_value_of(secret), len(written) + 1)
            written.setdefault(number, secret)
            pieces += [text[at:start], _written(number)]
            at = end
        masked.append("".join(pieces) + text[at:])
    return tuple(masked), written


def unmask_some(path: str, text: str, written: Mapping[int, str]) -> str:
    """The text with the secrets of some numbers, as they are to be written, in the places where secrets are kept."""
    pieces, at = [], 0
    for start, end in _spans(path, text):
        match = _MASKED.fullmatch(_read(text[start:end]))
        if match and int(match.group(1)) in written:
            pieces += [text[at:start], written[int(match.group(1))]]
            at = end
    return "".join(pieces) + text[at:]


def list_open_secrets(path: str, text: str) -> frozenset[str]:
    """The secrets of a masked text that are no masks, as they are written: somebody typed them."""
    found = (text[start:end] for start, end in _spans(path, text))
    return frozenset(secret for secret in found if not is_masked(_read(secret)))


def restore_text(path: str, text: str, base: str) -> str:
    """The text with each mask in the place of a secret replaced by what it stands for in `base`.

    Raises ConfigInvalidError for a mask that stands anywhere else, or for nothing: a secret must not be moved to
    where it would show.
    """
    if not _MASKED.search(_decoded(text)):
        return text
    secrets = [base[start:end] for start, end in _spans(path, base)]
    pieces: list[str] = []
    used: list[str] = []
    at = 0
    for start, end in _spans(path, text):
        match = _MASKED.fullmatch(_read(text[start:end]))
        number = int(match.group(1)) if match else 0
        if 0 < number <= len(secrets):
            used.append(secrets[number - 1])
            pieces += [text[at:start], used[-1]]
            at = end
    restored = "".join(pieces) + text[at:]
    hidden = Counter(restored[start:end] for start, end in _spans(path, restored))
    if _MASKED.search(_decoded(restored)) or Counter(used) - hidden:
        raise ConfigInvalidError("A hidden secret stands in a place where none is kept. Type the value itself there.")
    return restored


def mask_document(path: str, document: Any) -> Any:
    """A copy of a JSON value with masks in the places of the secrets."""
    masked = document
    for number, pointer in enumerate(list_secrets(path, document), start=1):
        masked = _replaced(masked, pointer, _MASK.format(number))
    return masked


def _spans(path: str, text: str) -> list[tuple[int, int]]:
    """Where the secrets stand in a text, quotes included."""
    try:
        parsed = json_text.parse(text)
        document = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError, ConfigInvalidError, TooLargeError):
        return _spans_by_looks(path, text)
    if parsed.duplicates:
        # Of a key that stands twice only the last one counts, but the first one shows as well.
        return _spans_by_looks(path, text)
    found = (parsed.find(pointer) for pointer in list_secrets(path, document))
    return sorted((place.start, place.end) for place in found if place is not None)


def _spans_by_looks(path: str, text: str) -> list[tuple[int, int]]:
    if path.partition("/")[0] not in _FINDERS:
        return []
    found: dict[int, int] = {}
    for match in _KEY_IN_TEXT.finditer(text):
        found |= dict(_strings_from(text, match.end()))
    for match in _ADDRESS_OR_MASK.finditer(text):
        if hides_secret(_read(match.group())):
            found[match.start()] = match.end()
    return sorted(found.items())


def _strings_from(text: str, at: int) -> Iterator[tuple[int, int]]:
    """The text that begins here, or every text inside the brackets that open here."""
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text, at):
        token = match.group()
        if depth == 0 and match.start() != at:
            return
        depth += (token in "[{") - (token in "]}")
        if token.startswith('"') and token != '""' and not _COLON.match(text, match.end()):
            yield match.span()
        if depth <= 0:
            return


def _decoded(text: str) -> str:
    """The text with the mask's mark as itself, should a program have written it as an escape."""
    return text.replace("\\u2022", "•")


def _read(written: str) -> str:
    try:
        value = json.loads(written)
    except ValueError:
        value = written.strip('"')
    return value if isinstance(value, str) else ""


def _value_of(written: str) -> str:
    """The same for a secret however its characters are escaped."""
    return _read(written) or written


def _written(number: int) -> str:
    return json.dumps(_MASK.format(number), ensure_ascii=False)


def _is_fixed(value: str) -> bool:
    """Whether a value is written out and no mere variable, such as `{agent1Output}` or `${TOKEN}`."""
    return bool(_VARIABLES.sub("", value).strip())


def _replaced(value: Any, pointer: Pointer, new: Any) -> Any:
    if not pointer:
        return new
    key, *rest = pointer
    if isinstance(value, dict):
        return {**value, key: _replaced(value[key], tuple(rest), new)}
    return [_replaced(item, tuple(rest), new) if at == key else item for at, item in enumerate(value)]


def _in_endpoint(document: Any) -> Iterator[tuple[Pointer, str]]:
    for key, value in document.items() if isinstance(document, dict) else ():
        if _KEY_LIKE.fullmatch(key) and isinstance(value, dict | list):
            yield from list_texts(value, (key,))
        elif _KEY_LIKE.fullmatch(key) and value is not None:
            yield (key,), str(value)
        elif key == "endpoint" and isinstance(value, str) and hides_secret(value):
            yield (key,), value


def _in_mcp_server(document: Any) -> Iterator[tuple[Pointer, str]]:
    for key, value in document.items() if isinstance(document, dict) else ():
        if key in {"headers", "env"}:
            yield from list_texts(value, (key,))
        elif key == "args" and isinstance(value, list):
            yield from _in_arguments(value, (key,))
        elif key == "url" and isinstance(value, str) and hides_secret(value):
            yield (key,), value


def _in_arguments(values: list[Any], pointer: Pointer) -> Iterator[tuple[Pointer, str]]:
    """What follows `--api-key`, `--token=…`, `Authorization: …`, `API_KEY=…`, and addresses with a key in them."""
    option = ""
    for position, value in enumerate(values):
        text = value if isinstance(value, str) else ""
        named = _NAMED_VALUE.match(text)
        is_named = named is not None and _KEY_NAME.search(named.group(1)) and _is_fixed(text[named.end() :])
        is_value = not text.startswith("-") and _KEY_NAME.search(option) is not None and _is_fixed(text)
        if is_named or is_value or hides_secret(text):
            yield (*pointer, position), text
        option = text if _PLAIN_OPTION.fullmatch(text) else ""


def _in_workflow(document: Any) -> Iterator[tuple[Pointer, str]]:
    nodes = document.get("nodes") if isinstance(document, dict) else document
    start: Pointer = ("nodes",) if isinstance(document, dict) else ()
    for position, node in enumerate(nodes if isinstance(nodes, list) else ()):
        if isinstance(node, dict):
            yield from _in_node(node, (*start, position))


def _in_node(node: dict[str, Any], pointer: Pointer) -> Iterator[tuple[Pointer, str]]:
    addresses = {"proxy", "url"} if node.get("type") == "WebFetch" else {"proxy"}
    for key, value in node.items():
        at = (*pointer, key)
        if node.get("type") == "WebFetch" and key in {"headers", "body"}:
            yield from list_texts(value, at)
        elif node.get("type") == "CurlCommand" and key == "args":
            yield from ((place, text) for place, text in list_texts(value, at) if not _PLAIN_OPTION.fullmatch(text))
        elif key in addresses and isinstance(value, str) and hides_secret(value):
            yield at, value


_FINDERS = {"Endpoints": _in_endpoint, "MCPServers": _in_mcp_server, "Workflows": _in_workflow}
