"""The PIR ops of a package: its headers declare them, and its compiled library has what headers lack."""

from __future__ import annotations

from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.frameworks.paddle.extract.declarations import Declarations, unresolved
from opspec_lint.frameworks.paddle.extract.dialect import patch_files
from opspec_lint.frameworks.paddle.extract.dialect.completion import complete
from opspec_lint.frameworks.paddle.extract.dialect.hand_written import PLACES
from opspec_lint.frameworks.paddle.extract.dialect.headers import op_classes
from opspec_lint.frameworks.paddle.extract.dialect.library import Library
from opspec_lint.frameworks.paddle.extract.dialect.ops import default_value
from opspec_lint.frameworks.paddle.extract.dialect.package import read_version
from opspec_lint.frameworks.paddle.extract.dialect.patch_library import patch_documents, texts_by_number
from opspec_lint.frameworks.paddle.extract.dialect.patches import collect_patches
from opspec_lint.frameworks.paddle.saved.pir.patches import ARRAY, FIRST_VERSION, SCALAR, LoaderVersions, value_key
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.text import source_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from opspec_lint.frameworks.paddle.extract.dialect.headers import BuildParameter, OpClass
    from opspec_lint.frameworks.paddle.extract.dialect.package import Package
    from opspec_lint.frameworks.paddle.extract.dialect.patches import Patches
    from opspec_lint.frameworks.paddle.extract.dialect.results import Extraction, LocatedPirOp
    from opspec_lint.spec.records import RemarkRecord

GENERATED = "include/paddle/fluid/pir/dialect/operator/ir/pd_op.h"
"""The header of the ops that are generated from YAML."""
LIBRARIES = ("base/libpaddle.so", "base/libpaddle.pyd")
"""The compiled library on Linux, and on Windows."""
_NIGHTLY = "0.0.0"
"""The prefix of the versions of builds that are no release."""
_API = tuple(f"include/paddle/phi/api/include/{name}.h" for name in ("api", "fused_api"))
_FUNCTION = pattern(r"^PADDLE_API\s+[^()\n]*?(\w+)\(([^\n]*)\);", "m")
_GENERIC_PARAMETER = pattern(r"const (?:\w+::)*(Scalar|IntArray)& (\w+)")
_INT_ARRAY = "paddle::dialect::IntArrayAttribute"
_ATTRIBUTES = {
    "int": "pir::Int32Attribute",
    "int32_t": "pir::Int32Attribute",
    "int64_t": "pir::Int64Attribute",
    "float": "pir::FloatAttribute",
    "double": "pir::DoubleAttribute",
    "bool": "pir::BoolAttribute",
    "std::string": "pir::StrAttribute",
    "size_t": "pir::Size_tAttribute",
    "phi::DataType": "paddle::dialect::DataTypeAttribute",
    "phi::Place": "paddle::dialect::PlaceAttribute",
    "phi::DataLayout": "paddle::dialect::DataLayoutAttribute",
    "phi::Scalar": SCALAR,
    "phi::IntArray": _INT_ARRAY,
}
"""The attribute types of the dialect by C++ type."""
_VECTOR = pattern(r"std::vector<(.*)>")
# The attributes of those C++ types that a Scalar can have.
_NUMBERS = frozenset({"pir::Int32Attribute", "pir::Int64Attribute", "pir::FloatAttribute", "pir::DoubleAttribute"})


def read(package: Package) -> Extraction | None:
    """Return the ops of a package; None if it has no header of generated ops."""
    generated = package.read(GENERATED)
    if generated is None:
        return None
    libraries = (package.read(path) for path in LIBRARIES)
    data = next((content for content in libraries if content is not None), b"")
    op_reader = _OpReader(Library(data), _generic_arguments(package))
    ops: dict[str, LocatedPirOp] = {}
    lost: list[RemarkRecord] = []
    hand_written_headers = ((f"include/{header}", package.read(f"include/{header}")) for header, _ in PLACES)
    for path, text in ((GENERATED, generated), *hand_written_headers):
        for op_class in op_classes(source_text(text or b"")):
            try:
                ops[op_class.op] = attempt(lambda: op_reader.read_op(op_class, path))  # noqa: B023 - called here
            except UnresolvedError as error:  # noqa: PERF203 - an op that is unclear does not hide the others
                lost.append(unresolved(op_class.op, error, path, op_class.line, repr(op_class.builds)))
    return complete(ops, lost, _library_patches(data, read_version(package)[0], ops))


def _library_patches(data: bytes, version: str | None, ops: Collection[str]) -> Patches:
    """Return the patches of a library.

    A release writes the version of its last file; a nightly build with patches for the next release writes 0
    (patch/Readme.md of the tree).
    """
    documents = patch_documents(data)
    # A release without patches writes the first version.
    texts = texts_by_number(data, documents) if documents else {FIRST_VERSION: ""}
    if not data or texts is None:
        files = [patch_files.parse(text, f"{LIBRARIES[0]}:{offset}", 0) for offset, text in documents.items()]
        return collect_patches(None, None, files, ops)
    newest = max(texts)
    is_between = 0 in texts and (version or "").startswith(_NIGHTLY)
    key = value_key(newest)
    files = [patch_files.parse(text, f"{LIBRARIES[0]}:{number}.yaml", number, key) for number, text in texts.items()]
    return collect_patches(LoaderVersions(develop=0 if is_between else newest, release=newest), key, files, ops)


