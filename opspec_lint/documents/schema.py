"""Faults of a document against its JSON Schema, as messages for people."""

from __future__ import annotations

import json
import os
from functools import cache
from itertools import islice

from opspec_lint.documents.conformity import violations
from opspec_lint.kit.errors import InputError, nearest_advice
from opspec_lint.kit.limits import MAX_DEPTH
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from opspec_lint.documents.conformity import Schema, Violation

_MOST_FAULTS = 10_000
"""The most faults that are collected: a file of 3 MB can have a million, which take minutes."""
_MOST_LEVELS = 900
"""The most levels of a document, below the 1,000 calls within each other that Python allows."""
_FOLDER = os.path.join(os.path.dirname(__file__), "schemas")


class FileFault(Record):
    """A fault of a file: its place in the file as text, the problem, and the advice.

    `path` are the keys and indices that lead to the place; the last one is the key itself if the key is the fault.
    """

    where: str
    problem: str
    advice: str = ""
    path: tuple[str | int, ...] = ()


@cache
def load(name: str, folder: str = _FOLDER) -> dict[str, Any]:
    """Return the schema `name`, such as "waivers", of a folder."""
    with open(os.path.join(folder, f"{name}.schema.json"), encoding="utf-8") as stream:
        schema: dict[str, Any] = json.load(stream)
    return schema


def faults(document: Any, schema: dict[str, Any], *, at: str = "", fragment: str = "") -> list[FileFault]:
    """Return the faults of a document against a schema, in order; the last states whether there are more.

    Args:
        document: the decoded document, or one of its parts.
        schema: the schema, without references to other schemas.
        at: the path of the part in its document.
        fragment: the JSON pointer of the part's schema, such as "/$defs/op".
    """
    orders: dict[int, dict[str, int]] = {}
    unread = violations(document, _fragment(schema, fragment), schema)
    first = sorted(islice(unread, _MOST_FAULTS), key=lambda violation: _sort_key(violation, document, orders))
    if first and _is_deep(document):
        return [FileFault(where=at, problem="is nested hundreds of levels deep, beyond the limit for a spec")]
    all_faults = (fault for violation in first for fault in _faults_of(violation, at))
    result = list(islice(all_faults, _MOST_FAULTS))
    if next(all_faults, None) is not None or next(unread, None) is not None:
        result.append(FileFault(where=at, problem=f"has more faults than the {_MOST_FAULTS:,} that are looked for"))
    return result


def _is_deep(document: Any) -> bool:
    """Tell whether a document is nested too deep for functions that call themselves for each level."""
    level = [document]
    for _ in range(_MOST_LEVELS):
        lists = [[*value.values()] if isinstance(value, dict) else value for value in level]
        level = [item for items in lists if isinstance(items, list) for item in items]
        if not level:
            return False
    return True


def _fragment(schema: Schema, pointer: str) -> Schema:
    """Return the part of a schema at a JSON pointer."""
    for key in pointer.split("/")[1:]:
        schema = schema[key]
    return schema


def _sort_key(violation: Violation, document: Any, orders: dict[int, dict[str, int]]) -> list[int]:
    """Return the position of a violation in the document: it was found in the order of the schema."""
    place = []
    for part in violation.path:
        if isinstance(part, int):
            place.append(part)
        else:
            # Once per object: a search of the key for each of thousands of errors would be quadratic.
            if id(document) not in orders:
                orders[id(document)] = {key: index for index, key in enumerate(document)}
            place.append(orders[id(document)][part])
        document = document[part]
    return place


def first_error(all_faults: Iterable[FileFault], file: str, advice: str) -> InputError:
    """Return the error about the first fault of a file, with `advice` unless the fault has its own."""
    for fault in all_faults:
        return InputError(file, fault.problem, where=fault.where, advice=fault.advice or advice)
    raise AssertionError(f"{file} is refused, but its JSON Schema accepts it")


def describe(value: Any) -> str:
    """Return a decoded value as a short phrase: `the string "yes"`, `a list`, `null`."""
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
    return f"the string {_quote(value)}" if isinstance(value, str) else f"the date or time {value}"


def _quote(text: str) -> str:
    quoted = json.dumps(text[:60])
    return quoted if len(quoted) <= 60 else quoted[:57] + "..."


_TYPE_NAMES = {
    "object": "a mapping",
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "null": "null",
}


def _faults_of(violation: Violation, at: str) -> Iterator[FileFault]:
    """Yield the faults in one violation: one for each missing or unknown key."""
    keys, instance, rule = violation.path, violation.value, violation.rule
    path = join(*keys)
    where = at + (path if path.startswith("[") or not at else f".{path}" if path else "")
    if violation.keyword == "required":
        for key in rule:
            if key not in instance:
                yield FileFault(where=where, problem=f"the key {key!r} is missing", path=keys)
    elif violation.keyword == "additionalProperties":
        known = violation.schema["properties"]
        for key in instance:
            if key not in known:
                advice = nearest_advice(key, known)
                yield FileFault(where=where, problem=f"unknown key {_quote(key)}", advice=advice, path=(*keys, key))
    else:
        strings = [option for option in rule if isinstance(option, str)] if violation.keyword == "enum" else []
        advice = nearest_advice(instance, strings) if strings and isinstance(instance, str) else ""
        yield FileFault(where=where, problem=_problem(violation), advice=advice, path=keys)


def _problem(violation: Violation) -> str:
    """Return the problem that a violation is, for people."""
    value, keyword, rule = violation.value, violation.keyword, violation.rule
    described = describe(value)
    if keyword == "type":
        types = [_TYPE_NAMES[name] for name in ([rule] if isinstance(rule, str) else rule)]
        return f"expected {' or '.join(types)}, found {described}"
    if keyword == "enum":
        return f"expected {', '.join(map(json.dumps, rule))}, found {described}"
    if keyword in ("minimum", "maximum"):
        return f"expected {'at least' if keyword == 'minimum' else 'at most'} {rule}, found {described}"
    if keyword == "format":
        limits = f"integers have 64 bits, nesting ends at {MAX_DEPTH} levels, `float` precedes a word such as NaN"
        return f"{described} is not a value that an attr can hold: {limits}"
    if keyword == "anyOf":
        alternatives = (" and ".join(map(repr, alternative["required"])) for alternative in rule)
        return f"expected the keys {', or '.join(alternatives)}"
    if keyword == "minItems":
        return f"expected at least {rule}, found {len(value) or 'none'}"
    if keyword == "pattern" and "description" in violation.schema:
        expected = violation.schema["description"].partition(". ")[0].rstrip(".")
        return f"expected {expected[0].lower()}{expected[1:]}, found {described}"
    if keyword == "not":
        return "is not allowed here"
    return _rare_problem(violation)[:200]


def _rare_problem(violation: Violation) -> str:
    """Return the problem for a keyword that files of users rarely violate."""
    keyword, rule = violation.keyword, violation.rule
    if keyword == "const":
        return f"{rule!r} was expected"
    try:
        shown = repr(violation.value)
    except ValueError:  # an integer of more digits than Python converts
        shown = describe(violation.value)
    if keyword == "pattern":
        return f"{shown} does not match {rule!r}"
    if keyword == "uniqueItems":
        return f"{shown} has non-unique elements"
    if keyword == "minLength":
        return f"{shown} {'should be non-empty' if rule == 1 else 'is too short'}"
    if keyword in ("maxLength", "maxItems"):
        return f"{shown} {'is expected to be empty' if rule == 0 else 'is too long'}"
    return f"{shown} is not allowed by {keyword!r}"
