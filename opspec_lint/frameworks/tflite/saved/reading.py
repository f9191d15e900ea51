"""A TFLite model from its bytes. The slots are those of the schema; no weight is read."""

from __future__ import annotations

from opspec_lint.frameworks.tflite.saved import codes
from opspec_lint.kit.record import Record
from opspec_lint.models.flatbuffer import Buffer, Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

MIN_RUNTIME = "min_runtime_version"
"""The metadata by which a converter says which runtime a model needs."""
_LONGEST_RELEASE = 64
_LONGEST_NAME = 200


class OperatorCode(Record):
    """An op of a model: its code, its version, and its name where it is none of the builtin ones."""

    code: int
    version: int
    custom: str = ""

    @property
    def name(self) -> str:
        """The name of the op: of a custom one, its own behind `CUSTOM:`; of an unknown one, its code."""
        if self.code == codes.CUSTOM:
            return codes.custom_name(self.custom[:_LONGEST_NAME])
        return codes.builtin_name(self.code) or str(self.code)


class Quantization(Record):
    """The quantization of a tensor: the numbers of its scales and zero points, None if absent, and its dimension."""

    scales: int | None = None
    zero_points: int | None = None
    dimension: int = 0
    has_details: bool = False


class TensorFile(Record):
    """A tensor: its name, type and shape, whether it is a variable, and how many bytes of weights it has.

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
    """A subgraph: its tensors, which of them it takes and gives, and where its operators stand in the file."""

    name: str = ""
    tensors: tuple[TensorFile, ...] = ()
    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()
    operators: Sequence[int] = ()


class SignatureFile(Record):
    """A signature: its key, its subgraph, and the names of tensors that it takes and gives."""

    key: str
    subgraph: int
    inputs: tuple[tuple[str, int], ...] = ()
    outputs: tuple[tuple[str, int], ...] = ()


class ModelFile(Record):
    """A model as the file has it.

    `weights` are the bytes of its buffers, `min_runtime` is the release that the converter says it needs, "" for none.
    `buffers` is the number of buffers, None for a file without a list of them.
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
    """An operator: the index of its code, the indices of the tensors that it takes and gives, and its options.

    `options_type` is the number of the options in the union `BuiltinOptions`: options of another op count as none.
    """

    code: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    options: Table | None = None
    options_type: int = 0


def read(data: memoryview) -> ModelFile:
    """Return the model of its bytes.

    Raises:
        ValueError: the bytes are no model; the message says why.
    """
    root = Buffer(data).root()
    buffers = root.tables(4)
    sizes = [_weights(each) for each in buffers]
    return ModelFile(
        data=data,
        version=root.scalar(0, "uint"),
        description=root.string(3),
        codes=tuple(map(_code, root.tables(1))),
        subgraphs=tuple(_subgraph(each, sizes, data) for each in root.tables(2)),
        signatures=tuple(map(_signature, root.tables(7))),
        weights=sum(sizes),
        buffers=root.items(4, 4),
        min_runtime=next((_text_in(each, buffers) for each in root.tables(6) if each.string(0) == MIN_RUNTIME), ""),
    )


def _weights(buffer: Table) -> int:
    """Return how many bytes a buffer has, in the tables or behind them."""
    return buffer.length(0) or buffer.scalar(2, "ulong")


def _text_in(metadata: Table, buffers: Sequence[Table]) -> str:
    at = metadata.scalar(1, "uint")
    if at >= len(buffers):
        return ""
    return buffers[at].first_bytes(0, _LONGEST_RELEASE).rstrip(b"\0").decode("ascii", "backslashreplace")


def _code(table: Table) -> OperatorCode:
    """Return an operator code: since 2.4 the code is the greater of two fields, as the first one ends at 127."""
    code = max(table.scalar(0, "byte"), table.scalar(3, "int"))
    return OperatorCode(code=code, version=table.scalar(2, "int", 1), custom=table.string(1))


def _subgraph(table: Table, sizes: Sequence[int], data: memoryview) -> Subgraph:
    operators = table.table_positions(3)
    check = Buffer(data)
    for place in operators:
        _operator(check.table(place))
    return Subgraph(
        name=table.string(4),
        tensors=tuple(_tensor(each, sizes) for each in table.tables(0)),
        inputs=table.ints(1),
        outputs=table.ints(2),
        operators=operators,
    )


def _tensor(table: Table, weights: Sequence[int]) -> TensorFile:
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
    if table is None:
        return None
    return Quantization(
        scales=table.items(2, 4),
        zero_points=table.items(3, 8),
        dimension=table.scalar(6, "int"),
        has_details=table.scalar(4, "ubyte") != 0,
    )


def _signature(table: Table) -> SignatureFile:
    inputs, outputs = (
        tuple((each.string(0), each.scalar(1, "uint")) for each in table.tables(slot)) for slot in (0, 1)
    )
    return SignatureFile(key=table.string(2), subgraph=table.scalar(4, "uint"), inputs=inputs, outputs=outputs)


def operator(data: memoryview, place: int) -> OperatorFile:
    """Return the operator at a place.

    Raises:
        ValueError: there is none.
    """
    return _operator(Buffer(data).table(place))


def _operator(table: Table) -> OperatorFile:
    inputs, outputs = table.ints(1), table.ints(2)
    return OperatorFile(
        code=table.scalar(0, "uint"),
        inputs=inputs,
        outputs=outputs,
        options=table.table(4),
        options_type=table.scalar(3, "ubyte"),
    )
