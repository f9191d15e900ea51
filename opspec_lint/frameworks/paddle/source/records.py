"""How what a tree declares lies in the cache: as plain tuples, which marshal reads a hundred times as fast as objects.

What is packed here is unpacked here, and nowhere else is it known what stands where.
"""

from __future__ import annotations

from opspec_lint.spec import values
from opspec_lint.spec.model import UNKNOWN, Attr, Checkpoint, Input, Op, Origin, Output, Update

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import Any, TypeAlias, TypeVar

    from opspec_lint.frameworks.paddle.source.cpp.unresolved import UnresolvedError
    from opspec_lint.frameworks.paddle.source.declared import Declaration, History, Proto

    _V = TypeVar("_V", Input, Output)

    VariableRecord: TypeAlias = tuple[str, int, str, int, int]
    """The name of an input or output, its flags, its file, line and column."""

    AttrRecord: TypeAlias = tuple[str, str, Any, int, bool, "tuple[Any, ...] | None", str, int, int]
    """The name of an attr, its type, default and flags, whether it is generated, its bounds, file, line and column."""

    OpRecord: TypeAlias = tuple[
        str, int, int, tuple[VariableRecord, ...], tuple[VariableRecord, ...], tuple[AttrRecord, ...]
    ]
    """The file, line and column of an op, its inputs, outputs and attrs."""

    Built: TypeAlias = tuple[OpRecord, tuple[str, ...]]
    """An op, and the builds that have it."""

    HistoryRecord: TypeAlias = tuple[str, str, int, int, list[Any]]
    """The op, file, line and column of a history, and its checkpoints."""

    Unresolved: TypeAlias = tuple[str, str, int, str, str]
    """The op, the file and line of what cannot be evaluated, the reason, and the digest of the declaring text."""

    Unit: TypeAlias = tuple[list[tuple[str, OpRecord]], list[str], list[Unresolved], list[HistoryRecord]]
    """The ops, the names without a proto, the unresolved, and the histories."""

FLAGS = {"duplicable": 1, "dispensable": 2, "intermediate": 4, "extra": 8, "quant": 16, "support_tensor": 32}
"""The bit of each flag in a record."""
LATE = {"extra": "Var", "quant": "Var", "support_tensor": "Attr"}
"""The flags that not every tree knows, each with the message of OpProto that has it in one that does."""
_LATE = ("extra", "quant")
"""Those of inputs and outputs."""


def packed(declared: Proto, path: str, line: int, column: int) -> OpRecord:
    """Return the record of an op."""
    return (
        path,
        line,
        column,
        tuple(map(_variable, declared.inputs)),
        tuple(map(_variable, declared.outputs)),
        tuple(map(packed_attr, declared.attrs)),
    )


def packed_attr(item: Declaration) -> AttrRecord:
    """Return the record of an attr."""
    where = item.file, item.line, item.column
    return (item.name, item.type or "", item.default, _mask(item), item.generated, item.bounds.record(), *where)


def packed_history(this: History) -> HistoryRecord:
    """Return the record of the history of an op."""
    return this.op, this.file, this.line, this.column, this.checkpoints


def _variable(item: Declaration) -> VariableRecord:
    return item.name, _mask(item), item.file, item.line, item.column


def _mask(item: Declaration) -> int:
    return sum(FLAGS[flag] for flag in item.flags)


def unresolved(op: str, error: UnresolvedError, path: str, line: int, text: str) -> Unresolved:
    """Return the record of what cannot be evaluated.

    Args:
        op: the op, or the file where no op is known.
        error: why not, and where if that is known.
        path: the file that it counts for where it is not.
        line: its line in it.
        text: the text that declares it, which tells whether it has changed; "" where that is not known.
    """
    return op, error.file or path, error.line or line, error.reason, digest(text) if text else ""


