"""A saved model in the form that is common to all frameworks: graphs with nodes, signatures, variables, functions.

It contains no weights: a tensor is only a name, a type, a shape and a position. Parts that are expensive to decode are
made on access.
"""

from __future__ import annotations

from collections.abc import Sequence
from sys import intern

from opspec_lint.kit.record import Generic, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from typing import Any

    from typing_extensions import TypeVar

    _Raw = TypeVar("_Raw")
    Content_co = TypeVar("Content_co", default=object, covariant=True)
else:
    Content_co = None


class Tensor(Record):
    """A named tensor. `dtype` is the framework's name of its type, None if unknown.

    `shape` has -1 for a size that is not fixed, and is None if even the rank is unknown. `encoding` describes how a
    tensor that is not plain is encoded, and `code` is the number of the type in the file.
    """

    name: str
    dtype: str | None = None
    shape: tuple[int, ...] | None = None
    encoding: str = "name"
    code: int | None = None


class Node(Record):
    """A node of a graph.

    `inputs` are pairs (parameter, tensor names). A framework that binds inputs by position has one parameter "" with
    all tensors. `outputs` are in the same form, empty if the graph does not name outputs. `attrs` are in the form of
    the graph's framework. `calls` are the names of graphs that the node runs.
    """

    name: str
    op: str
    inputs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    outputs: tuple[tuple[str, tuple[str, ...]], ...] = ()
    attrs: Mapping[str, Any] = {}
    device: str = ""
    calls: tuple[str, ...] = ()


class Sketch(Record):
    """The part of a node that a picture needs: its name, its input and output tensors, and the graphs that it calls."""

    name: str
    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()


def sketch_of(node: Node) -> Sketch:
    """Return the sketch of a decoded node."""
    takes, gives = (tuple(name for _, names in side for name in names) for side in (node.inputs, node.outputs))
    return Sketch(name=node.name, takes=takes, gives=gives, calls=node.calls)


class Nodes(Sequence[Node]):
    """The nodes of a graph, each decoded on access.

    Args:
        raw: the nodes in the form of the file.
        build: returns the node for a raw node and its index.
        op: returns the op of a raw node.
        sketch: returns the sketch for a raw node and its index without decoding the node; None if that is impossible.
    """

    def __init__(
        self,
        raw: Sequence[_Raw],
        build: Callable[[_Raw, int], Node],
        op: Callable[[_Raw], str],
        sketch: Callable[[_Raw, int], Sketch] | None = None,
    ) -> None:
        self._raw = raw
        self._build = build
        self._op = op
        self._sketch = sketch
        self._ops: tuple[str, ...] | None = None

    def __getitem__(self, at: Any) -> Any:
        if isinstance(at, slice):
            return tuple(self[index] for index in range(*at.indices(len(self))))
        return self._build(self._raw[at], at)

    def __len__(self) -> int:
        return len(self._raw)

    def sketch(self, at: int) -> Sketch:
        """Return the sketch of the node at an index."""
        return sketch_of(self[at]) if self._sketch is None else self._sketch(self._raw[at], at)

    def ops(self) -> tuple[str, ...]:
        """Return the op of each node, without decoding the nodes."""
        if self._ops is None:
            # A model repeats few op names many times; interned, they are stored once.
            self._ops = tuple(map(intern, map(self._op, self._raw)))
        return self._ops

    def distinct_ops(self) -> Collection[str]:
        """Return the set of ops of the nodes."""
        known: Collection[str] | None = getattr(self._raw, "ops", None)  # a reader may have found them before
        return frozenset(self.ops()) if known is None else known


class Graph(Record):
    """A graph, a function or a block. `name` is "" for the main graph of a model.

    `state` returns the tensors whose type or shape the file states for the graph, None if it states none. `within` is
    the index of the enclosing graph, whose tensors the nodes may use as well; it is smaller than the index of this
    graph. `holder` is the index of the node in the enclosing graph that runs this one, None if the file names it
    elsewhere.
    """

    name: str
    nodes: Nodes
    within: int | None = None
    holder: int | None = None
    state: Callable[[], Mapping[str, Tensor]] | None = None

    def tensors(self) -> Mapping[str, Tensor]:
        """Return the tensors whose type or shape the file states for the graph, by name."""
        return {} if self.state is None else self.state()

    def ops(self) -> tuple[str, ...]:
        """Return the op of each node."""
        return self.nodes.ops()

    def distinct_ops(self) -> Collection[str]:
        """Return the set of ops of the nodes."""
        return self.nodes.distinct_ops()


class Asset(Record):
    """A file that a graph reads; `tensor` holds its path. `is_collected` is True if only a collection names it."""

    file: str
    tensor: str = ""
    is_collected: bool = False


