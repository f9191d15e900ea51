"""The writer of a ProgramDesc with one op, as save_inference_model writes it: feed, the op, fetch."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.programs.attrs import BLOCKS, FIELDS, VARIABLES
from opspec_lint.frameworks.paddle.saved.programs.messages import VAR_TYPES, writable_message_class
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
    # The last value does not fit into 32 bits, so a conversion to INT shows.
    "LONG": (1, 0, 1 << 40),
    # 0.1 differs in single and double precision.
    "FLOAT64": (1.0, 0.1),
    "SCALAR": (1.0,),
    "BLOCK": (0,),
}
_BOOL, _INTEGER, _FLOAT = 1, 2, 3
"""The types of a Scalar."""


def write(sample: Sample, spec: Spec) -> bytes:
    """Return the bytes of a sample's ProgramDesc; raise UnwritableError if an attr cannot hold its value."""
    program = writable_message_class("ProgramDesc")()
    program.version.version = _version_number(spec.provenance.version)
    _add_op_version(program, sample.op.name, spec)
    block = program.blocks.add(idx=0, parent_idx=0)
    inputs, outputs = _variable_names(sample.inputs), _variable_names(sample.outputs)
    _holder(block, "feed", "FEED_MINIBATCH")
    _holder(block, "fetch", "FETCH_LIST")
    for name in sorted({variable for names in (*inputs.values(), *outputs.values()) for variable in names}):
        _tensor(block, name)
    for index, name in enumerate(_all_variables(inputs)):
        _node(block, "feed", {"X": ["feed"]}, {"Out": [name]}).attrs.append(_attr("col", "INT", index))
    node = _node(block, sample.op.name, inputs, outputs)
    kinds = {attr.name: str(attr.type) for attr in sample.op.attrs}
    node.attrs.extend(_attr(name, kinds[name], sample.attrs[name]) for name in sorted(sample.attrs))
    for index, name in enumerate(_all_variables(outputs)):
        _node(block, "fetch", {"X": [name]}, {"Out": ["fetch"]}).attrs.append(_attr("col", "INT", index))
    return bytes(program.SerializeToString(deterministic=True))


def _version_number(version: str | None) -> int:
    """Return a release as programs state it: 2006002 for 2.6.2, 0 for an unknown one."""
    release = numbers(".".join((version or "").split(".")[:3]))
    if release is None or len(release) < 3:
        return 0
    return sum(part * scale for part, scale in zip(release, (1_000_000, 1000, 1), strict=True))


def _add_op_version(program: Any, op: str, spec: Spec) -> None:
    """State the op's version in the release, if it has any."""
    histories = spec.op_versions
    if isinstance(histories, dict) and histories.get(op):
        program.op_version_map.pair.add(op_name=op.encode()).op_version.version = len(histories[op])


def _variable_names(counts: Mapping[str, int]) -> dict[str, list[str]]:
    """Return the names of the variables of each parameter."""
    return {name: [f"{name}.{number}" for number in range(count)] for name, count in sorted(counts.items())}


def _all_variables(names_by_parameter: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield the variables of all parameters."""
    for names in names_by_parameter.values():
        yield from names


def _node(block: Any, op: str, inputs: Mapping[str, list[str]], outputs: Mapping[str, list[str]]) -> Any:
    """Add a node to a block."""
    node = block.ops.add(type=op.encode())
    for field, variables_by_parameter in ((node.inputs, inputs), (node.outputs, outputs)):
        for name, variables in variables_by_parameter.items():
            field.add(parameter=name.encode(), arguments=[variable.encode() for variable in variables])
    return node


def _holder(block: Any, name: str, kind: str) -> None:
    """Add the variable that holds all inputs or all outputs."""
    variable = block.vars.add(name=name.encode(), persistable=True)
    variable.type.type = _CODES[kind]


def _tensor(block: Any, name: str) -> None:
    """Add a tensor variable."""
    variable = block.vars.add(name=name.encode())
    variable.type.type = _CODES["LOD_TENSOR"]
    variable.type.lod_tensor.tensor.data_type = _CODES[_TYPE]
    variable.type.lod_tensor.tensor.dims.extend(_SHAPE)


def _attr(name: str, kind: str, value: Any) -> bytes:
    """Return the bytes of an attr; raise UnwritableError if its type cannot hold the value."""
    if kind not in FIELDS:
        raise UnwritableError(f"no attr of the type {kind} can be written")
    attr_message = writable_message_class("Attr")(name=name.encode(), type=ATTR_TYPES.index(kind))
    try:
        if isinstance(value, tuple):
            _put_list(attr_message, kind, value)
        elif kind == "SCALAR":
            _put_scalar(attr_message.scalar, value)
        else:
            setattr(attr_message, FIELDS[kind], _encode(value))
    except (TypeError, ValueError, AttributeError) as error:
        raise UnwritableError(f"the attr {name!r} cannot hold {value!r}: {error}") from None
    return bytes(attr_message.SerializeToString())


def _put_list(attr_message: Any, kind: str, value: tuple[Any, ...]) -> None:
    """Set the value of an attr that is a list."""
    field = getattr(attr_message, FIELDS[kind])
    if kind == "SCALARS":
        for item in value:
            _put_scalar(field.add(), item)
    else:
        field.extend(map(_encode, value))


def _put_scalar(scalar: Any, value: Any) -> None:
    """Set a Scalar, whose type follows from its value."""
    if isinstance(value, bool):
        scalar.type, scalar.b = _BOOL, value
    elif isinstance(value, int):
        scalar.type, scalar.i = _INTEGER, value
    else:
        scalar.type, scalar.r = _FLOAT, value


def _encode(value: Any) -> Any:
    """Return a value as protobuf takes it."""
    return value.encode() if isinstance(value, str) else value


def values_of(attr: Attr) -> list[Any]:
    """Return values of an attr's type, the simplest first.

    Raises UnwritableError for a type of blocks or variables, or an unknown one.
    """
    kind = str(attr.type)
    if kind in VARIABLES:
        raise UnwritableError(f"an attr of the type {kind} names variables")
    if kind in _PLAIN:
        return list(_PLAIN[kind])
    element = _PLAIN.get(kind.removesuffix("S"))
    if element is None:
        raise UnwritableError(f"no value of the type {kind} is known")
    # A list of blocks cannot be empty.
    shortest = (0,) if kind in BLOCKS else ()
    return [shortest, *((element[0],) * count for count in (1, 2, 4))]


WRITER = Writer(
    summary="a ProgramDesc",
    format="paddle_program",
    suffix=".pdmodel",
    write=write,
    values=values_of,
    writes_defaults=True,
)
