"""The PIR ops that an entry in YAML declares: the op, its inplace variant, and one op for each kernel."""

from __future__ import annotations

from opspec_lint.cpp.expressions import NoNames, evaluate
from opspec_lint.cpp.tokens import tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.attr_types import attr_type, to_attr_value, to_plain_value
from opspec_lint.frameworks.paddle.extract.declarations import Declarations
from opspec_lint.frameworks.paddle.extract.dialect.compat import CLOSE
from opspec_lint.frameworks.paddle.saved.pir.patches import SCALAR
from opspec_lint.kit.bounded_cache import BoundedCache
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.frameworks.paddle.extract.declarations import Flags
    from opspec_lint.frameworks.paddle.extract.dialect.compat import Compat, CompatEntries, Config
    from opspec_lint.frameworks.paddle.extract.dialect.entry import DialectEntry, Kernel
    from opspec_lint.frameworks.paddle.extract.dialect.results import LocatedPirOp
    from opspec_lint.frameworks.paddle.extract.dialect.rules import DialectRules
    from opspec_lint.frameworks.paddle.extract.yaml.ops import Argument
    from opspec_lint.spec.records import AttrRecord, Place

_ANY_KERNEL: Kernel = {"name": "", "takes": None, "gives": None}
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
"""The types of the dialect by the types in YAML, and by the kinds in a kernel signature."""
_ENUMERATORS = {
    "paddle::dialect::DataTypeAttribute": pattern(r"(?:\w+::)*DataType::(\w+)"),
    "paddle::dialect::DataLayoutAttribute": pattern(r"(?:\w+::)*DataLayout::(\w+)"),
    "paddle::dialect::PlaceAttribute": pattern(r"(?:\w+::)*(\w*Place\(\)|\{\})"),
}
"""The form of defaults that are names of enumerators; the group is the stored name."""
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
"""Paddle's attr types by attribute type of the dialect."""
_ARRAY = pattern(r"pir::ArrayAttribute<(.*)>")
_MADE = BoundedCache(most=5_000)
"""Entries and their ops, by all that these depend on: the next revision has nearly the same entries, as objects."""


class OpMaker(Record):
    """The rules that make ops from the entries of one file.

    `dialect` is the prefix of op names, and `suffix` an ending such as `sp`, "" for none. `has_scalars`: Scalars can be
    mutable. `rules_text` is the text of `rules`, the same for equal rules.
    """

    compats: CompatEntries
    rules: DialectRules
    rules_text: str
    dialect: str
    suffix: str
    has_scalars: bool

    def ops(self, entry: DialectEntry, path: str) -> dict[str, LocatedPirOp]:
        """Return the ops that an entry declares, by name.

        Raises UnresolvedError for an entry that cannot be evaluated.
        """
        compat = self.compats.entry_for(entry["name"], entry["forward"], entry["marked"], entry["attrs"])
        attrs = {argument["name"]: argument for argument in entry["attrs"]}
        mutable = self.compats.mutable_attrs(compat, entry["name"], attrs, has_scalars=self.has_scalars)
        # Of op_compat.yaml, the builder reads these attrs and the scalars.
        settings = self.rules_text, self.dialect, self.suffix, path
        key = (id(entry), *settings, tuple(mutable.items()), tuple(compat.scalars.items()))
        # The entry is kept with its ops: the id of a freed entry could be given to another one.
        known: tuple[DialectEntry, dict[str, LocatedPirOp]] | None = _MADE.get(key)
        if known is None:
            builder = _OpBuilder(self.rules, entry, compat, path, mutable)
            try:
                known = _MADE[key] = entry, dict(builder.variants(self, _variant_names(entry)))
            except UnresolvedError as error:
                raise error.at(path, entry["line"]) from None
        return known[1]

    def full_name(self, name: str) -> str:
        """Return the name of an op in programs: `pd_op.relu`, `pd_op.relu_sp`."""
        if not self.suffix:
            return f"{self.dialect}.{name}"
        ending = f"{self.suffix}_" if name.endswith("_") else f"_{self.suffix}"
        return f"{self.dialect}.{name}{ending}"


def _variant_names(entry: DialectEntry) -> list[str]:
    """Return the names of an op and its inplace variant."""
    name = entry["name"]
    if (entry["inplace"] is None and not entry["has_view"]) or name.endswith("_"):
        return [name]
    return [name, f"{name}_"]


