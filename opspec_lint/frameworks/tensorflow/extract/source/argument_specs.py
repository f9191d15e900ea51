"""The grammar of `.Input("...")` and `.Output("...")`: FinalizeInputOrOutput of op_def_builder.cc, with its messages.

<name> ":" [ "Ref(" ] [ <number attr> "*" ] <type or attr> [ ")" ]
"""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.source.cursor import SPACE, Cursor
from opspec_lint.frameworks.tensorflow.extract.source.data_types import number_of
from opspec_lint.frameworks.tensorflow.extract.source.faults import RejectedError
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_NAME = pattern(rf"([a-z][a-z0-9_]*){SPACE}:{SPACE}")
_REF = pattern(rf"(Ref){SPACE}\({SPACE}")
_CLOSED = pattern(rf"(\)){SPACE}")
_IDENTIFIER = pattern(rf"([A-Za-z][A-Za-z0-9_]*){SPACE}")
_TIMES = pattern(rf"\*{SPACE}([A-Za-z][A-Za-z0-9_]*){SPACE}")
RESOURCE = 20
"""The number of DT_RESOURCE."""


def parse(spec: str, argument: Any, opdef: Any) -> None:
    """Set the fields of an ArgDef message, and the minimum of the attr that its length depends on.

    Args:
        spec: the string.
        argument: the message.
        opdef: the OpDef message, which has the attrs of the op.

    Raises:
        RejectedError: TensorFlow rejects the string.
    """
    text = Cursor(spec)
    name = text.take_match(_NAME)
    if name is None:
        raise RejectedError("Trouble parsing 'name:'")
    argument.name = name
    argument.is_ref = text.take_match(_REF) is not None
    before = text.rest
    kind = text.take_match(_IDENTIFIER)
    if kind is None:
        raise RejectedError(f"Trouble parsing either a type or an attr name at '{before}'")
    of_many = text.take_match(_TIMES)
    if of_many is not None:
        argument.number_attr, kind = kind, of_many
    attrs = {attr.name: attr for attr in reversed(opdef.attr)}
    _set_type(argument, kind, attrs)
    if argument.is_ref and text.take_match(_CLOSED) is None:
        raise RejectedError(f"Did not find closing ')' for 'Ref(', instead found: '{text.rest}'")
    if text.rest:
        raise RejectedError(f"Extra '{text.rest}' unparsed at the end")
    length = attrs.get(argument.number_attr or argument.type_list_attr)
    if length is not None and not length.has_minimum and (argument.number_attr or length.type == "list(type)"):
        length.has_minimum, length.minimum = True, 1


def _set_type(argument: Any, kind: str, attrs: dict[str, Any]) -> None:
    number = number_of(kind)
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
