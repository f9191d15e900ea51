"""The value classes of a spec, for every framework: ops, their arguments, op versions, provenance.

A field that the source does not contain is `UNKNOWN`: Paddle 1.8.5 has no `extra`, TensorFlow no `dispensable`. Unknown
is not false: a field is compared only if both sides know it, and a lack of knowledge is itself a fact.

Fields have the names of the frameworks' declarations (Paddle's OpProto, TensorFlow's OpDef). Fields that only one
framework has are declared in its folder (`spec.fields`).
"""

from __future__ import annotations

from enum import Enum

from opspec_lint.kit.record import Compact, Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final, Literal, TypeAlias

    from opspec_lint.spec.condition import Condition
    from opspec_lint.spec.fields import Section
    from opspec_lint.spec.ids import EventId

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


class Origin(Compact):
    """The place of a declaration. Lines and columns count from 1; None if the source has none."""

    file: str
    line: int | None = None
    column: int | None = None

    @property
    def place(self) -> str:
        """The file and the line, as messages write them: `ops.yaml:12`."""
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Declared(Record):
    """The base class of ops, inputs, outputs and attrs.

    `own` has the fields that only one framework has, by name (`spec.fields`); keywords of the constructor that are no
    fields of the class go there. `description` is documentation.
    """

    name: str
    own: Mapping[str, Any] = {}
    description: str = ""
    origin: Origin | None = None

    # Type checkers know the keywords from the fields of the record; this constructor would hide them.
    if not TYPE_CHECKING:

        def __init__(self, **values):
            """Set the fields of the class; all other values are the framework's own."""
            fields = self._fields
            # Readers of records pass `own` itself, and skip this.
            if not fields.keys() >= values.keys():
                own = values.get("own", {}) | {field: value for field, value in values.items() if field not in fields}
                values = {field: value for field, value in values.items() if field in fields}
                # `get` returns `UNKNOWN` for an absent field: if it were stored as well, equal ops would compare as
                # different.
                values["own"] = {field: value for field, value in own.items() if value is not UNKNOWN}
            Record.__init__(self, **values)

    def __hash__(self) -> int:
        return hash((type(self), self.name))  # values may be mappings

    def get(self, field: str) -> Any:
        """Return the value of a field, `UNKNOWN` if it is not known."""
        # `getattr` would find methods and properties under the name of a field as well.
        here = self.__dict__
        return here[field] if field in here else here["own"].get(field, UNKNOWN)


class Argument(Declared):
    """The base class of inputs and outputs.

    `type` is the framework's name of a type ("float"). Instead, the type may be the value of the attr `type_attr`; or
    the argument is a list of tensors, whose types the attr `type_list_attr` lists, or whose number is the value of the
    attr `number_attr`. Each of these fields is None if it is not set.
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

    `default_value`, `allowed_values`, `minimum` and `maximum` are None if the op sets none; `spec/values.py` describes
    the values. For a list, `allowed_values` restricts the items, `minimum` and `maximum` its length, as they do for a
    string. Both are inclusive: for a float above 0, the minimum is the smallest positive float.
    """

    type: str | Unknown = UNKNOWN
    default_value: Any = UNKNOWN
    allowed_values: tuple[Any, ...] | Mapping[str, object] | Unknown | None = UNKNOWN
    minimum: float | Unknown | None = UNKNOWN
    maximum: float | Unknown | None = UNKNOWN
    extra: Flag = UNKNOWN


class Op(Declared):
    """An operator: the inputs, outputs and attrs that a node of a saved model may have, and must have.

    `name` is its identity (`spec.identity`). `deprecation` is the framework's message ("use Y"), None if the op is not
    deprecated; from the graph version `deprecation_version` on, graphs may not use it. `invalid` is the framework's
    reason for refusing the declaration, None if it accepts it. If saved models name a version of the op, the framework
    runs the versions from `min_version` to `max_version`; both are None if it runs none. `declared_if` is the unknown
    condition of its declaration (`spec.condition`), None if there is none. `places` maps a field of the op, or an item
    of the field (`FIELD.ITEM`), to its place, if that differs from the place of the op; places are not compared.
    `summary` is documentation. `builds` are the builds of the framework that have the op, if the source distinguishes
    builds and not all of them have it; ("none",) means no build.
    """

    inputs: tuple[Input, ...] = ()
    outputs: tuple[Output, ...] = ()
    attrs: tuple[Attr, ...] = ()
    deprecation: str | Unknown | None = UNKNOWN
    deprecation_version: int | Unknown | None = UNKNOWN
    invalid: str | Unknown | None = UNKNOWN
    min_version: int | Unknown | None = UNKNOWN
    max_version: int | Unknown | None = UNKNOWN
    declared_if: Condition | Unknown | None = UNKNOWN
    summary: str = ""
    builds: tuple[str, ...] = ()
    places: Mapping[str, Origin] = {}