def _generic_arguments(package: Package) -> dict[str, dict[str, str]]:
    """Return the Scalar and IntArray arguments of each function of the C++ API, with their kinds."""
    arguments_by_function: dict[str, dict[str, str]] = {}
    for path in _API:
        text = source_text(package.read(path) or b"")
        for name, parameters in _FUNCTION.findall(text):
            arguments_by_function.setdefault(name, {}).update(
                {name_of_argument: kind for kind, name_of_argument in _GENERIC_PARAMETER.findall(parameters)}
            )
    return arguments_by_function


class _OpReader:
    """The ops of one package, made from op classes and the facts of the library."""

    def __init__(self, library: Library, generic: Mapping[str, Mapping[str, str]]) -> None:
        self._types_by_attr = library.attr_types()
        self._types_by_function = library.parameter_types()
        self._attrs_by_class = library.attr_names()
        self._generic_arguments = generic

    def read_op(self, op_class: OpClass, path: str) -> LocatedPirOp:
        """Return the op of a class; flags of inputs and outputs that nothing states are unknown."""
        inputs = op_class.input_names
        attrs = op_class.attrs if op_class.has_info else {}
        # Mutable attrs are inputs.
        names = [name for name in self._attr_names(op_class, attrs, path) if name not in inputs]
        declarations = Declarations()
        place = (path, op_class.line, 1)
        self._add_inputs(declarations, op_class, inputs, path)
        for _, name in sorted(op_class.outputs.items()):
            declarations.add_variable("outputs", name, place)["unknown"] = ["duplicable", "dispensable", "intermediate"]
        for name in names:
            parameter = attrs.get(name)
            if parameter is None:
                declarations.add_attr(name, None, place)
            else:
                self._add_attr(declarations, op_class, parameter, path)
        return declarations.to_op(place) if op_class.has_info else declarations.to_op(place, variadic=True)

    def _attr_names(self, op_class: OpClass, build_attrs: Mapping[str, BuildParameter], path: str) -> Sequence[str]:
        """Return the names of the attrs of a class: by the library, or else by the header.

        Raises UnresolvedError if neither names as many attrs as the class has.
        """
        if op_class.count is None:
            return tuple(build_attrs)
        if op_class.count == 0:
            return ()
        library_names = self._attrs_by_class.get(f"{_namespace(path)}{op_class.name}")
        if library_names is not None and len(library_names) == op_class.count:
            return library_names
        names = [name for name in build_attrs if name not in op_class.inputs.values()]
        if len(names) != op_class.count:
            problem = f"neither the header nor the library names the {op_class.count} attrs of {op_class.name}"
            raise UnresolvedError(problem, path, op_class.line)
        return names

    def _add_inputs(self, declarations: Declarations, op_class: OpClass, names: Sequence[str], path: str) -> None:
        """Add the inputs of a class; parameters of the API function show which are lists or optional."""
        build_attrs = op_class.attrs if op_class.has_info else {}
        parameter_types = self._types_by_function.get(op_class.op.partition(".")[2], [])
        for index, name in enumerate(names):
            place, parameter = (path, op_class.line, 1), build_attrs.get(name)
            if parameter is not None:
                kind = _generic_attribute(parameter.value_type)
                declarations.add_mutable_attr(name, kind, place, default_value(parameter.default, kind))
                continue
            variable = declarations.add_variable("inputs", name, place)
            if index < len(parameter_types) and "pir::Value" in parameter_types[index]:
                if "std::vector<" in parameter_types[index]:
                    variable["duplicable"] = True
                if "paddle::optional<" in parameter_types[index]:
                    variable["dispensable"] = True
            else:
                variable["unknown"] = ["duplicable", "dispensable"]

    def _add_attr(self, declarations: Declarations, op_class: OpClass, parameter: BuildParameter, path: str) -> None:
        """Add an attr of a class."""
        plain = _plain_attribute(parameter.value_type)
        kind = self._attribute_of(op_class, parameter.name, parameter.value_type, plain)
        default = default_value(parameter.default, kind or plain)
        declarations.add_attr(parameter.name, kind, (path, op_class.line, 1), default)

    def _attribute_of(self, op_class: OpClass, name: str, value_type: str, plain: str) -> str | None:
        """Return the attribute type of an attr; None if it may be one of two.

        A `float` of `Build` may be a plain attribute or a Scalar: the library and the C++ API decide.
        """
        generic = _generic_attribute(value_type)
        possible = self._types_by_attr.get(name, set())
        # The library names every attribute type that the checks of its ops use for an attr of this name.
        if generic.partition("<")[0] not in possible or (generic != _INT_ARRAY and plain not in _NUMBERS):
            return plain
        arguments = self._generic_arguments.get(op_class.op.partition(".")[2])
        if arguments is not None:
            return generic if name in arguments else plain
        return generic if possible == {generic.partition("<")[0]} else None


def _namespace(path: str) -> str:
    """Return the namespace of the op classes in a header."""
    return "pir::" if path.startswith("include/paddle/pir/") else "paddle::dialect::"


def _generic_attribute(value_type: str) -> str:
    """Return the attribute type of a Scalar or an IntArray with a C++ type."""
    return _INT_ARRAY if value_type.startswith("std::vector") else f"{SCALAR}<{value_type}>"


def _plain_attribute(value_type: str) -> str:
    """Return the attribute type of a C++ type or a vector."""
    vector = _VECTOR.fullmatch(value_type)
    kind = _ATTRIBUTES.get(vector[1] if vector is not None else value_type)
    if kind is None:
        raise UnresolvedError(f"the type {value_type} of an attr is not known")
    return kind if vector is None else f"{ARRAY}<{kind}>"
