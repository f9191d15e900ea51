"""What is wrong with a document, fault by fault, in the words of its JSON Schema."""

from __future__ import annotations

import json
import os
from functools import cache
from itertools import islice

from opspec_lint.kit.errors import InputError, nearest_advice
from opspec_lint.kit.limits import MAX_DEPTH
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import join
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from jsonschema.exceptions import ValidationError
    from jsonschema.protocols import Validator

_MOST = 10_000
"""Faults of a document that are collected: a file of 3 MB can have a million, which take minutes."""
_FOLDER = os.path.join(os.path.dirname(__file__), "schemas")


class FileFault(Record):
    """One thing that is wrong with a file: the path to it inside the file, what, and what to do.

    `path` are the keys and indices that lead there; the last one is the key itself where that is what is wrong.
    """

    where: str
    problem: str
    advice: str = ""
    path: tuple[str | int, ...] = ()


@cache
def load(name: str, folder: str = _FOLDER) -> dict[str, Any]:
    """Return the schema `name`, such as "waivers", of a folder; that of this room unless told otherwise."""
    with open(os.path.join(folder, f"{name}.schema.json"), encoding="utf-8") as stream:
        schema: dict[str, Any] = json.load(stream)
    return schema


def faults(document: Any, schema: dict[str, Any], *, at: str = "", fragment: str = "") -> list[FileFault]:
    """Return the faults of a document against a schema, in the order of the document; the last says if there are more.

    Args:
        document: the decoded document, or a part of it.
        schema: the schema, which refers to no other.
        at: the path of the part inside its document.
        fragment: the JSON pointer of the part's schema, such as "/$defs/op".
    """
    try:
        orders: dict[int, dict[str, int]] = {}
        faulty = _validator(_text(schema), fragment).iter_errors(document)
        errors = sorted(islice(faulty, _MOST), key=lambda error: _place(error, document, orders))
        every = (fault for error in errors for fault in _faults(error, at))
        found = list(islice(every, _MOST))
        if next(every, None) is not None or next(faulty, None) is not None:
            found.append(FileFault(where=at, problem=f"has more faults than the {_MOST:,} that are looked for"))
    except RecursionError:
        return [FileFault(where=at, problem="is nested hundreds of levels deep, beyond the limit for a spec")]
    return list(dict.fromkeys(found))


def _text(schema: dict[str, Any]) -> str:
    return json.dumps(schema)


@cache
def _validator(text: str, fragment: str) -> Validator:
    from jsonschema import Draft202012Validator, FormatChecker
    from jsonschema.validators import extend
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    schema = json.loads(text)
    del schema["$schema"]  # it would bring back the validator that knows nothing of what follows
    registry = Registry().with_resources([(schema["$id"], DRAFT202012.create_resource(schema))])
    # To jsonschema 1.0 is an integer, a float of 1e300 as well, and NaN is a number, which JSON cannot express.
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    types = types.redefine("number", lambda _, value: type(value) in (int, float) and value - value == 0)
    formats = FormatChecker(formats=())
    formats.checks("attr-value")(values.is_attr_value)
    strict = extend(Draft202012Validator, type_checker=types)  # type: ignore[no-untyped-call]
    validator: Validator = strict({"$ref": f"{schema['$id']}#{fragment}"}, registry=registry, format_checker=formats)
    return validator


def _place(error: ValidationError, document: Any, orders: dict[int, dict[str, int]]) -> list[int]:
    """Return where in the document an error is, for sorting: jsonschema takes some keys in no certain order."""
    place = []
    for part in error.absolute_path:
        if isinstance(part, int):
            place.append(part)
        else:
            if id(document) not in orders:
                orders[id(document)] = {key: index for index, key in enumerate(document)}
            place.append(orders[id(document)][part])
        document = document[part]
    return place


def first_error(found: Iterable[FileFault], file: str, advice: str) -> InputError:
    """Return the error that names the first of a file's faults, with general advice where it has none of its own."""
    for fault in found:
        return InputError(file, fault.problem, where=fault.where, advice=fault.advice or advice)
    raise AssertionError(f"{file} is refused, but its JSON Schema accepts it")


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


def _quoted(text: str) -> str:
    quoted = json.dumps(text[:60])
    return quoted if len(quoted) <= 60 else quoted[:57] + "..."


_TYPE_WORDS = {
    "object": "a mapping",
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "number": "a number",
    "string": "a string",
    "null": "null",
}


def _faults(error: ValidationError, at: str) -> Iterator[FileFault]:
    path = join(*error.absolute_path)
    keys = tuple(error.absolute_path)
    where = at + (path if path.startswith("[") or not at else f".{path}" if path else "")
    found: Any = error.instance
    rule: Any = error.validator_value
    schema: Any = error.schema
    if error.validator == "required":
        for key in rule:
            if key not in found:
                yield FileFault(where=where, problem=f"the key {key!r} is missing", path=keys)
    elif error.validator == "additionalProperties":
        known = schema["properties"]
        for key in found:
            if key not in known:
                advice = nearest_advice(key, known)
                yield FileFault(where=where, problem=f"unknown key {_quoted(key)}", advice=advice, path=(*keys, key))
    else:
        words = [each for each in rule if isinstance(each, str)] if error.validator == "enum" else []
        advice = nearest_advice(found, words) if words and isinstance(found, str) else ""
        yield FileFault(where=where, problem=_problem(error), advice=advice, path=keys)


def _problem(error: ValidationError) -> str:
    rule: Any = error.validator_value
    found = describe(error.instance)
    if error.validator == "type":
        words = [_TYPE_WORDS[word] for word in ([rule] if isinstance(rule, str) else rule)]
        return f"expected {' or '.join(words)}, found {found}"
    if error.validator == "enum":
        return f"expected {', '.join(map(json.dumps, rule))}, found {found}"
    if error.validator in ("minimum", "maximum"):
        return f"expected {'at least' if error.validator == 'minimum' else 'at most'} {rule}, found {found}"
    if error.validator == "format":
        limits = f"integers have 64 bits, nesting ends at {MAX_DEPTH} levels, `float` precedes a word such as NaN"
        return f"{found} is not a value that an attr can hold: {limits}"
    if error.validator == "anyOf":
        ways = (" and ".join(map(repr, way["required"])) for way in rule)
        return f"expected the keys {', or '.join(ways)}"
    if error.validator == "minItems":
        items: Any = error.instance
        return f"expected at least {rule}, found {len(items) or 'none'}"
    schema: Any = error.schema
    if error.validator == "pattern" and "description" in schema:
        said = schema["description"].partition(". ")[0].rstrip(".")
        return f"expected {said[0].lower()}{said[1:]}, found {found}"
    if error.validator == "not":
        return "is not allowed here"
    return error.message[:200]
