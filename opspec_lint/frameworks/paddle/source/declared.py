"""What a tree or a wheel declares of ops, as records that C++, YAML and headers have in common."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.source.bounds import Bounds
from opspec_lint.kit.record import Record
from opspec_lint.sources.packing import Packing, position
from opspec_lint.spec.model import SECTIONS, Checkpoint, Origin, Remark, Update

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from opspec_lint.cpp.unresolved import UnresolvedError


class Flag:
    """The bits of the flags of an input, output or attr.

    `MUTABLE` is an input of PIR that is an attr of YAML, `UNTOLD` one of PIR of which no flag is known.
    """

    DUPLICABLE, DISPENSABLE, INTERMEDIATE, EXTRA = 1, 2, 4, 8
    QUANT, SUPPORT_TENSOR, MUTABLE, UNTOLD = 16, 32, 64, 128


class Declaration(Record):
    """An input, output or attr, and where it is declared.

    `type` is None where there is none, or it is not known. `bounds` is None where nothing checks the value.
    """

    name: str
    type: str | None = None
    default: Any = None
    flags: int = 0
    generated: bool = False
    bounds: Bounds | None = None
    file: str
    line: int
    column: int = 1


class OpDeclaration(Record):
    """An op, and where it is declared.

    `is_variadic` says that an op of PIR takes more than is declared, `kernel_of` is the op that it is one kernel of.
    """

    inputs: tuple[Declaration, ...]
    outputs: tuple[Declaration, ...]
    attrs: tuple[Declaration, ...]
    is_variadic: bool = False
    kernel_of: str | None = None
    file: str
    line: int
    column: int = 1


def declared(sections: Mapping[str, Iterable[Declaration]], file: str, line: int, column: int) -> OpDeclaration:
    """The op of its sections and of its place."""
    inputs, outputs, attrs = (tuple(sections[section]) for section in SECTIONS.values())
    return OpDeclaration(inputs=inputs, outputs=outputs, attrs=attrs, file=file, line=line, column=column)


class History(Record):
    """The checkpoints of an op, and the place of each, followed by those of its updates."""

    op: str
    checkpoints: tuple[Checkpoint, ...]
    places: tuple[tuple[Origin, ...], ...]


class Unit(Record):
    """What a file declares, in some builds.

    `ops` and `histories` become packed in the cache. `without` are the names of ops without a proto. Where `is_special`
    is true, an op counts only if it is different in other builds.
    """

    ops: tuple[tuple[str, Any], ...] = ()
    without: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    histories: tuple[History, ...] = ()
    builds: tuple[str, ...] = ()
    is_special: bool = False


class Aliases(Record):
    """The names that op_compat.yaml gives to arguments, and as "" that which it gives to their op.

    For each it is the name in the entry of the op, and where op_compat.yaml gives the other.
    """

    names: Mapping[str, tuple[str, Origin]]


def history(op: str, checkpoints: Iterable[tuple[str, list[tuple[Update, int]], int]], file: str) -> History:
    """Return the history of an op.

    Args:
        op: the op.
        checkpoints: the note of each, its updates with their lines, and its line.
        file: the file that has them.
    """
    points: list[Checkpoint] = []
    places: list[tuple[Origin, ...]] = []
    for note, updates, line in checkpoints:
        points.append(Checkpoint(note=note, updates=tuple(update for update, _ in updates)))
        places.append(tuple(Origin(file=file, line=each) for each in (line, *(at for _, at in updates))))
    return History(op=op, checkpoints=tuple(points), places=tuple(places))


KINDS = (OpDeclaration, Declaration, Bounds, Unit, History, Checkpoint, Update, Origin, Remark, Aliases)
LATE_KINDS = (OpDeclaration, Aliases, History)
PACKING = Packing(*KINDS, late=LATE_KINDS)
"""How these lie in the cache; other packings begin with the same classes, and so with the same numbers."""
_SECTIONS = slice(position(OpDeclaration, "inputs"), position(OpDeclaration, "is_variadic"))
_OF_OP = slice(None, position(OpDeclaration, "file"))
_OF_ARGUMENT = slice(None, position(Declaration, "file"))
_DEFAULT, _BOUNDS = position(Declaration, "default"), position(Declaration, "bounds")


def numbers(op: tuple[Any, ...]) -> list[Any]:
    """The default values and bounds of a packed op, which are all that may be numbers in it."""
    return [(each[_DEFAULT], each[_BOUNDS]) for section in op[_SECTIONS] for each in section]


def without_places(op: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a packed op declares, wherever it stands."""
    sections = [tuple([each[_OF_ARGUMENT] for each in section]) for section in op[_SECTIONS]]
    return (*op[_OF_OP][_SECTIONS.stop :], *sections)


def declare_the_same(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    """Tell whether two packed ops declare the same, wherever they stand."""
    return repr(without_places(one)) == repr(without_places(other))  # 1, 1.0 and true are equal, but not the same


def unresolved(name: str, error: UnresolvedError, path: str, line: int, text: str) -> Remark:
    """The remark on what cannot be evaluated.

    Args:
        name: the op, or the file where no op is known; `*` for the whole tree.
        error: why not, and where if that is known.
        path: the file that it counts for where it is not.
        line: its line in it.
        text: the text that declares it, which tells whether it has changed; "" where that is not known.
    """
    return Remark(
        event="op_unresolved",
        name=name,
        op=None if name == "*" or "/" in name else name.partition(" ")[0],
        digest=digest(text) if text else "",
        facts={"reason": error.reason},
        origin=Origin(file=error.file or path, line=error.line or line),
    )


def digest(text: str) -> str:
    """A short text that stands for another."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
