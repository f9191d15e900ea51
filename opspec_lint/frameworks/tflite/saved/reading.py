"""The parser of a TFLite file; slot numbers are from the schema. No weights are read.

A `ModelFile` has the op codes, the subgraphs with their tensors (`TensorFile`), and the signatures. Tensors and
subgraphs are numbered as in the file. Operators, which may be very many, are kept as their positions in the file:
`operator` reads one.
"""

from __future__ import annotations

from opspec_lint.frameworks.tflite.saved import codes
from opspec_lint.kit.record import Record
from opspec_lint.models.flatbuffer import Buffer, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MIN_RUNTIME = "min_runtime_version"
"""The name of the metadata with the oldest runtime that runs the model, written by the converter."""
_LONGEST_RELEASE = 64
"""Bytes of the buffer with the oldest runtime that are read."""
_LONGEST_NAME = 200
"""Characters of the name of a custom op."""


class OperatorCode(Record):
    """An op that a model uses: its code, its version, and the name of a custom op."""

    code: int
    version: int
    custom: str = ""

    @property
    def name(self) -> str:
        """The name of the op: `CUSTOM:NAME` for a custom op, the code for an unknown builtin op."""
        if self.code == codes.CUSTOM:
            # A damaged file may have a name of any length, which every message about the op would repeat.
            return codes.custom_name(self.custom[:_LONGEST_NAME])
        return codes.builtin_name(self.code) or str(self.code)


class Quantization(Record):
    """The quantization of a tensor: the number of scales and zero points, None if absent, and the dimension.

    `details` is the number of the details in the union `QuantizationDetails`, 0 for none.
    """

    scales: int | None = None
    zero_points: int | None = None
    dimension: int = 0
    details: int = 0


class TensorFile(Record):
    """A tensor: its name, type and shape, whether it is a variable, and the bytes of its weights.

    `shape` may have unknown dimensions, -1; `sizes` is the shape that the interpreter starts with. `buffer` is the
    index of the buffer with the weights.
    """

    name: str
    type: int = 0
    shape: tuple[int, ...] | None = ()
    sizes: tuple[int, ...] = ()
    is_variable: bool = False
    weights: int = 0
    buffer: int = 0
    quantization: Quantization | None = None
    is_sparse: bool = False


class Subgraph(Record):
    """A subgraph: its tensors, the indices of its inputs and outputs, and the file positions of its operators."""

    name: str = ""
    tensors: tuple[TensorFile, ...] = ()
    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()
    operators: Sequence[int] = ()


class SignatureFile(Record):
    """A signature: its key, its subgraph, and its inputs and outputs as (name, index of the tensor)."""

    key: str
    subgraph: int
    inputs: tuple[tuple[str, int], ...] = ()
    outputs: tuple[tuple[str, int], ...] = ()


class ModelFile(Record):
    """The contents of a TFLite file.

    `weights` is the size of its buffers in bytes, `min_runtime` the oldest runtime that the converter states, or "".
    `buffers` is the number of buffers, None for a file without a list.
    """

    data: memoryview
    version: int
    description: str
    codes: tuple[OperatorCode, ...]
    subgraphs: tuple[Subgraph, ...]
    signatures: tuple[SignatureFile, ...]
    weights: int = 0
    min_runtime: str = ""
    buffers: int | None = None


class OperatorFile(Record):
    """An operator: the index of its code, the indices of its inputs and outputs, and its options.

    `options_type` is the number of the options in the union `BuiltinOptions`: options of another op count as none.
    """

    code: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    options: Table | None = None
    options_type: int = 0


def read(data: memoryview) -> ModelFile:
    """Return the contents of a file.

    Raises:
        ValueError: the bytes are no model; the message says why.
    """
    # Model: 0 version, 1 operator_codes, 2 subgraphs, 3 description, 4 buffers, 6 metadata, 7 signature_defs.
    root = Buffer(data).root()
    buffers = root.tables(4)
    sizes = [_weights(buffer) for buffer in buffers]
    return ModelFile(
        data=data,
        version=root.scalar(0, "uint"),
        description=root.string(3),
        codes=tuple(map(_operator_code, root.tables(1))),
        subgraphs=tuple(_subgraph(subgraph, sizes, data) for subgraph in root.tables(2)),
        signatures=tuple(map(_signature, root.tables(7))),
        weights=sum(sizes),
        buffers=root.items(4, 4),  # each item is an offset of 4 bytes
        min_runtime=next(
            (_metadata_text(metadata, buffers) for metadata in root.tables(6) if metadata.string(0) == MIN_RUNTIME), ""
        ),
    )


