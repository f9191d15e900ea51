"""The writer of single-op ONNX models: one node, inputs of rank 1, and an import of the opset of its schema."""

from __future__ import annotations

from opspec_lint.frameworks.onnx import _writing
from opspec_lint.frameworks.onnx.identity import split_identity
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.proof.writer import Writer
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.proof.sample import Sample
    from opspec_lint.spec.model import Attr, Input, Op, Output, Spec

_IR_VERSION = 7
"""The IR version of onnx 1.7, which all later releases take."""
_RANK = 1
_MAX_TYPES = 8
"""Types per op that are tried."""
_PLAIN: Mapping[str, tuple[Any, ...]] = {
    "INT": (1, 0, 2),
    "FLOAT": (1.0, 0.5),
    "STRING": ("a", "b"),
    "INTS": ((1,), (1, 1)),
    "FLOATS": ((1.0,), (1.0, 1.0)),
    "STRINGS": (("a",), ("a", "b")),
}
_PREFERRED = "tensor(float)"


def write(sample: Sample, spec: Spec) -> bytes:
    """Return the bytes of a sample's model.

    Raises:
        UnwritableError: the op is deprecated, the release runs it with no types, or it is a constant without a value.
    """
    if sample.op.get("deprecated") is True:
        raise UnwritableError(f"{sample.op.name!r} is deprecated")
    if sample.op.get("kernels") is not UNKNOWN and not any(_running_combinations(sample.op)):
        raise UnwritableError(f"the release has no kernel for {sample.op.name!r}")
    domain, op, since = split_identity(sample.op.name)
    types = {**_default_types(sample.op), **sample.types}
    # The names of tensors begin with the first letter of their section.
    tensors = {
        section: _tensors(section[0], getattr(sample.op, section), getattr(sample, section), types)
        for section in ("inputs", "outputs")
    }
    kinds = {attr.name: str(attr.type) for attr in sample.op.attrs}
    attributes = [
        _writing.attribute_field(key, kinds[key], value) for key, value in sample.attrs.items() if value is not None
    ]
    if op == "Constant" and not domain and not attributes:  # its schema calls each of its attributes optional
        raise UnwritableError("a Constant has to have one of its attributes")
    inputs, outputs = ([name for name, _ in tensors[section]] for section in ("inputs", "outputs"))
    node = _writing.node_field(domain, op, inputs, outputs, attributes)
    # GraphProto: 11 input, 12 output. The checker refuses inputs and outputs without a shape.
    values = [
        _writing.value_info_field(number, name, kind, _RANK)
        for section, number in (("inputs", 11), ("outputs", 12))
        for name, kind in tensors[section]
        if name
    ]
    imported = [("", _default_opset(spec))] if domain else []
    return _writing.encode_model(_IR_VERSION, domain, since, node + b"".join(values), imported)


def _tensors(
    prefix: str, arguments: Sequence[Input | Output], counts: Mapping[str, int], types: Mapping[str, str]
) -> list[tuple[str, str]]:
    """Return the name and type of each input or output of the node, up to the last one that the sample has.

    `counts` has the number of tensors by argument. An omitted argument before that has the name "", as in ONNX.
    """
    given = [index for index, argument in enumerate(arguments) if counts.get(argument.name)]
    end = given[-1] + 1 if given else 0
    tensors = []
    for index, argument in enumerate(arguments[:end]):
        tensor_type = types.get(str(argument.type), str(argument.type))
        count = counts.get(argument.name, 0)
        names = [f"{prefix}{index}.{number}" for number in range(count)] or [""]
        tensors += [(name, tensor_type) for name in names]
    return tensors


def _default_opset(spec: Spec) -> int:
    """Return an opset of the default domain that a release takes."""
    opsets = spec.loading.get("opsets")
    opset = opsets.get("ai.onnx") if isinstance(opsets, dict) else None
    return opset if type(opset) is int else 1


def _default_types(op: Op) -> dict[str, str]:
    """Return the types by type variable that a model has by default: types with a kernel, floats first."""
    constraints: Mapping[str, tuple[str, ...]] = op.get("type_constraints") or {}
    preferred = {
        name: _PREFERRED if _PREFERRED in types else next(iter(types), _PREFERRED)
        for name, types in constraints.items()
    }
    runs = list(_running_combinations(op))
    return max(
        runs,
        key=lambda combination: sum(preferred.get(name) == kind for name, kind in combination.items()),
        default=preferred,
    )


def _running_combinations(op: Op) -> Iterator[dict[str, str]]:
    """Yield the combinations of types that a kernel runs an op with."""
    kernels = op.get("kernels")
    for text in sorted({text for texts in kernels.values() for text in texts} if kernels else ()):
        yield dict(pair.split("=", 1) for pair in text.split("; ") if "=" in pair)


def typings(op: Op, reference: Op | None) -> Iterator[Mapping[str, str]]:
    """Yield types that the schema `op` allows, or that a kernel runs it with, and `reference` does not."""
    excluded = [] if reference is None else list(_running_combinations(reference))
    combinations = [combination for combination in _running_combinations(op) if combination not in excluded]
    yield from combinations[:_MAX_TYPES]
    constraints: Mapping[str, tuple[str, ...]] = op.get("type_constraints") or {}
    allowed: Mapping[str, tuple[str, ...]] = (reference.get("type_constraints") or {}) if reference is not None else {}
    for name, types in constraints.items():
        gone = [kind for kind in types if kind not in allowed.get(name, ())]
        yield from ({name: kind} for kind in gone[:_MAX_TYPES])


def values_of(attr: Attr) -> list[Any]:
    """Return values of an attribute's type, the simplest first; None, if it may be omitted, comes before all.

    Raises:
        UnwritableError: the attribute is required, and no value of its type is known.
    """
    values = list(_PLAIN.get(str(attr.type), ()))
    if attr.get("required") is not True and attr.default_value in (None, UNKNOWN):
        return [None, *values]
    if not values:
        raise UnwritableError(f"no value of the type {attr.type} is known")
    return values


WRITER = Writer(
    summary="an ONNX model",
    format="onnx",
    suffix=".onnx",
    write=write,
    values=values_of,
    writes_defaults=False,
    typings=typings,
)
