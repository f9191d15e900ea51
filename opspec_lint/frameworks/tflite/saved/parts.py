"""The interpreter's checks of the parts of a model: tensors with their quantization and buffers, and indices.

`InterpreterBuilder` (interpreter_builder.cc) and `Subgraph` (subgraph.cc) make them, in this order. Where the
comment at a check names no release, all measured ones make it, TensorFlow 2.0.4 to LiteRT 2.3.0.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.compare.releases import is_since
from opspec_lint.frameworks.tflite.saved import codes, reading
from opspec_lint.models.fault import model_fault, not_judged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.frameworks.tflite.saved.reading import ModelFile, Subgraph, TensorFile
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_OPTIONAL = -1
"""The index in place of an omitted optional tensor."""
_TYPES_OF = {
    2: ("int2",),
    4: ("int4", "uint4"),
    8: ("uint8", "bool", "int8", "float8_e4m3fn", "float8_e5m2"),
    16: ("float16", "int16", "uint16", "bfloat16"),
    32: ("float32", "int32", "uint32"),
    64: ("int64", "complex64", "float64", "uint64"),
    128: ("complex128",),
}
_BITS_OF = {name: bits for bits, names in _TYPES_OF.items() for name in names}
"""The bits of an element by type; types without a fixed size have no checked buffer size."""
_SIZE_RANGE = 1 << 64
"""The number of values of the runtime's size_t."""
_CHECKS_SHAPES = (2, 2)
"""The first release that refuses a shape whose size overflows, among others one with a negative dimension."""
_TAKES_LONGER_BUFFERS = (2, 17)
"""The first release of TensorFlow whose buffers may be longer than their tensors."""
_REQUIRES_KEYS = (2, 5)
"""The first release that refuses a signature without a key."""

_CONVERT = "convert the source of the model again; nothing repairs the file itself"


def header_faults(model: ModelFile, spec: Spec) -> Iterator[Fact]:
    """Yield the faults of a whole model, except for its schema version."""
    if not model.subgraphs:
        yield _header_fault("subgraphs", "parse", "it has no subgraph")
    if model.buffers is None:
        yield _header_fault("buffers", "parse", "it has no list of buffers")
    if is_since(spec, _REQUIRES_KEYS) and any(not signature.key for signature in model.signatures):
        yield _header_fault("signature", "signature", "a signature of it has no key")


def _header_fault(name: str, reason: str, problem: str) -> Fact:
    """Return the fault of a part that the whole model needs."""
    return model_fault("model_header", name, "refused", reason, problem=problem, remedy=_CONVERT)


def tensor_faults(model: ModelFile, spec: Spec) -> Iterator[Fact]:
    """Yield the faults of tensors: of their types, buffers, quantization and shapes."""
    types = spec.loading.get(codes.TENSOR_TYPES)
    for graph in model.subgraphs:
        for index, tensor in enumerate(graph.tensors):
            name = tensor.name or f"%{index}"
            kind = codes.type_name(tensor.type)
            # `ParseTensors` (interpreter_builder.cc) converts the type first, and skips a tensor of an unknown type.
            if types is not None and kind not in types:
                yield _tensor_fault(name, "type", f"it has the type {kind}, which the release does not know")
            elif problem := _buffer_problem(tensor, model) or _quantization_problem(tensor):
                yield _tensor_fault(name, "tensor", problem)
            else:
                yield from _size_faults(name, tensor, kind, spec)


def wiring_faults(model: ModelFile) -> Iterator[Fact]:
    """Yield the faults of indices of tensors and op codes."""
    for graph in model.subgraphs:
        for place in graph.operators:
            operator = reading.operator(model.data, place)
            if operator.code >= len(model.codes):
                problem = f"has the op code {operator.code}, and the model lists {len(model.codes)} op codes"
                name, remedy = f"op code {operator.code}", _CONVERT
                yield model_fault("model_wiring", name, "refused", "call", problem=problem, remedy=remedy)
    for graph in model.subgraphs:
        ends = (("subgraph's inputs", graph.inputs), ("subgraph's outputs", graph.outputs))
        for title, indices in ends:
            yield from _index_faults(graph, f"the {title}", indices)
        for place in graph.operators:
            operator = reading.operator(model.data, place)
            op = model.codes[operator.code].name if operator.code < len(model.codes) else "?"
            yield from _index_faults(graph, f"'{op}'", (*operator.inputs, *operator.outputs))


