"""What the files of a tree or of a wheel declare of ops: records, with their places, as the cache keeps them.

`spec/records.py` describes records and makes ops of them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Literal, TypeAlias

    from typing_extensions import TypedDict

    from opspec_lint.cpp.unresolved import UnresolvedError
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.records import (
        ArgumentRecord,
        AttrRecord,
        CheckpointRecord,
        LocatedOp,
        OpPlaces,
        Place,
        RemarkRecord,
        UpdateRecord,
    )

    class Variable(ArgumentRecord, total=False):
        """The record of an input or output; `mutable_attr` and `default` are of inputs of PIR."""

        intermediate: bool
        quant: bool
        mutable_attr: bool
        default: Any

    class Attr(AttrRecord, total=False):
        """The record of an attr."""

        generated: bool
        quant: bool
        support_tensor: bool

    VariableFlag: TypeAlias = Literal["duplicable", "dispensable", "intermediate", "extra", "quant"]
    AttrFlag: TypeAlias = Literal["extra", "quant", "support_tensor"]
    VariableSection: TypeAlias = Literal["inputs", "outputs"]

    Alias: TypeAlias = tuple[str, Place]
    """The name of an argument in the entry of its op, and where op_compat.yaml gives it another."""
    Aliases: TypeAlias = dict[str, Alias]
    """Those of an op by the other name; that of the op itself as ""."""

    class History(TypedDict):
        """The checkpoints of an op, and for each its place, followed by those of its updates."""

        checkpoints: list[CheckpointRecord]
        places: list[list[Place]]

    class FileDeclarations(TypedDict):
        """What one file declares: ops, ops without a proto, histories of ops, and what cannot be evaluated."""

        ops: list[tuple[str, LocatedOp]]
        without: list[str]
        histories: dict[str, History]
        remarks: list[RemarkRecord]


class Declarations:
    """The arguments that one op declares, in their order, each with its place."""

    def __init__(self) -> None:
        self.inputs: list[tuple[Variable, Place]] = []
        self.outputs: list[tuple[Variable, Place]] = []
        self.attrs: list[tuple[Attr, Place]] = []

    def add_variable(
        self, section: VariableSection, name: str, place: Place, flags: Iterable[tuple[VariableFlag, bool]] = ()
    ) -> Variable:
        """Add an input or output with the flags that are true, and return its record."""
        variable: Variable = {"name": name}
        for flag, is_set in flags:
            if is_set:
                variable[flag] = True
        (self.inputs if section == "inputs" else self.outputs).append((variable, place))
        return variable

    def add_mutable_attr(self, name: str, kind: str, place: Place, default: Any) -> None:
        """Add an input of PIR that is an attr of YAML."""
        variable = self.add_variable("inputs", name, place)
        variable["type"] = kind
        variable["mutable_attr"] = True
        variable["default"] = default

    def add_attr(
        self, name: str, kind: str | None, place: Place, default: Any = None, *, generated: bool = False
    ) -> Attr:
        """Add an attr, and return its record; its type is None if it is not known, its default if it has none."""
        attr: Attr = {"name": name}
        if kind is not None:
            attr["type"] = kind
        if default is not None:
            attr["default_value"] = default
        if generated:
            attr["generated"] = True
        self.attrs.append((attr, place))
        return attr

    def op(self, place: Place, **fields: Any) -> tuple[Any, Any]:
        """Return the record of the op that declares them, with fields of its own, and the places."""
        record: dict[str, Any] = fields
        places: OpPlaces = {"op": place}
        if self.inputs:
            record["inputs"], places["inputs"] = zip(*self.inputs, strict=True)
        if self.outputs:
            record["outputs"], places["outputs"] = zip(*self.outputs, strict=True)
        if self.attrs:
            record["attrs"], places["attrs"] = zip(*self.attrs, strict=True)
        return record, places


def no_declarations() -> FileDeclarations:
    """Return the declarations of a file that has none."""
    return {"ops": [], "without": [], "histories": {}, "remarks": []}


def history(checkpoints: Iterable[tuple[str, list[tuple[UpdateRecord, int]], int]], file: str) -> History:
    """Return the history of an op.

    Args:
        checkpoints: the note of each, its updates with their lines, and its line.
        file: the file that has them.
    """
    result: History = {"checkpoints": [], "places": []}
    for note, updates, line in checkpoints:
        checkpoint: CheckpointRecord = {"updates": [update for update, _ in updates]}
        result["checkpoints"].append({"note": note, **checkpoint} if note else checkpoint)
        result["places"].append([(file, each, None) for each in (line, *(at for _, at in updates))])
    return result


def remark(event: EventId, name: str, op: str | None, place: Place, digest: str = "", **facts: str) -> RemarkRecord:
    """Return a remark."""
    op = op and str(op)  # a scalar of YAML is no plain text, which the cache needs
    return {"event": event, "name": str(name), "op": op, "digest": digest, "facts": facts, "place": place}


def unresolved(name: str, error: UnresolvedError, path: str, line: int, text: str) -> RemarkRecord:
    """Return the remark on what cannot be evaluated.

    Args:
        name: the op, or the file where no op is known; `*` for the whole tree.
        error: why not, and where if that is known.
        path: the file that it counts for where it is not.
        line: its line in it.
        text: the text that declares it, which tells whether it has changed; "" where that is not known.
    """
    op = None if name == "*" or "/" in name else name.partition(" ")[0]
    place = error.file or path, error.line or line, None
    return remark("op_unresolved", name, op, place, digest(text) if text else "", reason=error.reason)


def digest(text: str) -> str:
    """Return a short text that stands for another."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
