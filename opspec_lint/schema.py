"""What is wrong with a document, fault by fault, in the words of its JSON Schema."""

from __future__ import annotations

import json
import os

from opspec_lint.errors import InputError, nearest_advice
from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from jsonschema.exceptions import ValidationError

_FOLDER = os.path.join(os.path.dirname(__file__), "schemas")


class Fault(Record):
    """One thing that is wrong with a file: the path to it inside the file, what, and what to do."""

    where: str
    problem: str
    advice: str = ""


def load(name: str) -> dict[str, Any]:
    """Return the schema `name`, such as "opspec"."""
    with open(os.path.join(_FOLDER, f"{name}.schema.json"), encoding="utf-8") as stream:
        schema: dict[str, Any] = json.load(stream)
    return schema


def faults(document: Any, name: str, *, at: str = "", fragment: str = "") -> list[Fault]:
    """Return every fault of a document against a schema, in the order of the document.

    Args:
        document: the decoded document, or a part of it.
        name: the schema.
        at: the path of the part inside its document.
        fragment: the JSON pointer of the part's schema, such as "/$defs/op".
    """
    from jsonschema import Draft202012Validator
    from referencing import Registry
    from referencing.jsonschema import DRAFT202012

    schemas = {other: load(other) for other in {name, "print_op_desc"}}
    registry = Registry().with_resources(
        (schema["$id"], DRAFT202012.create_resource(schema)) for schema in schemas.values()
    )
    target = {"$ref": f"{schemas[name]['$id']}#{fragment}"}
    errors = Draft202012Validator(target, registry=registry).iter_errors(document)
    return [_fault(error, at) for error in _leaves(errors)]


def first_error(found: Iterable[Fault], file: str, advice: str) -> InputError:
    """Return the error that names the first of a file's faults, with general advice where it has none of its own."""
    for fault in found:
        return InputError(file, fault.problem, where=fault.where, advice=fault.advice or advice)
    raise AssertionError(f"{file} is refused, but its schema finds no fault in it")


def join(*parts: str | int) -> str:
    """Return the path of a place inside a document: `ops.matmul.inputs[0]`; odd names are quoted."""
    path = ""
    for part in parts:
        if isinstance(part, int):
            path += f"[{part}]"
        elif part.replace("@", "_").replace("-", "_").isidentifier():
            path += f".{part}" if path else part
        elif part:
            path += f"[{json.dumps(part)}]"
    return path


def describe(value: Any) -> str:
    """Return what a decoded value is, briefly: `the string "yes"`, `a list`, `null`."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**20:
        return "an integer beyond 64 bits"
    text = json.dumps(value)
    text = text if len(text) <= 60 else text[:57] + "..."
    return f"the string {text}" if isinstance(value, str) else text


def _leaves(errors: Iterable[ValidationError]) -> Iterator[ValidationError]:
    for error in errors:
        if error.validator in ("if", "then", "else", "anyOf") and error.context:
            yield from _leaves(error.context)
        else:
            yield error


_TYPE_WORDS = {
    "object": "a mapping",
    "array": "a list",
    "boolean": "true or false",
    "integer": "an integer",
    "string": "a string",
    "null": "null",
}


def _fault(error: ValidationError, at: str) -> Fault:
    path = join(*error.absolute_path)
    where = at + (path if path.startswith("[") or not at else f".{path}" if path else "")
    found: Any = error.instance
    rule: Any = error.validator_value
    schema: Any = error.schema
    if error.validator == "type":
        words = [_TYPE_WORDS[word] for word in ([rule] if isinstance(rule, str) else rule)]
        return Fault(where=where, problem=f"expected {' or '.join(words)}, found {describe(found)}")
    if error.validator == "required":
        missing = next(key for key in rule if key not in found)
        return Fault(where=where, problem=f"the key {missing!r} is missing")
    if error.validator == "additionalProperties":
        known = schema["properties"]
        extra = next(key for key in found if key not in known)
        return Fault(where=where, problem=f"unknown key {describe(extra)[11:]}", advice=nearest_advice(extra, known))
    if error.validator in ("enum", "const"):
        allowed = [rule] if error.validator == "const" else rule
        advice = nearest_advice(found, allowed) if isinstance(found, str) else ""
        choices = ", ".join(map(json.dumps, allowed))
        return Fault(where=where, problem=f"expected {choices}, found {describe(found)}", advice=advice)
    if error.validator in ("minimum", "maximum"):
        bound = "at least" if error.validator == "minimum" else "at most"
        return Fault(where=where, problem=f"expected {bound} {rule}, found {describe(found)}")
    return Fault(where=where, problem=error.message[:200])
