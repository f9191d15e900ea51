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
    old_calls = {call.name: call for call in old.attrs}
    new_calls = {call.name: call for call in new.attrs}
    for name in sorted(old_calls.keys() | new_calls.keys()):
        old_call, new_call = old_calls.get(name), new_calls.get(name)
        # The type of a call is its request and its response.
        old_type = None if old_call is None else old_call.type
        new_type = None if new_call is None else new_call.type
        if old_type is None or new_type is None or not _same_tables(str(old_type), str(new_type), pair):
            facts = {"old": old_type or "not there", "new": new_type or "not there"}
            yield slot_fact(
                "rpc_call_changed", old, name, (old_call, new_call), facts, field="type", sides=(old_type, new_type)
            )


def _same_tables(old: str, new: str, pair: SchemaPair) -> bool:
    """Return whether two calls take and return the same tables, perhaps under new names."""
    return all(pair.is_same_declaration(*tables) for tables in zip(old.split(" -> "), new.split(" -> "), strict=True))
