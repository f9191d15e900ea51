"""Descriptions of the faults of a file: the place, the expectation, the value there, and advice."""

from __future__ import annotations

import json
from itertools import islice

from opspec_lint.kit.errors import InputError, nearest_advice
from opspec_lint.kit.limits import MAX_DEPTH
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any, TypeAlias

    Path: TypeAlias = tuple[str | int, ...]

_MOST = 10_000
"""Faults of a document that are collected: a file of 3 MB can have a million, which take minutes."""
_LONGEST = 200
"""Characters of a problem that quotes the file or the schema."""


class Violation:
    """A part of a document that violates a keyword of its schema; `rule` is the value of the keyword in `schema`."""

    __slots__ = ("keyword", "path", "rule", "schema", "value")

    def __init__(self, path: Path, value: Any, keyword: str, schema: Mapping[str, Any]) -> None:
        self.path = path
        self.value = value
        self.keyword = keyword
        self.rule = schema[keyword]
        self.schema = schema


class FileFault(Record):
    """One thing that is wrong with a file: the path to it inside the file, what, and what to do.

    `path` are the keys and indices that lead there; the last one is the key itself where that is what is wrong.
    """

    where: str
    problem: str
    advice: str = ""
    path: tuple[str | int, ...] = ()


def first_error(faults: Iterable[FileFault], file: str, advice: str) -> InputError:
    """Return the error that names the first fault of a file, with general advice if the fault has none."""
    for fault in faults:
        return InputError(file, fault.problem, where=fault.where, advice=fault.advice or advice)
    raise AssertionError(f"{file} is refused, but has no fault")


def describe(value: Any) -> str:
    """Return the kind of a decoded value, briefly: `the string "yes"`, `a list`, `null`."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, Record):
        return "protobuf messages"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**20:
        return "an integer beyond 64 bits"
    if value is None or isinstance(value, (bool, int, float)):
        return json.dumps(value)
    return f"the string {_quoted(value)}" if isinstance(value, str) else f"the date or time {value}"


def explain(violations: Iterator[Violation], document: Any, at: str) -> list[FileFault]:
    """Return the violations of a document as faults, each once, in the order of the document.

    Args:
        violations: the violations; of very many, the first ones are taken, and the last fault says so.
        document: the document, or a part of it.
        at: the path of the part inside its document.
    """
    orders: dict[int, dict[str, int]] = {}
    taken = sorted(islice(violations, _MOST), key=lambda violation: _place(violation.path, document, orders))
    every = (fault for violation in taken for fault in _faults(violation, at))
    faults = list(islice(every, _MOST))
    if next(every, None) is not None or next(violations, None) is not None:
        faults.append(FileFault(where=at, problem=f"has more faults than the {_MOST:,} that are looked for"))
    return list(dict.fromkeys(faults))


def _place(path: Path, document: Any, orders: dict[int, dict[str, int]]) -> list[int]:
    """Return the position of a part in the document, for sorting; `orders` has the positions of keys, by object."""
    place = []
    for part in path:
        if isinstance(part, int):
            place.append(part)
        else:
            if id(document) not in orders:
                orders[id(document)] = {key: index for index, key in enumerate(document)}
            place.append(orders[id(document)][part])
        document = document[part]
    return place


def _faults(violation: Violation, at: str) -> Iterator[FileFault]:
    path, value, rule = violation.path, violation.value, violation.rule
    inside = join(*path)
    where = at + (inside if inside.startswith("[") or not at else f".{inside}" if inside else "")
    if violation.keyword == "required":
        for key in rule:
            if key not in value:
                yield FileFault(where=where, problem=f"the key {key!r} is missing", path=path)
    elif violation.keyword == "additionalProperties":
        known = violation.schema.get("properties", {})
        for key in value:
            if key not in known:
                advice = nearest_advice(key, known)
                yield FileFault(where=where, problem=f"unknown key {_quoted(key)}", advice=advice, path=(*path, key))
    else:
        names = [name for name in rule if isinstance(name, str)] if violation.keyword == "enum" else []
        advice = nearest_advice(value, names) if names and isinstance(value, str) else ""
        yield FileFault(where=where, problem=_problem(violation), advice=advice, path=path)


_TYPE_NAMES = {
    "object": "a mapping",
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "null": "null",
}


def _problem(violation: Violation) -> str:
    rule, value = violation.rule, violation.value
    found = describe(value)
    match violation.keyword:
        case "type":
            names = [_TYPE_NAMES[name] for name in ([rule] if isinstance(rule, str) else rule)]
            return f"expected {' or '.join(names)}, found {found}"
        case "enum":
            return f"expected {', '.join(map(json.dumps, rule))}, found {found}"
        case "minimum":
            return f"expected at least {rule}, found {found}"
        case "maximum":
            return f"expected at most {rule}, found {found}"
        case "format":
            limits = f"integers have 64 bits, nesting ends at {MAX_DEPTH} levels, `float` precedes a word such as NaN"
            return f"{found} is not a value that an attr can hold: {limits}"
        case "anyOf":
            ways = (" and ".join(map(repr, way["required"])) for way in rule)
            return f"expected the keys {', or '.join(ways)}"
        case "minItems":
            return f"expected at least {rule}, found {len(value) or 'none'}"
        case "pattern" if "description" in violation.schema:
            expected = violation.schema["description"].partition(". ")[0].rstrip(".")
            return f"expected {expected[0].lower()}{expected[1:]}, found {found}"
        case "not":
            return "is not allowed here"
        case "const":
            return f"{rule!r} was expected"[:_LONGEST]
        case keyword:
            return f"{value!r} {_PREDICATES[keyword].format(rule)}"[:_LONGEST]


_PREDICATES = {
    "minLength": "should be non-empty",
    "maxLength": "is too long",
    "maxItems": "is too long",
    "pattern": "does not match {0!r}",
    "uniqueItems": "has non-unique elements",
}


def _quoted(text: str) -> str:
    quoted = json.dumps(text[:60])
    return quoted if len(quoted) <= 60 else quoted[:57] + "..."
