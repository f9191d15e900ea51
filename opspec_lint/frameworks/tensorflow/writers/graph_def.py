"""Writes the GraphDef of one op: a placeholder for each tensor that it takes, and its node."""

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
"""The name of the function, of nothing, that attrs name which hold one."""
_MOST_TENSORS = 64
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


def graph(sample: Sample, spec: Spec) -> Any:
    """Return the GraphDef of a sample.

    Raises:
        UnwritableError: an attr cannot hold its value, or the op takes too many tensors.
    """
    made = message("GraphDef")()
    made.versions.producer = _producer(sample.op, spec)
    inputs = []
    for number, (kind, is_ref) in enumerate(_inputs(sample)):
        inputs.append(f"x{number}")
        _feed(made.node.add(name=inputs[-1]), kind, is_ref=is_ref)
    node = made.node.add(name=NODE, op=sample.op.name, input=inputs)
    kinds = {each.name: str(each.type) for each in sample.op.attrs}
    for name, value in sample.attrs.items():
        _put(node.attr[name], name, value, kinds[name])
    if "func" in "".join(kinds[name] for name in sample.attrs):
        made.library.function.add().signature.name = _FUNCTION
    return made


def _put(into: Any, name: str, value: Any, kind: str) -> None:
    try:
        attr_values.write(into, value, kind)
    except (ValueError, KeyError, TypeError) as error:
        raise UnwritableError(f"the attr {name!r} cannot hold {value!r}: {error}") from None


def write(sample: Sample, spec: Spec) -> bytes:
    """Return the bytes of a sample's GraphDef.

    Raises:
        UnwritableError: as `graph`.
    """
    return bytes(graph(sample, spec).SerializeToString(deterministic=True))


def types_of(argument: Input | Output, sample: Sample) -> list[str]:
    """Return the types of the tensors that an argument stands for, by the attrs of the sample.

    Raises:
        UnwritableError: no value is known of an attr that decides it, or they are too many.
    """
    said = {each.name: each.default_value for each in sample.op.attrs} | dict(sample.attrs)

    def value(attr: object) -> Any:
        found = said.get(str(attr))
        if found is None:
            raise UnwritableError(f"the attr {attr!r} of {argument.name!r} has no value")
        return found

    if argument.type_list_attr:
        kinds = list(value(argument.type_list_attr))
    else:
        kind = argument.type or value(argument.type_attr)
        count = value(argument.number_attr) if argument.number_attr else 1
        if not isinstance(count, int):
            raise UnwritableError(f"the attr {argument.number_attr!r} cannot hold {count!r}")
        if count > _MOST_TENSORS:
            raise UnwritableError(f"{argument.name!r} stands for {count} tensors")
        kinds = [kind] * count
    return kinds


def _inputs(sample: Sample) -> Iterator[tuple[str, bool]]:
    for each in sample.op.inputs:
        for kind in types_of(each, sample):
            yield kind, bool(each.is_ref)


def _feed(node: Any, kind: str, *, is_ref: bool) -> None:
    node.op = "VariableV2" if is_ref else "Placeholder"
    node.attr["dtype"].type = data_type_number(kind)
    if is_ref:
        node.attr["shape"].shape.unknown_rank = True


def _producer(op: Op, spec: Spec) -> int:
    """Return the version of a graph: that of the release, or the last one that may use the op."""
    version = 0 if spec.graph_versions is None else spec.graph_versions.producer
    gone = op.deprecation_version
    return min(version, gone - 1) if isinstance(gone, int) and gone > 0 else version


def values_of(attr: Attr) -> list[Any]:
    """Return values of an attr's type within its bounds, the simplest first.

    Raises:
        UnwritableError: the type is unknown.
    """
    kind = str(attr.type)
    is_list = kind.startswith("list(")
    element = kind[5:-1] if is_list else kind
    if element not in _PLAIN:
        raise UnwritableError(f"no value of the type {kind} is known")
    allowed = attr.allowed_values
    items = list(allowed) if isinstance(allowed, tuple) and allowed else list(_PLAIN[element])
    if element == "type" and isinstance(allowed, tuple):
        items.sort(key=lambda each: _PLAIN["type"].index(each) if each in _PLAIN["type"] else len(items))
    least = int(attr.minimum) if isinstance(attr.minimum, int) else 0
    if not is_list:
        bounded = kind == "int" and isinstance(attr.minimum, int)
        return (
            list(dict.fromkeys((least, max(least, 1), *(each for each in items if each >= least))))
            if bounded
            else items
        )
    return [(items[0],) * least, *((items[0],) * count for count in (1, 2, 4) if count > least)]


WRITER = Writer(
    summary="a GraphDef",
    format="graph_def",
    suffix=".pb",
    write=write,
    values=values_of,
    writes_defaults=False,
)
