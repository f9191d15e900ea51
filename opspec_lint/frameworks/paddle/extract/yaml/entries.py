"""A YAML parser for the files of Paddle's generator: lists of mappings, with the place of each scalar and entry.

Anchors and aliases are refused: Paddle's files have none, and nested ones expand exponentially. Scalars stay texts;
`resolve_scalar` returns the value of a plain scalar in YAML 1.1, as the generator's parser does.
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
"""The limit on mappings and lists inside of each other."""
_MAX_EVENTS = 500_000
"""The limit on scalars and on starts and ends of mappings and lists; the largest file of Paddle has about 40,000."""
_CACHED_FILES = 24
"""The number of parsed files that are cached: the readers of legacy ops and of PIR ops parse the same files."""
_ENDS = frozenset({"MappingEndEvent", "SequenceEndEvent"})
_CONFLICT = pattern(r"^<{7} .*\n(?:.*\n)*?={7}\n(?:.*\n)*?>{7} ", "m")
_INT = pattern(r"[-+]?(?:0[xX][0-9a-fA-F_]+|0b[01_]+|0[0-7_]+|(?:0|[1-9][0-9_]*))")
_FLOAT = pattern(r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)")
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON"})
_FALSE = frozenset({"false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF"})


class Scalar(str):
    """A scalar: its text, its start and end offset in the file, and whether it is written without quotes."""

    start: int
    end: int
    plain: bool

    def __new__(cls, text: str, start: int, end: int, *, plain: bool) -> Scalar:  # noqa: PYI034 - typing is not imported
        """Return a scalar for a text and its place."""
        self = super().__new__(cls, text)
        self.start = start
        self.end = end
        self.plain = plain
        return self


class YamlEntry(dict[str, "Any"]):
    """A mapping, with its line (from 1) and offset.

    `repeated` are keys that occur again; the last one counts. `text` is the text of an entry of the top list, up to the
    next entry.
    """

    line = 1
    start = 0
    text = ""
    repeated: Sequence[Scalar] = ()

    def add_repeated(self, key: Scalar) -> None:
        """Record a key that occurs again."""
        # All mappings share the empty tuple of the class until a key is repeated.
        if not isinstance(self.repeated, list):
            self.repeated = []
        self.repeated.append(key)


def parse_entries(text: str, file: str) -> list[YamlEntry]:
    """Return the entries of a YAML file, a list of mappings; none for an empty file.

    Raises UnresolvedError if the file is no YAML, or no list of mappings.
    """
    content = parse_document(text, file)
    if not isinstance(content, list) and resolve_scalar(content) is None:
        return []
    if not isinstance(content, list) or not all(isinstance(entry, YamlEntry) for entry in content):
        raise UnresolvedError("it is not a list of entries", file, 1)
    return content


def parse_document(text: str, file: str) -> Any:
    """Return the content of a YAML file: lists, `YamlEntry` and `Scalar`. The result is shared: do not change it.

    Raises UnresolvedError if the file is no YAML, has anchors or deep nesting, or the marks of a merge conflict.
    """
    parsed = _parse_once(text)
    if isinstance(parsed, UnresolvedError):
        raise UnresolvedError(parsed.reason, file, parsed.line)
    return parsed


@lru_cache(maxsize=_CACHED_FILES)
def _parse_once(text: str) -> Any:
    """Return the content of a text, or its error as a value: several readers parse a text, and both are cached."""
    try:
        return _parse_text(text)
    except UnresolvedError as error:
        return UnresolvedError(error.reason, line=error.line)  # without the traceback, which keeps the parser


def _parse_text(text: str) -> Any:
    """Parse a text for `parse_document`; raise UnresolvedError with a line, but no file, if it cannot be read."""
    import yaml

    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
        # `yaml.parse` asks for each event twice.
        content = _build(iter(loader.get_event, None))
    except (yaml.YAMLError, ValueError) as error:
        conflict = _CONFLICT.search(text)
        if conflict is not None:
            line = text.count("\n", 0, conflict.start()) + 1
            raise UnresolvedError("it has a merge conflict that is not resolved", line=line) from None
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "it cannot be read"
        raise UnresolvedError(f"it is not valid YAML: {problem}", line=mark.line + 1 if mark else 1) from None
    if isinstance(content, list):
        end = len(text)
        # Backwards, so that the start of an entry is the end of the one before it.
        for entry in reversed(content):
            if isinstance(entry, YamlEntry):
                entry.text = text[entry.start : end]
                end = entry.start
    return content


def _build(events: Iterator[Any]) -> Any:  # noqa: PLR0912 - a branch for each kind of event and container
    """Build the content of the first document from parser events; None for an empty file."""
    top: list[Any] = []
    stack: list[Any] = [top]
    container: Any = top
    key: Scalar | None = None
    for count, event in enumerate(events):
        if count > _MAX_EVENTS:
            raise UnresolvedError(f"it has more than {_MAX_EVENTS:,} values", line=event.start_mark.line + 1)
        # The names of the classes are compared: the C parser and the Python parser have classes of their own.
        kind = type(event).__name__
        value: Any
        if kind == "ScalarEvent":
            plain = event.implicit[0] and not event.style
            value = Scalar(event.value, event.start_mark.index, event.end_mark.index, plain=plain)
        elif kind in _ENDS:
            stack.pop()
            container = stack[-1]
            continue
        elif kind == "MappingStartEvent":
            value = YamlEntry()
            value.line = event.start_mark.line + 1
            value.start = event.start_mark.index
        elif kind == "SequenceStartEvent":
            value = []
        elif kind == "AliasEvent":
            raise UnresolvedError("it has an alias", line=event.start_mark.line + 1)
        else:
            continue
        # Nested aliases expand exponentially, and tags can construct arbitrary objects.
        if event.anchor is not None or event.tag is not None:
            what = "an anchor" if event.anchor is not None else "a tag"
            raise UnresolvedError(f"it has {what}", line=event.start_mark.line + 1)
        is_scalar = kind == "ScalarEvent"
        if type(container) is list:
            container.append(value)
        elif key is None:  # keys and values alternate
            if not is_scalar:
                raise UnresolvedError("it has a key that is not a scalar", line=event.start_mark.line + 1)
            key = value
        else:
            # As in PyYAML, the last value of a repeated key counts; the fault check reports the key.
            if key in container:
                container.add_repeated(key)
            container[key] = value
            key = None
        if not is_scalar:
            if len(stack) == _MAX_DEPTH:
                raise UnresolvedError(f"it is nested more than {_MAX_DEPTH} deep", line=event.start_mark.line + 1)
            stack.append(value)
            container = value
    return top[0] if top else None


def resolve_scalar(value: Any) -> Any:
    """Return a value as YAML 1.1 reads it: a scalar without quotes may be a number, a boolean or null."""
    if isinstance(value, list):
        return [resolve_scalar(item) for item in value]
    if not isinstance(value, Scalar) or not value.plain:
        return value
    text = str(value)
    if text in _NULL:
        return None
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    if _INT.fullmatch(text):
        return _parse_int(text.replace("_", ""))
    if _FLOAT.fullmatch(text):
        return float(text.replace("_", ""))
    return text


def is_null(value: Scalar) -> bool:
    """Return whether YAML 1.1 reads a scalar as null."""
    return value.plain and value in _NULL


def _parse_int(text: str) -> int:
    """Return an integer; a leading zero makes it octal, and more than 100 digits make it 0."""
    digits = text.lstrip("+-")
    is_octal = len(digits) > 1 and digits[0] == "0" and digits.isdigit()
    value = int(digits, 8 if is_octal else 0) if len(digits) < 100 else 0
    return -value if text.startswith("-") else value
