"""Fields that a model in protobuf's text format names, and the releases that do not know them and refuse the text.

In the binary format a release ignores a field that it does not know. The fields are those of the wheels of 1.15.0,
2.4.4, 2.12.1 and 2.18.1; in which release between two of them a field came in was not looked at.
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
"""Fields by the newest graph version, of those that were looked at, whose release lacks them."""
_NEWER = {field: version for version, fields in _LACKED_BY.items() for field in fields}


def newer(whole: Any) -> dict[str, int]:
    """Return the fields of a message, and of those in it, that not all releases know.

    Args:
        whole: the message, as the text was parsed.

    Returns:
        The newest graph version whose release lacks it, by message and field, such as "SignatureDef.defaults".
    """
    found: dict[str, int] = {}
    waiting = [whole]
    while waiting:
        message = waiting.pop()
        kind = message.DESCRIPTOR.name
        for field, value in message.ListFields():
            name = f"{kind}.{field.name}"
            if name in _NEWER:
                found[name] = _NEWER[name]
            if field.message_type is not None:
                waiting += _messages(field, value)
    return found


def _messages(field: Any, value: Any) -> list[Any]:
    """Return the messages that a field holds: one, several, or the values of a map."""
    options = field.message_type.GetOptions()
    if options.map_entry:
        is_message = field.message_type.fields_by_name["value"].message_type is not None
        return list(value.values()) if is_message else []
    return [value] if hasattr(value, "ListFields") else list(value)


def unknown(named: Mapping[str, int], version: int | None) -> str | None:
    """Return the first field of a text that the release of a graph version lacks, None where there is none."""
    if version is None:
        return None
    return next((name for name, last in sorted(named.items()) if version <= last), None)
