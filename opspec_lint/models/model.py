"""What a saved model says, in every framework: who wrote it, its graphs with their nodes, variables and signatures.

Weights are never part of it: of a tensor there are its type, its shape and its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from sys import intern

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


class Tensor(Record):
    """A tensor by name. `dtype` is the framework's name of its type, None where nothing says it.

    `shape` has -1 for a size that is not fixed, and is None where not even the rank is known. `encoding` says how it is
    made up where it is no plain tensor, and `code` the number that the file has for its type.
    """

    name: str
    dtype: str | None = None
    shape: tuple[int, ...] | None = None
    encoding: str = "name"
    code: int | None = None


class Node(Record):
    """A node of a graph.

    `inputs` are the parameters with the tensors that each is given; where the framework binds by position, one
    parameter "" has them all. `outputs` are the same, none where a graph does not name them. `attrs` are as the
    graph's framework writes them.
    """

    name: str
    op: str
    inputs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    outputs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    attrs: Mapping[str, Any] = {}
    device: str = ""


class Nodes(Sequence[Node]):
    """The nodes of a graph, each built when somebody looks at it.

    Args:
        raw: the nodes as the file has them.
        build: makes the node of one, and of its place.
        op: returns the op of one.
    """

    def __init__(self, raw: Sequence[Any], build: Callable[[Any, int], Node], op: Callable[[Any], str]) -> None:
        self._raw = raw
        self._build = build
        self._op = op
        self._ops: tuple[str, ...] | None = None

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return tuple(self[each] for each in range(*at.indices(len(self))))
        return self._build(self._raw[at], at)

    def __len__(self) -> int:
        return len(self._raw)

    def ops(self) -> tuple[str, ...]:
        """Return the op of each node, without building any."""
        if self._ops is None:
            self._ops = tuple(map(intern, map(self._op, self._raw)))
        return self._ops


class Graph(Record):
    """A graph, a function or a block. `name` is "" for the graph that a model is entered by.

    `nodes` may be built when somebody looks at them.
    """

    name: str
    nodes: Nodes

    def ops(self) -> tuple[str, ...]:
        """Return the op of each node."""
        return self.nodes.ops()


class Asset(Record):
    """A file that a graph reads: the tensor that holds its path, and whether it is named in a collection alone."""

    file: str
    tensor: str = ""
    is_collected: bool = False


class Signature(Record):
    """A way to call the model: its key, the tensors that it takes and gives by their keys, and its method."""

    key: str
    inputs: Mapping[str, Tensor] = {}
    outputs: Mapping[str, Tensor] = {}
    method: str = ""


class MetaGraph(Record):
    """One of the graphs that a file holds, with all that belongs to it.

    `producer` is the version of the graph format that it was written in, `min_consumer` the oldest that may read it,
    None where the format has none. `graphs` are the main graph first, then its functions or blocks. `op_versions` are
    those that the file says its ops have. `strips_defaults` tells whether attrs at their defaults were left out, and
    `listed_ops` are the ops whose declarations the file carries. `assets` are the files that it names.
    """

    tags: tuple[str, ...] = ()
    written_by: str | None = None
    producer: int | None = None
    min_consumer: int | None = None
    strips_defaults: bool | None = None
    listed_ops: tuple[str, ...] = ()
    graphs: tuple[Graph, ...] = ()
    signatures: tuple[Signature, ...] = ()
    variables: tuple[Tensor, ...] = ()
    assets: tuple[Asset, ...] = ()
    collections: Mapping[str, int] = {}
    op_versions: Mapping[str, int] = {}


class Model(Record):
    """A saved model. `file` is what the user called it; `format` is the name of the format that it is in.

    `meta_graphs` are what it holds; a checkpoint holds none, and `checkpoint` are its tensors, None where the model
    has no checkpoint. `remarks` are sentences on what its user might not expect. `content` is the model as its format
    reads it, for the loaders of its framework.
    """

    file: str
    framework: str
    format: str
    meta_graphs: tuple[MetaGraph, ...] = ()
    checkpoint: tuple[Tensor, ...] | None = None
    remarks: tuple[str, ...] = ()
    content: Any = None
