"""Compares two interfaces: what can be called of two models, declaration by declaration."""

from __future__ import annotations

from opspec_lint.diff.changes.knowledge import LoaderChecksLess
from opspec_lint.diff.interfaces import functions, retracing, tensors
from opspec_lint.diff.interfaces.callers import UNKNOWN_RUNTIME, Loaders, checks_less, loaders
from opspec_lint.diff.interfaces.facts import DeclarationPair, InterfaceChange
from opspec_lint.spec.interface.declarations import called_as, callers_of, is_function
from opspec_lint.spec.interface.words import show
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.diff.changes.change import Change
    from opspec_lint.spec.fields import Table
    from opspec_lint.spec.interface.declarations import Caller
    from opspec_lint.spec.model import Op, Spec


def compare(base: Spec, head: Spec, only: Collection[str] | None, _: Table) -> Iterator[Change | tuple[Op, Op]]:
    """Yield what tells two interfaces apart, and each pair of declarations that was compared."""
    loads = loaders(base.provenance, head.provenance)
    if checks_less(base.provenance, head.provenance):
        yield LoaderChecksLess(
            op="", kind="source", name="version", field="version", old=_saver(base), new=_saver(head)
        )
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
    return _compared(old, new, Loaders(UNKNOWN_RUNTIME, UNKNOWN_RUNTIME))


def _saver(spec: Spec) -> str:
    return f"{spec.provenance.kind} {spec.provenance.version}"


def _compared(old: Op, new: Op, loads: Loaders) -> Iterator[InterfaceChange]:
    pair = DeclarationPair(old, new)
    yield from _called_as(pair)
    yield from _fields(pair)
    if is_function(old) is is_function(new):
        yield from functions.compare(pair, loads) if is_function(old) else tensors.compare(pair, loads)


def _called_as(pair: DeclarationPair) -> Iterator[InterfaceChange]:
    """Yield that a declaration is called in another way: whoever can call it in base's way alone breaks."""
    was, now = pair.old.get("called_as"), pair.new.get("called_as")
    if was != now and UNKNOWN not in (was, now):
        yield pair.fact("called_as_changed", "op", pair.old.name, was, now)


def _fields(pair: DeclarationPair) -> Iterator[InterfaceChange]:
    """Yield what differs of how a signature is found, and of whether a function says what it takes."""
    for field, callers in _CALLERS.items():
        was, now = pair.old.get(field), pair.new.get(field)
        if was != now and UNKNOWN not in (was, now):
            event = f"{field}_changed" if field != "input_signature" else f"{field}_{'set' if now else 'cleared'}"
            yield pair.fact(event, "op", pair.old.name, _text(was), _text(now), callers=callers)


_CALLERS: Mapping[str, tuple[Caller, ...] | None] = {"tags": None, "method": ("session",), "input_signature": ()}
"""Who breaks where a field of a declaration is another one, None for all who call it."""


def _text(value: Any) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, tuple) else value or None


def _whole(event: str, op: Op, *, callers: bool) -> InterfaceChange:
    shown = show(op)
    return InterfaceChange(
        op=op.name,
        kind="op",
        name=op.name,
        event=event,
        callers=callers_of(op) if callers else (),
        before=shown if callers else None,
        after=None if callers else shown,
        places=(op.origin, None) if callers else (None, op.origin),
        facts={"what": called_as(op)},
    )
