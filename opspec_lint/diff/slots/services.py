"""Comparison of two declarations of an rpc_service, call by call; no bytes of a file depend on a service."""

from __future__ import annotations

from opspec_lint.diff.slots.facts import slot_fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.diff.slots.types import SchemaPair
    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Op


def compare(old: Op, new: Op, pair: SchemaPair) -> Iterator[Fact]:
    """Yield every call that differs between two declarations of a service."""
    before, after = ({old_call.name: old_call for old_call in op.attrs} for op in (old, new))
    for name in sorted(before.keys() | after.keys()):
        old_call, new_call = before.get(name), after.get(name)
        types = (None if old_call is None else old_call.type), (None if new_call is None else new_call.type)
        if types[0] is None or types[1] is None or not _same_tables(str(types[0]), str(types[1]), pair):
            facts = {"old": types[0] or "not there", "new": types[1] or "not there"}
            yield slot_fact("rpc_call_changed", old, name, (old_call, new_call), facts, field="type", sides=types)


def _same_tables(old: str, new: str, pair: SchemaPair) -> bool:
    """Return whether two calls take and return the same tables, perhaps under new names."""
    return all(pair.is_same_declaration(*tables) for tables in zip(old.split(" -> "), new.split(" -> "), strict=True))
