"""The verdicts of the package jsonschema, with the types and the format of our documents."""

from __future__ import annotations

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.validators import extend
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from opspec_lint.spec import values


def errors(document, schema, fragment=""):
    """Return the path and the keyword of each error that jsonschema finds in a document."""
    # Without "$schema", which would bring back the validator that knows nothing of what follows.
    schema = {key: value for key, value in schema.items() if key != "$schema"}
    registry = Registry().with_resources([(schema["$id"], DRAFT202012.create_resource(schema))])
    # To jsonschema 1.0 is an integer, a float of 1e300 as well, and NaN is a number, which JSON cannot express.
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    types = types.redefine("number", lambda _, value: type(value) in (int, float) and value - value == 0)
    formats = FormatChecker(formats=())
    formats.checks("attr-value")(values.is_attr_value)
    strict = extend(Draft202012Validator, type_checker=types)
    validator = strict({"$ref": f"{schema['$id']}#{fragment}"}, registry=registry, format_checker=formats)
    return [
        (tuple(error.absolute_path), error.validator)
        for error in validator.iter_errors(document)
        # Our validator leaves items that are no strings to `items`.
        if error.validator != "uniqueItems" or all(isinstance(item, str) for item in error.instance)
    ]