class Update(Record):
    """One change that a checkpoint of an op's version history registers.

    `kind` and `name` are None for a "bugfix", which changes the behaviour and no argument.
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
    """The versions of saved graphs that a release writes and reads.

    It writes graphs of version `producer`, for consumers from `min_consumer` on, except for `bad_consumers`, and reads
    graphs of producers from `min_producer` on. `producer_since` is the first day on which it wrote `producer`
    (2021-12-21), None if unknown.
    """

    producer: int
    min_consumer: int = 0
    min_producer: int = 0
    bad_consumers: tuple[int, ...] = ()
    producer_since: str | None = None


class Provenance(Record):
    """The origin of a spec: the framework, its release or commit, and how the spec was made.

    `released` is the day of the release, as YYYY-MM-DD: the day on which the package index got the first wheel.
    """

    framework: str
    version: str | None = None
    commit: str | None = None
    made_by: str | None = None
    released: str | None = None

    @property
    def kind(self) -> str | None:
        """The kind of source: `made_by` without the name of the single source after ` of `."""
        return self.made_by and self.made_by.partition(" of ")[0]


class Remark(Record):
    """A remark on reading a source: the extractor could not evaluate a declaration, or a declaration has no effect.

    `event` is the event of the fact about it, `name` its subject, `op` the op, if any. `digest` identifies the text
    that it is about: a remark that base has with the same digest is not new. `facts` are more values for the templates
    of the rule.
    """

    event: EventId
    name: str
    op: str | None = None
    digest: str = ""
    facts: Mapping[str, str] = {}
    origin: Origin | None = None


BY_NAME: Final = "name"
"""The binding of frameworks whose models name the arguments of their ops."""


class Spec(Record):
    """The operators of one release of a framework.

    `file` is the name that the user gave, for messages. `ops` maps the identity of an op (`spec.identity`) to the op.
    `binding` is how a saved model refers to an argument: by "name"; as a "signature", by position and type, so that the
    order of arguments is part of the contract and the names of inputs are not; or by "slot", a number in the bytes.
    Each is a module of `diff/bindings/`.

    These fields map the name of an op: `op_versions` to its checkpoints, oldest first; `earlier` to its earlier
    declarations, oldest first, if the source keeps them; `history_origins` to the place of each update of its
    checkpoints; `name_origins` to the arguments that are named outside of their declaration: for each name, the name in
    the declaration, and the place that assigns the name; "" is the op itself.

    `field_origins` maps a field that is declared outside of the op (`spec.slots`), or a value of `loading`, to its
    place. `graph_versions` is None if the source has none. `loading` are other values that decide whether the
    framework's loader reads a model; its framework knows which. `remarks` are the extractor's remarks; an op that a
    remark calls unresolved is not in `ops`. `build_files` maps a source file with declarations to the build file that
    compiles it, "" if the tree has no build file for it; a spec file has none.
    """

    file: str
    provenance: Provenance
    ops: Mapping[str, Op]
    op_versions: Mapping[str, tuple[Checkpoint, ...]] | Unknown = UNKNOWN
    binding: str = BY_NAME
    earlier: Mapping[str, tuple[Op, ...]] = {}
    graph_versions: GraphVersions | None = None
    loading: Mapping[str, Any] = {}
    history_origins: Mapping[str, tuple[tuple[Origin, ...], ...]] = {}
    name_origins: Mapping[str, Mapping[str, tuple[str, Origin]]] = {}
    field_origins: Mapping[str, Origin] = {}
    remarks: tuple[Remark, ...] = ()
    build_files: Mapping[str, str] = {}


SECTIONS: dict[Kind, Section] = {"input": "inputs", "output": "outputs", "attr": "attrs"}
"""The field of an op that contains its arguments of a kind."""
