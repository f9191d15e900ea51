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

    `type` is the framework's own type expression ("float", "T", "N * T", "Ref(float)") where it declares one.
    """

    name: str
    type: str | Unknown = UNKNOWN
    duplicable: Flag = UNKNOWN
    dispensable: Flag = UNKNOWN
    intermediate: Flag = UNKNOWN
    extra: Flag = UNKNOWN
    quant: Flag = UNKNOWN
    origin: Origin | None = None


class Input(Argument):
    """An input of an op."""


class Output(Argument):
    """An output of an op."""


class Attr(Record):
    """An attribute of an op.

    `default_value` and `minimum` are None, and `allowed_values` is (), where the op sets none. Values are those of
    `opspec_lint.values`.
    """

    name: str
    type: str | Unknown = UNKNOWN
    default_value: Any = UNKNOWN
    allowed_values: tuple[Any, ...] | Unknown = UNKNOWN
    minimum: int | Unknown | None = UNKNOWN
    generated: Flag = UNKNOWN
    extra: Flag = UNKNOWN
    quant: Flag = UNKNOWN
    origin: Origin | None = None


class Op(Record):
    """An operator: what a node of a saved model may, and must, say of it.

    `deprecation` is the framework's word of it ("since GraphDef 9: use Y"), None where the op is not deprecated.
    `builds` are the builds of the framework that have the op, where the source tells them apart and not all have it;
    they are not compared.
    """

    name: str
    inputs: tuple[Input, ...] = ()
    outputs: tuple[Output, ...] = ()
    attrs: tuple[Attr, ...] = ()
    deprecation: str | Unknown | None = UNKNOWN
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

    `file` is what the user called it, for messages. `ordered` says that arguments are bound by position, so that
    their order is part of the contract. `op_versions` maps an op's name to its checkpoints, oldest first, and
    `history_origins` to where each of their updates is registered. `remarks` are the extractor's own words; an op that
    they name as unresolved is not among `ops`.
    """

    file: str
    provenance: Provenance
    ops: Mapping[str, Op]
    op_versions: Mapping[str, tuple[Checkpoint, ...]] | Unknown = UNKNOWN
    ordered: bool = False
    history_origins: Mapping[str, tuple[tuple[Origin, ...], ...]] = {}
    remarks: tuple[Remark, ...] = ()


SECTIONS: dict[Kind, str] = {"input": "inputs", "output": "outputs", "attr": "attrs"}
"""Where an op holds its arguments of each kind."""

_ARGUMENT_FIELDS = ("type", "duplicable", "dispensable", "intermediate", "extra", "quant")

FIELDS: dict[str, tuple[str, ...]] = {
    "ops": ("deprecation",),
    "inputs": _ARGUMENT_FIELDS,
    "outputs": _ARGUMENT_FIELDS,
    "attrs": ("type", "default_value", "allowed_values", "minimum", "generated", "extra", "quant"),
}
"""Every field that a source may or may not know, in the order in which it is compared and written."""
