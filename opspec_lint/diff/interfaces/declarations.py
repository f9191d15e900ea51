"""Comparison of two interfaces: the signatures, functions and graphs of two models, declaration by declaration."""

from __future__ import annotations

from opspec_lint.diff.changes.whole_specs import loader_checks_less
from opspec_lint.diff.interfaces import functions, retracing, tensors
from opspec_lint.diff.interfaces.callers import UNKNOWN_RUNTIME, Loaders, checks_less, possible_loaders
from opspec_lint.diff.interfaces.facts import DeclarationPair, interface_fact
from opspec_lint.spec.interface.declarations import call_kind, callers_of, is_function
from opspec_lint.spec.interface.rendering import show_declaration
from opspec_lint.spec.model import UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import FieldTable
    from opspec_lint.spec.ids import EventId
    from opspec_lint.spec.interface.declarations import Caller
    from opspec_lint.spec.model import Op, Spec


def compare(base: Spec, head: Spec, only: Collection[str] | None, _: FieldTable) -> Iterator[Fact | tuple[Op, Op]]:
    """Yield every difference between two interfaces, and each pair of declarations that was compared."""
    loads = possible_loaders(base.provenance, head.provenance)
    if checks_less(base.provenance, head.provenance):
        yield loader_checks_less(_saver_text(base), _saver_text(head))
    names = base.ops.keys() | head.ops.keys()
    for name in sorted(names if only is None else names.intersection(only)):
        old, new = base.ops.get(name), head.ops.get(name)
        if old is not None and new is not None:
            yield old, new
            yield from _compare_pair(old, new, loads)
        elif old is not None:
            yield _declaration_fact("callable_removed", old, breaks=True)
        elif new is not None:
            yield _declaration_fact("callable_added", new, breaks=False)
    yield from retracing.new_hazards(base, head, only)


def compare_op(old: Op, new: Op, earlier: Sequence[Op], table: FieldTable) -> Iterator[Fact]:  # noqa: ARG001
    """Yield every difference between two declarations, for an unknown loader."""
    return _compare_pair(old, new, Loaders(UNKNOWN_RUNTIME, UNKNOWN_RUNTIME))


def _saver_text(spec: Spec) -> str:
    return f"{spec.provenance.kind} {spec.provenance.version}"


def _compare_pair(old: Op, new: Op, loads: Loaders) -> Iterator[Fact]:
    pair = DeclarationPair(old, new)
    yield from _compare_call_kind(pair)
    yield from _compare_fields(pair)
    if is_function(old) is is_function(new):
        yield from functions.compare(pair, loads) if is_function(old) else tensors.compare(pair, loads)


def _compare_call_kind(pair: DeclarationPair) -> Iterator[Fact]:
    """Yield that a declaration is called in another way, such as by keyword, which breaks all of its callers."""
    was, now = pair.old.get("called_as"), pair.new.get("called_as")
    if was != now and UNKNOWN not in (was, now):
        yield pair.fact("called_as_changed", "op", pair.old.name, was, now)


def _compare_fields(pair: DeclarationPair) -> Iterator[Fact]:
    """Yield the differences in how loaders find a signature, and in whether a function has an input_signature."""
    for field, (events, callers) in _FIELDS.items():
        was, now = pair.old.get(field), pair.new.get(field)
        if was != now and UNKNOWN not in (was, now):
            event = events[0 if now else -1]
            yield pair.fact(event, "op", pair.old.name, _value_text(was), _value_text(now), callers=callers)


_FIELDS: Mapping[str, tuple[tuple[EventId, ...], tuple[Caller, ...] | None]] = {
    "tags": (("tags_changed",), None),
    "method": (("method_changed",), ("session",)),
    "input_signature": (("input_signature_set", "input_signature_cleared"), ()),
}
"""The events of fields of a declaration, for setting and clearing, and the callers that break; None for all callers."""


def _value_text(value: Any) -> str | None:
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, tuple) else value or None


def _declaration_fact(event: EventId, op: Op, *, breaks: bool) -> Fact:
    """Return the fact that a declaration was removed (`breaks`) or added."""
    text = show_declaration(op)
    return interface_fact(
        event,
        op,
        "op",
        op.name,
        texts=(None, None),
        declared=(text, None) if breaks else (None, text),
        facts={"what": call_kind(op)},
        callers=callers_of(op) if breaks else (),
        origins=(op.origin, None) if breaks else (None, op.origin),
    )
