"""Writes down the operator schemas of an onnx release: what of `onnx-runtime` runs in its interpreter.

Python 3.6 or later, and its standard library. `_probe_main`, which is executed behind it, writes down what it answers:
{"info", "schemas"}.

The names of the bindings changed over the releases: `typeStr` became `type_str`, enums print with their class or
without. The types that an argument may have are taken from the type constraints, since `.types` fails in 1.20.
"""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VALUES = {1: "f", 2: "i", 3: "s", 6: "floats", 7: "ints", 8: "strings"}
"""Where an AttributeProto has its value, by its type."""
MESSAGES = {4: "TensorProto", 5: "GraphProto", 11: "SparseTensorProto", 13: "TypeProto"}
"""The values that are messages, which stand for themselves: an empty tensor is all that was ever a default."""


def probe() -> "dict[str, Any]":
    """Import onnx and return its versions and schemas."""
    onnx, defs = import_module("onnx"), import_module("onnx.defs")
    return {
        "info": {
            "onnx": str(onnx.__version__),
            "ir_version": int(onnx.IR_VERSION),
            "opset": int(defs.onnx_opset_version()),
        },
        "schemas": [record(each) for each in defs.get_all_schemas_with_history()],
    }


def record(schema: "Any") -> "dict[str, Any]":
    """Return the record of a schema."""
    return {
        "domain": schema.domain,
        "name": schema.name,
        "since_version": schema.since_version,
        "deprecated": bool(schema.deprecated),
        "has_function": bool(getattr(schema, "has_function", False)),
        "min_input": schema.min_input,
        "min_output": schema.min_output,
        "inputs": [argument(each) for each in schema.inputs],
        "outputs": [argument(each) for each in schema.outputs],
        "type_constraints": {each.type_param_str: list(each.allowed_type_strs) for each in schema.type_constraints},
        "attributes": {name: attribute(schema.attributes[name]) for name in schema.attributes},
    }


def argument(parameter: "Any") -> "dict[str, Any]":
    """Return the record of an input or output of a schema."""
    said = {
        "name": parameter.name,
        "option": word(parameter.option),
        "type": either(parameter, "type_str", "typeStr"),
        "homogeneous": bool(either(parameter, "is_homogeneous", "isHomogeneous")),
    }
    arity = either(parameter, "min_arity", "minArity")
    return said if arity is None else dict(said, min_arity=arity)


def attribute(attr: "Any") -> "dict[str, Any]":
    """Return the record of an attribute of a schema."""
    return {"type": word(attr.type), "required": bool(attr.required), "default": default(attr.default_value)}


def default(value: "Any") -> "Any":
    """Return the default value of an attribute; of a message, such as a tensor, the name of its type."""
    if not value.type:
        return None
    if value.type not in VALUES:
        return MESSAGES.get(value.type)
    found = getattr(value, VALUES[value.type])
    if value.type in (3, 8):
        return (
            found.decode("utf-8", "replace") if value.type == 3 else [each.decode("utf-8", "replace") for each in found]
        )
    return found if isinstance(found, (int, float)) else list(found)


def either(thing: "Any", name: str, older: str) -> "Any":
    """Return the value that a thing has under one of two names, None where it has neither."""
    return getattr(thing, name, getattr(thing, older, None))


def word(member: "Any") -> str:
    """Return the name of a member of an enum, without its class."""
    return str(member).rpartition(".")[2]
