"""Detection of renamed and moved arguments among the removed and added arguments of an op."""

from __future__ import annotations

from collections import Counter

from opspec_lint.diff.changes.arguments import argument_renamed
from opspec_lint.spec import values
from opspec_lint.spec.model import SECTIONS, UNKNOWN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.fields import Field, FieldTable

    Rename: TypeAlias = tuple[Fact, Fact]

_MIN_CONFIDENCE = 0.6
_MAX_COMPARISONS = 400
"""The most pairs of one op; with more, nothing is paired."""
_COMPARED_CHARACTERS = 40
"""The number of characters of a name that are compared."""


def pair_renames(removed: list[Fact], added: list[Fact], table: FieldTable) -> Iterator[Fact]:
    """Yield the facts of one op, with one rename or move in place of each removal and addition of the same argument.

    1. Candidates are pairs of equal type that agree in each field that blocks a rename, such as `extra`. An unknown
       type agrees with any; an unknown flag counts as false.
    2. A move is a pair of an input and an output with the same name. Its confidence is 1.
    3. A rename is a pair of one kind. Its confidence weighs the similarity of the names, and of the other fields; a
       pair below `_MIN_CONFIDENCE` is none.
    4. Two arguments that are each other's only candidate, and differ in nothing but the name, need no similar names.
       Flags with the default true or false are excepted, as they are too much alike.
    5. The most confident pairs are taken first.

    The pairs are the same if base and head change places.
    """
    lost = {id(change): change for change in removed}
    gained = {id(change): change for change in added}
    candidates = _candidate_pairs(removed, added, table) if len(removed) * len(added) <= _MAX_COMPARISONS else ()
    for confidence, (old, new) in sorted(candidates, key=_most_confident_first):
        if id(old) in lost and id(new) in gained:
            del lost[id(old)], gained[id(new)]
            yield argument_renamed(old, new, round(confidence, 2))
    yield from lost.values()
    yield from gained.values()


def _most_confident_first(candidate: tuple[float, Rename]) -> tuple[float, bool, list[str], list[str]]:
    """Return a sort key that is the same if base and head change places."""
    confidence, (old, new) = candidate
    return -confidence, old.name != new.name, sorted((str(old.name), str(new.name))), sorted((old.kind, new.kind))


def _candidate_pairs(removed: list[Fact], added: list[Fact], table: FieldTable) -> Iterator[tuple[float, Rename]]:
    """Yield the pairs that may be one argument, each with the confidence."""
    pairs = [(old, new) for old in removed for new in added if _may_be_renamed(old, new, table)]
    uses = Counter(id(change) for pair in pairs for change in pair)
    for old, new in pairs:
        if old.kind != new.kind:
            yield 1.0, (old, new)
            continue
        equal_share = _equal_share(old, new, table)
        similarity = _name_similarity(str(old.name), str(new.name))
        is_switch = isinstance(old.old.get("default_value"), bool)
        if equal_share == 1 and uses[id(old)] == uses[id(new)] == 1 and not is_switch:
            # Each is the only candidate for the other: the name may be entirely new, as `x` for `input`.
            yield 0.5 + 0.5 * similarity, (old, new)
        elif 0.8 * similarity + 0.2 * equal_share >= _MIN_CONFIDENCE:
            yield 0.8 * similarity + 0.2 * equal_share, (old, new)


def _may_be_renamed(old: Fact, new: Fact, table: FieldTable) -> bool:
    """Return whether a removed and an added argument may be one: a move keeps its name, and no attr moves."""
    if old.kind != new.kind and (old.name != new.name or "attr" in (old.kind, new.kind)):
        return False
    return _values_agree(old, new, "type") and all(
        bool(old.old.get(field.name)) is bool(new.new.get(field.name))
        for field in _fields_of_kind(old, table)
        if field.blocks_rename
    )


def _equal_share(old: Fact, new: Fact, table: FieldTable) -> float:
    """Return the share of equal fields among those that a rename may change; 1 if there is no such field."""
    agreements = [
        _values_agree(old, new, field.name) for field in _fields_of_kind(old, table) if _rename_may_change(field)
    ]
    return sum(agreements) / len(agreements) if agreements else 1


def _fields_of_kind(change: Fact, table: FieldTable) -> Iterable[Field]:
    return table.fields_of(SECTIONS[change.kind]).values()  # type: ignore[index]


def _rename_may_change(field: Field) -> bool:
    """Return whether an argument may change a field when it is renamed: a flag or the default value."""
    is_switch = field.form == "flag" and not field.blocks_rename and field.name != "is_ref"
    return is_switch or field.name == "default_value"


def _values_agree(old: Fact, new: Fact, field: str) -> bool:
    """Return whether two arguments have the same value of a field, or one does not know it."""
    old_value, new_value = old.old.get(field), new.new.get(field)
    return old_value is UNKNOWN or new_value is UNKNOWN or values.same(old_value, new_value)


def _name_similarity(a: str, b: str) -> float:
    """Return the similarity of two names, from 0 to 1; 0 for anything below 0.5."""
    from difflib import SequenceMatcher

    # SequenceMatcher is not symmetric; sorted arguments give the same ratio if base and head change places.
    a, b = sorted(name.replace("_", "").lower()[:_COMPARED_CHARACTERS] for name in (a, b))
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= 0.5 and matcher.quick_ratio() >= 0.5 else 0.0
