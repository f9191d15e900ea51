"""The items of lists of CMake: texts that have conditions, and the values of variables that are made of items."""

from __future__ import annotations

from typing import NamedTuple

from opspec_lint.builds.source_lists import ENDS
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, negation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from typing import TypeAlias

    from opspec_lint.builds.source_lists import Excluded
    from opspec_lint.spec.condition import Condition

    Doubt: TypeAlias = tuple[str, int, str]
    """The file, line and text of a statement that is not followed, and may list any source."""

REFERENCE = pattern(r"\$\{([^${}\0]*)\}")
"""A reference to a variable, without another one inside. `\0` marks a reference whose value is unknown."""
_MAX_CASES = 8
"""Cases in the conditions of numbers and flags; the architectures of a GPU, among them those of a build, have more."""
_NUMBER_OR_FLAG = pattern(r"(?:-|\d[\d.]*[a-z]?(?![^+])|\$\{[^/]*\})[^/*]*")
"""A text that names no source, no folder and no target, or has a variable of unknown value in this place."""
_ITEM_STEPS = 10
"""The steps that an item takes, next to the length of its text."""


class Item(NamedTuple):
    """An item of a list: a text or a pattern of `file(GLOB)`, and what was removed from the pattern.

    `is_absolute` is set for a pattern whose files are absolute paths, `doubt` for a text that may be any sources.
    """

    text: str
    condition: Condition = ALWAYS
    excluded: tuple[Excluded, ...] = ()
    is_absolute: bool = False
    doubt: Doubt | None = None


class Variable(NamedTuple):
    """The value of a variable: the items of its list, and the condition under which it has another, unknown value.

    `doubt` is the command that is not followed and may have changed it since.
    """

    items: tuple[Item, ...] = ()
    unknown_if: Condition = ALWAYS
    doubt: Doubt | None = None

    @property
    def is_sure(self) -> bool:
        """Return whether no other command may have changed the variable."""
        return self.doubt is None


def handling_steps(items: Iterable[Item]) -> int:
    """Return the steps that the handling of items takes."""
    return sum(_ITEM_STEPS * (1 + len(item.excluded)) + len(item.text) for item in items)


def restrict(items: Iterable[Item], condition: Condition) -> tuple[Item, ...]:
    """Return items under a further condition, without those that never exist then."""
    if condition == ALWAYS:
        return tuple(items)
    both = ((item, conjunction(item.condition, condition)) for item in items)
    return tuple(with_condition(item, restricted) for item, restricted in both if restricted != NEVER)


def assigned(before: Collection[Item], given: Iterable[Item], runs_if: Condition) -> tuple[Item, ...]:
    """Return the items of a list after the assignment of another list under a condition."""
    added = restrict(given, runs_if)
    if runs_if == ALWAYS:
        return added
    # `set(S a.cpp ${S})` keeps the items of S, whose conditions would grow with each such command.
    new = {*added}
    kept = {item: same for item in before for same in restrict((item,), runs_if) if same in new}
    otherwise = negation(runs_if)
    left = [part for item in before for part in ((item,) if item in kept else restrict((item,), otherwise))]
    repeated = {*kept.values()}
    return (*left, *(item for item in added if item not in repeated))


def has_many_cases(items: Collection[Item]) -> bool:
    """Return whether a list of numbers and flags, which each command may double, depends on too many conditions.

    Its value counts as unknown.
    """
    cases = sum(len(item.condition) for item in items if item.condition != ALWAYS)
    return cases > _MAX_CASES and not any(map(_may_name, texts_of(items)))


def _may_name(text: str) -> bool:
    """Return whether a text may be the name of a source, a folder or a target."""
    return text.endswith(ENDS) or _NUMBER_OR_FLAG.fullmatch(text) is None


def with_condition(item: Item, condition: Condition) -> Item:
    """Return an item with a condition in place of the present one."""
    return item if item.condition == condition else item._replace(condition=condition)


def is_resolved(text: str) -> bool:
    """Return whether a text contains no variable of unknown value."""
    return "${" not in text


def texts_of(items: Iterable[Item]) -> list[str]:
    """Return the texts of items."""
    return [item.text for item in items]
