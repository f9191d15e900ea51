"""JSON Schemas of the files that the program reads and writes, and another program's judgement by them."""

from __future__ import annotations

import os

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.validators import extend

import opspec_lint.frameworks.paddle
from opspec_lint.documents import schema
from opspec_lint.spec import file_schema, values

PADDLE_SCHEMAS = os.path.join(os.path.dirname(opspec_lint.frameworks.paddle.__file__), "schemas")

_FORMATS = FormatChecker(formats=())
_FORMATS.checks("attr-value")(values.in_range)
# To jsonschema 1.0 is an integer, a float of 1e300 as well, and NaN is a number, which JSON cannot express.
_TYPES = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int).redefine(
    "number", lambda _, value: type(value) in (int, float) and value - value == 0
)
_Strict = extend(Draft202012Validator, type_checker=_TYPES)


def schema_named(name):
    """Return the JSON Schema of a kind of document."""
    if name == "opspec":
        return file_schema.schema()
    return schema.document(name, PADDLE_SCHEMAS) if name in ("print_op_desc", "op_versions") else schema.document(name)


def problems(document, rules):
    """Return the violations that jsonschema finds in a document."""
    rules = {key: rule for key, rule in rules.items() if key != "$schema"}  # it would bring back the lenient types
    return [error.message for error in _Strict(rules, format_checker=_FORMATS).iter_errors(document)]
