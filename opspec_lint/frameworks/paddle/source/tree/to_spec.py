"""Makes the spec of what a tree declares."""

from __future__ import annotations

from collections.abc import Mapping

from opspec_lint.frameworks.paddle.source import declared
from opspec_lint.frameworks.paddle.source.bounds import Bounds
from opspec_lint.frameworks.paddle.source.declared import Flag
from opspec_lint.frameworks.paddle.source.tree.found import LATE
from opspec_lint.sources.packing import getter, position
from opspec_lint.spec.model import UNKNOWN, Attr, Input, Op, Origin, Output, Provenance, Spec
from opspec_lint.spec.op_table import OpTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Any, TypeAlias, TypeVar

    from opspec_lint.frameworks.paddle.source.declared import Declaration
    from opspec_lint.frameworks.paddle.source.tree.found import Extraction

    _V = TypeVar("_V", Input, Output)
    _Packed: TypeAlias = tuple[Any, tuple[str, ...]]
    """A packed op, and the builds that have it, none for all."""

_FLAGS = {
    "duplicable": Flag.DUPLICABLE,
    "dispensable": Flag.DISPENSABLE,
    "intermediate": Flag.INTERMEDIATE,
    "extra": Flag.EXTRA,
    "quant": Flag.QUANT,
}
_OP = getter(declared.OpDeclaration, "inputs", "outputs", "attrs", "file", "line", "column")
_VARIABLE = getter(declared.Declaration, "name", "flags", "file", "line", "column")
_ATTR = getter(
    declared.Declaration, "name", "type", "default", "flags", "generated", "bounds", "file", "line", "column"
)
_CHECKPOINTS, _PLACES = position(declared.History, "checkpoints"), position(declared.History, "places")
_NAMES = position(declared.Aliases, "names")
_ATTR_FLAGS = {"extra": Flag.EXTRA, "quant": Flag.QUANT, "support_tensor": Flag.SUPPORT_TENSOR}


def spec_of(found: Extraction, file: str, provenance: Provenance) -> Spec:
    """Return the spec of a tree.

    Args:
        found: what the tree declares.
        file: what the user called it.
        provenance: where it comes from.
    """
    return Spec(
        file=file,
        provenance=provenance,
        ops=OpTable(
            {name: (op, found.builds.get(name, ())) for name, op in found.ops.items()},
            _Ops(found.fields, found.boilerplate).op,
            lambda record: declared.numbers(record[0]),
            ("paddle-source", found.fields, repr(found.boilerplate)),
            located=True,
            declared=lambda record: (declared.without_places(record[0]), record[1]),
            fields={"builds": lambda record: record[1]},
        ),
        op_versions={op: declared.PACKING.unpacked(each[_CHECKPOINTS]) for op, each in found.histories.items()}
        if found.histories or found.has_versions
        else UNKNOWN,
        history_origins=_Late(found.histories, _PLACES),
        name_origins=_Late(found.aliases, _NAMES),
        remarks=found.remarks,
    )


class _Late(Mapping[str, "Any"]):
    """A field of packed records, by op; that of an op is unpacked when it is asked for.

    Args:
        packed: the records.
        field: the position of the field in each.
    """

    def __init__(self, packed: Mapping[str, Any], field: int) -> None:
        self._packed = packed
        self._field = field
        self._unpacked: dict[str, Any] = {}

    def __getitem__(self, op: str) -> Any:
        if op not in self._unpacked:
            self._unpacked[op] = declared.PACKING.unpacked(self._packed[op][self._field])
        return self._unpacked[op]

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


class _Ops:
    """Makes ops of what is declared; the attrs of the framework, which every op has, are made once.

    Args:
        fields: those of the late flags that the tree knows.
        boilerplate: the attrs that every op has.
    """

    def __init__(self, fields: Collection[str], boilerplate: tuple[Declaration, ...]) -> None:
        self._unknown: dict[str, Any] = dict.fromkeys((flag for flag in LATE if flag not in fields), UNKNOWN)
        self._boilerplate = tuple(self._attr(declared.PACKING.packed(each)) for each in boilerplate)

    def op(self, name: str, record: _Packed) -> Op:
        """Return the op of a packed one, and of the builds that have it."""
        inputs, outputs, attrs, file, line, column = _OP(record[0])
        return Op(
            name=name,
            inputs=tuple([self._variable(Input, each) for each in inputs]),
            outputs=tuple([self._variable(Output, each) for each in outputs]),
            attrs=(*map(self._attr, attrs), *self._boilerplate),
            builds=record[1],
            origin=Origin(file=file, line=line, column=column),
        )

    def _variable(self, make: type[_V], packed: tuple[Any, ...]) -> _V:
        name, mask, file, line, column = _VARIABLE(packed)
        return make(name=name, **self._flags(mask, _FLAGS), origin=Origin(file=file, line=line, column=column))

    def _attr(self, packed: tuple[Any, ...]) -> Attr:
        name, kind, default, mask, generated, limits, file, line, column = _ATTR(packed)
        bounds = declared.PACKING.unpacked(limits) or _UNBOUND
        unset = UNKNOWN if bounds.unknown else None
        return Attr(
            name=name,
            type=kind or "",
            default_value=declared.PACKING.unpacked(default),
            allowed_values=unset if bounds.allowed is None else bounds.allowed,
            minimum=unset if bounds.minimum is None else bounds.minimum,
            maximum=unset if bounds.maximum is None else bounds.maximum,
            **self._flags(mask, _ATTR_FLAGS) | {"generated": generated},
            origin=Origin(file=file, line=line, column=column),
        )

    def _flags(self, mask: int, flags: dict[str, int]) -> dict[str, Any]:
        return {flag: self._unknown.get(flag, bool(mask & bit)) for flag, bit in flags.items()}


_UNBOUND = Bounds()
