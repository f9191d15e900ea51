"""The ops of the dialects as a package of Paddle has them: its headers, and what its library says beside them."""

from __future__ import annotations

from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.frameworks.paddle.extract.declarations import Declarations, unresolved
from opspec_lint.frameworks.paddle.extract.dialect import patch_files
from opspec_lint.frameworks.paddle.extract.dialect.completion import completed
from opspec_lint.frameworks.paddle.extract.dialect.hand_written import PLACES
from opspec_lint.frameworks.paddle.extract.dialect.headers import classes
from opspec_lint.frameworks.paddle.extract.dialect.library import Library
from opspec_lint.frameworks.paddle.extract.dialect.ops import default_value
from opspec_lint.frameworks.paddle.extract.dialect.package import provenance
from opspec_lint.frameworks.paddle.extract.dialect.patch_library import numbered, patch_documents
from opspec_lint.frameworks.paddle.extract.dialect.patches import of_files
from opspec_lint.frameworks.paddle.saved.pir.patches import ARRAY, FIRST, SCALAR, LoaderVersions, value_key
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
"""The header of the ops that are made of YAML."""
LIBRARIES = ("base/libpaddle.so", "base/libpaddle.pyd")
_NIGHTLY = "0.0.0"
"""How the versions of builds begin that are no release."""
_API = tuple(f"include/paddle/phi/api/include/{name}.h" for name in ("api", "fused_api"))
_FUNCTION = pattern(r"^PADDLE_API\s+[^()\n]*?(\w+)\(([^\n]*)\);", "m")
_GENERIC = pattern(r"const (?:\w+::)*(Scalar|IntArray)& (\w+)")
_INT_ARRAY = "paddle::dialect::IntArrayAttribute"
_PLAIN = {
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
"""The attributes of the dialect by the C++ types of what they hold."""
_VECTOR = pattern(r"std::vector<(.*)>")
_NUMBERS = frozenset({"pir::Int32Attribute", "pir::Int64Attribute", "pir::FloatAttribute", "pir::DoubleAttribute"})


def read(package: Package) -> Extraction | None:
    """The declarations of a package, None where it has no such header."""
    generated = package.read(GENERATED)
    if generated is None:
        return None
    data = next((found for path in LIBRARIES if (found := package.read(path)) is not None), b"")
    machine = _Reader(Library(data), _generic(package))
    ops: dict[str, LocatedPirOp] = {}
    lost: list[RemarkRecord] = []
    written = ((f"include/{header}", package.read(f"include/{header}")) for header, _ in PLACES)
    for path, text in ((GENERATED, generated), *written):
        for each in classes(source_text(text or b"")):
            try:
                ops[each.op] = attempt(lambda: machine.op(each, path))  # noqa: B023 - called here
            except UnresolvedError as error:  # noqa: PERF203 - an op that is unclear does not hide the others
                lost.append(unresolved(each.op, error, path, each.line, repr(each.builds)))
    return completed(ops, lost, _patches(data, provenance(package)[0], ops))


def _patches(data: bytes, version: str | None, ops: Collection[str]) -> Patches:
    """Return the patches of a library.

    A release writes the version of its last file; a nightly build with patches for the next release writes 0
    (patch/Readme.md of the tree).
    """
    documents = patch_documents(data)
    found = numbered(data, documents) if documents else {FIRST: ""}
    if not data or found is None:
        files = [patch_files.read(text, f"{LIBRARIES[0]}:{offset}", 0) for offset, text in documents.items()]
        return of_files(None, None, files, ops)
    newest = max(found)
    is_between = 0 in found and (version or "").startswith(_NIGHTLY)
    key = value_key(newest)
    files = [patch_files.read(text, f"{LIBRARIES[0]}:{number}.yaml", number, key) for number, text in found.items()]
    return of_files(LoaderVersions(develop=0 if is_between else newest, release=newest), key, files, ops)


def _generic(package: Package) -> dict[str, dict[str, str]]:
    """Return the arguments of each function of the C++ API that are a Scalar or an IntArray, all that it names."""
    found: dict[str, dict[str, str]] = {}
    for path in _API:
        text = source_text(package.read(path) or b"")
        for name, parameters in _FUNCTION.findall(text):
            found.setdefault(name, {}).update({own: kind for kind, own in _GENERIC.findall(parameters)})
    return found


class _Reader:
    def __init__(self, library: Library, generic: Mapping[str, Mapping[str, str]]) -> None:
        self._types = library.attr_types()
        self._inputs = library.inputs()
        self._names = library.attr_names()
        self._generic = generic

    def op(self, each: OpClass, path: str) -> LocatedPirOp:
        """Return the op of a class."""
        inputs = each.input_names
        attrs = each.attrs if each.has_info else {}
        names = [name for name in self._attr_names(each, attrs, path) if name not in inputs]
        found = Declarations()
        place = (path, each.line, 1)
        self._add_inputs(found, each, inputs, path)
        for _, name in sorted(each.outputs.items()):
            found.add_variable("outputs", name, place)["unknown"] = ["duplicable", "dispensable", "intermediate"]
        for name in names:
            parameter = attrs.get(name)
            if parameter is None:
                found.add_attr(name, None, place)
            else:
                self._add_attr(found, each, parameter, path)
        return found.to_op(place) if each.has_info else found.to_op(place, variadic=True)

    def _attr_names(self, each: OpClass, declared: Mapping[str, BuildParameter], path: str) -> Sequence[str]:
        """Return the names of the attrs of a class, as the library has them, or else as the header does."""
        known = self._names.get(f"{_namespace(path)}{each.name}")
        if not each.count:
            return () if each.count == 0 else tuple(declared)
        if known is not None and len(known) == each.count:
            return known
        names = [name for name in declared if name not in each.inputs.values()]
        if len(names) != each.count:
            problem = f"neither the header nor the library names the {each.count} attrs of {each.name}"
            raise UnresolvedError(problem, path, each.line)
        return names

    def _add_inputs(self, found: Declarations, each: OpClass, names: Sequence[str], path: str) -> None:
        declared = each.attrs if each.has_info else {}
        told = self._inputs.get(each.op.partition(".")[2], [])
        for number, name in enumerate(names):
            place, parameter = (path, each.line, 1), declared.get(name)
            if parameter is not None:
                kind = _generic_attribute(parameter.held)
                found.add_mutable_attr(name, kind, place, default_value(parameter.default, kind))
                continue
            variable = found.add_variable("inputs", name, place)
            if number < len(told) and "pir::Value" in told[number]:
                if "std::vector<" in told[number]:
                    variable["duplicable"] = True
                if "paddle::optional<" in told[number]:
                    variable["dispensable"] = True
            else:
                variable["unknown"] = ["duplicable", "dispensable"]

    def _add_attr(self, found: Declarations, each: OpClass, parameter: BuildParameter, path: str) -> None:
        plain = _attribute(parameter.held)
        kind = self._kind(each, parameter.name, parameter.held, plain)
        default = default_value(parameter.default, kind or plain)
        found.add_attr(parameter.name, kind, (path, each.line, 1), default)

    def _kind(self, each: OpClass, name: str, held: str, plain: str) -> str | None:
        """Return the attribute that holds an attr, None where it may be one of two."""
        generic = _generic_attribute(held)
        possible = self._types.get(name, set())
        if generic.partition("<")[0] not in possible or (generic != _INT_ARRAY and plain not in _NUMBERS):
            return plain
        arguments = self._generic.get(each.op.partition(".")[2])
        if arguments is not None:
            return generic if name in arguments else plain
        return generic if possible == {generic.partition("<")[0]} else None


def _namespace(path: str) -> str:
    return "pir::" if path.startswith("include/paddle/pir/") else "paddle::dialect::"


def _generic_attribute(held: str) -> str:
    """Return the attribute that holds a Scalar or an IntArray of a C++ type."""
    return _INT_ARRAY if held.startswith("std::vector") else f"{SCALAR}<{held}>"


def _attribute(held: str) -> str:
    vector = _VECTOR.fullmatch(held)
    kind = _PLAIN.get(vector[1] if vector is not None else held)
    if kind is None:
        raise UnresolvedError(f"the type {held} of an attr is not known")
    return kind if vector is None else f"{ARRAY}<{kind}>"
