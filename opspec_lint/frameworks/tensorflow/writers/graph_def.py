"""The writer of a GraphDef with one op: its node, and a placeholder or variable for each input tensor."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract import attr_values
from opspec_lint.frameworks.tensorflow.extract.messages import data_type_number
from opspec_lint.frameworks.tensorflow.saved.graph_messages import message
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.proof.writer import Writer
from opspec_lint.spec import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from opspec_lint.proof.sample import Sample
    from opspec_lint.spec.model import Attr, Input, Op, Output, Spec

NODE = "op"
"""The name of the op's node."""
_FUNCTION = "f"
"""The name of an empty function, the value of attrs of type `func`."""
_MAX_TENSORS = 64
"""Tensors of an argument up to which a sample is written."""
_TENSOR = {values.TENSOR: {"dtype": "DT_FLOAT", "tensor_shape": {}, "float_val": (1.0,)}}
_PLAIN: dict[str, tuple[Any, ...]] = {
    "string": ("", "a"),
    "int": (1, 0, 2),
    "float": (1.0,),
    "bool": (False, True),
    "type": ("float", "int32", "int64", "string", "bool", "variant", "resource", "half", "uint8", "qint8"),
    "shape": (attr_values.UNKNOWN_RANK, ()),
    "tensor": (_TENSOR,),
    "func": ({"name": _FUNCTION},),
}


def build_graph(sample: Sample, spec: Spec) -> Any:
    """Return the GraphDef of a sample; raises UnwritableError if an attr value does not fit its type."""
    made = message("GraphDef")()
    made.versions.producer = _producer(sample.op, spec)
    inputs = []
    for number, (kind, is_ref) in enumerate(_input_tensors(sample)):
        inputs.append(f"x{number}")
        _set_feed(made.node.add(name=inputs[-1]), kind, is_ref=is_ref)
    node = made.node.add(name=NODE, op=sample.op.name, input=inputs)
    kinds = {attr.name: str(attr.type) for attr in sample.op.attrs}
    for name, value in sample.attrs.items():
        _set_attr(node.attr[name], name, value, kinds[name])
    if "func" in "".join(kinds[name] for name in sample.attrs):
        made.library.function.add().signature.name = _FUNCTION
    return made


def _set_attr(into: Any, name: str, value: Any, kind: str) -> None:
    """Fill the AttrValue of an attr of type `kind`."""
    try:
        attr_values.write(into, value, kind)
    except (ValueError, KeyError, TypeError) as error:
        raise UnwritableError(f"the attr {name!r} cannot hold {value!r}: {error}") from None


def write(sample: Sample, spec: Spec) -> bytes:
    """Return the serialized GraphDef of a sample."""
    return bytes(build_graph(sample, spec).SerializeToString(deterministic=True))


def tensor_types(argument: Input | Output, sample: Sample) -> list[str]:
    """Return the data types of the tensors of an argument, by the attrs of the sample.

    Raises UnwritableError if an attr that decides them has no value, or there are too many tensors.
    """
    values_by_attr = {attr.name: attr.default_value for attr in sample.op.attrs} | dict(sample.attrs)

    def value(attr: object) -> Any:
        attr_value = values_by_attr.get(str(attr))
        if attr_value is None:
            raise UnwritableError(f"the attr {attr!r} of {argument.name!r} has no value")
        return attr_value

    if argument.type_list_attr:
        kinds = list(value(argument.type_list_attr))
    else:
        kind = argument.type or value(argument.type_attr)
        count = value(argument.number_attr) if argument.number_attr else 1
        if not isinstance(count, int):
            raise UnwritableError(f"the attr {argument.number_attr!r} cannot hold {count!r}")
        if count > _MAX_TENSORS:
            raise UnwritableError(f"{argument.name!r} stands for {count} tensors")
        kinds = [kind] * count
    return kinds


def _input_tensors(sample: Sample) -> Iterator[tuple[str, bool]]:
    """Yield the data type of each input tensor, and whether the op takes a reference there."""
    for argument in sample.op.inputs:
        for kind in tensor_types(argument, sample):
            yield kind, bool(argument.is_ref)


def _set_feed(node: Any, kind: str, *, is_ref: bool) -> None:
    """Make a node the source of an input: a placeholder, or a variable where the op takes a reference."""
    node.op = "VariableV2" if is_ref else "Placeholder"
    node.attr["dtype"].type = data_type_number(kind)
    if is_ref:
        node.attr["shape"].shape.unknown_rank = True


def _producer(op: Op, spec: Spec) -> int:
    """Return the producer version for a graph: of the release, or the last in which the op is not deprecated."""
    version = 0 if spec.graph_versions is None else spec.graph_versions.producer
    # A graph of this version or later would be refused for the deprecation, which is not what the proof is about.
    gone = op.deprecation_version
    return min(version, gone - 1) if isinstance(gone, int) and gone > 0 else version


def candidate_values(attr: Attr) -> list[Any]:
    """Return valid values of an attr, the simplest first; raises UnwritableError for an unknown type."""
    kind = str(attr.type)
    is_list = kind.startswith("list(")
    element = kind.removeprefix("list(").removesuffix(")")
    if element not in _PLAIN:
        raise UnwritableError(f"no value of the type {kind} is known")
    allowed = attr.allowed_values
    items = list(allowed) if isinstance(allowed, tuple) and allowed else list(_PLAIN[element])
    if element == "type" and isinstance(allowed, tuple):
        # Types that can be fed from numpy come first: a sample with them can be run.
        items.sort(key=lambda item: _PLAIN["type"].index(item) if item in _PLAIN["type"] else len(items))
    least = int(attr.minimum) if isinstance(attr.minimum, int) else 0
    if kind == "int" and isinstance(attr.minimum, int):
        return list(dict.fromkeys((least, max(least, 1), *(item for item in items if item >= least))))
    if not is_list:
        return items
    return [(items[0],) * least, *((items[0],) * count for count in (1, 2, 4) if count > least)]


WRITER = Writer(
    summary="a GraphDef",
    format="graph_def",
    suffix=".pb",
    write=write,
    values=candidate_values,
    writes_defaults=False,
)
