"""The declarations of ops in the files of a tree or wheel, as the cache stores records and places.

`spec/records.py` describes records and makes ops from records.
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

    class VariableRecord(ArgumentRecord, total=False):
        """The record of an input or output, without its flags; `mutable_attr` and `default` are of inputs of PIR."""

        mutable_attr: bool
        default: Any

    Flags: TypeAlias = Iterable[tuple[str, bool]]
    """Names of flags (`framework.FLAGS`), each with its value."""
    VariableSection: TypeAlias = Literal["inputs", "outputs"]

    Alias: TypeAlias = tuple[str, Place]
    """The name of an argument in the entry of its op, and the place in op_compat.yaml that renames it."""
    Aliases: TypeAlias = dict[str, Alias]
    """The aliases of one op, by the name of the argument in programs; the entry "" renames the op itself."""

    class History(TypedDict):
        """The checkpoints of an op; `places` has a list for each: its own place, then its updates' places."""

        checkpoints: list[CheckpointRecord]
        places: list[list[Place]]

    class FileDeclarations(TypedDict):
        """The declarations in one file; `without` names the ops that have no proto, such as gradient ops."""

        ops: list[tuple[str, LocatedOp]]
        without: list[str]
        histories: dict[str, History]
        remarks: list[RemarkRecord]


class Declarations:
    """The arguments that one op declares, in declaration order, each with its place."""

    def __init__(self) -> None:
        self.inputs: list[tuple[VariableRecord, Place]] = []
        self.outputs: list[tuple[VariableRecord, Place]] = []
        self.attrs: list[tuple[AttrRecord, Place]] = []

    def add_variable(self, section: VariableSection, name: str, place: Place, flags: Flags = ()) -> VariableRecord:
        """Add an input or output with the flags that are true, and return its record."""
        variable: VariableRecord = {"name": name}
        set_flags(variable, flags)
        (self.inputs if section == "inputs" else self.outputs).append((variable, place))
        return variable

    def add_mutable_attr(self, name: str, kind: str, place: Place, default: Any) -> None:
        """Add an input of a PIR op that its YAML entry declares as an attr (Scalar or IntArray)."""
        variable = self.add_variable("inputs", name, place)
        variable["type"] = kind
        variable["mutable_attr"] = True
        variable["default"] = default

    def add_attr(
        self, name: str, kind: str | None, place: Place, default: Any = None, *, flags: Flags = ()
    ) -> AttrRecord:
        """Add an attr with the flags that are true, and return its record.

        `kind` is None for an unknown type, `default` for none.
        """
        attr: AttrRecord = {"name": name}
        if kind is not None:
            attr["type"] = kind
        if default is not None:
            attr["default_value"] = default
        set_flags(attr, flags)
        self.attrs.append((attr, place))
        return attr

    def to_op(self, place: Place, **fields: Any) -> tuple[Any, Any]:
        """Return the record of the op with these arguments and `fields`, and its places."""
        record: dict[str, Any] = fields
        places: OpPlaces = {"op": place}
        if self.inputs:
            record["inputs"], places["inputs"] = zip(*self.inputs, strict=True)
        if self.outputs:
            record["outputs"], places["outputs"] = zip(*self.outputs, strict=True)
        if self.attrs:
            record["attrs"], places["attrs"] = zip(*self.attrs, strict=True)
        return record, places


def set_flags(record: VariableRecord | AttrRecord, flags: Flags) -> None:
    """Set the flags that are true in the record of an argument; a record omits the others."""
    values: dict[str, Any] = record  # type: ignore[assignment]  # the type of a record has common fields only
    for flag, is_set in flags:
        if is_set:
            values[flag] = True


def empty_file_declarations() -> FileDeclarations:
    """Return the declarations of a file without ops."""
    return {"ops": [], "without": [], "histories": {}, "remarks": []}


def make_history(checkpoints: Iterable[tuple[str, list[tuple[UpdateRecord, int]], int]], file: str) -> History:
    """Return the history of an op from its checkpoints: (note, [(update, line)], line)."""
    result: History = {"checkpoints": [], "places": []}
    for note, updates, checkpoint_line in checkpoints:
        checkpoint: CheckpointRecord = {"updates": [update for update, _ in updates]}
        result["checkpoints"].append({"note": note, **checkpoint} if note else checkpoint)
        result["places"].append(
            [(file, line, None) for line in (checkpoint_line, *(update_line for _, update_line in updates))]
        )
    return result


def remark(event: EventId, name: str, op: str | None, place: Place, digest: str = "", **facts: str) -> RemarkRecord:
    """Return the record of a remark about `name`; `digest` identifies the text that it is about."""
    # A scalar of YAML is a subclass of str, which marshal refuses.
    plain_op = None if op is None else str(op)
    return {"event": event, "name": str(name), "op": plain_op, "digest": digest, "facts": facts, "place": place}


def unresolved(name: str, error: UnresolvedError, path: str, line: int, text: str) -> RemarkRecord:
    """Return the remark that a declaration cannot be evaluated.

    `name` is the op, a path where no op is known, or `*` for the whole tree. `path` and `line` count where the error
    has no place. The digest of `text` shows later whether the declaration has changed.
    """
    op = None if name == "*" or "/" in name else name.partition(" ")[0]
    place = error.file or path, error.line or line, None
    return remark("op_unresolved", name, op, place, digest(text) if text else "", reason=error.reason)


def digest(text: str) -> str:
    """Return a hash of a text, short enough to be stored with each remark."""
    # Names of sources may contain bytes that are no UTF-8; they were decoded with surrogates.
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
