"""Compares two declarations of an rpc_service call by call; no bytes of a file depend on one."""

from __future__ import annotations

from opspec_lint.diff.slots.facts import slot_fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.diff.slots.types import SchemaPair
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op


def compare(old: Op, new: Op, pair: SchemaPair) -> Iterator[Fact]:
    """Yield every call that two declarations of a service do not have alike."""
    before, after = ({call.name: call for call in op.attrs} for op in (old, new))
    for name in sorted(before.keys() | after.keys()):
        call, other = before.get(name), after.get(name)
        types = (None if call is None else call.type), (None if other is None else other.type)
        if types[0] is None or types[1] is None or not _is_one(str(types[0]), str(types[1]), pair):
            facts = {"old": types[0] or "not there", "new": types[1] or "not there"}
            yield slot_fact("rpc_call_changed", old, name, (call, other), facts, field="type", sides=types)


def _is_one(old: str, new: str, pair: SchemaPair) -> bool:
    """Tell whether two calls take and return the same tables, perhaps under other names."""
    return all(pair.is_one(*tables) for tables in zip(old.split(" -> "), new.split(" -> "), strict=True))
