"""Compares two interfaces: what can be called of two models, declaration by declaration."""

from __future__ import annotations

from opspec_lint.diff.interfaces import functions, retracing, tensors
from opspec_lint.diff.interfaces.callers import Runtime, runtime
from opspec_lint.diff.interfaces.facts import InterfaceChange, Pair
from opspec_lint.spec.interface.declarations import called_as, callers_of, is_function
from opspec_lint.spec.interface.faults import require_types
from opspec_lint.spec.interface.words import show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from opspec_lint.diff.changes.change import Change
    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.model import Op, Spec


def compare(base: Spec, head: Spec, only: Collection[str] | None, _: Table) -> Iterator[Change | tuple[Op, Op]]:
    """Yield what tells two interfaces apart, and each pair of declarations that was compared.

    Raises:
        InputError: a text in one of them is no type.
    """
    for spec in (base, head):
        require_types(spec)
    loads = runtime(head.provenance)
    names = base.ops.keys() | head.ops.keys()
    for name in sorted(names if only is None else names.intersection(only)):
        old, new = base.ops.get(name), head.ops.get(name)
        if old is not None and new is not None:
            yield old, new
            yield from _compared(old, new, loads)
        elif old is not None:
            yield _whole("callable_removed", old, callers=True)
        elif new is not None:
            yield _whole("callable_added", new, callers=False)
    yield from retracing.added(base, head, only)


def compare_op(old: Op, new: Op, earlier: Sequence[Op], table: Table) -> Iterator[Change]:  # noqa: ARG001
    """Yield what tells two declarations apart, whoever loads them."""
    return _compared(old, new, Runtime(framework=""))


def _compared(old: Op, new: Op, loads: Runtime) -> Iterator[InterfaceChange]:
    pair = Pair(old, new)
    yield from _fields(pair)
    yield from functions.compare(pair, loads) if is_function(old) else tensors.compare(pair, loads)


def _fields(pair: Pair) -> Iterator[InterfaceChange]:
    """Yield what differs of how a signature is found: its tags, and the method that a server looks at."""
    for field in ("tags", "method"):
        was, now = pair.old.get(field) or None, pair.new.get(field) or None
        if was != now:
            words = [",".join(each) if isinstance(each, tuple) else each for each in (was, now)]
            yield pair.fact(
                f"{field}_changed", "op", pair.old.name, *words, callers=("session",) if field == "method" else None
            )


def _whole(event: str, op: Op, *, callers: bool) -> InterfaceChange:
    shown = show(op)
    return InterfaceChange(
        op=op.name,
        kind="op",
        name=op.name,
        happened=event,
        callers=callers_of(op) if callers else (),
        before=shown if callers else None,
        after=None if callers else shown,
        places=(op.origin, None) if callers else (None, op.origin),
        facts={"what": called_as(op)},
    )