def _index_faults(graph: Subgraph, title: str, indices: Sequence[int]) -> Iterator[Fact]:
    """Yield the fault of the first index of a list that is no tensor of the subgraph."""
    for index in indices:
        if index != _OPTIONAL and not 0 <= index < len(graph.tensors):
            problem = f"{title} name the tensor {index}, and the subgraph has {len(graph.tensors)} tensors"
            yield _tensor_fault(f"%{index}", "dangling", problem)
            return


def _tensor_fault(name: str, reason: str, problem: str) -> Fact:
    """Return the fault of a tensor that the interpreter refuses."""
    return model_fault("model_tensor_refused", name, "refused", reason, problem=problem)


def _buffer_problem(tensor: TensorFile, model: ModelFile) -> str | None:
    """Return the problem of the buffer that a tensor names, None if there is none."""
    # Buffer 0 is an empty sentinel, which tensors without data name (schema.fbs).
    if tensor.buffer and model.buffers is not None and tensor.buffer >= model.buffers:
        return f"it names the buffer {tensor.buffer}, and the model has {model.buffers} buffers"
    if tensor.buffer and tensor.is_variable and tensor.weights:
        return "it is a variable, and has a buffer with data"
    return None


def _quantization_problem(tensor: TensorFile) -> str | None:
    """Return the problem that `InterpreterBuilder::ParseQuantization` reports, None if there is none."""
    quantization = tensor.quantization
    if quantization is None or quantization.details or not quantization.scales:
        return None
    rank, axis = len(tensor.sizes), quantization.dimension
    if quantization.zero_points is None:
        return "its quantization has scales, but no zero points"
    if quantization.scales != quantization.zero_points:
        return f"its quantization has {quantization.scales} scales and {quantization.zero_points} zero points"
    if axis < 0 or (rank and axis >= rank):
        return f"its `quantized_dimension` is {axis}, and its shape has {rank} dimensions"
    if rank and quantization.scales not in (1, tensor.sizes[axis]):
        size = tensor.sizes[axis]
        return f"its quantization has {quantization.scales} scales for the {size} elements of dimension {axis}"
    return None


def _size_faults(name: str, tensor: TensorFile, kind: str, spec: Spec) -> Iterator[Fact]:
    """Yield the fault of a shape whose size overflows, or differs from the buffer's."""
    bits = _BITS_OF.get(kind)
    # The buffer of a sparse tensor has only the stored elements, so its size does not follow from the shape.
    if bits is None or tensor.is_sparse:
        return
    size = _bytes_of(tensor.sizes, bits)
    shape = list(tensor.sizes)
    if size is None:
        if is_since(spec, _CHECKS_SHAPES):
            yield _tensor_fault(name, "shape", f"the size of its shape {shape} overflows")
    elif tensor.buffer and tensor.weights and tensor.weights != size:
        problem = f"its buffer has {tensor.weights} bytes, and its shape {shape} takes {size}"
        is_known = spec.provenance.version is not None
        # All releases refuse a shorter buffer; only the check of a longer one depends on the release.
        if tensor.weights < size or (is_known and not is_since(spec, _TAKES_LONGER_BUFFERS)):
            yield _tensor_fault(name, "tensor", problem)
        elif not is_known:
            remedy = "name the spec of a release: TensorFlow takes longer buffers since 2.17, and LiteRT always"
            yield not_judged(name, problem, remedy)


def _bytes_of(sizes: Sequence[int], bits: int) -> int | None:
    """Return the bytes of a tensor, None if `BytesRequired` of the runtime (util.cc) reports an overflow."""
    count = 1
    for size in sizes:
        # util.cc converts a dimension to size_t, so that a negative one becomes huge, and the product overflows.
        product = _product(count, size % _SIZE_RANGE)
        if product is None:
            return None
        count = product
    if bits < 8:
        # Elements of less than a byte are packed, and the last byte is filled up.
        return (count * bits + 7) // 8
    return _product(count, bits // 8)


def _product(left: int, right: int) -> int | None:
    """Return a product in 64 bits, None if it overflows; the product of factors below 2^32 never does."""
    product = left * right % _SIZE_RANGE
    is_large = (left | right) >> 32
    return None if is_large and left and product // left != right else product
