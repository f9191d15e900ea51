"""What an operator's contract says, in every framework: the value classes of a spec.

A field is `UNKNOWN` where the source does not speak of it at all: Paddle 1.8.5 knows no `extra`, TensorFlow no
`dispensable`. Unknown is not false, and what one side does not know is never compared.

Field names are those of the frameworks' own declarations (Paddle's OpProto, TensorFlow's OpDef).
"""

from __future__ import annotations

from enum import Enum

from opspec_lint.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final, Literal, TypeAlias

    Kind: TypeAlias = Literal["input", "output", "attr"]
    Action: TypeAlias = Literal["new", "modify", "delete", "bugfix"]
    Flag: TypeAlias = "bool | Unknown"


class Unknown(Enum):
    """The type of `UNKNOWN`, which is false as a condition."""

    UNKNOWN = "unknown"

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return self.name


UNKNOWN: Final = Unknown.UNKNOWN


class Origin(Record):
    """Where a thing is declared. Lines and columns count from 1; None where the source has none."""

    file: str
    line: int | None = None
    column: int | None = None


class Argument(Record):
    """What an input and an output of an op have in common.

    `type` is the framework's own name of a type ("float"). In its place, an argument may be of the type that the attr
    `type_attr` holds, or stand for as many tensors as the attr `type_list_attr` lists types; it stands for as many as
    the attr `number_attr` says. Each is None where it is not set. `full_type` and `handle_data` are what a declaration
    says of resources and variants, as nested values. `description` is documentation.
    """

    name: str
    type: str | Unknown | None = UNKNOWN
    type_attr: str | Unknown | None = UNKNOWN
    number_attr: str | Unknown | None = UNKNOWN
    type_list_attr: str | Unknown | None = UNKNOWN
    is_ref: Flag = UNKNOWN
    full_type: Any = UNKNOWN
    handle_data: Any = UNKNOWN
    duplicable: Flag = UNKNOWN
    dispensable: Flag = UNKNOWN
    intermediate: Flag = UNKNOWN
    extra: Flag = UNKNOWN
    quant: Flag = UNKNOWN
    description: str = ""
    origin: Origin | None = None


class Input(Argument):
    """An input of an op."""


class Output(Argument):
    """An output of an op."""


class Attr(Record):
    """An attribute of an op.

    `default_value`, `allowed_values`, `minimum` and `maximum` are None where the op sets none. Values are those of
    `opspec_lint.values`. Of a list, `allowed_values` restricts the items, and the other two the length, as they do of a
    string. Both are inclusive: of a float that has to be above 0, the minimum is the smallest that is.
    """

    name: str
    type: str | Unknown = UNKNOWN
    default_value: Any = UNKNOWN
    allowed_values: tuple[Any, ...] | Mapping[str, Any] | Unknown | None = UNKNOWN
    minimum: float | Unknown | None = UNKNOWN
    maximum: float | Unknown | None = UNKNOWN
    generated: Flag = UNKNOWN
    extra: Flag = UNKNOWN
    quant: Flag = UNKNOWN
    description: str = ""
    origin: Origin | None = None


class Op(Record):
    """An operator: what a node of a saved model may, and must, say of it.

    `deprecation` is the framework's word of it ("use Y"), None where the op is not deprecated; `deprecation_version`
    the version of the graph format from which on graphs may not use it. `invalid` is why the framework refuses the
    declaration, in its own words, None where it takes it. The flags are what graph optimizers may assume of the op.
    `summary` and `description` are documentation.
    `builds` are the builds of the framework that have the op, where the source tells them apart and not all have it;
    they are not compared.
    """

    name: str
    inputs: tuple[Input, ...] = ()
    outputs: tuple[Output, ...] = ()
    attrs: tuple[Attr, ...] = ()
    deprecation: str | Unknown | None = UNKNOWN
    deprecation_version: int | Unknown | None = UNKNOWN
    invalid: str | Unknown | None = UNKNOWN
    is_stateful: Flag = UNKNOWN
    is_commutative: Flag = UNKNOWN
    is_aggregate: Flag = UNKNOWN
    allows_uninitialized_input: Flag = UNKNOWN
    is_distributed_communication: Flag = UNKNOWN
    control_outputs: tuple[str, ...] | Unknown = UNKNOWN
    summary: str = ""
    description: str = ""
    builds: tuple[str, ...] = ()
    origin: Origin | None = None


