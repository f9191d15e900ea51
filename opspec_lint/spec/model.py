"""What an operator's contract says, in every framework: the value classes of a spec.

A field is `UNKNOWN` where the source does not speak of it at all: Paddle 1.8.5 knows no `extra`, TensorFlow no
`dispensable`. Unknown is not false, and what one side does not know is never compared; that it is not known is a fact.

Field names are those of the frameworks' own declarations (Paddle's OpProto, TensorFlow's OpDef). What only one
framework knows is not here, but in the framework's own folder (`spec.fields`).
"""

from __future__ import annotations

from enum import Enum

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final, Literal, TypeAlias

    from opspec_lint.spec.fields import Section

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

    @property
    def place(self) -> str:
        """The file and the line, as messages write them: `ops.yaml:12`."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Declared(Record):
    """What ops, inputs, outputs and attrs have in common.

    `own` holds what only one framework knows of such things, by the name of the field (`spec.fields`); whatever the
    constructor is given that the model itself has no field for goes there. `description` is documentation.
    """

    name: str
    own: Mapping[str, Any] = {}
    description: str = ""
    origin: Origin | None = None

    if not TYPE_CHECKING:

        def __init__(self, **values):
            """Set every field of the model, and take all others for the framework's own."""
            fields = self._fields
            if not fields.keys() >= values.keys():
                own = values.get("own", {}) | {field: value for field, value in values.items() if field not in fields}
                values = {field: value for field, value in values.items() if field in fields}
                values["own"] = {field: value for field, value in own.items() if value is not UNKNOWN}
            Record.__init__(self, **values)

    def __hash__(self) -> int:
        return hash((type(self), self.name))  # values may be mappings

    def get(self, field: str) -> Any:
        """Return a field by name, `UNKNOWN` where nothing is known of it."""
        here = self.__dict__
        return here[field] if field in here else here["own"].get(field, UNKNOWN)


class Argument(Declared):
    """What an input and an output of an op have in common.

    `type` is the framework's own name of a type ("float"). In its place, an argument may be of the type that the attr
    `type_attr` holds, or stand for as many tensors as the attr `type_list_attr` lists types; it stands for as many as
    the attr `number_attr` says. Each is None where it is not set.
    """

    type: str | Unknown | None = UNKNOWN
    type_attr: str | Unknown | None = UNKNOWN
    number_attr: str | Unknown | None = UNKNOWN
    type_list_attr: str | Unknown | None = UNKNOWN
    is_ref: Flag = UNKNOWN
    duplicable: Flag = UNKNOWN
    dispensable: Flag = UNKNOWN
    extra: Flag = UNKNOWN


class Input(Argument):
    """An input of an op."""


class Output(Argument):
    """An output of an op."""


class Attr(Declared):
    """An attribute of an op.

    `default_value`, `allowed_values`, `minimum` and `maximum` are None where the op sets none. Values are those of
    `values`. Of a list, `allowed_values` restricts the items, and the other two the length, as they do of a string.
    Both are inclusive: of a float that has to be above 0, the minimum is the smallest that is.
    """

    type: str | Unknown = UNKNOWN
    default_value: Any = UNKNOWN
    allowed_values: tuple[Any, ...] | Mapping[str, Any] | Unknown | None = UNKNOWN
    minimum: float | Unknown | None = UNKNOWN
    maximum: float | Unknown | None = UNKNOWN
    extra: Flag = UNKNOWN


class Op(Declared):
    """An operator: what a node of a saved model may, and must, say of it.

    `name` is its identity (`spec.identity`). `deprecation` is the framework's word of it ("use Y"), None where the op
    is not deprecated; `deprecation_version` the version of the graph format from which on graphs may not use it.
    `invalid` is why the framework refuses the declaration, in its own words, None where it takes it. Where a saved
    model names a version of the op, the framework runs those from `min_version` to `max_version`; both are None where
    it runs none. `places` says where a field of the op is declared, or an item of one (`FIELD.ITEM`), where that is not
    with the op; they are not compared. `summary` is documentation. `builds` are the builds of the framework that have
    the op, where the source tells them apart and not all have it; ("none",) is none of them.
    """

    inputs: tuple[Input, ...] = ()
    outputs: tuple[Output, ...] = ()
    attrs: tuple[Attr, ...] = ()
    deprecation: str | Unknown | None = UNKNOWN
    deprecation_version: int | Unknown | None = UNKNOWN
    invalid: str | Unknown | None = UNKNOWN
    min_version: int | Unknown | None = UNKNOWN
    max_version: int | Unknown | None = UNKNOWN
    summary: str = ""
    builds: tuple[str, ...] = ()
    places: Mapping[str, Origin] = {}


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


BY_NAME: Final = "name"
"""The binding of frameworks whose models name the arguments of their ops."""


class Spec(Record):
    """The operators of one release of a framework.

    `file` is what the user called it, for messages. `ops` are by their identity (`spec.identity`). `binding` is how a
    saved model says which argument of an op it means: by "name", as a "signature", by position and type, so that the
    order of arguments is part of the contract and the names of inputs are not, or by "slot", the number that stands for
    it in the bytes; each is a module of `diff/bindings/`. `op_versions` maps an op's name to its checkpoints, oldest
    first. `earlier` maps an op's name to its declarations before that of `ops`, oldest first, where the source keeps
    them. `graph_versions` is None where the source does not speak of them. `history_origins` maps an op's name to where
    each of the updates of its checkpoints is registered. `name_origins` maps it to the arguments that get their names
    in another place than that of their declaration: for each name the one that stands there, and where it is given; ""
    is the op itself. `field_origins` maps an op's field that is declared elsewhere than the op to where that is
    (`spec.slots`). `remarks` are the extractor's own words; an op that they name as unresolved is not among `ops`.
    """

    file: str
    provenance: Provenance
    ops: Mapping[str, Op]
    op_versions: Mapping[str, tuple[Checkpoint, ...]] | Unknown = UNKNOWN
    binding: str = BY_NAME
    earlier: Mapping[str, tuple[Op, ...]] = {}
    graph_versions: GraphVersions | None = None
    history_origins: Mapping[str, tuple[tuple[Origin, ...], ...]] = {}
    name_origins: Mapping[str, Mapping[str, tuple[str, Origin]]] = {}
    field_origins: Mapping[str, Origin] = {}
    remarks: tuple[Remark, ...] = ()


SECTIONS: dict[Kind, Section] = {"input": "inputs", "output": "outputs", "attr": "attrs"}
"""Where an op holds its arguments of each kind."""
