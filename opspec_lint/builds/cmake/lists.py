"""The operations of `list()` and `file(GLOB)` of CMake on variables."""

from __future__ import annotations

from opspec_lint.builds.cmake.folders import without_root
from opspec_lint.builds.cmake.items import Item, Variable, is_resolved, restrict, texts_of
from opspec_lint.builds.cmake_regex import Regex, is_valid_regex
from opspec_lint.builds.source_lists import ENDS
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from opspec_lint.builds.cmake.values import Variables
    from opspec_lint.builds.source_lists import Excluded
    from opspec_lint.spec.condition import Condition

_POSITION = pattern(r"-?\d{1,6}")
_WILDCARDS = frozenset("*?[")
_MAX_PARTS = 64
"""The most parts of a pattern, from which different sources are removed under different conditions."""
_GLOB_OPTIONS = frozenset(
    {"CONFIGURE_DEPENDS", "FOLLOW_SYMLINKS", "LIST_DIRECTORIES", "RELATIVE", "true", "false", "TRUE", "FALSE"}
)


def change_list(arguments: Sequence[str], variables: Variables, runs_if: Condition) -> bool:
    """Execute a `list()` command; return False if it is not followed."""
    if len(arguments) < 2:
        return True
    name = variables.value(arguments[1], runs_if)
    if name is None:
        return False
    before = variables.get(name, Variable())
    values = variables.expand_all(arguments[2:], runs_if)
    items = _changed_items(arguments[0], before.items, restrict(values, runs_if), runs_if)
    if items is None:
        items = _rearranged_items(arguments[0], variables.lookup(name, runs_if), values)
        if items is None:
            return False
        items = (*restrict(before.items, negation(runs_if)), *restrict(items, runs_if))
    variables.store(name, before._replace(items=tuple(items)))
    return True


def read_list(arguments: Sequence[str], variables: Variables, runs_if: Condition) -> bool:
    """Execute a `list(GET)` or `list(SUBLIST)`, which set another variable; return False if it is not followed.

    It is not followed if a position is not in the list, which is an error of CMake.
    """
    operation, list_name, *places, result = (variables.value(argument, runs_if) for argument in arguments)
    numbers = _numbers([place or "" for place in places])
    if list_name is None or result is None or not numbers:
        return False
    before = variables.lookup(list_name, runs_if)
    count = len(before.items)
    positions = numbers[:1] if operation == "SUBLIST" else numbers
    if not _is_definite(before) or not all(-count <= position < count for position in positions):
        return False
    if operation == "GET":
        items = [before.items[number] for number in numbers]
    elif len(numbers) == 2 and numbers[0] >= 0:
        first, length = numbers
        items = [*before.items[first : count if length < 0 else first + length]]
    else:
        return False
    variables.assign(result, items, runs_if)
    return True


def _numbers(texts: Sequence[str]) -> list[int] | None:
    """Return the positions that texts are; None if one is no number."""
    return [int(text) for text in texts] if all(_POSITION.fullmatch(text) for text in texts) else None


def _changed_items(
    operation: str, items: Sequence[Item], values: Sequence[Item], runs_if: Condition
) -> Iterable[Item] | None:
    """Return the items of a list after an operation that treats each item alike; None for another one."""
    if operation == "APPEND":
        return (*items, *values)
    if operation == "PREPEND":
        return (*values, *items)
    if operation == "REMOVE_ITEM":
        return _without(items, values)
    if operation == "FILTER" and len(values) == 3 and values[1].text == "REGEX":
        return _filtered(items, values[2].text, runs_if, is_kept=values[0].text == "INCLUDE")
    return _merged(items) if operation == "REMOVE_DUPLICATES" else None


def _merged(items: Sequence[Item]) -> Iterable[Item]:
    """Return the items with each text once, under the condition that one of the equal items exists."""
    merged: dict[Item, Item] = {}
    for item in items:
        text = item._replace(condition=ALWAYS)
        before = merged.get(text)
        merged[text] = (
            item if before is None else before._replace(condition=disjunction((before.condition, item.condition)))
        )
    return merged.values()


