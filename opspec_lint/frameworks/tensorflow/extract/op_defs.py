"""Conversion of one op declaration between an OpDef message and an op of a spec, without loss in either direction."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract import attr_values
from opspec_lint.frameworks.tensorflow.extract.messages import data_type, data_type_number, message
from opspec_lint.frameworks.tensorflow.extract.plain_messages import fill, set_fields
from opspec_lint.frameworks.tensorflow.extract.validity import fault_in_fork, registration_fault
from opspec_lint.frameworks.tensorflow.framework import OP_FLAGS
from opspec_lint.spec import values
from opspec_lint.spec.model import Attr, Input, Op, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    _M = TypeVar("_M")


def read(record: bytes, own_types: frozenset[int] = frozenset()) -> Op:
    """Return the op in a serialized OpDef; if TensorFlow would refuse it, `invalid` has the reason.

    `own_types` are the numbers of the data types that a fork of TensorFlow has in addition.
    """
    # OpDefPieces keeps arguments and attrs as bytes, which most ops have in common. The full OpDef, which may be large,
    # is parsed and freed in `_op_facts`.
    facts, pieces = _op_facts(record, own_types), message("OpDefPieces").FromString(record)
    return Op(
        inputs=tuple([_intern(_read_input, data) for data in pieces.input_arg]),
        outputs=tuple([_intern(_read_output, data) for data in pieces.output_arg]),
        attrs=tuple([_intern(_read_attr, data) for data in pieces.attr]),
        **facts,
    )


def _op_facts(record: bytes, own_types: frozenset[int]) -> dict[str, Any]:
    """Return the fields of an OpDef that concern the op as a whole."""
    opdef, pieces = message("OpDef").FromString(record), message("OpDefPieces").FromString(record)
    deprecation = opdef.deprecation if opdef.HasField("deprecation") else None
    fault = fault_in_fork(record, own_types) if own_types else registration_fault(opdef, pieces.attr)
    return {
        "name": opdef.name,
        "deprecation": None if deprecation is None else deprecation.explanation,
        "deprecation_version": None if deprecation is None else deprecation.version,
        "invalid": fault,
        "summary": opdef.summary,
        "description": opdef.description,
        "own": {"control_outputs": tuple(opdef.control_output), **{flag: getattr(opdef, flag) for flag in OP_FLAGS}},
    }


def write(op: Op) -> Any:
    """Return an op as an OpDef; raises ValueError if a field has no representation in it."""
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


_MAX_INTERNED = 50_000
_interned_objects: dict[tuple[object, bytes], Any] = {}


def _intern(make: Callable[[bytes], _M], data: bytes) -> _M:
    """Return `make(data)`, the same object for the same bytes: most arguments and attrs recur in many ops."""
    key = (make, data)
    made = _interned_objects.get(key)
    if made is None:
        if len(_interned_objects) >= _MAX_INTERNED:
            _interned_objects.clear()
        made = _interned_objects[key] = make(data)
    interned: _M = made
    return interned


def _read_input(data: bytes) -> Input:
    return Input(**_read_argument(data))


def _read_output(data: bytes) -> Output:
    return Output(**_read_argument(data))


def _read_argument(data: bytes) -> dict[str, Any]:
    """Return the fields of an input or output from a serialized ArgDef."""
    argument = message("ArgDef").FromString(data)
    handle_data, full_type = argument.handle_data, argument.HasField("experimental_full_type")
    return {
        "name": argument.name,
        "type": data_type(argument.type) if argument.type else None,
        "type_attr": argument.type_attr or None,
        "number_attr": argument.number_attr or None,
        "type_list_attr": argument.type_list_attr or None,
        "is_ref": argument.is_ref,
        "handle_data": values.freeze([set_fields(item) for item in handle_data]) if handle_data else None,
        "full_type": values.freeze(set_fields(argument.experimental_full_type)) if full_type else None,
        "description": argument.description,
    }


def _write_argument(into: Any, argument: Input | Output) -> None:
    """Fill an ArgDef with the fields of an input or output."""
    into.name, into.description, into.is_ref = argument.name, argument.description, bool(argument.is_ref)
    if argument.type:
        into.type = data_type_number(str(argument.type))
    into.type_attr, into.number_attr = argument.type_attr or "", argument.number_attr or ""
    into.type_list_attr = argument.type_list_attr or ""
    for item in values.tuples_to_lists(argument.get("handle_data") or ()):
        fill(into.handle_data.add(), item)
    full_type = argument.get("full_type")
    if isinstance(full_type, dict):
        into.experimental_full_type.SetInParent()
        fill(into.experimental_full_type, values.tuples_to_lists(full_type))


def _read_attr(data: bytes) -> Attr:
    """Return the attr in a serialized AttrDef."""
    attr = message("AttrDef").FromString(data)
    default, allowed = attr.HasField("default_value"), attr.HasField("allowed_values")
    return Attr(
        name=attr.name,
        type=attr.type,
        default_value=attr_values.read(attr.default_value, attr.type) if default else None,
        allowed_values=attr_values.read(attr.allowed_values, _list_type(attr.type)) if allowed else None,
        minimum=attr.minimum if attr.has_minimum else None,
        description=attr.description,
    )


def _write_attr(into: Any, attr: Attr) -> None:
    """Fill an AttrDef with the fields of an attr."""
    into.name, into.type, into.description = attr.name, attr.type or "", attr.description
    if attr.default_value is not None:
        attr_values.write(into.default_value, attr.default_value, into.type)
    if attr.allowed_values is not None:
        attr_values.write(into.allowed_values, attr.allowed_values, _list_type(into.type))
    if attr.minimum is not None:
        into.has_minimum, into.minimum = True, attr.minimum


def _list_type(kind: str) -> str:
    """Return the type of the allowed values of an attr, which an OpDef always has as a list."""
    return kind if kind.startswith("list(") else f"list({kind})"
