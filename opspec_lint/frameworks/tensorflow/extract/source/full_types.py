"""Evaluation of `.SetTypeConstructor(...)`: the functions of `framework/full_type_util.cc` that make a full type."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.messages import enum_names, message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_PREFIX = "TFT_"
NAMESPACE = "full_type"


def full_type_number(name: str) -> int | None:
    """Return the number of a full type, such as TFT_DATASET; None for any other name."""
    if not name.startswith(_PREFIX):
        return None
    return next((value for value, known in enum_names("FullTypeId").items() if known == name), None)


def make_full_type(function: str, arguments: list[Any]) -> Any:
    """Return the FullTypeDef that a function such as Unary makes of its arguments; None for another function."""
    if not arguments or not isinstance(arguments[0], int):
        return None
    full_type = message("FullTypeDef")(type_id=int(arguments[0]))
    parameter = arguments[1] if len(arguments) == 2 else None
    if function == "Nullary" and len(arguments) == 1:
        return full_type
    if function == "UnaryGeneric" and len(arguments) == 1:
        full_type.args.add(type_id=full_type_number("TFT_ANY"))
        return full_type
    if function == "Unary" and isinstance(parameter, str):
        _set_variable(full_type.args.add(), parameter)
        return full_type
    if function == "UnaryTensorContainer" and parameter is not None:
        _set_tensor(full_type.args.add(), parameter)
        return full_type
    if function == "VariadicTensorContainer" and isinstance(parameter, str):
        repeated = full_type.args.add(type_id=full_type_number("TFT_FOR_EACH"))
        repeated.args.add(type_id=full_type_number("TFT_PRODUCT"))
        _set_tensor(repeated.args.add(), parameter)
        _set_variable(repeated.args.add(), parameter)
        return full_type
    return None


def _set_tensor(full_type: Any, of: str | int) -> None:
    """Make a full type a tensor of a type, or of the type in an attr of this name."""
    full_type.type_id = full_type_number("TFT_TENSOR")
    if isinstance(of, str):
        _set_variable(full_type.args.add(), of)
    else:
        full_type.args.add(type_id=int(of))


def _set_variable(full_type: Any, name: str) -> None:
    """Make a full type the variable that an attr of this name fills in."""
    full_type.type_id, full_type.s = full_type_number("TFT_VAR"), str(name)
