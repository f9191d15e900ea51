"""The members of the C structs that hold an op's options at run time: those of builtin_op_data.h."""

from __future__ import annotations

from opspec_lint.cpp.comments import without_comments
from opspec_lint.cpp.tokens import closing_brace
from opspec_lint.frameworks.tflite.extract.functions import line_of
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Structs: TypeAlias = dict[str, tuple[int, list[str]]]
    """By name, the line of the struct and its members."""

MARK = "TfLiteConvParams;"

_STRUCT = pattern(r"\btypedef\s+struct\b[^;{]{0,200}\{")
_NAME = pattern(r"\s*(\w+)\s*;")
_MEMBER = pattern(r"\b(\w+)\s*(?:\[[^\[\];]*\]\s*)*(?:,|;)")


def read(text: str) -> Structs:
    """Return the structs."""
    code = without_comments(text)  # its only strings are in includes
    structs: Structs = {}
    end = 0
    while found := _STRUCT.search(code, end):
        end = closing_brace(code, found.end() - 1) + 1
        name = _NAME.match(code, end)
        if name is not None:
            structs[name[1]] = line_of(code, found.start()), _MEMBER.findall(code[found.end() : end])
    return structs
