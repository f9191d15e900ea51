"""Writes the ProgramDesc of one op, as save_inference_model does: feed, the op, fetch."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.attrs import BLOCKS, FIELDS, VARIABLES
from opspec_lint.frameworks.paddle.saved.programs.messages import VAR_TYPES, written
from opspec_lint.frameworks.paddle.types import ATTR_TYPES
from opspec_lint.kit.version import numbers
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.proof.writer import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from opspec_lint.proof.sample import Sample
    from opspec_lint.spec.model import Attr, Spec

_CODES = {name: code for code, name in VAR_TYPES.items()}
_SHAPE = (2, 3)
_TYPE = "float32"
_PLAIN: dict[str, tuple[Any, ...]] = {
    "INT": (1, 0, 2),
    "FLOAT": (1.0, 0.5),
    "STRING": ("", "max"),
    "BOOLEAN": (False, True),
    "LONG": (1, 0, 1 << 40),
    "FLOAT64": (1.0, 0.1),
    "SCALAR": (1.0,),
    "BLOCK": (0,),
}
_BOOL, _INTEGER, _FLOAT = 1, 2, 3
"""The types of a Scalar."""


def write(sample: Sample, spec: Spec) -> bytes:
    """Return the bytes of a sample's ProgramDesc.

    Raises:
        UnwritableError: an attr cannot hold its value.
    """
    program = written("ProgramDesc")()
    program.version.version = _number(spec.provenance.version)
    _versions(program, sample.op.name, spec)
    block = program.blocks.add(idx=0, parent_idx=0)
    inputs, outputs = _named(sample.inputs), _named(sample.outputs)
    _holder(block, "feed", "FEED_MINIBATCH")
    _holder(block, "fetch", "FETCH_LIST")
    for name in sorted({each for names in (*inputs.values(), *outputs.values()) for each in names}):
        _tensor(block, name)
    for number, name in enumerate(_all(inputs)):
        _node(block, "feed", {"X": ["feed"]}, {"Out": [name]}).attrs.append(_attr("col", "INT", number))
    node = _node(block, sample.op.name, inputs, outputs)
    kinds = {each.name: str(each.type) for each in sample.op.attrs}
    node.attrs.extend(_attr(name, kinds[name], sample.attrs[name]) for name in sorted(sample.attrs))
    for number, name in enumerate(_all(outputs)):
        _node(block, "fetch", {"X": [name]}, {"Out": ["fetch"]}).attrs.append(_attr("col", "INT", number))
    return bytes(program.SerializeToString(deterministic=True))


def _number(version: str | None) -> int:
    """Return a release as programs have it: 2006002 for 2.6.2, 0 for one that is not known."""
    release = numbers(".".join((version or "").split(".")[:3]))
    if release is None or len(release) < 3:
        return 0
    return sum(part * scale for part, scale in zip(release, (1_000_000, 1000, 1), strict=True))


def _versions(program: Any, op: str, spec: Spec) -> None:
    """Say which version of the op the release has, where it has one."""
    histories = spec.op_versions
    if isinstance(histories, dict) and histories.get(op):
        program.op_version_map.pair.add(op_name=op.encode()).op_version.version = len(histories[op])


def _named(counts: Mapping[str, int]) -> dict[str, list[str]]:
    """Return the names of the variables of each parameter."""
    return {name: [f"{name}.{number}" for number in range(count)] for name, count in sorted(counts.items())}


def _all(named: Mapping[str, list[str]]) -> Iterator[str]:
    for names in named.values():
        yield from names


def _node(block: Any, op: str, inputs: Mapping[str, list[str]], outputs: Mapping[str, list[str]]) -> Any:
    node = block.ops.add(type=op.encode())
    for into, named in ((node.inputs, inputs), (node.outputs, outputs)):
        for name, variables in named.items():
            into.add(parameter=name.encode(), arguments=[each.encode() for each in variables])
    return node


def _holder(block: Any, name: str, kind: str) -> None:
    variable = block.vars.add(name=name.encode(), persistable=True)
    variable.type.type = _CODES[kind]


def _tensor(block: Any, name: str) -> None:
    variable = block.vars.add(name=name.encode())
    variable.type.type = _CODES["LOD_TENSOR"]
    variable.type.lod_tensor.tensor.data_type = _CODES[_TYPE]
    variable.type.lod_tensor.tensor.dims.extend(_SHAPE)


def _attr(name: str, kind: str, value: Any) -> bytes:
    """Return the bytes of an attr.

    Raises:
        UnwritableError: an attr of that type cannot hold the value.
    """
    if kind not in FIELDS:
        raise UnwritableError(f"no attr of the type {kind} can be written")
    made = written("Attr")(name=name.encode(), type=ATTR_TYPES.index(kind))
    try:
        if isinstance(value, tuple):
            _put_list(made, kind, value)
        elif kind == "SCALAR":
            _put_scalar(made.scalar, value)
        else:
            setattr(made, FIELDS[kind], _encoded(value))
    except (TypeError, ValueError, AttributeError) as error:
        raise UnwritableError(f"the attr {name!r} cannot hold {value!r}: {error}") from None
    return bytes(made.SerializeToString())


def _put_list(made: Any, kind: str, value: tuple[Any, ...]) -> None:
    into = getattr(made, FIELDS[kind])
    if kind == "SCALARS":
        for each in value:
            _put_scalar(into.add(), each)
    else:
        into.extend(map(_encoded, value))


def _put_scalar(scalar: Any, value: Any) -> None:
    if isinstance(value, bool):
        scalar.type, scalar.b = _BOOL, value
    elif isinstance(value, int):
        scalar.type, scalar.i = _INTEGER, value
    else:
        scalar.type, scalar.r = _FLOAT, value


def _encoded(value: Any) -> Any:
    return value.encode() if isinstance(value, str) else value


def values_of(attr: Attr) -> list[Any]:
    """Return values of an attr's type, the simplest first.

    Raises:
        UnwritableError: the attr holds blocks or variables, or its type is unknown.
    """
    kind = str(attr.type)
    if kind in VARIABLES:
        raise UnwritableError(f"an attr of the type {kind} names variables")
    if kind in _PLAIN:
        return list(_PLAIN[kind])
    element = _PLAIN.get(kind.removesuffix("S"))
    if element is None:
        raise UnwritableError(f"no value of the type {kind} is known")
    return [() if kind not in BLOCKS else (0,), *((element[0],) * count for count in (1, 2, 4))]


WRITER = Writer(
    summary="a ProgramDesc",
    format="paddle_program",
    suffix=".pdmodel",
    write=write,
    values=values_of,
    writes_defaults=True,
)
