"""What one C++ file registers, as plain data: the ops with their arguments, what has no proto, what is unresolved.

Plain tuples, since they are kept in the cache: marshal reads them a hundred times as fast as objects.
"""

from __future__ import annotations

from opspec_lint.paddle_tree.faults import UnresolvedError
from opspec_lint.paddle_tree.registrations import evaluated, registrations
from opspec_lint.paddle_tree.versions import History, registered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from opspec_lint.paddle_tree.makers import Declared, Item
    from opspec_lint.paddle_tree.registrations import Registration
    from opspec_lint.paddle_tree.scope import Scope
    from opspec_lint.paddle_tree.workspace import Workspace

    OpRecord: TypeAlias = tuple[str, int, int, tuple[Any, ...], tuple[Any, ...], tuple[Any, ...]]
    """The file, line and column of an op, its inputs, outputs and attrs."""

    Unresolved: TypeAlias = tuple[str, str, int, str, str]
    """The op, the file and line of what cannot be evaluated, the reason, and the digest of the declaring text."""

    Unit: TypeAlias = tuple[list[tuple[str, OpRecord]], list[str], list[Unresolved], list[tuple[Any, ...]]]
    """The ops, the names without a proto, the unresolved, and the histories."""

FLAGS = {"duplicable": 1, "dispensable": 2, "intermediate": 4, "extra": 8, "quant": 16}
"""The bit of each flag in a record."""


def unit(workspace: Workspace, path: str) -> Unit:
    """Return what a file registers, in one build."""
    meanings = workspace.meanings(path)
    scope = workspace.scope(path)
    ops: list[tuple[str, OpRecord]] = []
    without: list[str] = []
    unresolved: list[Unresolved] = []
    histories: list[tuple[Any, ...]] = []
    try:
        for this in registrations(scope):
            try:
                declared = evaluated(this, scope, meanings)
            except UnresolvedError as error:
                place = error.file or path, error.line or this.line
                unresolved.append((this.op, *place, error.reason, _declaring_text(this, scope)))
                continue
            if declared is None:
                without.append(this.op)
            else:
                ops.append((this.op, record(declared, path, this.line, this.column)))
        for code in scope.own():
            for found in registered(code, meanings):
                if isinstance(found, History):
                    histories.append(history_record(found))
                else:
                    op, why = found
                    where = why.file or path, why.line or 1
                    unresolved.append((f"{op} (op version)", *where, why.reason, digest(why.reason)))
    except UnresolvedError as error:  # a macro that cannot be expanded hides what it registers
        place = error.file or path, error.line or 1
        unresolved.append((path, *place, error.reason, digest(workspace.files.raw(path) or "")))
    return ops, without, unresolved, histories


def record(declared: Declared, path: str, line: int, column: int) -> OpRecord:
    """Return the record of an op."""
    return (
        path,
        line,
        column,
        tuple(map(_variable, declared.inputs)),
        tuple(map(_variable, declared.outputs)),
        tuple(map(attr_record, declared.attrs)),
    )


def attr_record(item: Item) -> tuple[Any, ...]:
    """Return the record of an attr."""
    where = item.file, item.line, item.column
    return (item.name, item.type, item.default, _mask(item), item.generated, item.bounds.record(), *where)


def history_record(this: History) -> tuple[Any, ...]:
    """Return the record of the history of an op."""
    return this.op, this.file, this.line, this.column, this.checkpoints


def digest(text: str) -> str:
    """Return a short text that stands for another."""
    import hashlib

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _variable(item: Item) -> tuple[Any, ...]:
    return item.name, _mask(item), item.file, item.line, item.column


def _mask(item: Item) -> int:
    return sum(FLAGS[flag] for flag in item.flags)


def _declaring_text(this: Registration, scope: Scope) -> str:
    """Return the digest of the text that declares an op: its registration, and what is found of its classes."""
    from opspec_lint.paddle_tree.scope import class_name, is_foreign

    texts = [this.op, *this.arguments]
    waiting = [text for text in this.arguments if not is_foreign(text)]
    seen: set[str] = set()
    while waiting:
        name, _ = class_name(waiting.pop())
        if not name or name in seen:
            continue
        seen.add(name)
        try:
            found = scope.find_class(name)
        except UnresolvedError:
            found = None
        if found is not None:
            texts.append(" ".join(found.code.text[found.start : found.end].split()))
            waiting += (base for base in found.bases if not is_foreign(base))
    return digest("\0".join(texts))
