"""Recognition of ops that are registered through the C API: TF_NewOpDefinitionBuilder and functions on the builder."""

from __future__ import annotations

import re

from opspec_lint.cpp.tokens import closing_parenthesis
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.cpp.preprocessed import Code

MARK = "TF_NewOpDefinitionBuilder"
_NEW = pattern(rf"\b(\w+)\s*=\s*{MARK}\s*(?=\()")
_METHODS = {
    "AddInput": "Input",
    "AddOutput": "Output",
    "AddAttr": "Attr",
    "Deprecated": "Deprecated",
    "SetIsAggregate": "SetIsAggregate",
    "SetIsCommutative": "SetIsCommutative",
    "SetIsStateful": "SetIsStateful",
    "SetAllowsUninitializedInput": "SetAllowsUninitializedInput",
    "SetShapeInferenceFunction": "SetShapeFn",
}
"""The method of OpDefBuilder that each function of tensorflow/c/ops.h corresponds to."""


class BuilderCall(Record):
    """A call of a function on a builder: the equivalent method of OpDefBuilder, and the range of the arguments."""

    method: str
    offset: int
    start: int
    end: int


class CRegistration(Record):
    """The calls that build one op: the range of the op's name, and the calls up to the offset `end`."""

    offset: int
    name: tuple[int, int]
    calls: tuple[BuilderCall, ...]
    end: int


def c_registrations(code: Code) -> Iterator[CRegistration]:
    """Yield the ops that a file registers through the C API; unbalanced parentheses raise UnresolvedError."""
    if MARK not in code.bare:  # a search for a word is much faster than one for a pattern
        return
    for match in _NEW.finditer(code.bare):
        block = code.blocks().at(match.start())
        limit = block.end if block is not None else len(code.bare)
        name = (match.end() + 1, closing_parenthesis(code.bare, match.end()))
        calls: list[BuilderCall] = []
        end = name[1]
        # The calls name the variable of the builder; they end with its registration, or with the block around it.
        following = re.compile(rf"\bTF_(?:OpDefinitionBuilder(\w+)|RegisterOpDefinition)\s*\(\s*{match[1]}\s*[,)]")
        for call in following.finditer(code.bare, name[1], limit):
            end = closing_parenthesis(code.bare, code.bare.index("(", call.start()))
            if call[1] is None:
                break
            method = _METHODS.get(call[1], call[1])
            calls.append(BuilderCall(method=method, offset=call.start(), start=call.end(), end=end))
        yield CRegistration(offset=match.start(), name=name, calls=tuple(calls), end=end)
