"""Writes the ONNX model of one op: its node, with inputs of unknown rank, and imports of the opset of its schema."""

from __future__ import annotations

from opspec_lint.frameworks.onnx import _writing
from opspec_lint.frameworks.onnx.identity import parts
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.proof.writer import Writer
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.proof.sample import Sample
    from opspec_lint.spec.model import Attr, Op, Spec

_IR_VERSION = 7
"""That of models of onnx 1.7, which all releases since take."""
_RANK = 1
_MOST = 8
"""Types that are tried of one op."""
_PLAIN: Mapping[str, tuple[Any, ...]] = {
    "INT": (1, 0, 2),
    "FLOAT": (1.0, 0.5),
    "STRING": ("a", "b"),
    "INTS": ((1,), (1, 1)),
    "FLOATS": ((1.0,), (1.0, 1.0)),
    "STRINGS": (("a",), ("a", "b")),
}
_LIKED = "tensor(float)"


def write(sample: Sample, spec: Spec) -> bytes:
    """Return the bytes of a sample's model.

    Raises:
        UnwritableError: the op is deprecated, the release runs it with no types, or it is a constant without a value.
    """
    if sample.op.get("deprecated") is True:
        raise UnwritableError(f"{sample.op.name!r} is deprecated")
    if sample.op.get("kernels") is not UNKNOWN and not any(_running(sample.op)):
        raise UnwritableError(f"the release has no kernel for {sample.op.name!r}")
    domain, op, since = parts(sample.op.name)
    types = {**_types(sample.op), **sample.types}
    ends = {}
    for section in ("inputs", "outputs"):
        said = getattr(sample, section)
        last = max((at for at, each in enumerate(getattr(sample.op, section)) if said.get(each.name)), default=-1)
        ends[section] = [
            (f"{section[0]}{at}.{number}" if said.get(each.name) else "", types.get(str(each.type), str(each.type)))
            for at, each in enumerate(getattr(sample.op, section)[: last + 1])
            for number in range(max(said.get(each.name, 0), 1))
        ]
    kinds = {each.name: str(each.type) for each in sample.op.attrs}
    attributes = [
        _writing.attribute(key, kinds[key], value) for key, value in sample.attrs.items() if value is not None
    ]
    if op == "Constant" and not domain and not attributes:  # its schema calls each of its attributes optional
        raise UnwritableError("a Constant has to have one of its attributes")
    inputs, outputs = ([name for name, _ in ends[section]] for section in ("inputs", "outputs"))
    node = _writing.operation(domain, op, inputs, outputs, attributes)
    values = [
        _writing.value_info(number, name, kind, _RANK)
        for section, number in (("inputs", 11), ("outputs", 12))
        for name, kind in ends[section]
        if name
    ]
    imported = [("", _default_opset(spec))] if domain else []
    return _writing.model(_IR_VERSION, domain, since, node + b"".join(values), imported)


def _default_opset(spec: Spec) -> int:
    """Return an opset of the default domain that a release takes."""
    told = spec.loading.get("opsets")
    found = told.get("ai.onnx") if isinstance(told, dict) else None
    return found if type(found) is int else 1


def _types(op: Op) -> dict[str, str]:
    """Return the types that a model has unless others are asked for: those that the release runs, floats first."""
    constraints: Mapping[str, tuple[str, ...]] = op.get("type_constraints") or {}
    liked = {name: _LIKED if _LIKED in each else next(iter(each), _LIKED) for name, each in constraints.items()}
    runs = list(_running(op))
    return max(runs, key=lambda each: sum(liked.get(name) == kind for name, kind in each.items()), default=liked)


def _running(op: Op) -> Iterator[dict[str, str]]:
    kernels = op.get("kernels")
    for text in sorted({text for each in kernels.values() for text in each} if kernels else ()):
        yield dict(each.split("=", 1) for each in text.split("; ") if "=" in each)


def typings(op: Op, other: Op | None) -> Iterator[Mapping[str, str]]:
    """Yield types that a schema allows, or that a release runs, and another does not."""
    theirs = [] if other is None else list(_running(other))
    mine = [each for each in _running(op) if each not in theirs]
    yield from mine[:_MOST]
    constraints: Mapping[str, tuple[str, ...]] = op.get("type_constraints") or {}
    allowed: Mapping[str, tuple[str, ...]] = (other.get("type_constraints") or {}) if other is not None else {}
    for name, types in constraints.items():
        gone = [kind for kind in types if kind not in allowed.get(name, ())]
        yield from ({name: kind} for kind in gone[:_MOST])


def values_of(attr: Attr) -> list[Any]:
    """Return values of an attribute's type, the simplest first: none for one that may be omitted.

    Raises:
        UnwritableError: the attribute is required, and no value of its type is known.
    """
    found = list(_PLAIN.get(str(attr.type), ()))
    if attr.get("required") is not True and attr.default_value in (None, UNKNOWN):
        return [None, *found]
    if not found:
        raise UnwritableError(f"no value of the type {attr.type} is known")
    return found


WRITER = Writer(
    summary="an ONNX model",
    format="onnx",
    suffix=".onnx",
    write=write,
    values=values_of,
    writes_defaults=False,
    typings=typings,
)
