"""A strict and safe decoder of YAML: no tags, no anchors, no duplicate keys, bounded depth.

PyYAML's own constructors expand aliases before anybody can check them, and turn an op named `on` into a boolean. So
this decoder builds plain values from the events of the C parser, and checks each event before it builds anything.

Scalars follow YAML 1.2's core schema, with one exception: `1e-05`, `+.5` and `007` are numbers in YAML 1.2, but strings
to PyYAML, which writes these strings without quotes. Here they are strings; a caller that knows the type of the value
can convert them (`convert_number_texts`, `disputed_number`).
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
"""The longest text that is converted to a number: no attr can hold a longer one."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The parser in C if PyYAML has it, which is about ten times as fast."""
_CONSTANTS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INT = pattern(r"[-+]?(0|[1-9][0-9]*)|0x[0-9a-fA-F]+")
_FLOAT = pattern(r"([-+]?[0-9]+\.[0-9]*|\.[0-9]+)([eE][-+][0-9]+)?")
# As wide as YAML 1.2: the numbers that the two patterns above leave out are disputed.
_DISPUTED_INT = pattern(r"[-+]?[0-9]+|0o[0-7]+")
_DISPUTED_FLOAT = pattern(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL_FLOAT = pattern(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")


def loads(text: str, file: str) -> Any:
    """Decode a YAML text of one document.

    Raises:
        InputError: the text is no YAML, or uses features that no spec needs: tags, anchors, duplicate keys or keys that
            are no scalars, deep nesting, several documents.
    """
    try:
        return _build(text, file)
    except yaml.YAMLError as error:
        # A ReaderError, such as for a control character, has no mark, and a `reason` in place of a `problem`.
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
        # libyaml 0.2.6 reads a thousand levels ahead and refuses them, before we have seen the event of the 65th.
        is_deep = problem == "exceeded maximum nesting depth"
        problem = _TOO_DEEP if is_deep else f"is not valid YAML: {problem}"
        raise InputError(file, problem, where=_position(mark) if mark else "", advice="fix that line") from None


def _build(text: str, file: str) -> Any:
    """Return the value of a YAML text, built from the events of the parser with a stack of open containers."""
    # The document is the only item of a list, as if that were the outermost container.
    document: list[Any] = []
    containers: list[Any] = [document]
    keys: list[str | None] = [None]  # the key that awaits its value, for each open container

    def put(value: Any, event: Any) -> None:
        """Add a value to the innermost container: as an item, as the value of the last key, or as the next key."""
        container, key = containers[-1], keys[-1]
        if isinstance(container, list):
            container.append(value)
        elif key is not None:
            container[key] = value
            keys[-1] = None
        else:
            keys[-1] = _checked_key(value, container, event, file)

    # Events come from the parser one by one, so that a bad document is refused before the rest of it is read.
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.NodeEvent):
            _refuse_indirection(event, file)
        if isinstance(event, yaml.ScalarEvent):
            put(_parse_scalar(event, file, is_key=isinstance(containers[-1], dict) and keys[-1] is None), event)
        elif isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            if len(containers) > _MAX_DEPTH:
                raise _error_at(file, event, _TOO_DEEP)
            container: Any = {} if isinstance(event, yaml.MappingStartEvent) else []
            put(container, event)
            containers.append(container)
            keys.append(None)
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            keys.pop()
            containers.pop()
        elif isinstance(event, yaml.DocumentStartEvent) and document:
            raise _error_at(file, event, "holds a second document; a spec file holds one")
    return document[0] if document else None


def _checked_key(value: Any, mapping: dict[str, Any], event: Any, file: str) -> str:
    """Return a key of a mapping. Raises InputError if it is no scalar, or the mapping has it already."""
    if not isinstance(value, str):
        raise _error_at(file, event, "a key must be a scalar")
    if value in mapping:
        raise _error_at(file, event, f"the key {value!r} occurs twice in one mapping")
    return value


def convert_number_texts(document: Any, keys: frozenset[str], is_of_numbers: Callable[[dict[str, Any]], bool]) -> None:
    """Convert, in some members of a decoded document, the strings that are numbers in YAML 1.2.

    Args:
        document: the document; it is changed.
        keys: the keys of the members.
        is_of_numbers: returns whether the members of a mapping are numbers.
    """
    stack = [document]
    while stack:
        container = stack.pop()
        if isinstance(container, dict):
            if not keys.isdisjoint(container) and is_of_numbers(container):
                container.update({key: _convert_disputed(container[key]) for key in keys.intersection(container)})
            stack += container.values()
        elif isinstance(container, list):
            stack += container


def disputed_number(text: str) -> float | None:
    """Return the number that an unquoted string is in YAML 1.2 but not here; None for any other string."""
    if _INT.fullmatch(text) or _FLOAT.fullmatch(text):
        return None
    value = _convert_disputed(text)
    return None if isinstance(value, str) else value


def _convert_disputed(value: Any) -> Any:
    """Return a value with disputed numbers converted."""
    if isinstance(value, list):
        return [_convert_disputed(item) for item in value]
    if not isinstance(value, str) or len(value) > _MAX_DIGITS:
        return value
    if _DISPUTED_INT.fullmatch(value):
        return int(value, 8 if value[:2] == "0o" else 10)
    return float(value) if _DISPUTED_FLOAT.fullmatch(value) else value


def _refuse_indirection(event: Any, file: str) -> None:
    """Raise an error if a node has an anchor, an alias or a tag."""
    if isinstance(event, yaml.AliasEvent) or event.anchor:
        raise _error_at(file, event, "uses an anchor or alias, which is not supported")
    if getattr(event, "tag", None) not in (None, "!"):
        raise _error_at(file, event, f"uses the tag {event.tag!r}; a spec holds plain values only")


def _parse_scalar(event: Any, file: str, *, is_key: bool) -> Any:
    """Return the value of a scalar; keys and quoted scalars are strings."""
    text = event.value
    # An op may be named `on`, `null` or `1`: keys are never converted.
    if is_key or not event.implicit[0]:
        return text
    if text in _CONSTANTS:
        return _CONSTANTS[text]
    if len(text) <= _MAX_DIGITS:
        if _INT.fullmatch(text):
            return int(text, 16 if text[:2] == "0x" else 10)
        if _FLOAT.fullmatch(text):
            return float(text)
        if _SPECIAL_FLOAT.fullmatch(text):
            return float(text.replace(".", "").lower())
    elif text.lstrip("+-").isdigit():
        raise _error_at(file, event, "is an integer of hundreds of digits, which no attr can hold")
    return text


def _error_at(file: str, event: Any, problem: str) -> InputError:
    return InputError(file, problem, where=_position(event.start_mark), advice="fix that line")


def _position(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}"