def _weights(buffer: Table) -> int:
    """Return the bytes of a buffer, whose data is in the FlatBuffer or behind it (files over 2 GB)."""
    return buffer.length(0) or buffer.scalar(2, "ulong")


def _metadata_text(metadata: Table, buffers: Sequence[Table]) -> str:
    """Return the text in the buffer of a metadata entry."""
    at = metadata.scalar(1, "uint")
    if at >= len(buffers):
        return ""
    # The converter writes the release into a buffer of a fixed size, and fills it up with zero bytes.
    return buffers[at].first_bytes(0, _LONGEST_RELEASE).rstrip(b"\0").decode("ascii", "backslashreplace")


def _operator_code(table: Table) -> OperatorCode:
    """Return an operator code: since 2.4 the greater of two fields, as the older field ends at 127."""
    code = max(table.scalar(0, "byte"), table.scalar(3, "int"))
    return OperatorCode(code=code, version=table.scalar(2, "int", 1), custom=table.string(1))


def _subgraph(table: Table, sizes: Sequence[int], data: memoryview) -> Subgraph:
    """Return a subgraph; `sizes` are the bytes of the buffers."""
    operators = table.table_positions(3)
    # Operators are parsed again when they are used. Here, only the errors of a damaged file are found.
    check = Buffer(data)
    for place in operators:
        _operator(check.table(place))
    return Subgraph(
        name=table.string(4),
        tensors=tuple(_tensor(tensor, sizes) for tensor in table.tables(0)),
        inputs=table.ints(1),
        outputs=table.ints(2),
        operators=operators,
    )


def _tensor(table: Table, weights: Sequence[int]) -> TensorFile:
    """Return a tensor; without `shape_signature` (slot 7), the shape has no unknown dimensions."""
    buffer = table.scalar(2, "uint")
    sizes = table.ints(0)
    shape: tuple[int, ...] | None = table.ints(7) or sizes
    if not shape and not table.scalar(8, "bool"):
        shape = None if table.scalar(5, "bool") else ()
    return TensorFile(
        name=table.string(3),
        type=table.scalar(1, "byte"),
        shape=shape,
        sizes=sizes,
        is_variable=bool(table.scalar(5, "bool")),
        weights=weights[buffer] if buffer < len(weights) else 0,
        buffer=buffer,
        quantization=_quantization(table.table(4)),
        is_sparse=table.table(6) is not None,
    )


def _quantization(table: Table | None) -> Quantization | None:
    """Return the quantization of a tensor, None if it has none."""
    if table is None:
        return None
    # QuantizationParameters: 2 scale (float), 3 zero_point (long), 4 and 5 details, 6 quantized_dimension.
    return Quantization(
        scales=table.items(2, 4),
        zero_points=table.items(3, 8),
        dimension=table.scalar(6, "int"),
        details=table.scalar(4, "ubyte"),
    )


def _signature(table: Table) -> SignatureFile:
    """Return a signature."""
    inputs, outputs = (
        tuple((entry.string(0), entry.scalar(1, "uint")) for entry in table.tables(slot)) for slot in (0, 1)
    )
    return SignatureFile(key=table.string(2), subgraph=table.scalar(4, "uint"), inputs=inputs, outputs=outputs)


def operator(data: memoryview, place: int) -> OperatorFile:
    """Return the operator at a position in the file.

    Raises:
        ValueError: there is none.
    """
    return _operator(Buffer(data).table(place))


def _operator(table: Table) -> OperatorFile:
    """Return the operator of a table."""
    inputs, outputs = table.ints(1), table.ints(2)
    return OperatorFile(
        code=table.scalar(0, "uint"),
        inputs=inputs,
        outputs=outputs,
        options=table.table(4),
        options_type=table.scalar(3, "ubyte"),
    )