class _OpBuilder:
    """The ops of one entry; `mutable` are its attrs that are inputs, with their types."""

    def __init__(
        self, rules: DialectRules, entry: DialectEntry, compat: Compat, path: str, mutable: dict[str, str]
    ) -> None:
        self._rules = rules
        self._entry = entry
        self._compat = compat
        self._path = path
        self._mutable = mutable

    def variants(self, maker: OpMaker, names: Sequence[str]) -> Iterator[tuple[str, LocatedPirOp]]:
        """Yield each variant of the op with its name: plain and inplace, and for each kernel if the rules dispatch."""
        entry = self._entry
        dispatches = len(entry["kernels"]) > 1 and self._rules.dispatches
        kernels = entry["kernels"] if dispatches else entry["kernels"][:1]
        attrs = self._attrs()
        for name in names:
            if name in self._rules.by_hand or (self._rules.skips_add_n_grad and name == "add_n_grad"):
                continue
            inplace_mark = "_" if name.endswith("_") else ""
            for kernel in kernels or [_ANY_KERNEL]:
                variant_name = kernel["name"] + inplace_mark if dispatches else name
                variant = self._inputs_and_outputs(kernel)
                variant.attrs = attrs
                fields = {"kernel_of": maker.full_name(name).partition(".")[2]} if dispatches else {}
                yield (
                    maker.full_name(variant_name),
                    variant.to_op((self._path, entry["line"], entry["column"]), **fields),
                )

    def _attrs(self) -> list[tuple[AttrRecord, Place]]:
        """Return the attrs that are not mutable."""
        declarations = Declarations()
        for attr in self._entry["attrs"]:
            if attr["name"] not in self._mutable:
                kind = self._attr_type(attr)
                declarations.add_attr(attr["name"], kind, self._place(attr), self._default(attr, kind))
        return declarations.attrs

    def _inputs_and_outputs(self, kernel: Kernel) -> Declarations:
        """Return the inputs, mutable attrs and outputs in the form that a kernel takes them."""
        entry = self._entry
        declarations = Declarations()
        for index, argument in enumerate(entry["inputs"]):
            flags = self._flags(argument, is_optional=argument["name"] in entry["optional"])
            variable = declarations.add_variable("inputs", argument["name"], self._place(argument), flags)
            variable["type"] = self._tensor_type(argument, kernel["takes"], index)
        by_name = {argument["name"]: argument for argument in entry["attrs"]}
        for name, kind in self._mutable.items():
            attr = by_name[name]
            declarations.add_mutable_attr(name, kind, self._place(attr), self._default(attr, kind))
        for index, argument in enumerate(entry["outputs"]):
            variable = declarations.add_variable(
                "outputs", argument["name"], self._place(argument), self._output_flags(argument)
            )
            variable["type"] = self._tensor_type(argument, kernel["gives"], index)
        return declarations

    def _output_flags(self, output: Argument) -> Flags:
        """Yield the flags of an output."""
        entry, name = self._entry, output["name"]
        is_intermediate = name in entry["intermediate"]
        is_optional = name in entry["optional"] or (is_intermediate and self._rules.optional_intermediates)
        if self._rules.optional_inplace and (entry["inplace"] or {}).get(name) in entry["optional"]:
            is_optional = True
        yield from self._flags(output, is_optional=is_optional)
        yield "intermediate", is_intermediate

    def _flags(self, argument: Argument, *, is_optional: bool) -> Flags:
        """Yield the flags of an input or output."""
        yield "duplicable", argument["type"].endswith("[]")
        yield "dispensable", is_optional

    def _tensor_type(self, argument: Argument, kinds: Sequence[str] | None, index: int) -> str:
        """Return the type of an input or output: the kernel's if the rules dispatch, or else the argument's."""
        type_name = argument["type"]
        if kinds is not None and self._rules.dispatches:
            type_name = kinds[index] if index < len(kinds) else ""
        kind = _TYPES.get(type_name)
        if kind is None:
            problem = f"the kernel does not state the type of {argument['name']!r}" if kinds else "unknown type"
            raise UnresolvedError(problem)
        return kind

    def _place(self, argument: Argument) -> Place:
        """Return the place of an argument in its entry."""
        return self._path, argument["line"], argument["column"]

    def _attr_type(self, attr: Argument) -> str:
        """Return the attribute type of an attr."""
        kind = self._rules.types.get(attr["type"])
        if kind is None:
            raise UnresolvedError(f"the type {attr['type']} of the attr {attr['name']!r} is not known")
        return f"{SCALAR}<{self._scalar_type(attr)}>" if kind == SCALAR else kind

    def _scalar_type(self, attr: Argument) -> str:
        """Return the C++ type of a Scalar that stays an attr, as the code that builds the op chooses it."""
        cpp_type, _ = self._compat.scalars.get(attr["name"], _NO_CONFIG)
        if self._rules.compat_types and cpp_type and self._entry["name"] not in CLOSE:
            return cpp_type
        return self._rules.data_types.get(attr["type"], "")

    def _default(self, attr: Argument, kind: str) -> Any:
        """Return the default of an attr; the error names it and its place."""
        try:
            return default_value(attr["default"], kind)
        except UnresolvedError as error:
            problem = f"the default {attr['default']} of {attr['name']!r} is unknown: {error.reason}"
            raise UnresolvedError(problem, self._path, attr["line"]) from None


def default_value(text: str | None, kind: str) -> Any:
    """Return a default as plain data; None where `text` is None, for no default.

    `kind` is the attribute type of the dialect. Raises UnresolvedError for a text that cannot be evaluated.
    """
    if text is None:
        return None
    name = _ENUMERATORS.get(kind)
    if name is not None:
        match = name.fullmatch(text)
        if match is None:
            raise UnresolvedError("it is not the name of an enumerator")
        return match[1] if match[1] != "{}" else "Place()"
    attr_type_name = held_attr_type(kind)
    # A number may be written in quotes.
    if not attr_type_name.startswith("STRING") and text[:1] == text[-1:] == '"':
        text = text[1:-1]
    tokens = tokenize(text, 0, len(text))
    return to_plain_value(to_attr_value(evaluate(tokens, 0, len(tokens), NoNames()), attr_type_name))


def held_attr_type(kind: str) -> str:
    """Return Paddle's attr type for the value of an attribute of the dialect; "" if there is none."""
    if kind.startswith(f"{SCALAR}<"):
        return attr_type(kind[len(SCALAR) + 1 : -1]) or ""
    array = _ARRAY.fullmatch(kind)
    if array is not None:
        inner = _ELEMENTS.get(array[1], "")
        return f"{inner}S" if inner else ""
    return _ELEMENTS.get(kind, "")
