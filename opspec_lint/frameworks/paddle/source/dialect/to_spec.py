"""Makes the spec of the ops of PIR's dialects that a tree declares."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.declared import Declaration, Flag, OpDeclaration, numbers, without_places
from opspec_lint.frameworks.paddle.source.dialect.completion import completed, told_of
from opspec_lint.frameworks.paddle.source.dialect.found import PACKING
from opspec_lint.frameworks.paddle.source.dialect.legacy import Legacy
from opspec_lint.sources.packing import getter, position
from opspec_lint.spec.model import UNKNOWN, Attr, GraphVersions, Input, Op, Origin, Output, Provenance, Spec
from opspec_lint.spec.op_table import OpTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from opspec_lint.frameworks.paddle.source.dialect.found import Extraction, Patches
    from opspec_lint.frameworks.paddle.source.dialect.wheel import WheelFound
    from opspec_lint.spec.model import Remark, Unknown

FRAMEWORK = "paddle-pir"
BY_POSITION = "position"
_OP = getter(OpDeclaration, "inputs", "outputs", "attrs", "is_variadic", "kernel_of", "file", "line", "column")
_ARGUMENT = getter(Declaration, "name", "type", "default", "flags", "file", "line", "column")
_KERNEL_OF = position(OpDeclaration, "kernel_of")
_FIELDS = {"kernel_of": lambda record: record[0][_KERNEL_OF], "legacy_names": lambda record: record[2][0]}
"""The fields of an op that its record states, where legacy names are known."""


def spec_of(found: Extraction, file: str, commit: str | None, made_by: str) -> Spec:
    """Return the spec of a tree.

    Args:
        found: what the tree declares.
        file: what the user called it.
        commit: the id of its commit, None where it has none.
        made_by: the source.
    """
    provenance = Provenance(framework=FRAMEWORK, commit=commit, made_by=made_by)
    ops = _Ops(Legacy(PACKING.plain(PACKING.packed(found.legacy))))
    return _spec(found.ops, ops, found.patches, found.remarks, file, provenance)


def of_wheel(found: WheelFound, file: str, version: str | None, commit: str | None, made_by: str) -> Spec:
    """Return the spec of a package.

    Args:
        found: what the package declares.
        file: what the user called it.
        version: its version, None where it does not say.
        commit: the id of the commit that it was built of, None where it does not say.
        made_by: the source.
    """
    provenance = Provenance(framework=FRAMEWORK, version=version, commit=commit, made_by=made_by)
    return _spec(PACKING.packed(dict(found.ops)), _Ops(None), found.patches, found.remarks, file, provenance)


def _spec(  # noqa: PLR0913, PLR0917 - what a spec is made of
    declared: Mapping[str, Any], ops: _Ops, patches: Patches, remarks: tuple[Remark, ...], file: str,
    provenance: Provenance,
) -> Spec:  # fmt: skip
    return Spec(
        file=file,
        provenance=provenance,
        ops=OpTable(
            {
                name: (op, patches.of_ops.get(name, ()), told_of(name, ops.legacy, op[_KERNEL_OF]))
                for name, op in declared.items()
            },
            ops.op,
            lambda record: numbers(record[0]),
            (str(provenance.made_by), ops.legacy is not None),
            located=ops.legacy is not None,
            declared=lambda record: (without_places(record[0]), *record[1:]),
            fields={} if ops.legacy is None else _FIELDS,
        ),
        binding=BY_POSITION,
        graph_versions=None if patches.version is None else GraphVersions(producer=patches.version, min_producer=1),
        loading=patches.loading,
        field_origins=patches.places,
        remarks=(*remarks, *patches.remarks),
    )


class _Ops:
    """Makes ops of what is declared.

    Args:
        legacy: what op_compat.yaml says, None for a wheel.
    """

    def __init__(self, legacy: Legacy | None) -> None:
        self.legacy = legacy

    def op(self, name: str, record: tuple[Any, tuple[str, ...] | None, Any]) -> Op:
        """Return the op of a packed one and of its patches, with what else is told of it."""
        inputs, outputs, attrs, is_variadic, kernel_of, file, line, column = _OP(record[0])
        op = Op(
            name=name,
            inputs=tuple(map(_input, inputs)),
            outputs=tuple(map(_output, outputs)),
            attrs=tuple(map(_attr, attrs)),
            own={"variadic": is_variadic},
            origin=Origin(file=file, line=line, column=column),
        )
        return completed(op, self.legacy, kernel_of, record[1])


def _input(packed: tuple[Any, ...]) -> Input:
    name, kind, default, flags, file, line, column = _ARGUMENT(packed)
    is_mutable = bool(flags & Flag.MUTABLE)
    return Input(
        name=name,
        type=UNKNOWN if kind is None else kind,
        duplicable=_flag(flags, Flag.DUPLICABLE),
        dispensable=_flag(flags, Flag.DISPENSABLE),
        own={"mutable_attr": is_mutable, **({"default": PACKING.unpacked(default)} if is_mutable else {})},
        origin=Origin(file=file, line=line, column=column),
    )


def _output(packed: tuple[Any, ...]) -> Output:
    name, kind, _, flags, file, line, column = _ARGUMENT(packed)
    return Output(
        name=name,
        type=UNKNOWN if kind is None else kind,
        duplicable=_flag(flags, Flag.DUPLICABLE),
        dispensable=_flag(flags, Flag.DISPENSABLE),
        own={} if flags & Flag.UNTOLD else {"intermediate": bool(flags & Flag.INTERMEDIATE)},
        origin=Origin(file=file, line=line, column=column),
    )


def _attr(packed: tuple[Any, ...]) -> Attr:
    name, kind, default, _, file, line, column = _ARGUMENT(packed)
    value = PACKING.unpacked(default)
    return Attr(
        name=name,
        type=UNKNOWN if kind is None else kind,
        default_value=value,
        origin=Origin(file=file, line=line, column=column),
    )


def _flag(flags: int, flag: int) -> bool | Unknown:
    return UNKNOWN if flags & Flag.UNTOLD else bool(flags & flag)
