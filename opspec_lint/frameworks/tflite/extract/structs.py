"""The members of the C structs that hold the options of ops at run time, by builtin_op_data.h."""

from __future__ import annotations

from opspec_lint.cpp.comments import without_comments
from opspec_lint.cpp.tokens import closing_brace
from opspec_lint.frameworks.tflite.extract.functions import line_of
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    Structs: TypeAlias = dict[str, tuple[int, list[str]]]
    """The line and the members of each struct, by its name."""

MARK = "TfLiteConvParams;"
"""A text that the header contains, unless it only includes the one that does."""

_STRUCT = pattern(r"\btypedef\s+struct\b[^;{]{0,200}\{")
_NAME = pattern(r"\s*(\w+)\s*;")
_MEMBER = pattern(r"\b(\w+)\s*(?:\[[^\[\];]*\]\s*)*(?:,|;)")


def read(text: str) -> Structs:
    """Return the structs of a header."""
    # The only strings of the header are in includes, so braces are not searched in strings.
    code = without_comments(text)
    structs: Structs = {}
    end = 0
    while match := _STRUCT.search(code, end):
        end = closing_brace(code, match.end() - 1) + 1
        name = _NAME.match(code, end)
        if name is not None:
            structs[name[1]] = line_of(code, match.start()), _MEMBER.findall(code[match.end() : end])
    return structs
