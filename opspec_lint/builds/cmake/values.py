"""The values of variables and arguments of CMake: lists whose items have conditions, and may be unknown."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from opspec_lint.builds.cmake.commands import is_true
from opspec_lint.builds.source_lists import ENDS
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, implies, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator
    from typing import TypeAlias

    from opspec_lint.builds.source_lists import Excluded
    from opspec_lint.cpp.steps import StepLimit
    from opspec_lint.spec.condition import Condition

    Doubt: TypeAlias = tuple[str, int, str]
    """The file, line and text of a statement that is not followed, and may list any source."""

_REFERENCE = pattern(r"\$\{([^${}\0]*)\}")
NAMES = pattern(r"[^\s<>:;,$\"]+")
"""The names in a generator expression."""
_HIDDEN = "$\0{"
"""The beginning of a reference whose value is unknown."""
_MAX_ALTERNATIVES = 8
"""The most values of a variable inside a longer text."""
_MAX_SUBSTITUTIONS = 64
_MAX_ITEMS = 10_000
_MAX_TEXT = 10_000
"""Items of a list and characters of a text; both may double with each command."""
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


_UNKNOWN = Variable()


def handling_steps(items: Iterable[Item]) -> int:
    """Return the steps that the handling of items takes."""
    return sum(_ITEM_STEPS * (1 + len(item.excluded)) + len(item.text) for item in items)


def restrict(items: Iterable[Item], condition: Condition) -> tuple[Item, ...]:
    """Return items under a further condition, without those that never exist then."""
    if condition == ALWAYS:
        return tuple(items)
    both = ((item, conjunction(item.condition, condition)) for item in items)
    return tuple(_with_condition(item, restricted) for item, restricted in both if restricted != NEVER)


def _assigned(before: Collection[Item], given: Iterable[Item], runs_if: Condition) -> tuple[Item, ...]:
    """Return the items of a list after the assignment of another list under a condition."""
    assigned = restrict(given, runs_if)
    if runs_if == ALWAYS:
        return assigned
    # `set(S a.cpp ${S})` keeps the items of S, whose conditions would grow with each such command.
    new = {*assigned}
    kept = {item: same for item in before for same in restrict((item,), runs_if) if same in new}
    otherwise = negation(runs_if)
    left = [part for item in before for part in ((item,) if item in kept else restrict((item,), otherwise))]
    repeated = {*kept.values()}
    return (*left, *(item for item in assigned if item not in repeated))


def _has_many_cases(items: Collection[Item]) -> bool:
    """Return whether a list of numbers and flags, which each command may double, depends on too many conditions.

    Its value counts as unknown.
    """
    cases = sum(len(item.condition) for item in items if item.condition != ALWAYS)
    return cases > _MAX_CASES and not any(map(_may_name, texts_of(items)))


def _may_name(text: str) -> bool:
    """Return whether a text may be the name of a source, a folder or a target."""
    return text.endswith(ENDS) or _NUMBER_OR_FLAG.fullmatch(text) is None


def _with_condition(item: Item, condition: Condition) -> Item:
    """Return an item with a condition in place of the present one."""
    return item if item.condition == condition else item._replace(condition=condition)


def is_resolved(text: str) -> bool:
    """Return whether a text contains no variable of unknown value."""
    return "${" not in text


class Variables(dict[str, Variable]):
    """The variables of a scope of CMake."""

    def __init__(self, values: Iterable[tuple[str, Variable]], steps: StepLimit) -> None:
        super().__init__(values)
        self.steps = steps

    def store(self, name: str, variable: Variable) -> None:
        """Set the value of a variable.

        Raises:
            SyntaxError: the list or one of its texts is too long.
        """
        if _has_many_cases(variable.items):
            variable = Variable(doubt=next((item.doubt for item in variable.items if item.doubt), variable.doubt))
        self.steps.spend(handling_steps(variable.items))
        if len(variable.items) > _MAX_ITEMS:
            raise SyntaxError(f"the list `{name}` has more than {_MAX_ITEMS:,} items")
        if any(len(item.text) > _MAX_TEXT for item in variable.items):
            raise SyntaxError(f"a text of the list `{name}` has more than {_MAX_TEXT:,} characters")
        self[name] = variable

    def assign(self, name: str, items: Iterable[Item], runs_if: Condition) -> None:
        """Assign a list to a variable under a condition."""
        before = self.get(name, _UNKNOWN)
        otherwise = negation(runs_if)
        unknown_if = conjunction(before.unknown_if, otherwise)
        given = [item for item in items if item.text]
        kept = [item for item in given if " " not in item.text or item.text.endswith(ENDS)]
        if len(kept) < len(given):  # flags or a message
            unknown_if = disjunction((unknown_if, runs_if))
        doubt = None if runs_if == ALWAYS else before.doubt
        self.store(name, Variable(_assigned(before.items, kept, runs_if), unknown_if, doubt))

    def doubt(self, name: str, doubt: Doubt) -> None:
        """Record that a command that is not followed may have changed a variable of the file."""
        if name in self:
            self[name] = self[name]._replace(unknown_if=ALWAYS, doubt=doubt)

    def suspect(self, name: str, doubt: Doubt) -> None:
        """Record that another file may have changed a variable, whose value here counts in conditions only."""
        self[name] = self[name]._replace(doubt=doubt)

    def may_add(self, name: str, items: Iterable[Item], runs_if: Condition, doubt: Doubt) -> None:
        """Record that a command that is not followed may add items to a variable, or give it an unknown value."""
        before = self.get(name, _UNKNOWN)
        added = dict.fromkeys((*before.items, *restrict(items, runs_if)))
        self.store(name, Variable(tuple(added), ALWAYS, doubt))

    def lookup(self, name: str, runs_if: Condition) -> Variable:
        """Return the value of a variable at a place that runs under a condition."""
        variable = self.get(name, _UNKNOWN)
        is_plain = variable.unknown_if in (ALWAYS, NEVER) and all(item.condition == ALWAYS for item in variable.items)
        if runs_if == ALWAYS or is_plain:
            return variable
        given = ((item, _given(item.condition, runs_if)) for item in variable.items)
        items = tuple(_with_condition(item, condition) for item, condition in given if condition != NEVER)
        return Variable(items, _given(variable.unknown_if, runs_if), variable.doubt)

    def expand_all(self, arguments: Iterable[str], runs_if: Condition) -> list[Item]:
        """Return the items of all arguments of a command."""
        return [item for argument in arguments for item in self.expand(argument, runs_if)]

    def expand(self, text: str, runs_if: Condition) -> list[Item]:
        """Return the items of an argument: references to variables and generator expressions are replaced."""
        if ("$" not in text and ";" not in text) or " " in text:
            return [Item(str(text))]
        items = [item for part in _split(text) for item in self._expand_part(part, runs_if)]
        self.steps.spend(handling_steps(items))
        return items

    def value(self, text: str, runs_if: Condition) -> str | None:
        """Return the single value of an argument; None if it is unknown or depends on a condition."""
        items = self.expand(text, runs_if)
        if all(item.condition == ALWAYS and is_resolved(item.text) for item in items) and self._is_sure(text):
            return ";".join(item.text for item in items)
        return None

    def choices(self, name: str, runs_if: Condition) -> list[tuple[str | None, Condition]]:
        """Return the values that a variable may have, each with its condition; None for an unknown value."""
        variable = self.lookup(name, runs_if)
        value = self.value(f"${{{name}}}", runs_if)
        conditions = [item.condition for item in variable.items]
        known_if = disjunction((NEVER, *conditions))
        pairs = combinations((*conditions, variable.unknown_if), 2)
        if value is not None or not variable.is_sure or len(conditions) > _MAX_ALTERNATIVES:
            return [(value, ALWAYS)]
        if any(conjunction(first, second) != NEVER for first, second in pairs):
            return [(None, ALWAYS)]  # a list to which items were added
        known = [(item.text if is_resolved(item.text) else None, item.condition) for item in variable.items]
        return [*known, (None, negation(known_if))]

    def _is_sure(self, text: str) -> bool:
        return all(self.get(name, _UNKNOWN).is_sure for name in _REFERENCE.findall(text))

    def _expand_part(self, text: str, runs_if: Condition) -> Iterator[Item]:
        whole = _REFERENCE.fullmatch(text)
        if whole is not None:
            variable = self.lookup(whole[1], runs_if)
            yield from variable.items
            if variable.unknown_if != NEVER:
                yield Item(text, variable.unknown_if, doubt=variable.doubt)
        elif text.startswith("$<"):
            yield from self._expand_generator(text, runs_if)
        else:
            yield from self._substitute(text, runs_if)

    def _substitute(self, text: str, runs_if: Condition) -> Iterator[Item]:
        """Yield the values of a text that contains references, inner ones first."""
        pending = [(text, ALWAYS)]
        left = _MAX_SUBSTITUTIONS
        while pending:
            text, condition = pending.pop()
            match = _REFERENCE.search(text)
            if match is None or not left or len(text) > _MAX_TEXT:
                parts = text.replace(_HIDDEN, "${").split(";")
                yield from (Item(part, condition, doubt=self._doubt_in(part)) for part in parts if part)
                continue
            left -= 1
            for value, holds_if in self._alternatives(match[1], runs_if) or [(f"{_HIDDEN}{match[1]}}}", ALWAYS)]:
                both = conjunction(condition, holds_if)
                if both != NEVER:
                    pending.append((text[: match.start()] + value + text[match.end() :], both))

    def _doubt_in(self, text: str) -> Doubt | None:
        """Return the command that may make a text any source; None if the end of the text is known."""
        if not text.endswith("}"):
            return None
        names = _REFERENCE.findall(text.rpartition("/")[2])
        return next((doubt for name in names if (doubt := self.get(name, _UNKNOWN).doubt)), None)

    def _alternatives(self, name: str, runs_if: Condition) -> list[tuple[str, Condition]]:
        """Return the values of a variable as texts, each with its condition; nothing if there are too many."""
        variable = self.lookup(name, runs_if)
        if variable.unknown_if != NEVER:
            return []
        if all(item.condition == ALWAYS for item in variable.items):
            return [(";".join(item.text for item in variable.items), ALWAYS)]
        rest = negation(disjunction(item.condition for item in variable.items))
        values = [(item.text, item.condition) for item in variable.items]
        return [*values, *([("", rest)] if rest != NEVER else [])] if len(values) <= _MAX_ALTERNATIVES else []

    def _expand_generator(self, text: str, runs_if: Condition) -> Iterator[Item]:
        """Yield the items of a generator expression such as `$<1:a.cc>`; its words if it is not followed."""
        head, colon, content = _split_generator(text)
        condition: Condition | None = None
        if head == "TARGET_OBJECTS":
            yield from (item._replace(text=f"$<{head}:{item.text}>") for item in self.expand(content, runs_if))
            return
        if colon and head is not None:
            condition = _HEADS.get(head)
            if condition is None and head.startswith("$<"):
                condition = self._generator_condition(head, runs_if)
            elif condition is None and "${" in head:
                value = self.value(head, runs_if)
                condition = _HEADS.get(value) if value is not None else requirement(f"{head} of CMake")
        if condition is not None:
            yield from restrict(self.expand(content, runs_if), condition)
        else:
            yield from (Item(name) for name in NAMES.findall(text))
            for name in dict.fromkeys(_REFERENCE.findall(text)):
                yield from self._expand_part(f"${{{name}}}", runs_if)

    def _generator_condition(self, text: str, runs_if: Condition) -> Condition:
        """Return the condition under which a generator expression is 1."""
        head, _, content = _split_generator(text)
        if head == "NOT":
            return negation(self._generator_condition(content, runs_if))
        value = self.value(content, runs_if) if head == "BOOL" else None
        if value is not None:
            return ALWAYS if is_true(value) else NEVER
        return _HEADS.get(text) or requirement(f"{text} of CMake")


_HEADS: dict[str, Condition] = {"1": ALWAYS, "0": NEVER, "BUILD_INTERFACE": ALWAYS, "INSTALL_INTERFACE": NEVER}
"""The generator expressions whose condition is known by their name."""


@lru_cache(4096)
def _given(condition: Condition, runs_if: Condition) -> Condition:
    """Return a condition at a place that runs under another one: ALWAYS and NEVER are recognised."""
    if condition in (ALWAYS, NEVER) or implies(runs_if, condition):
        return ALWAYS if condition != NEVER else NEVER
    return condition if conjunction(runs_if, condition) != NEVER else NEVER


def _split(text: str) -> Iterator[str]:
    """Yield the parts of a list that `;` separates outside of references and generator expressions."""
    if ";" not in text:
        yield text
        return
    depth = start = 0
    for at, character in enumerate(text):
        if character in "{<":
            depth += at > 0 and text[at - 1] == "$"
        elif character in "}>":
            depth -= depth > 0
        elif character == ";" and not depth:
            yield text[start:at]
            start = at + 1
    yield text[start:]


def _split_generator(text: str) -> tuple[str | None, str, str]:
    """Return the parts `head`, `:` and `content` of `$<head:content>`; None as head if it is followed by other text."""
    depth = 0
    colon = len(text) - 1
    for at, character in enumerate(text):
        if character == "<" and text[at - 1] == "$":
            depth += 1
        elif character == ">":
            depth -= 1
            if not depth and at + 1 < len(text):
                return None, "", text
        elif character == ":" and depth == 1 and colon == len(text) - 1:
            colon = at
    return text[2:colon], ":" if colon < len(text) - 1 else "", text[colon + 1 : -1]


def texts_of(items: Iterable[Item]) -> list[str]:
    """Return the texts of items."""
    return [item.text for item in items]