def _rearranged_items(operation: str, before: Variable, values: Sequence[Item]) -> Iterable[Item] | None:
    """Return the items after an operation on all texts or on positions; None if it is not followed.

    An operation on positions is followed only in a list without conditions, patterns and unknown parts.
    """
    items = list(before.items)
    texts = texts_of(values)
    # Items that are inserted keep their conditions.
    arguments = values[:1] if operation == "INSERT" else values
    if any(argument.condition != ALWAYS for argument in arguments):
        return None
    if operation == "TRANSFORM" and len(texts) == 2 and texts[0] in ("PREPEND", "APPEND"):
        is_before = texts[0] == "PREPEND"
        return [item._replace(text=texts[1] + item.text if is_before else item.text + texts[1]) for item in items]
    if operation == "SORT" and not texts:
        return sorted(items, key=lambda item: item.text)
    if not _is_definite(before):
        return None
    if operation == "REVERSE":
        return items[::-1]
    if operation in ("POP_BACK", "POP_FRONT") and not texts:
        return items[:-1] if operation == "POP_BACK" else items[1:]
    return _changed_positions(operation, items, values) if operation in ("REMOVE_AT", "INSERT") else None


def _changed_positions(operation: str, items: list[Item], values: Sequence[Item]) -> list[Item] | None:
    """Return the items after `REMOVE_AT` or `INSERT`; None for a position that is unknown or not in the list."""
    is_insertion = operation == "INSERT"
    places = _numbers(texts_of(values[:1] if is_insertion else values))
    count = len(items)
    if not places or not all(-count <= place < count + is_insertion for place in places):
        return None
    if is_insertion:
        return [*items[: places[0]], *values[1:], *items[places[0] :]]
    removed = {place % count for place in places}
    return [item for index, item in enumerate(items) if index not in removed]


def _without(items: Iterable[Item], removed: Sequence[Item]) -> Iterator[Item]:
    """Yield the items that REMOVE_ITEM leaves: it compares texts, and `file(GLOB)` makes absolute paths."""
    for item in items:
        if not _is_pattern(item.text):
            kept_if = ALWAYS
            for value in removed:
                if value.text == item.text:
                    kept_if = conjunction(kept_if, negation(value.condition))
            yield from restrict((item,), kept_if)
            continue
        left = [item]
        for value in removed:
            is_same_kind = value.text.startswith(("/", "${")) == item.is_absolute
            if is_same_kind and (value.condition == ALWAYS or len(left) < _MAX_PARTS):
                left = [part for whole in left for part in _exclude(whole, value.text, value.condition)]
        yield from left


def _exclude(item: Item, excluded: Excluded, condition: Condition) -> Iterator[Item]:
    """Yield a pattern without the sources that are removed from it under a condition, and as it is otherwise."""
    yield from restrict((item._replace(excluded=(*item.excluded, excluded)),), condition)
    yield from restrict((item,), negation(condition))


def _filtered(items: Iterable[Item], regex: str, runs_if: Condition, *, is_kept: bool) -> Iterable[Item] | None:
    """Return the items that a FILTER leaves; None if the regex is not followed."""
    compiled = Regex(without_root(regex.replace("\\\\", "\\")))
    if not is_valid_regex(compiled.text):
        return None
    result: list[Item] = []
    for item in items:
        if _is_pattern(item.text):
            result += [item] if is_kept else _exclude(item, compiled, runs_if)
        elif compiled.search(without_root(item.text)) in (None, is_kept) or not is_resolved(item.text):
            result.append(item)
        else:
            result += restrict((item,), negation(runs_if))
    return result


def _is_definite(variable: Variable) -> bool:
    """Return whether a list has no conditions, patterns and unknown parts, so that its positions are known."""
    return variable.unknown_if == NEVER and all(
        item.condition == ALWAYS and is_resolved(item.text) and not _is_pattern(item.text) for item in variable.items
    )


def _is_pattern(text: str) -> bool:
    return not _WILDCARDS.isdisjoint(text)


def glob_items(arguments: Sequence[Item], *, is_deep: bool) -> list[Item]:
    """Return the patterns of `file(GLOB)` or GLOB_RECURSE."""
    texts = texts_of(arguments)
    skipped = {texts.index("RELATIVE") + 1} if "RELATIVE" in texts else set()
    return [
        item._replace(text=_below(item.text) if is_deep else item.text, is_absolute=not skipped)
        for index, item in enumerate(arguments)
        if index not in skipped and item.text not in _GLOB_OPTIONS
    ]


def folder_items(folder: str) -> list[Item]:
    """Return the patterns of `aux_source_directory`."""
    return [Item(f"{folder.rstrip('/')}/*{end}") for end in ENDS]


def _below(text: str) -> str:
    """Return a pattern that matches at any depth below its folder: `src/**/*.cc` for `src/*.cc`."""
    folder, slash, name = text.rpartition("/")
    return f"{folder}{slash}**/{name}"
