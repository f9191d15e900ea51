"""One op declaration: an OpDef message and the Op of the model, in both directions, without loss."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract import attr_values
from opspec_lint.frameworks.tensorflow.extract.messages import data_type, data_type_number, message
from opspec_lint.frameworks.tensorflow.extract.plain_messages import fill, set_fields
from opspec_lint.frameworks.tensorflow.extract.validity import fault
from opspec_lint.frameworks.tensorflow.framework import OP_FLAGS
from opspec_lint.spec import values
from opspec_lint.spec.model import Attr, Input, Op, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _M = TypeVar("_M")


def read(record: bytes) -> Op:
    """Return the op that a serialized OpDef declares, valid or not."""
    facts, pieces = _about(record), message("OpDefPieces").FromString(record)
    return Op(
        inputs=tuple([_interned(_read_input, data) for data in pieces.input_arg]),
        outputs=tuple([_interned(_read_output, data) for data in pieces.output_arg]),
        attrs=tuple([_interned(_read_attr, data) for data in pieces.attr]),
        **facts,
    )


def _about(record: bytes) -> dict[str, Any]:
    """Return the fields of an OpDef that are about the op itself; the message, which may be large, is gone then."""
    opdef, pieces = message("OpDef").FromString(record), message("OpDefPieces").FromString(record)
    deprecation = opdef.deprecation if opdef.HasField("deprecation") else None
    return {
        "name": opdef.name,
        "deprecation": None if deprecation is None else deprecation.explanation,
        "deprecation_version": None if deprecation is None else deprecation.version,
        "invalid": fault(opdef, pieces.attr),
        "summary": opdef.summary,
        "description": opdef.description,
        "own": {"control_outputs": tuple(opdef.control_output), **{flag: getattr(opdef, flag) for flag in OP_FLAGS}},
    }


def write(op: Op) -> Any:
    """Return the OpDef that declares an op.

    Raises:
        ValueError: the op says what no OpDef can.
    """
    opdef = message("OpDef")(name=op.name, summary=op.summary, description=op.description)
    for into, arguments in ((opdef.input_arg, op.inputs), (opdef.output_arg, op.outputs)):
        for argument in arguments:
            _write_argument(into.add(), argument)
    for attr in op.attrs:
        _write_attr(opdef.attr.add(), attr)
    if isinstance(op.deprecation, str):
        opdef.deprecation.explanation = op.deprecation
        opdef.deprecation.version = op.deprecation_version or 0
    opdef.control_output.extend(op.get("control_outputs") or ())
    for flag in OP_FLAGS:
        setattr(opdef, flag, bool(op.get(flag)))
    return opdef


_AT_MOST = 50_000
_made: dict[tuple[object, bytes], Any] = {}


def _interned(make: Callable[[bytes], _M], data: bytes) -> _M:
    """Return the object made of the bytes of an argument; the same object for the same bytes, as most recur."""
    key = (make, data)
    made = _made.get(key)
    if made is None:
        if len(_made) >= _AT_MOST:
            _made.clear()
        made = _made[key] = make(data)
    thing: _M = made
    return thing


def _read_input(data: bytes) -> Input:
    return Input(**_argument(data))


def _read_output(data: bytes) -> Output:
    return Output(**_argument(data))


def _argument(data: bytes) -> dict[str, Any]:
    argument = message("ArgDef").FromString(data)
    handle_data, full_type = argument.handle_data, argument.HasField("experimental_full_type")
    return {
        "name": argument.name,
        "type": data_type(argument.type) if argument.type else None,
        "type_attr": argument.type_attr or None,
        "number_attr": argument.number_attr or None,
        "type_list_attr": argument.type_list_attr or None,
        "is_ref": argument.is_ref,
        "handle_data": values.freeze([set_fields(each) for each in handle_data]) if handle_data else None,
        "full_type": values.freeze(set_fields(argument.experimental_full_type)) if full_type else None,
        "description": argument.description,
    }


def _write_argument(into: Any, argument: Input | Output) -> None:
    into.name, into.description, into.is_ref = argument.name, argument.description, bool(argument.is_ref)
    if argument.type:
        into.type = data_type_number(str(argument.type))
    into.type_attr, into.number_attr = argument.type_attr or "", argument.number_attr or ""
    into.type_list_attr = argument.type_list_attr or ""
    for each in values.tuples_to_lists(argument.get("handle_data") or ()):
        fill(into.handle_data.add(), each)
    full_type = argument.get("full_type")
    if isinstance(full_type, dict):
        into.experimental_full_type.SetInParent()
        fill(into.experimental_full_type, values.tuples_to_lists(full_type))


def _read_attr(data: bytes) -> Attr:
    attr = message("AttrDef").FromString(data)
    default, allowed = attr.HasField("default_value"), attr.HasField("allowed_values")
    return Attr(
        name=attr.name,
        type=attr.type,
        default_value=attr_values.read(attr.default_value, attr.type) if default else None,
        allowed_values=attr_values.read(attr.allowed_values, _listed(attr.type)) if allowed else None,
        minimum=attr.minimum if attr.has_minimum else None,
        description=attr.description,
    )


def _write_attr(into: Any, attr: Attr) -> None:
    into.name, into.type, into.description = attr.name, attr.type or "", attr.description
    if attr.default_value is not None:
        attr_values.write(into.default_value, attr.default_value, into.type)
    if attr.allowed_values is not None:
        attr_values.write(into.allowed_values, attr.allowed_values, _listed(into.type))
    if attr.minimum is not None:
        into.has_minimum, into.minimum = True, attr.minimum


def _listed(kind: str) -> str:
    return kind if kind.startswith("list(") else f"list({kind})"
