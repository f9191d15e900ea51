"""The ops of the dialect that an entry in YAML declares: the op itself, its inplace variant, one for each kernel."""

from __future__ import annotations

from opspec_lint.cpp.expressions import NoNames, evaluate
from opspec_lint.cpp.tokens import tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.attr_types import attr_type, to_attr_value, to_plain_value
from opspec_lint.frameworks.paddle.extract.declarations import Declarations
from opspec_lint.frameworks.paddle.extract.dialect.compat import CLOSE
from opspec_lint.frameworks.paddle.saved.pir.patches import SCALAR
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.frameworks.paddle.extract.declarations import PaddleAttrRecord, VariableFlag
    from opspec_lint.frameworks.paddle.extract.dialect.compat import Compat, Compats, Config
    from opspec_lint.frameworks.paddle.extract.dialect.entry import DialectEntry, Kernel
    from opspec_lint.frameworks.paddle.extract.dialect.results import LocatedPirOp
    from opspec_lint.frameworks.paddle.extract.dialect.rules import Rules
    from opspec_lint.frameworks.paddle.extract.yaml.ops import Argument
    from opspec_lint.spec.records import Place

_ANY: Kernel = {"name": "", "takes": None, "gives": None}
_NO_CONFIG: Config = ("", False)
_TYPES = {
    "Tensor": "paddle::dialect::DenseTensorType",
    "Tensor[]": "pir::VectorType<paddle::dialect::DenseTensorType>",
    "SelectedRows": "paddle::dialect::SelectedRowsType",
    "dense": "paddle::dialect::DenseTensorType",
    "selected_rows": "paddle::dialect::SelectedRowsType",
    "sparse_coo": "paddle::dialect::SparseCooTensorType",
    "sparse_csr": "paddle::dialect::SparseCsrTensorType",
}
"""The types of the dialect by those of YAML, and by what a kernel takes."""
_NAMES = {
    "paddle::dialect::DataTypeAttribute": pattern(r"(?:\w+::)*DataType::(\w+)"),
    "paddle::dialect::DataLayoutAttribute": pattern(r"(?:\w+::)*DataLayout::(\w+)"),
    "paddle::dialect::PlaceAttribute": pattern(r"(?:\w+::)*(\w*Place\(\)|\{\})"),
}
"""How default values are written that are no numbers or texts; the group is what is kept of them."""
_ELEMENTS = {
    "pir::Int32Attribute": "INT",
    "pir::Int64Attribute": "LONG",
    "pir::FloatAttribute": "FLOAT",
    "pir::DoubleAttribute": "FLOAT64",
    "pir::BoolAttribute": "BOOLEAN",
    "pir::StrAttribute": "STRING",
    "pir::Size_tAttribute": "LONG",
    "pir::LongAttribute": "LONG",
    "paddle::dialect::IntArrayAttribute": "LONGS",
}
_ARRAY = pattern(r"pir::ArrayAttribute<(.*)>")


class OpMaker(Record):
    """What makes ops of the entries of one file.

    `compats` is op_compat.yaml, `dialect` what stands before the dot in the name of an op, and `suffix` what it ends
    in, such as `sp`, "" for none. `has_scalars` is whether Scalars can be mutable.
    """

    compats: Compats
    rules: Rules
    dialect: str
    suffix: str
    has_scalars: bool

    def ops(self, entry: DialectEntry, path: str) -> dict[str, LocatedPirOp]:
        """Return the ops that an entry of a file declares, by their names.

        Raises:
            UnresolvedError: the entry cannot be evaluated.
        """
        compat = self.compats.of(entry["name"], entry["forward"], entry["marked"], entry["attrs"])
        attrs = {each["name"]: each for each in entry["attrs"]}
        mutable = self.compats.mutable(compat, entry["name"], attrs, has_scalars=self.has_scalars)
        try:
            return dict(_Op(self.rules, entry, compat, path, mutable).variants(self, _names(entry)))
        except UnresolvedError as error:
            raise error.at(path, entry["line"]) from None

    def full_name(self, name: str) -> str:
        """Return the name of an op in programs."""
        if not self.suffix:
            return f"{self.dialect}.{name}"
        ending = f"{self.suffix}_" if name.endswith("_") else f"_{self.suffix}"
        return f"{self.dialect}.{name}{ending}"


def _names(entry: DialectEntry) -> list[str]:
    """Return the names of an op and of its inplace variant."""
    name = entry["name"]
    if (entry["inplace"] is None and not entry["has_view"]) or name.endswith("_"):
        return [name]
    return [name, f"{name}_"]


