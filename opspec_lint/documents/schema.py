"""Faults of a document against its JSON Schema, as messages for people.

A `FileFault` has the place in the document as text and as path of keys, the problem and the advice. One error of
jsonschema may be several faults, such as one for each missing key.
"""

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

_MOST_FAULTS = 10_000
"""The most faults that are collected: a file of 3 MB can have a million, which take minutes."""
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
    try:
        orders: dict[int, dict[str, int]] = {}
        faulty = _validator(_schema_text(schema), fragment).iter_errors(document)
        errors = sorted(islice(faulty, _MOST_FAULTS), key=lambda error: _sort_key(error, document, orders))
        all_faults = (fault for error in errors for fault in _faults_of_error(error, at))
        result = list(islice(all_faults, _MOST_FAULTS))
        if next(all_faults, None) is not None or next(faulty, None) is not None:
            result.append(FileFault(where=at, problem=f"has more faults than the {_MOST_FAULTS:,} that are looked for"))
    except RecursionError:
        return [FileFault(where=at, problem="is nested hundreds of levels deep, beyond the limit for a spec")]
    except ValueError:  # a message of jsonschema shows the value, and Python converts no integer of so many digits
        return [FileFault(where=at, problem="has an integer of thousands of digits, beyond the limit for a spec")]
    # jsonschema has an error for each missing key, and `_faults_of_error` yields all missing keys for each error.
    return list(dict.fromkeys(result))


def _schema_text(schema: dict[str, Any]) -> str:
    """Return a schema as text, which can be the key of a cache."""
    return json.dumps(schema)


@cache
def _validator(text: str, fragment: str) -> Validator:
    """Return a validator for a part of a schema."""
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
    # Without the formats of jsonschema, which depend on the packages that are installed.
    formats = FormatChecker(formats=())
    formats.checks("attr-value")(values.is_attr_value)
    strict = extend(Draft202012Validator, type_checker=types)  # type: ignore[no-untyped-call]
    validator: Validator = strict({"$ref": f"{schema['$id']}#{fragment}"}, registry=registry, format_checker=formats)
    return validator


def _sort_key(error: ValidationError, document: Any, orders: dict[int, dict[str, int]]) -> list[int]:
    """Return the position of an error in the document, as jsonschema visits some keys in no certain order."""
    place = []
    for part in error.absolute_path:
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


def _faults_of_error(error: ValidationError, at: str) -> Iterator[FileFault]:
    """Yield the faults in one error of jsonschema: one for each missing or unknown key.

    `at` is the place of the validated value in the document, "" for the whole document.
    """
    keys = tuple(error.absolute_path)
    path = join(*keys)
    separator = "." if at and path and not path.startswith("[") else ""
    where = f"{at}{separator}{path}"
    instance: Any = error.instance
    rule: Any = error.validator_value
    schema: Any = error.schema
    if error.validator == "required":
        for key in rule:
            if key not in instance:
                yield FileFault(where=where, problem=f"the key {key!r} is missing", path=keys)
    elif error.validator == "additionalProperties":
        known = schema["properties"]
        for key in instance:
            if key not in known:
                advice = nearest_advice(key, known)
                yield FileFault(where=where, problem=f"unknown key {_quote(key)}", advice=advice, path=(*keys, key))
    else:
        strings = [option for option in rule if isinstance(option, str)] if error.validator == "enum" else []
        advice = nearest_advice(instance, strings) if strings and isinstance(instance, str) else ""
        yield FileFault(where=where, problem=_problem(error), advice=advice, path=keys)


def _problem(error: ValidationError) -> str:
    """Return the problem that an error of jsonschema states, for people."""
    rule: Any = error.validator_value
    described = describe(error.instance)
    if error.validator == "type":
        types = [_TYPE_NAMES[name] for name in ([rule] if isinstance(rule, str) else rule)]
        return f"expected {' or '.join(types)}, found {described}"
    if error.validator == "enum":
        return f"expected {', '.join(map(json.dumps, rule))}, found {described}"
    if error.validator in ("minimum", "maximum"):
        return f"expected {'at least' if error.validator == 'minimum' else 'at most'} {rule}, found {described}"
    if error.validator == "format":
        limits = f"integers have 64 bits, nesting ends at {MAX_DEPTH} levels, `float` precedes a word such as NaN"
        return f"{described} is not a value that an attr can hold: {limits}"
    if error.validator == "anyOf":
        alternatives = (" and ".join(map(repr, alternative["required"])) for alternative in rule)
        return f"expected the keys {', or '.join(alternatives)}"
    if error.validator == "minItems":
        items: Any = error.instance
        return f"expected at least {rule}, found {len(items) or 'none'}"
    schema: Any = error.schema
    if error.validator == "pattern" and "description" in schema:
        expected = schema["description"].partition(". ")[0].rstrip(".")
        return f"expected {expected[0].lower()}{expected[1:]}, found {described}"
    if error.validator == "not":
        return "is not allowed here"
    return error.message[:200]
