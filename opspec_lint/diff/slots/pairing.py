"""Which declarations of head are those of base under another name.

What is gone and what is new are one where their last names are alone and equal (a namespace changed), or where the same
slot, number or root leads to both.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.spec.model import Op


def find_renamed_declarations(base: Mapping[str, Op], head: Mapping[str, Op]) -> dict[str, str]:
    """Return the names in head of the declarations that base has under another name."""
    gone = {name: base[name] for name in base.keys() - head.keys() if isinstance(base[name].get("form"), str)}
    come = {name: head[name] for name in head.keys() - base.keys() if isinstance(head[name].get("form"), str)}
    if not gone or not come:
        return {}
    found = dict(_of_one_last_name(gone, come))
    taken = set(found.values())
    waiting = [(name, name) for name in sorted(base.keys() & head.keys())] + sorted(found.items())
    waiting.append((_root(base), _root(head)))
    while waiting:
        old, new = waiting.pop()
        if old in gone and new in come and old not in found and new not in taken and _are_alike(gone[old], come[new]):
            found[old] = new
            taken.add(new)
        elif found.get(old, old) != new:
            continue
        if old in base and new in head:
            waiting += (pair for pair in _led_to(base[old], head[new]) if pair[0] in gone and pair[0] not in found)
    return found


def _root(ops: Mapping[str, Op]) -> str:
    return next((name for name in ops if ops[name].get("root") is True), "")


def _are_alike(old: Op, new: Op) -> bool:
    return bool(old.get("form") == new.get("form"))


def _of_one_last_name(gone: Mapping[str, Op], come: Mapping[str, Op]) -> Iterator[tuple[str, str]]:
    """Yield what differs in its namespace alone."""
    before, after = _by_last_name(gone), _by_last_name(come)
    for last, names in before.items():
        others = after.get(last, ())
        if len(names) == len(others) == 1 and _are_alike(gone[names[0]], come[others[0]]):
            yield names[0], others[0]


def _by_last_name(names: Mapping[str, Op]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(name.rpartition(".")[2], []).append(name)
    return found


def _led_to(old: Op, new: Op) -> Iterator[tuple[str, str]]:
    """Yield the types that the same slots of two declarations lead to."""
    after = {each.get("slot"): each for each in new.attrs}
    for each in old.attrs:
        other = after.get(each.get("slot"))
        if other is not None and each.type and other.type:
            yield _item(str(each.type)), _item(str(other.type))
            yield str(each.get("nested_flatbuffer")), str(other.get("nested_flatbuffer"))


def _item(kind: str) -> str:
    return kind.strip("[]").partition(":")[0]