class Update(Record):
    """One thing that a checkpoint of an op's version history says was changed.

    `kind` and `name` are None for a "bugfix", which changes behaviour and no argument.
    """

    action: Action
    kind: Kind | None = None
    name: str | None = None
    remark: str = ""
    default_value: Any = UNKNOWN


class Checkpoint(Record):
    """One version of an op: the changes that were registered together."""

    note: str = ""
    updates: tuple[Update, ...] = ()


class GraphVersions(Record):
    """Which saved graphs a release writes and reads, by the version of the graph format.

    It writes graphs of version `producer`, for consumers from `min_consumer` on that are not among `bad_consumers`, and
    reads graphs of producers from `min_producer` on. `producer_since` is the day from which on it wrote `producer`
    (2021-12-21), None where that is not known.
    """

    producer: int
    min_consumer: int = 0
    min_producer: int = 0
    bad_consumers: tuple[int, ...] = ()
    producer_since: str | None = None


class Provenance(Record):
    """Where a spec comes from: which framework, which release or commit of it, and how the spec was made."""

    framework: str
    version: str | None = None
    commit: str | None = None
    made_by: str | None = None


class Remark(Record):
    """What an extractor has to say of its own reading: something that it could not evaluate, or that has no effect.

    `event` is the rule that judges it, `name` what it is about and `op` the op, where there is one. `digest` stands for
    the text that it is about: a remark that base has as well, with the same digest, is not news. `facts` are what the
    rule's templates can name besides.
    """

    event: str
    name: str
    op: str | None = None
    digest: str = ""
    facts: Mapping[str, str] = {}
    origin: Origin | None = None


class Spec(Record):
    """The operators of one release of a framework.

    `file` is what the user called it, for messages. `ordered` says that inputs and outputs are bound by position and
    type, as a signature, so that their order is part of the contract and the names of inputs are not. `op_versions`
    maps an op's name to its checkpoints, oldest first. `earlier` maps an op's name to its declarations before that of
    `ops`, oldest first, where the source keeps them. `graph_versions` is None where the source does not speak of them.
    `history_origins` maps an op's name to where each of the updates of its checkpoints is registered. `remarks` are the
    extractor's own words; an op that they name as unresolved is not among `ops`.
    """

    file: str
    provenance: Provenance
    ops: Mapping[str, Op]
    op_versions: Mapping[str, tuple[Checkpoint, ...]] | Unknown = UNKNOWN
    ordered: bool = False
    earlier: Mapping[str, tuple[Op, ...]] = {}
    graph_versions: GraphVersions | None = None
    history_origins: Mapping[str, tuple[tuple[Origin, ...], ...]] = {}
    remarks: tuple[Remark, ...] = ()


SECTIONS: dict[Kind, str] = {"input": "inputs", "output": "outputs", "attr": "attrs"}
"""Where an op holds its arguments of each kind."""

OP_FLAGS = (
    "is_stateful",
    "is_commutative",
    "is_aggregate",
    "allows_uninitialized_input",
    "is_distributed_communication",
)
"""The flags of an op."""

TYPE_FIELDS = ("type", "type_attr", "number_attr", "type_list_attr")
"""What together is the type of an input or output."""

_ARGUMENT_FIELDS = (
    *TYPE_FIELDS,
    "is_ref",
    "full_type",
    "handle_data",
    *("duplicable", "dispensable", "intermediate", "extra", "quant"),
)

FIELDS: dict[str, tuple[str, ...]] = {
    "ops": ("deprecation", "deprecation_version", "invalid", *OP_FLAGS, "control_outputs"),
    "inputs": _ARGUMENT_FIELDS,
    "outputs": _ARGUMENT_FIELDS,
    "attrs": ("type", "default_value", "allowed_values", "minimum", "maximum", "generated", "extra", "quant"),
}
"""Every field that a source may or may not know, in the order in which it is compared and written."""

DOCUMENTATION: dict[str, tuple[str, ...]] = {
    "ops": ("summary", "description"),
    "inputs": ("description",),
    "outputs": ("description",),
    "attrs": ("description",),
}
"""The fields that are kept and never compared, "" where there is no documentation."""