class _Op:
    def __init__(self, rules: Rules, entry: DialectEntry, compat: Compat, path: str, mutable: dict[str, str]) -> None:
        self._rules = rules
        self._entry = entry
        self._compat = compat
        self._path = path
        self._mutable = mutable

    def variants(self, maker: OpMaker, names: Sequence[str]) -> Iterator[tuple[str, LocatedPirOp]]:
        entry = self._entry
        several = len(entry["kernels"]) > 1 and self._rules.dispatches
        attrs = self._attrs()
        for name in names:
            if name in self._rules.by_hand or (self._rules.skips_add_n_grad and name == "add_n_grad"):
                continue
            for kernel in entry["kernels"] if several else entry["kernels"][:1] or [_ANY]:
                own = f"{kernel['name']}{'_' * name.endswith('_')}" if several else name
                found = self._inputs_and_outputs(kernel)
                found.attrs = attrs
                fields = {"kernel_of": maker.full_name(name).partition(".")[2]} if several else {}
                yield maker.full_name(own), found.to_op((self._path, entry["line"], entry["column"]), **fields)

    def _attrs(self) -> list[tuple[PaddleAttrRecord, Place]]:
        found = Declarations()
        for each in self._entry["attrs"]:
            if each["name"] not in self._mutable:
                kind = self._attr_type(each)
                found.add_attr(each["name"], kind, self._place(each), self._default(each, kind))
        return found.attrs

    def _inputs_and_outputs(self, kernel: Kernel) -> Declarations:
        entry = self._entry
        found = Declarations()
        for place, each in enumerate(entry["inputs"]):
            flags = self._flags(each, is_optional=each["name"] in entry["optional"])
            variable = found.add_variable("inputs", each["name"], self._place(each), flags)
            variable["type"] = self._kind(each, kernel["takes"], place)
        by_name = {each["name"]: each for each in entry["attrs"]}
        for name, kind in self._mutable.items():
            attr = by_name[name]
            found.add_mutable_attr(name, kind, self._place(attr), self._default(attr, kind))
        for place, each in enumerate(entry["outputs"]):
            variable = found.add_variable("outputs", each["name"], self._place(each), self._output_flags(each))
            variable["type"] = self._kind(each, kernel["gives"], place)
        return found

    def _output_flags(self, each: Argument) -> Iterator[tuple[VariableFlag, bool]]:
        entry, name = self._entry, each["name"]
        is_intermediate = name in entry["intermediate"]
        is_optional = name in entry["optional"] or (is_intermediate and self._rules.optional_intermediates)
        if self._rules.optional_inplace and (entry["inplace"] or {}).get(name) in entry["optional"]:
            is_optional = True
        yield from self._flags(each, is_optional=is_optional)
        yield "intermediate", is_intermediate

    def _flags(self, each: Argument, *, is_optional: bool) -> Iterator[tuple[VariableFlag, bool]]:
        yield "duplicable", each["type"].endswith("[]")
        yield "dispensable", is_optional

    def _kind(self, each: Argument, kinds: Sequence[str] | None, place: int) -> str:
        """Return the type of an input or output that a kernel takes or gives; None for any."""
        written = (
            each["type"] if kinds is None or not self._rules.dispatches else kinds[place] if place < len(kinds) else ""
        )
        kind = _TYPES.get(written)
        if kind is None:
            told = f"the type of {each['name']!r} is not told by its kernel" if kinds else "unknown type"
            raise UnresolvedError(told)
        return kind

    def _place(self, each: Argument) -> Place:
        return self._path, each["line"], each["column"]

    def _attr_type(self, attr: Argument) -> str:
        kind = self._rules.types.get(attr["type"])
        if kind is None:
            raise UnresolvedError(f"the type {attr['type']} of the attr {attr['name']!r} is not known")
        return f"{SCALAR}<{self._scalar_type(attr)}>" if kind == SCALAR else kind

    def _scalar_type(self, attr: Argument) -> str:
        """The type that a Scalar which stays an attr holds: what the code that builds the op makes it of."""
        held = self._compat.scalars.get(attr["name"], _NO_CONFIG)[0]
        if self._rules.compat_types and held and self._entry["name"] not in CLOSE:
            return held
        return self._rules.data_types.get(attr["type"], "")

    def _default(self, attr: Argument, kind: str) -> Any:
        try:
            return default_value(attr["default"], kind)
        except UnresolvedError as error:
            problem = f"the default {attr['default']} of {attr['name']!r} is unknown: {error.reason}"
            raise UnresolvedError(problem, self._path, attr["line"]) from None


def default_value(text: str | None, kind: str) -> Any:
    """Return the value of a default as it is written, as plain data.

    Args:
        text: what is written, None where there is no default, whose value is None.
        kind: the attribute of the dialect.

    Raises:
        UnresolvedError: the text cannot be evaluated.
    """
    if text is None:
        return None
    name = _NAMES.get(kind)
    if name is not None:
        match = name.fullmatch(text)
        if match is None:
            raise UnresolvedError("it is not the name of an enumerator")
        return match[1] if match[1] != "{}" else "Place()"
    held = held_type(kind)
    if not held.startswith("STRING") and text[:1] == text[-1:] == '"':
        text = text[1:-1]
    words = tokenize(text, 0, len(text))
    return to_plain_value(to_attr_value(evaluate(words, 0, len(words), NoNames()), held))


def held_type(kind: str) -> str:
    """The type that an attribute of the dialect holds, by Paddle's name of attr types; "" where that is not known."""
    if kind.startswith(f"{SCALAR}<"):
        return attr_type(kind[len(SCALAR) + 1 : -1]) or ""
    array = _ARRAY.fullmatch(kind)
    if array is not None:
        inner = _ELEMENTS.get(array[1], "")
        return f"{inner}S" if inner else ""
    return _ELEMENTS.get(kind, "")
