"""The probe of `onnx-runtime`, which runs in an interpreter with onnx and returns its operator schemas.

It needs only Python 3.6 and its standard library. `_probe_main`, which runs after it, writes the answer to a file:
{"info", "schemas"}. The Python bindings differ between releases: `typeStr` became `type_str`, enums print with or
without their class. The types of an argument come from the type constraints, since `.types` fails in 1.20.
"""

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

VALUES = {1: "f", 2: "i", 3: "s", 6: "floats", 7: "ints", 8: "strings"}
"""The field of AttributeProto that holds the value of an attribute type."""
MESSAGES = {4: "TensorProto", 5: "GraphProto", 11: "SparseTensorProto", 13: "TypeProto"}
"""The attribute types with a message as value. Only its name is returned, since every default is an empty tensor."""


def probe() -> "dict[str, Any]":
    """Import onnx and return its versions and schemas."""
    onnx, defs = import_module("onnx"), import_module("onnx.defs")
    return {
        "info": {
            "onnx": str(onnx.__version__),
            "ir_version": int(onnx.IR_VERSION),
            "opset": int(defs.onnx_opset_version()),
        },
        "schemas": [record(schema) for schema in defs.get_all_schemas_with_history()],
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
        "inputs": [argument(parameter) for parameter in schema.inputs],
        "outputs": [argument(parameter) for parameter in schema.outputs],
        "type_constraints": {
            constraint.type_param_str: list(constraint.allowed_type_strs) for constraint in schema.type_constraints
        },
        "attributes": {name: attribute(schema.attributes[name]) for name in schema.attributes},
    }


def argument(parameter: "Any") -> "dict[str, Any]":
    """Return the record of an input or output of a schema."""
    fields = {
        "name": parameter.name,
        "option": enum_name(parameter.option),
        "type": first_attribute(parameter, "type_str", "typeStr"),
        "homogeneous": bool(first_attribute(parameter, "is_homogeneous", "isHomogeneous")),
    }
    arity = first_attribute(parameter, "min_arity", "minArity")
    return fields if arity is None else dict(fields, min_arity=arity)


def attribute(attr: "Any") -> "dict[str, Any]":
    """Return the record of an attribute of a schema."""
    return {"type": enum_name(attr.type), "required": bool(attr.required), "default": default(attr.default_value)}


def default(value: "Any") -> "Any":
    """Return the default value of an attribute; for a message, such as a tensor, the name of its type."""
    if not value.type:
        return None
    if value.type not in VALUES:
        return MESSAGES.get(value.type)
    content = getattr(value, VALUES[value.type])
    if value.type == 3:  # STRING
        return content.decode("utf-8", "replace")
    if value.type == 8:  # STRINGS
        return [item.decode("utf-8", "replace") for item in content]
    return content if isinstance(content, (int, float)) else list(content)


def first_attribute(thing: "Any", name: str, older: str) -> "Any":
    """Return the value of the attribute `name` or `older` of an object, None if it has neither."""
    return getattr(thing, name, getattr(thing, older, None))


def enum_name(member: "Any") -> str:
    """Return the name of an enum member, without its class."""
    return str(member).rpartition(".")[2]
