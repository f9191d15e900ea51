"""Detection of renamed declarations between two FlatBuffers schemas.

1. A removed and an added declaration are one if they have the same last name, and no others have it: their namespace
changed.
2. From each pair of declarations, follow equal slots and numbers: if base's leads to a removed declaration and head's
to an added one, these are one as well. The root tables are such a pair.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.spec.model import Op


def find_renamed_declarations(base: Mapping[str, Op], head: Mapping[str, Op]) -> dict[str, str]:
    """Return the new names of the declarations that base has under another name."""
    removed = {name: base[name] for name in base.keys() - head.keys() if isinstance(base[name].get("form"), str)}
    added = {name: head[name] for name in head.keys() - base.keys() if isinstance(head[name].get("form"), str)}
    if not removed or not added:
        return {}
    new_names = dict(_pair_by_last_name(removed, added))
    taken = set(new_names.values())
    # Declarations of equal name are pairs already, and the start of the search.
    queue = [(name, name) for name in sorted(base.keys() & head.keys())] + sorted(new_names.items())
    queue.append((_root(base), _root(head)))
    while queue:
        old, new = queue.pop()
        if (
            old in removed
            and new in added
            and old not in new_names
            and new not in taken
            and _same_form(removed[old], added[new])
        ):
            new_names[old] = new
            taken.add(new)
        elif new_names.get(old, old) != new:
            continue
        if old in base and new in head:
            queue += (
                (old_type, new_type)
                for old_type, new_type in _types_in_equal_slots(base[old], head[new])
                if old_type in removed and old_type not in new_names
            )
    return new_names


def _root(ops: Mapping[str, Op]) -> str:
    return next((name for name in ops if ops[name].get("root") is True), "")


def _same_form(old: Op, new: Op) -> bool:
    return bool(old.get("form") == new.get("form"))


def _pair_by_last_name(removed: Mapping[str, Op], added: Mapping[str, Op]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of declarations that differ only in their namespace."""
    before, after = _by_last_name(removed), _by_last_name(added)
    for last_name, names in before.items():
        others = after.get(last_name, ())
        if len(names) == len(others) == 1 and _same_form(removed[names[0]], added[others[0]]):
            yield names[0], others[0]


def _by_last_name(names: Mapping[str, Op]) -> dict[str, list[str]]:
    """Return the full names by the part after the last dot."""
    by_last_name: dict[str, list[str]] = {}
    for name in names:
        by_last_name.setdefault(name.rpartition(".")[2], []).append(name)
    return by_last_name


def _types_in_equal_slots(old: Op, new: Op) -> Iterator[tuple[str, str]]:
    """Yield the pairs of types, old and new, that equal slots of two declarations refer to."""
    after = {attr.get("slot"): attr for attr in new.attrs}
    for attr in old.attrs:
        partner = after.get(attr.get("slot"))
        if partner is not None and attr.type and partner.type:
            yield _item_type(str(attr.type)), _item_type(str(partner.type))
            yield str(attr.get("nested_flatbuffer")), str(partner.get("nested_flatbuffer"))


def _item_type(kind: str) -> str:
    """Return a type without the brackets and length of a vector or array: `T` for `[T:4]`."""
    return kind.strip("[]").partition(":")[0]