def digest(text: str) -> str:
    """Return a short text that stands for another."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def declared_by(record: OpRecord) -> tuple[Any, ...]:
    """Return what a record declares, wherever it stands."""
    _, _, _, inputs, outputs, attrs = record
    return (
        tuple(argument[:2] for argument in inputs),
        tuple(argument[:2] for argument in outputs),
        tuple(repr(attr[:6]) for attr in attrs),
    )


def place_of(record: OpRecord) -> tuple[str, int]:
    """Return the file and line of a record."""
    return record[:2]


class Unpacker:
    """Makes ops of records; the attrs of the framework, which every op has, are made once.

    Args:
        fields: those of the late flags that the tree knows.
        boilerplate: the records of the attrs that every op has.
        builds: the builds that were looked at.
    """

    def __init__(self, fields: Collection[str], boilerplate: Iterable[AttrRecord], builds: tuple[str, ...]) -> None:
        self._unknown: dict[str, Any] = {flag: UNKNOWN for flag in _LATE if flag not in fields}
        self._known = tuple(flag for flag in FLAGS if flag != "support_tensor" and flag not in self._unknown)
        self._attr_unknown: dict[str, Any] = {flag: UNKNOWN for flag in LATE if flag not in fields}
        self._attr_flags = tuple(flag for flag in LATE if flag not in self._attr_unknown)
        self._boilerplate = tuple(map(self._attr, boilerplate))
        self._everywhere = builds

    def op(self, name: str, record: Built) -> Op:
        """Return the op of a record, with the builds that have it."""
        (path, line, column, inputs, outputs, attrs), builds = record
        return Op(
            name=name,
            inputs=tuple(self._variable(Input, each) for each in inputs),
            outputs=tuple(self._variable(Output, each) for each in outputs),
            attrs=(*map(self._attr, attrs), *self._boilerplate),
            builds=() if builds == self._everywhere else builds or ("none",),
            origin=Origin(file=path, line=line, column=column),
        )

    def _variable(self, make: type[_V], record: VariableRecord) -> _V:
        name, mask, file, line, column = record
        flags: dict[str, Any] = {flag: bool(mask & FLAGS[flag]) for flag in self._known}
        return make(name=name, **flags, **self._unknown, origin=Origin(file=file, line=line, column=column))

    def _attr(self, record: AttrRecord) -> Attr:
        name, kind, default, mask, generated, bounds, file, line, column = record
        allowed, minimum, maximum, unknown = bounds or (None, None, None, False)
        unset = UNKNOWN if unknown else None
        flags: dict[str, Any] = {flag: bool(mask & FLAGS[flag]) for flag in self._attr_flags}
        flags["generated"] = generated
        return Attr(
            name=name,
            type=kind,
            default_value=values.freeze(default),
            allowed_values=unset if allowed is None else allowed,
            minimum=unset if minimum is None else minimum,
            maximum=unset if maximum is None else maximum,
            **flags,
            **self._attr_unknown,
            origin=Origin(file=file, line=line, column=column),
        )


def numbers(record: Built) -> list[Any]:
    """Return the defaults and bounds of a record, which are all that may be numbers in it."""
    (*_, attrs), _ = record
    return [(attr[2], attr[5]) for attr in attrs]


def checkpoints(history: HistoryRecord) -> tuple[Checkpoint, ...]:
    """Return the checkpoints of the record of a history."""
    *_, points = history
    return tuple(
        Checkpoint(
            note=note,
            updates=tuple(
                Update(action=action, kind=kind, name=name, remark=remark, default_value=_default(action, default))
                for action, kind, name, remark, default, _ in updates
            ),
        )
        for note, updates, _ in points
    )


def _default(action: str, default: Any) -> Any:
    return UNKNOWN if action == "bugfix" else values.freeze(default)


def places(history: HistoryRecord) -> tuple[tuple[Origin, ...], ...]:
    """Return the origin of each checkpoint, followed by those of its updates."""
    _, file, _, _, points = history
    return tuple(
        (Origin(file=file, line=line), *(Origin(file=file, line=update[5]) for update in updates))
        for _, updates, line in points
    )
