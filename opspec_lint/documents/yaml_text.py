"""YAML, strictly and safely: no tags, no anchors, no duplicate keys, bounded depth.

By the time PyYAML's own constructors have built a document, an alias has had its chance to explode, and an op named
`on` has become a boolean. Here the events of the C parser are built into plain values directly, so that nothing is
ever built that has not been looked at. Scalars are those of YAML 1.2's core schema, but for a few numbers: `1e-05`,
`+.5` or `007` is a number to YAML 1.2 and a string to PyYAML, which writes that string so. Here it is a string; whoever
knows what stands there may make a number of it (`convert_number_texts`, `disputed_number`).
"""

from __future__ import annotations

import yaml

from opspec_lint.kit.errors import InputError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_MAX_DEPTH = 64
_TOO_DEEP = f"is nested more than {_MAX_DEPTH} levels deep, the limit for a spec"
_MAX_DIGITS = 400
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORDS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = pattern(r"[-+]?(0|[1-9][0-9]*)|0x[0-9a-fA-F]+")
_FLOAT = pattern(r"([-+]?[0-9]+\.[0-9]*|\.[0-9]+)([eE][-+][0-9]+)?")
_DISPUTED_INT = pattern(r"[-+]?[0-9]+|0o[0-7]+")
_DISPUTED_FLOAT = pattern(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL_FLOAT = pattern(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


def loads(text: str, file: str) -> Any:
    """Decode a YAML text of one document.

    Raises:
        InputError: the text is no YAML, or uses what a spec has no use for: tags, anchors, keys that occur twice or
            are no scalars, deep nesting, several documents.
    """
    try:
        return _build(text, file)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
        # libyaml 0.2.6 reads a thousand levels ahead and refuses them, before we have seen the event of the 65th.
        is_deep = problem == "exceeded maximum nesting depth"
        problem = _TOO_DEEP if is_deep else f"is not valid YAML: {problem}"
        raise InputError(file, problem, where=_where(mark) if mark else "", advice="fix that line") from None


def _build(text: str, file: str) -> Any:
    document: list[Any] = []
    containers: list[Any] = [document]
    keys: list[str | None] = [None]  # the key that awaits its value, for each open container

    def put(value: Any, event: Any) -> None:
        container, key = containers[-1], keys[-1]
        if isinstance(container, list):
            container.append(value)
        elif key is not None:
            container[key] = value
            keys[-1] = None
        else:
            keys[-1] = _key(value, container, event, file)

    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.NodeEvent):
            _refuse_indirection(event, file)
        if isinstance(event, yaml.ScalarEvent):
            put(_scalar(event, file, is_key=isinstance(containers[-1], dict) and keys[-1] is None), event)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            if len(containers) > _MAX_DEPTH:
                raise _refusal(file, event, _TOO_DEEP)
            container: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
            put(container, event)
            containers.append(container)
            keys.append(None)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            keys.pop()
            containers.pop()
        elif isinstance(event, yaml.DocumentStartEvent) and document:
            raise _refusal(file, event, "holds a second document; a spec file holds one")
    return document[0] if document else None


def _key(value: Any, mapping: dict[str, Any], event: Any, file: str) -> str:
    if not isinstance(value, str):
        raise _refusal(file, event, "a key must be a scalar")
    if value in mapping:
        raise _refusal(file, event, f"the key {value!r} occurs twice in one mapping")
    return value


def convert_number_texts(document: Any, keys: frozenset[str], is_of_numbers: Callable[[dict[str, Any]], bool]) -> None:
    """Make numbers of the strings in a decoded document which are numbers to YAML 1.2, where nothing else can stand.

    Args:
        document: the document; it is changed.
        keys: the keys under which values stand.
        is_of_numbers: tells of a mapping with such a key whether its values are numbers.
    """
    waiting = [document]
    while waiting:
        container = waiting.pop()
        if isinstance(container, dict):
            if not keys.isdisjoint(container) and is_of_numbers(container):
                container.update({key: _numbers(container[key]) for key in keys.intersection(container)})
            waiting += container.values()
        elif isinstance(container, list):
            waiting += container


def disputed_number(text: str) -> float | None:
    """Return the number that a string is to YAML 1.2 where it stands without quotes, and to us is none; or None."""
    if _INT.fullmatch(text) or _FLOAT.fullmatch(text):
        return None
    value = _numbers(text)
    return None if isinstance(value, str) else value


def _numbers(value: Any) -> Any:
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    if not isinstance(value, str) or len(value) > _MAX_DIGITS:
        return value
    if _DISPUTED_INT.fullmatch(value):
        return int(value, 8 if value[:2] == "0o" else 10)
    return float(value) if _DISPUTED_FLOAT.fullmatch(value) else value


def _refuse_indirection(event: Any, file: str) -> None:
    if isinstance(event, yaml.AliasEvent) or event.anchor:
        raise _refusal(file, event, "uses an anchor or alias, which is not supported")
    if getattr(event, "tag", None) not in (None, "!"):
        raise _refusal(file, event, f"uses the tag {event.tag!r}; a spec holds plain values only")


def _scalar(event: Any, file: str, *, is_key: bool) -> Any:
    word = event.value
    if is_key or not event.implicit[0]:
        return word
    if word in _WORDS:
        return _WORDS[word]
    if len(word) <= _MAX_DIGITS:
        if _INT.fullmatch(word):
            return int(word, 16 if word[:2] == "0x" else 10)
        if _FLOAT.fullmatch(word):
            return float(word)
        if _SPECIAL_FLOAT.fullmatch(word):
            return float(word.replace(".", "").lower())
    elif word.lstrip("+-").isdigit():
        raise _refusal(file, event, "is an integer of hundreds of digits, which no attr can hold")
    return word


def _refusal(file: str, event: Any, problem: str) -> InputError:
    return InputError(file, problem, where=_where(event.start_mark), advice="fix that line")


def _where(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}"
