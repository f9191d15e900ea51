"""Fields in models in protobuf's text format that older releases do not know, so that they refuse the text.

In the binary format a release ignores an unknown field. The table compares the wheels of 1.15.0, 2.4.4, 2.12.1 and
2.18.1; releases in between were not examined.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_LACKED_BY: dict[int, tuple[str, ...]] = {
    134: (
        "FunctionDef.resource_arg_unique_id",
        "MetaInfoDef.function_aliases",
        "SavedBareConcreteFunction.function_spec",
        "SavedObject.saveable_objects",
        "SavedVariable.device",
        "SavedVariable.experimental_distributed_variable_components",
        "StructuredValue.bounded_tensor_spec_value",
    ),
    561: (
        "ArgDef.experimental_full_type",
        "ArgDef.handle_data",
        "FunctionDefLibrary.registered_gradients",
        "FunctionSpec.jit_compile",
        "NodeDef.experimental_type",
        "OpDef.is_distributed_communication",
        "SavedObject.captured_tensor",
        "SavedObject.dependencies",
        "SavedObject.registered_name",
        "SavedObject.registered_saver",
        "SavedObject.serialized_user_proto",
        "TensorProto.float8_val",
        "TypeSpecProto.num_flat_components",
    ),
    1395: (
        "GraphDef.debug_info",
        "SignatureDef.defaults",
        "StructuredValue.numpy_value",
        "StructuredValue.tensor_value",
    ),
}
"""Fields by the graph version of the newest examined release that lacks them."""
_NEWER = {field: version for version, fields in _LACKED_BY.items() for field in fields}


def newer_fields(root: Any) -> dict[str, int]:
    """Return the fields in the message `root`, at any depth, that some release does not know.

    The result maps names such as "SignatureDef.defaults" to the newest graph version whose release lacks the field.
    """
    versions: dict[str, int] = {}
    waiting = [root]
    while waiting:
        message = waiting.pop()
        kind = message.DESCRIPTOR.name
        for field, value in message.ListFields():
            name = f"{kind}.{field.name}"
            if name in _NEWER:
                versions[name] = _NEWER[name]
            if field.message_type is not None:
                waiting += _messages(field, value)
    return versions


def _messages(field: Any, value: Any) -> list[Any]:
    """Return the messages in a field: a single one, a list, or the values of a map."""
    options = field.message_type.GetOptions()
    if options.map_entry:
        is_message = field.message_type.fields_by_name["value"].message_type is not None
        return list(value.values()) if is_message else []
    return [value] if hasattr(value, "ListFields") else list(value)


def first_unknown_field(named: Mapping[str, int], version: int | None) -> str | None:
    """Return the first field of a text that the release of a graph version lacks, None where there is none."""
    if version is None:
        return None
    return next((name for name, last in sorted(named.items()) if version <= last), None)
