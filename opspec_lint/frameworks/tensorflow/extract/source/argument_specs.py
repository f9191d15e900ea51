"""The parser of `.Input("...")` and `.Output("...")`, as FinalizeInputOrOutput of op_def_builder.cc, with its messages.

<name> ":" [ "Ref(" ] [ <number attr> "*" ] <type or attr> [ ")" ]
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.source.cursor import SPACE, Cursor
from opspec_lint.frameworks.tensorflow.extract.source.faults import RejectedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.tensorflow.extract.source.data_types import DataTypes

_NAME = pattern(rf"([a-z][a-z0-9_]*){SPACE}:{SPACE}")
_REF = pattern(rf"(Ref){SPACE}\({SPACE}")
_CLOSED = pattern(rf"(\)){SPACE}")
_IDENTIFIER = pattern(rf"([A-Za-z][A-Za-z0-9_]*){SPACE}")
_TIMES = pattern(rf"\*{SPACE}([A-Za-z][A-Za-z0-9_]*){SPACE}")
RESOURCE = 20
"""The number of DT_RESOURCE."""


def parse(spec: str, argument: Any, opdef: Any, types: DataTypes) -> None:
    """Fill an ArgDef from a string such as "values: N * T"; a string that TensorFlow rejects is a RejectedError.

    The attr that gives the number of tensors gets the minimum 1, unless it has one.
    """
    text = Cursor(spec)
    argument.name = text.require_match(_NAME, "Trouble parsing 'name:'")
    argument.is_ref = text.take_match(_REF) is not None
    kind = text.require_match(_IDENTIFIER, f"Trouble parsing either a type or an attr name at '{text.rest}'")
    repeated_kind = text.take_match(_TIMES)
    if repeated_kind is not None:
        argument.number_attr, kind = kind, repeated_kind
    # Reversed: of attrs with the same name, TensorFlow's search finds the first.
    attrs = {attr.name: attr for attr in reversed(opdef.attr)}
    _set_type(argument, kind, attrs, types)
    if argument.is_ref and text.take_match(_CLOSED) is None:
        raise RejectedError(f"Did not find closing ')' for 'Ref(', instead found: '{text.rest}'")
    text.require_end()
    length = attrs.get(argument.number_attr or argument.type_list_attr)
    if length is not None and not length.has_minimum and (argument.number_attr or length.type == "list(type)"):
        length.has_minimum, length.minimum = True, 1


def _set_type(argument: Any, kind: str, attrs: dict[str, Any], types: DataTypes) -> None:
    """Set the type of an argument: a data type, or the name of an attr of type `type` or `list(type)`."""
    number = types.parse(kind)
    if number is not None:
        argument.type = number
    elif kind not in attrs:
        raise RejectedError(f"Reference to unknown attr '{kind}'")
    elif attrs[kind].type == "type":
        argument.type_attr = kind
    elif attrs[kind].type == "list(type)":
        argument.type_list_attr = kind
    else:
        raise RejectedError(f"Reference to attr '{kind}' with type {attrs[kind].type} that isn't type or list(type)")
