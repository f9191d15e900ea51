"""Resolution of names in the C++ that registers ops: names of the tree, and names that TensorFlow's headers define."""

from __future__ import annotations

from opspec_lint.cpp import names
from opspec_lint.cpp.numbers import kind_of
from opspec_lint.cpp.values import std_string
from opspec_lint.frameworks.tensorflow.extract.source import full_types
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.cpp.declarations import NameDeclaration
    from opspec_lint.cpp.preprocessed import Code

_STRINGS = pattern(r"\b(?:(?:absl|tensorflow|tsl|gtl)\s*::\s*)*(?:StringPiece|string_view|tstring)\b")
_MAKES_STRING = frozenset({"StringPiece", "string_view", "tstring", "string"})
_USES_TENSORFLOW = pattern(r"\busing\s+namespace\s+(?:::\s*)?tensorflow\s*;")
_OF_HEADERS = {
    "GetPaddingAttrString": "padding: {'SAME', 'VALID'}",
    "GetPaddingAttrStringWithExplicit": "padding: {'SAME', 'VALID', 'EXPLICIT'}",
    "GetExplicitPaddingsAttrString": "explicit_paddings: list(int) = []",
    "GetMirrorPadModeAttrString": "mode: {'REFLECT', 'SYMMETRIC'}",
    "GetConvnetDataFormatAttrString": "data_format: { 'NHWC', 'NCHW' } = 'NHWC' ",
    "GetConvnet3dDataFormatAttrString": "data_format: { 'NDHWC', 'NCDHW' } = 'NDHWC' ",
    "GetConvnetFilterFormatAttrString": "filter_format: { 'HWIO', 'OIHW' } = 'HWIO' ",
    "GetConvnet3dFilterFormatAttrString": "filter_format: { 'DHWIO', 'OIDHW' } = 'DHWIO' ",
}
"""Results of functions of core/util/padding.h, mirror_pad_mode.h and tensor_format.h, for trees without these files."""


class Workspace(names.Workspace):
    """The files of a tree in which names are looked up, with TensorFlow's namespace rules."""

    def visible_declarations(
        self, code: Code, scope: Sequence[str], qualifiers: Sequence[str], name: str
    ) -> Iterator[NameDeclaration]:
        """Yield the visible declarations of a name, also by `using namespace tensorflow`."""
        yield from super().visible_declarations(code, scope, qualifiers, name)
        if scope[:1] != ("tensorflow",) and _USES_TENSORFLOW.search(code.bare):
            yield from super().visible_declarations(code, ("tensorflow",), qualifiers, name)

    def defining_files(self, code: Code, name: str) -> Iterator[str]:
        """Yield the files that may define a function: `padding.cc` for a header `padding.h` that contains its name."""
        for path in self.files.closure(code.path):
            if path.endswith(".h") and self.files.contains(path, name):
                yield f"{path[:-2]}.cc"


class Names(names.Names):
    """Values of names in a scope of a file."""

    def known_constant(self, qualifiers: tuple[str, ...], name: str) -> Any:  # noqa: ARG002 - its prefix suffices
        """Return the number of a full type such as TFT_DATASET, None for any other name."""
        return full_types.full_type_number(name)

    def known_result(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """Return the result of a call: StrCat, a full type, a string, or a function of a header; None for any other."""
        if name == "StrCat" and all(isinstance(argument, str) or _is_whole(argument) for argument in arguments):
            return "".join(
                std_string(argument) if isinstance(argument, str) else str(int(argument)) for argument in arguments
            )
        if full_types.NAMESPACE in qualifiers:
            return full_types.make_full_type(name, arguments)
        if name in _MAKES_STRING and len(arguments) == 1 and isinstance(arguments[0], str):
            return std_string(arguments[0])
        # Only for trees that lack the headers: TensorFlow's own tree may return other strings.
        if name in _OF_HEADERS and not arguments and not self._workspace.files.tree.identify([_PADDING])[_PADDING]:
            return _OF_HEADERS[name]
        return None

    def type_text(self, text: str) -> str:
        """Return a type with the string classes of TensorFlow and Abseil replaced by `std::string`."""
        return _STRINGS.sub("std::string", text)


_PADDING = "tensorflow/core/util/padding.h"


def _is_whole(value: object) -> bool:
    return kind_of(value) not in (None, "float", "double", "char", "bool")
