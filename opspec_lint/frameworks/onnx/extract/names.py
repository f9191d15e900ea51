"""The meaning of names in the C++ of ONNX: all names of C++, and the enums of onnx.in.proto."""

from __future__ import annotations

import os

from opspec_lint.cpp import names
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import Chars, std_string
from opspec_lint.frameworks.onnx.extract import protos
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from opspec_lint.cpp.files import CppFiles
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.frameworks.onnx.extract.protos import OnnxEnums

_GENERAL = "onnx/defs"
OPTIONS = ("Single", "Optional", "Variadic")
"""The values of OpSchema::FormalParameterOption, by number."""
_NUMBERED = pattern(r"\b(?:TensorProto|AttributeProto)\s*(?:::|_)\s*(?:DataType|AttributeType)\b")
"""The enums that protobuf generates; their values are numbers."""
_EXPORTED = pattern(r"\bONNX_API\b")


class OnnxWorkspace(names.Workspace):
    """The files of a tree in which names are looked up.

    Args:
        files: the C++ files.
        defined: the macros of the build.
        paths: the compiled files, which define functions that headers declare.
        enums: the enums of onnx.in.proto.
    """

    def __init__(self, files: CppFiles, defined: Mapping[str, str], paths: Sequence[str], enums: OnnxEnums) -> None:
        super().__init__(files, defined)
        self._paths = paths
        self.enums = enums

    def defining_files(self, code: Code, name: str) -> Iterable[str]:  # noqa: ARG002 - any file may define a function
        """Return the compiled files that may define a function, with the file's own folder and onnx/defs first."""
        own = os.path.dirname(code.path)
        return sorted(self._paths, key=lambda path: (os.path.dirname(path) not in (own, _GENERAL), path))


class OnnxNames(names.Names):
    """The meaning of names in a scope of a file."""

    _workspace: OnnxWorkspace

    def known_constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the number of an enumerator of ONNX, None for any other name."""
        if qualifiers[-1:] == ("OpSchema",) and name in OPTIONS:
            return OPTIONS.index(name)
        return self._workspace.enums.number(qualifiers, name)

    def known_result(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:  # noqa: ARG002
        """Return the result of `ToDataTypeString`, None for any other function."""
        return self._element_type(arguments[0]) if name == "ToDataTypeString" and len(arguments) == 1 else None

    def type_text(self, text: str) -> str:
        """Return the text of a type with protobuf's enums replaced by `int`, and without export macros."""
        return _NUMBERED.sub("int", _EXPORTED.sub(" ", text))

    def _element_type(self, number: Any) -> Any:
        """Return the name of an element type in schemas: "float" for the number of `TensorProto::FLOAT`."""
        name = self._workspace.enums.name(protos.ELEMENT, number) if isinstance(number, int) else None
        if name is None:
            raise UnresolvedError("a type of elements that is not known")
        return std_string(Chars(name.lower()))