class Signature(Record):
    """A way to call the model: a key, a method, and the input and output tensors by their keys.

    `defaults` are the default values of inputs by key, in Python notation.
    """

    key: str
    inputs: Mapping[str, Tensor] = {}
    outputs: Mapping[str, Tensor] = {}
    method: str = ""
    defaults: Mapping[str, str] = {}


class Structure(Record):
    """The structure of an argument or a result of a function: nested containers with tensors and values as leaves.

    `kind` is `tensor`, `tuple`, `list`, `dict`, `named_tuple`, `value` (a value of the language that wrote the model),
    or another kind that the framework names. `facts` are its other properties in JSON form, such as dtype and shape.
    `items` are the (key, part) pairs, with empty keys in a tuple or list; None for a leaf.
    """

    kind: str
    facts: Mapping[str, Any] = {}
    items: tuple[tuple[str, Structure], ...] | None = None


class Trace(Record):
    """One traced form of a function; a call must match the inputs of one of the traces.

    `keywords` are the names that tensors can be passed with, `positional` is the number of tensors that can be passed
    without a name; both are None if the file does not state them.
    """

    inputs: Structure | None = None
    outputs: Structure | None = None
    keywords: tuple[str, ...] | None = None
    positional: int | None = None


class Parameter(Record):
    """A parameter in the source of a function. `kind` is `positional`, `varargs`, `keyword` or `varkw`."""

    name: str
    kind: str = "positional"
    default: Structure | None = None


class Function(Record):
    """A function that callers of the loaded model can call.

    `is_bare` is True for a single trace without the Python function around it, `is_restricted` if the source declares
    the accepted arguments (`input_signature`).
    """

    name: str
    traces: tuple[Trace, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    is_bare: bool = False
    is_restricted: bool = False


class Strippable(Record):
    """An attr of an op that equals its default in `nodes` nodes, where a saver that omits defaults would omit it."""

    op: str
    attr: str
    nodes: int


class Details(Record):
    """The part of a meta graph that only `show` and comparisons of interfaces need, and no loader.

    `functions` can be called by name. `traces` are the traces that implement the signatures, by key. `signatures` are
    the possible inputs and outputs of a graph whose format has no signatures. `strippable` are the attrs that equal
    their defaults, None if the defaults are not known. `saver` describes how variables are saved, in terms of the
    framework.
    """

    functions: tuple[Function, ...] = ()
    traces: Mapping[str, Trace] = {}
    signatures: tuple[Signature, ...] = ()
    strippable: tuple[Strippable, ...] | None = None
    saver: Mapping[str, Any] | None = None


class MetaGraph(Record):
    """One of the graphs in a file, with everything that belongs to it.

    `producer` is the graph version that wrote it, `min_consumer` the oldest one that may read it, None if the format
    has none. `graphs` are the main graph and then its functions or blocks. `op_versions` are the versions that the file
    states for its ops, `opsets` the versions of operator sets. `strips_defaults` is True if attrs at their defaults
    were omitted, `listed_ops` are the ops whose declarations the file contains, `assets` the files that it names.
    `examine` returns its details, which takes a pass over all nodes; None if it has none.
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
    opsets: Mapping[str, int] = {}
    examine: Callable[[], Details] | None = None

    def details(self) -> Details:
        """Return the details. Raises InputError if they cannot be read."""
        return Details() if self.examine is None else self.examine()


class Model(Record, Generic[Content_co]):
    """A saved model. `file` is the path that the user gave; `framework` and `format` are set from its `ModelFormat`.

    `checkpoint` are the tensors of a checkpoint, None if the model has none; a checkpoint alone has no `meta_graphs`.
    `checkpoint_facts` are further statements of the checkpoint. `measure` returns the bytes of the model by purpose.
    `remarks` are sentences about properties that may surprise the user; `find_remarks` returns those that need a pass
    over all nodes. `content` is the model in the form of its format, for the loaders of its framework, which alone
    know its type; None if no loader needs it.
    """

    file: str
    framework: str = ""
    format: str = ""
    meta_graphs: tuple[MetaGraph, ...] = ()
    checkpoint: tuple[Tensor, ...] | None = None
    checkpoint_facts: Mapping[str, object] = {}
    measure: Callable[[], Mapping[str, int]] | None = None
    remarks: tuple[str, ...] = ()
    find_remarks: Callable[[], tuple[str, ...]] | None = None
    content: Content_co = None  # type: ignore[assignment]  # no loader reads the content of such a format

    def all_remarks(self) -> tuple[str, ...]:
        """Return all remarks, including those that need a pass over all nodes."""
        return self.remarks if self.find_remarks is None else (*self.remarks, *self.find_remarks())

    def sizes(self) -> Mapping[str, int]:
        """Return the bytes of the model by purpose, empty if the format does not count them."""
        return {} if self.measure is None else self.measure()
