"""Completion of the spec of a wheel by the facts of its library, which is what runs."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.extract.dialect.completion import add_legacy_names, translated_ops
from opspec_lint.frameworks.paddle.extract.dialect.legacy_names import LegacyNames
from opspec_lint.frameworks.paddle.extract.dialect.results import FRAMEWORK, known_fields
from opspec_lint.spec.canonical import RecordWriter
from opspec_lint.spec.model import UNKNOWN, Input, Output
from opspec_lint.spec.records import OpReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeVar

    from opspec_lint.frameworks.paddle.extract.dialect.results import PirOp
    from opspec_lint.spec.fields import Section
    from opspec_lint.spec.model import Argument, Attr, Op, Spec
    from tools.pir_release.library import Library

    A = TypeVar("A", bound=Argument)

_SCALAR = "ScalarAttribute"
_LIST = "VectorType"
_DIALECT, _OF_SPARSE = "pd_op.", "_sp"


def with_library(spec: Spec, library: Library, classes: Mapping[str, str]) -> Spec:
    """Return the spec of a wheel, completed by the declarations of its library.

    Args:
        spec: the spec of the wheel.
        library: the facts of its library.
        classes: the names of the C++ classes by the names of their ops.
    """
    legacy, kernels, records = _legacy_names(library), _kernels(library), RecordWriter(spec)
    known_fields, reader = _known_fields(has_names=False), OpReader(FRAMEWORK, _known_fields(has_names=True))
    ops = {}
    for name, op in spec.ops.items():
        info = library.infos.get(classes.get(name, ""))
        declared = op if info is None else _redeclared(op, info)
        record: PirOp = records.op(declared, known_fields)
        if name in kernels:
            record["kernel_of"] = kernels[name]
        ops[name] = reader.op(name, add_legacy_names(record, legacy, translated_ops(name, record, legacy))).replace(
            origin=op.origin
        )
    return spec.replace(ops=ops)


def _known_fields(*, has_names: bool) -> dict[Section, list[str]]:
    """Return the fields that ops state before or after they are named; inputs of a library also state a default."""
    fields_by_section = known_fields(has_names=has_names)
    return {
        **{section: sorted(fields) for section, fields in fields_by_section.items()},
        "inputs": sorted(fields_by_section["inputs"] | {"default"}),
    }


def _legacy_names(library: Library) -> LegacyNames:
    tensors = {op: {attr: tuple(reversed(names)) for attr, names in of.items()} for op, of in library.tensors.items()}
    extra = {op: frozenset(attrs) for op, attrs in library.extra.items()}
    arguments = {op: dict(names) for op, names in library.arguments.items()}
    return LegacyNames(tables=(dict(library.ops), arguments, tensors, extra))


def _kernels(library: Library) -> dict[str, str]:
    """Return the op of each kernel, by the name of the kernel as an op."""
    return {
        f"{_DIALECT}{kernel}{_OF_SPARSE if sparse else ''}": op
        for sparse, of_ops in library.kernels.items()
        for op, kernels in of_ops.items()
        for kernel in kernels
    }


def _redeclared(op: Op, info: Mapping[str, list[list[Any]]]) -> Op:
    inputs = {argument.name: argument for argument in op.inputs}
    outputs = {output.name: output for output in op.outputs}
    attrs = {name: facts for name, *facts in info["attrs"]}
    return op.replace(
        inputs=tuple(_input(inputs.get(name) or Input(name=name), *facts) for name, *facts in info["inputs"]),
        outputs=tuple(_output(outputs.get(name) or Output(name=name), *facts) for name, *facts in info["outputs"]),
        attrs=tuple(_attr(attr, *attrs[attr.name]) for attr in op.attrs),
    )


def _input(known: Input, kind: str, is_optional: bool, is_mutable: bool) -> Input:
    argument = _argument(known, kind, is_optional)
    if is_mutable and known.get("mutable_attr") is not True:  # no `Build` takes it as an attr
        return argument.replace(
            own={"mutable_attr": True, "default": None}, type=UNKNOWN if kind.endswith(_SCALAR) else kind
        )
    return argument.replace(own={**known.own, "mutable_attr": is_mutable})


def _output(known: Output, kind: str, is_optional: bool, is_intermediate: bool) -> Output:
    return _argument(known, kind, is_optional).replace(own={**known.own, "intermediate": is_intermediate})


def _argument(known: A, kind: str, is_optional: bool) -> A:
    """Return an input or output with its type and flags; only the wheel states the type inside a Scalar."""
    own = kind if known.type is UNKNOWN else known.type
    return known.replace(type=own, dispensable=is_optional, duplicable=_LIST in kind)


def _attr(known: Attr, kind: str, held: str) -> Attr:
    if known.type is not UNKNOWN or (kind.endswith(_SCALAR) and not held):
        return known
    return known.replace(type=f"{kind}<{held}>" if kind.endswith(_SCALAR) else kind)
