"""What a saved model says, in every framework: who wrote it, its graphs with their nodes, variables and signatures.

Weights are never part of it: of a tensor there are its type, its shape and its place.
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


class Sketch(Record):
    """What a picture shows of a node: its name, the tensors that it takes and gives, and the graphs that it calls."""

    name: str
    takes: tuple[str, ...] = ()
    gives: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()


def sketch_of(node: Node) -> Sketch:
    """Return the sketch of a node that is built."""
    takes, gives = (tuple(name for _, names in each for name in names) for each in (node.inputs, node.outputs))
    return Sketch(name=node.name, takes=takes, gives=gives)


class Nodes(Sequence[Node]):
    """The nodes of a graph, each built when somebody looks at it.

    Args:
        raw: the nodes as the file has them.
        build: makes the node of one, and of its place.
        op: returns the op of one.
        sketch: makes the sketch of one, and of its place; None where the node has to be built for that.
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
            return tuple(self[each] for each in range(*at.indices(len(self))))
        return self._build(self._raw[at], at)

    def __len__(self) -> int:
        return len(self._raw)

    def sketch(self, at: int) -> Sketch:
        """Return the sketch of a node that a picture shows."""
        return sketch_of(self[at]) if self._sketch is None else self._sketch(self._raw[at], at)

    def ops(self) -> tuple[str, ...]:
        """Return the op of each node, without building any."""
        if self._ops is None:
            self._ops = tuple(map(intern, map(self._op, self._raw)))
        return self._ops

    def distinct_ops(self) -> Collection[str]:
        """Return the ops of the nodes, each once."""
        known: Collection[str] | None = getattr(self._raw, "ops", None)  # a reader may have found them before
        return frozenset(self.ops()) if known is None else known


class Graph(Record):
    """A graph, a function or a block. `name` is "" for the graph that a model is entered by.

    `nodes` may be built when somebody looks at them. `state` makes the tensors whose type or shape the file states in
    the graph, None where it states none. A graph may also name the tensors of the one around it, whose place among the
    graphs of its meta graph is `within`: it comes before.
    """

    name: str
    nodes: Nodes
    within: int | None = None
    state: Callable[[], Mapping[str, Tensor]] | None = None

    def tensors(self) -> Mapping[str, Tensor]:
        """Return the tensors of the graph whose type or shape the file states, by name."""
        return {} if self.state is None else self.state()

    def ops(self) -> tuple[str, ...]:
        """Return the op of each node."""
        return self.nodes.ops()

    def distinct_ops(self) -> Collection[str]:
        """Return the ops of the nodes, each once."""
        return self.nodes.distinct_ops()


class Asset(Record):
    """A file that a graph reads: the tensor that holds its path, and whether it is named in a collection alone."""

    file: str
    tensor: str = ""
    is_collected: bool = False


class Signature(Record):
    """A way to call the model: its key, the tensors that it takes and gives by their keys, and its method.

    `defaults` are the default values of inputs by their keys, as Python writes them.
    """

    key: str
    inputs: Mapping[str, Tensor] = {}
    outputs: Mapping[str, Tensor] = {}
    method: str = ""
    defaults: Mapping[str, str] = {}


class Structure(Record):
    """What an argument or a result is made of.

    `kind` is `tensor`, `tuple`, `list`, `dict`, `named_tuple`, `value` (one of the language that wrote the model), or
    the framework's word for what else there is. `facts` are the rest of what is known of it, as JSON has it. `items`
    are its parts, those of a tuple or list under empty keys; None for what has no parts.
    """

    kind: str
    facts: Mapping[str, Any] = {}
    items: tuple[tuple[str, Structure], ...] | None = None


class Trace(Record):
    """One way in which a function was traced: a call has to fit the inputs of one of them.

    `keywords` are the names that its tensors can be given by, `positional` is how many can be given without a name;
    both are None where the file does not say.
    """

    inputs: Structure | None = None
    outputs: Structure | None = None
    keywords: tuple[str, ...] | None = None
    positional: int | None = None


class Parameter(Record):
    """A parameter of a function as its source declares it. `kind` is `positional`, `varargs`, `keyword` or `varkw`."""

    name: str
    kind: str = "positional"
    default: Structure | None = None


class Function(Record):
    """A function that a caller of the loaded model can call.

    `is_bare` tells that it is one trace and no more, `is_restricted` that its source says which arguments it takes.
    """

    name: str
    traces: tuple[Trace, ...] = ()
    parameters: tuple[Parameter, ...] = ()
    is_bare: bool = False
    is_restricted: bool = False


class Strippable(Record):
    """Attrs that equal their default: how many nodes of an op would lose an attr if defaults were left out."""

    op: str
    attr: str
    nodes: int


class Details(Record):
    """What of a meta graph only its reader asks for, and no loader.

    `functions` are those that can be called by name, `traces` what stands behind the signatures, by their keys.
    `signatures` are those of a graph whose format has none: what can be fed, and what can be asked for.
    `strippable` are the attrs that leaving out defaults would remove, None where no declaration says the defaults.
    `saver` says how variables are saved, in the words of the framework.
    """

    functions: tuple[Function, ...] = ()
    traces: Mapping[str, Trace] = {}
    signatures: tuple[Signature, ...] = ()
    strippable: tuple[Strippable, ...] | None = None
    saver: Mapping[str, Any] | None = None


class MetaGraph(Record):
    """One of the graphs that a file holds, with all that belongs to it.

    `producer` is the version of the graph format that it was written in, `min_consumer` the oldest that may read it,
    None where the format has none. `graphs` are the main graph first, then its functions or blocks. `op_versions` are
    those that the file says its ops have, and `opsets` the versions of whole sets of ops. `strips_defaults` tells
    whether attrs at their defaults were left out, and `listed_ops` are the ops whose declarations the file carries.
    `assets` are the files that it names. `examine` makes its details, which take a look at every node; None where there
    are none.
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
        """Return its details.

        Raises:
            InputError: the details cannot be read.
        """
        return Details() if self.examine is None else self.examine()


class Model(Record, Generic[Content_co]):
    """A saved model. `file` is what the user called it; `framework` and `format` are set from its `ModelFormat`.

    `meta_graphs` are what it holds; a checkpoint holds none, and `checkpoint` are its tensors, None where the model
    has no checkpoint. `checkpoint_facts` is what else a checkpoint says of itself. `measure` counts the bytes of the
    model by what they are for. `remarks` are sentences on what its user might not expect, and `look` finds those that
    take a look at every node. `content` is the model as its format reads it, for the loaders of its framework, which
    alone know its type; None if no loader needs it.
    """

    file: str
    framework: str = ""
    format: str = ""
    meta_graphs: tuple[MetaGraph, ...] = ()
    checkpoint: tuple[Tensor, ...] | None = None
    checkpoint_facts: Mapping[str, object] = {}
    measure: Callable[[], Mapping[str, int]] | None = None
    remarks: tuple[str, ...] = ()
    look: Callable[[], tuple[str, ...]] | None = None
    content: Content_co = None  # type: ignore[assignment]  # no loader reads the content of such a format

    def all_remarks(self) -> tuple[str, ...]:
        """Return all sentences on what its user might not expect."""
        return self.remarks if self.look is None else (*self.remarks, *self.look())

    def sizes(self) -> Mapping[str, int]:
        """Return the bytes of the model by what they are for, none where nobody counts them."""
        return {} if self.measure is None else self.measure()
