"""The ops of the dialect that an entry in YAML declares: the op itself, its inplace variant, one for each kernel."""

from __future__ import annotations

import re

from opspec_lint.frameworks.paddle.cpp.expressions import NoNames, evaluate
from opspec_lint.frameworks.paddle.cpp.tokens import tokens
from opspec_lint.frameworks.paddle.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.cpp.values import attr_type, converted
from opspec_lint.frameworks.paddle.declared import plain
from opspec_lint.frameworks.paddle.dialect.records import DISPENSABLE, DUPLICABLE, INTERMEDIATE, MUTABLE
from opspec_lint.frameworks.paddle.yaml.entries import Scalar, YamlEntry, resolved
from opspec_lint.frameworks.paddle.yaml.ops import COMMA, arguments_of, is_input, name_of, outputs_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from opspec_lint.frameworks.paddle.dialect.compat import Compats
    from opspec_lint.frameworks.paddle.dialect.records import AttrRecord, OpRecord, VariableRecord
    from opspec_lint.frameworks.paddle.dialect.rules import Rules
    from opspec_lint.frameworks.paddle.yaml.ops import Argument, YamlSource

_KERNEL = re.compile(r"(\w+)\s*(\{[^}]+\})?")
_FORWARD = re.compile(r"([a-z][a-z0-9_]+)\s*\(")
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
_SCALAR = "paddle::dialect::ScalarAttribute"
_NAMES = {
    "paddle::dialect::DataTypeAttribute": re.compile(r"(?:\w+::)*DataType::(\w+)"),
    "paddle::dialect::DataLayoutAttribute": re.compile(r"(?:\w+::)*DataLayout::(\w+)"),
    "paddle::dialect::PlaceAttribute": re.compile(r"(?:\w+::)*(\w*Place\(\)|\{\})"),
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
_ARRAY = re.compile(r"pir::ArrayAttribute<(.*)>")


class Kernel:
    """A kernel of an entry: what it is called, and the kinds of tensors that it takes and gives, None for any."""

    __slots__ = ("inputs", "name", "outputs")

    def __init__(self, name: str, inputs: Sequence[str] | None, outputs: Sequence[str] | None) -> None:
        self.name = name
        self.inputs = inputs
        self.outputs = outputs


class Entry:
    """What an entry of a YAML file says, as far as the dialect goes."""

    def __init__(self, entry: YamlEntry, source: YamlSource) -> None:
        self.name = name_of(entry)
        self.place = source.find(self.name, entry.start, len(source.text))
        declared = arguments_of(_text(entry, "args"), source)
        self.inputs = [each for each in declared if is_input(each.type)]
        self.attrs = [each for each in declared if not is_input(each.type)]
        has_outputs = resolved(entry.get("output")) is not None
        self.outputs = outputs_of(_text(entry, "output"), source) if has_outputs else []
        self.optional = _listed(entry, "optional")
        self.intermediate = _listed(entry, "intermediate")
        found = entry.get("support_tensor")
        self.marked = frozenset(map(str, found)) if isinstance(found, list) else frozenset()
        forward = _FORWARD.search(str(entry.get("forward", "")))
        self.forward = forward[1] if forward else ""
        is_base = "invoke" not in entry and not ("composite" in entry and "kernel" not in entry)
        self.inplace = _pairs(entry, "inplace") if is_base else None
        self.has_view = is_base and "view" in entry
        self.kernels = list(_kernels(entry)) if is_base else []


def declared(  # noqa: PLR0913 - an entry and all that bears on it
    entry: Entry, compats: Compats, rules: Rules, path: str, *, dialect: str, suffix: str, has_scalars: bool
) -> list[tuple[str, OpRecord]]:
    """Return the ops that an entry declares, by name.

    Args:
        entry: the entry.
        compats: op_compat.yaml.
        rules: the rules of the generator.
        path: the file of the entry.
        dialect: what stands before the dot in the name of an op.
        suffix: what its ops end in, such as `sp`; "" for none.
        has_scalars: whether its Scalars can be mutable.

    Raises:
        UnresolvedError: it cannot be told.
    """
    try:
        return list(_Maker(entry, compats, rules, path, suffix, has_scalars=has_scalars).ops(dialect))
    except UnresolvedError as error:
        raise error.at(path, entry.place[0]) from None


class _Maker:
    def __init__(  # noqa: PLR0913 - an entry and all that bears on it
        self, entry: Entry, compats: Compats, rules: Rules, path: str, suffix: str, *, has_scalars: bool
    ) -> None:
        self._entry = entry
        self._rules = rules
        self._path = path
        self._ending = suffix
        self._compat = compats.of(entry.name, entry.forward, entry.marked, entry.attrs)
        by_name = {each.name: each for each in entry.attrs}
        self._mutable = compats.mutable(self._compat, self._names()[0], by_name, has_scalars=has_scalars)

    def ops(self, dialect: str) -> Iterator[tuple[str, OpRecord]]:
        kernels = self._entry.kernels
        several = len(kernels) > 1 and self._rules.dispatches
        attrs = tuple(self._attr(each) for each in self._entry.attrs if each.name not in self._mutable)
        for name in self._names():
            if name in self._rules.by_hand or (self._rules.skips_add_n_grad and name == "add_n_grad"):
                continue
            for kernel in kernels if several else kernels[:1] or [Kernel("", None, None)]:
                own = f"{kernel.name}_" if several and name.endswith("_") else kernel.name if several else name
                line, column = self._entry.place
                full = f"{dialect}.{own}{self._suffix(name)}"
                yield full, (self._path, line, column, self._inputs(kernel), self._outputs(kernel), attrs, False)

    def _names(self) -> list[str]:
        entry = self._entry
        if (entry.inplace is None and not entry.has_view) or entry.name.endswith("_"):
            return [entry.name]
        return [entry.name, f"{entry.name}_"]

    def _suffix(self, name: str) -> str:
        if not self._ending:
            return ""
        return f"{self._ending}_" if name.endswith("_") else f"_{self._ending}"

    def _inputs(self, kernel: Kernel) -> tuple[VariableRecord, ...]:
        found = [
            self._variable(each, kernel.inputs, place, (DISPENSABLE if each.name in self._entry.optional else 0))
            for place, each in enumerate(self._entry.inputs)
        ]
        by_name = {each.name: each for each in self._entry.attrs}
        for name, kind in self._mutable.items():
            attr = by_name[name]
            default = None if attr.default is None else self._default(attr, kind)
            found.append((name, kind, MUTABLE, default, *attr.place))
        return tuple(found)

    def _outputs(self, kernel: Kernel) -> tuple[VariableRecord, ...]:
        return tuple(
            self._variable(each, kernel.outputs, place, self._output_flags(each.name))
            for place, each in enumerate(self._entry.outputs)
        )

    def _output_flags(self, name: str) -> int:
        entry = self._entry
        is_intermediate = name in entry.intermediate
        is_optional = name in entry.optional or (is_intermediate and self._rules.optional_intermediates)
        if self._rules.optional_inplace and (entry.inplace or {}).get(name) in entry.optional:
            is_optional = True
        return DISPENSABLE * is_optional | INTERMEDIATE * is_intermediate

    def _variable(self, each: Argument, kinds: Sequence[str] | None, place: int, flags: int) -> VariableRecord:
        written = (
            each.type if kinds is None or not self._rules.dispatches else kinds[place] if place < len(kinds) else ""
        )
        kind = _TYPES.get(written)
        if kind is None:
            raise UnresolvedError(f"the type of {each.name!r} is not told by its kernel" if kinds else "unknown type")
        return each.name, kind, flags | (DUPLICABLE if each.type.endswith("[]") else 0), None, *each.place

    def _attr(self, attr: Argument) -> AttrRecord:
        kind = self._rules.types.get(attr.type)
        if kind is None:
            raise UnresolvedError(f"the type {attr.type} of the attr {attr.name!r} is not known")
        if kind == _SCALAR:
            kind = f"{_SCALAR}<{self._scalar_type(attr)}>"
        return attr.name, kind, None if attr.default is None else self._default(attr, kind), *attr.place

    def _scalar_type(self, attr: Argument) -> str:
        """Return what a Scalar that stays an attr holds: what the code that builds the op makes it of."""
        config = self._compat.scalars.get(attr.name, {})
        if self._rules.compat_types and "data_type" in config and self._entry.name not in ("isclose", "allclose"):
            return str(config["data_type"])
        return self._rules.data_types.get(attr.type, "")

    def _default(self, attr: Argument, kind: str) -> Any:
        try:
            return default_value(attr.default or "", kind)
        except UnresolvedError as error:
            raise UnresolvedError(
                f"the default {attr.default} of {attr.name!r} is unknown: {error.reason}", self._path, attr.place[0]
            ) from None


def default_value(text: str, kind: str) -> Any:
    """Return the value of a default as it is written, as plain data.

    Args:
        text: what is written.
        kind: the attribute of the dialect.

    Raises:
        UnresolvedError: it cannot be told.
    """
    name = _NAMES.get(kind)
    if name is not None:
        match = name.fullmatch(text)
        if match is None:
            raise UnresolvedError("it is no name of an enumerator")
        return match[1] if match[1] != "{}" else "Place()"
    held = held_type(kind)
    if not held.startswith("STRING") and text[:1] == text[-1:] == '"':
        text = text[1:-1]
    words = tokens(text, 0, len(text))
    return plain(converted(evaluate(words, 0, len(words), NoNames()), held))


def held_type(kind: str) -> str:
    """Return what an attribute of the dialect holds, as Paddle names the types of attrs; "" where that is not known."""
    if kind.startswith(f"{_SCALAR}<"):
        return attr_type(kind[len(_SCALAR) + 1 : -1]) or ""
    array = _ARRAY.fullmatch(kind)
    if array is not None:
        inner = _ELEMENTS.get(array[1], "")
        return f"{inner}S" if inner else ""
    return _ELEMENTS.get(kind, "")


def _text(entry: YamlEntry, key: str) -> Scalar:
    value = entry.get(key)
    if not isinstance(value, Scalar):
        raise UnresolvedError(f"its {key} is missing, or no text")
    return value


def _listed(entry: YamlEntry, key: str) -> frozenset[str]:
    if key not in entry:
        return frozenset()
    return frozenset(part.strip() for part in COMMA.split(_text(entry, key).strip()))


def _pairs(entry: YamlEntry, key: str) -> dict[str, str] | None:
    """Return the inputs whose place outputs take, by the output; None where the entry has no such pairs."""
    if key not in entry:
        return None
    found: dict[str, str] = {}
    for pair in COMMA.split(_text(entry, key).strip().lstrip("(").rstrip(")")):
        source, arrow, target = (word.strip(" ()") for word in pair.partition("->"))
        if not arrow:
            raise UnresolvedError(f"its {key} is not of the form INPUT -> OUTPUT")
        found[target] = source
    return found


def _kernels(entry: YamlEntry) -> Iterator[Kernel]:
    kernel = entry.get("kernel")
    if not isinstance(kernel, dict):
        return
    for name, signature in _KERNEL.findall(str(kernel.get("func", ""))):
        if not signature:
            yield Kernel(name, None, None)
            continue
        takes, arrow, gives = signature[1:-1].partition("->")
        if not arrow:
            raise UnresolvedError(f"the kernel {name} is not of the form NAME {{INPUTS -> OUTPUTS}}")
        yield Kernel(name, *([kind.strip() for kind in side.split(",")] for side in (takes, gives)))
