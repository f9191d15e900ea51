"""The members of the C structs that hold an op's options at run time: those of builtin_op_data.h."""

from __future__ import annotations

from opspec_lint.frameworks.tflite.extract.cpp_text import line_of, statement_end, without_comments
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
    plain = without_comments(text)
    structs: Structs = {}
    end = 0
    while found := _STRUCT.search(plain, end):
        end = statement_end(plain, found.end() - 1)
        name = _NAME.match(plain, end)
        if name is not None:
            structs[name[1]] = line_of(plain, found.start()), _MEMBER.findall(plain[found.end() : end])
    return structs
