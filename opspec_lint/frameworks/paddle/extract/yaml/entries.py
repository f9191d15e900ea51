"""The entries of the YAML files that Paddle's generator reads: a list of mappings, each with where it stands.

Anchors and aliases are refused: the files have none, and they can blow up. Scalars stay texts; `resolved` says what a
plain one is to YAML 1.1, which is what the generator's parser takes them for.
"""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

_MAX_DEPTH = 24
_MOST_EVENTS = 500_000
"""Scalars, and beginnings and ends of mappings and lists, of a file; the largest of Paddle has about 40,000."""
_MOST = 24
"""Files that are kept as they were read: those of the legacy ops and those of PIR are the same."""
_CONFLICT = pattern(r"^<{7} .*\n(?:.*\n)*?={7}\n(?:.*\n)*?>{7} ", "m")
_INT = pattern(r"[-+]?(?:0[xX][0-9a-fA-F_]+|0b[01_]+|0[0-7_]+|(?:0|[1-9][0-9_]*))")
_FLOAT = pattern(r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)")
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})
_FALSE = frozenset({"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})


class Scalar(str):
    """A scalar: its text, the offsets between which it stands in the file, and whether it is written without quotes."""

    start: int
    end: int
    plain: bool

    def __new__(cls, text: str, start: int, end: int, *, plain: bool) -> Scalar:  # noqa: PYI034 - typing is not imported
        """Make one."""
        self = super().__new__(cls, text)
        self.start = start
        self.end = end
        self.plain = plain
        return self


class YamlEntry(dict[str, "Any"]):
    """A mapping of the list at the top: `line` is where it begins, counted from 1, and `start` its offset.

    `repeated` are the keys that it has once more; the last one counts. `text` is all that stands from its beginning to
    that of the next one, for an entry of the list at the top.
    """

    line = 1
    start = 0
    text = ""
    repeated: Sequence[Scalar] = ()

    def repeat(self, key: Scalar) -> None:
        """Note a key that comes once more."""
        if not isinstance(self.repeated, list):
            self.repeated = []
        self.repeated.append(key)


def entries(text: str, file: str) -> list[YamlEntry]:
    """Return the mappings of a YAML file, scalars as `Scalar`; an empty file has none.

    Raises:
        UnresolvedError: the file is no YAML, or no list of mappings.
    """
    found = document(text, file)
    if not isinstance(found, list) and resolved(found) is None:
        return []
    if not isinstance(found, list) or not all(isinstance(entry, YamlEntry) for entry in found):
        raise UnresolvedError("it is not a list of entries", file, 1)
    return found


@lru_cache(maxsize=_MOST)
def document(text: str, file: str) -> Any:
    """The content of a YAML file: lists, mappings as `YamlEntry`, and scalars as `Scalar`. Nobody changes it.

    Raises:
        UnresolvedError: the file is no YAML, has anchors or deep nesting, or has the marks of a merge conflict.
    """
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        found = _built(yaml.parse(text, Loader=loader), file)
    except (yaml.YAMLError, ValueError) as error:
        conflict = _CONFLICT.search(text)
        if conflict is not None:
            line = text.count("\n", 0, conflict.start()) + 1
            raise UnresolvedError("it has a merge conflict that is not resolved", file, line) from None
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise UnresolvedError(f"it is not valid YAML: {problem}", file, mark.line + 1 if mark else 1) from None
    end = len(text)
    for entry in reversed(found) if isinstance(found, list) else ():
        if isinstance(entry, YamlEntry):
            entry.text, end = text[entry.start : end], entry.start
    return found


def _built(events: Iterator[Any], file: str) -> Any:
    top: list[Any] = []
    stack: list[Any] = [top]
    keys: list[str | None] = [None]
    for count, event in enumerate(events):
        if count > _MOST_EVENTS:
            raise UnresolvedError(f"it has more than {_MOST_EVENTS:,} values", file, event.start_mark.line + 1)
        kind = type(event).__name__
        value: Any
        if kind == "ScalarEvent":
            implicit = event.implicit[0] and event.style in (None, "")
            value = Scalar(event.value, event.start_mark.index, event.end_mark.index, plain=implicit)
        elif kind == "MappingStartEvent":
            value = YamlEntry()
            value.line = event.start_mark.line + 1
            value.start = event.start_mark.index
        elif kind == "SequenceStartEvent":
            value = []
        elif kind in ("MappingEndEvent", "SequenceEndEvent"):
            stack.pop()
            keys.pop()
            continue
        elif kind == "AliasEvent":
            raise UnresolvedError("it has an alias", file, event.start_mark.line + 1)
        else:
            continue
        if event.anchor is not None or event.tag is not None:
            what = "an anchor" if event.anchor is not None else "a tag"
            raise UnresolvedError(f"it has {what}", file, event.start_mark.line + 1)
        _put(stack[-1], keys, value, file, event.start_mark.line + 1)
        if not isinstance(value, str):
            stack.append(value)
            keys.append(None)
            if len(stack) > _MAX_DEPTH:
                raise UnresolvedError(f"it is nested more than {_MAX_DEPTH} deep", file, event.start_mark.line + 1)
    return top[0] if top else None


def _put(container: Any, keys: list[str | None], value: Any, file: str, line: int) -> None:
    if isinstance(container, list):
        container.append(value)
    elif keys[-1] is None:
        if not isinstance(value, str):
            raise UnresolvedError("it has a key that is not a scalar", file, line)
        keys[-1] = value
    else:
        if keys[-1] in container and isinstance(keys[-1], Scalar):
            container.repeat(keys[-1])
        container[keys[-1]] = value
        keys[-1] = None


def resolved(value: Any) -> Any:
    """The value in YAML 1.1: a scalar without quotes may be a number, a boolean or nothing."""
    if isinstance(value, list):
        return [resolved(item) for item in value]
    if not isinstance(value, Scalar) or not value.plain:
        return value
    text = str(value)
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INT.fullmatch(text):
        return _whole(text.replace("_", ""))
    if _FLOAT.fullmatch(text):
        return float(text.replace("_", ""))
    return text


def _whole(text: str) -> int:
    digits = text.lstrip("+-")
    is_octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
    value = int(digits, 8 if is_octal else 0) if len(digits) < 100 else 0
    return -value if text.startswith("-") else value
