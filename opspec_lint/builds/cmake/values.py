"""The values of variables and arguments of CMake: lists whose items have conditions, and may be unknown."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

from opspec_lint.builds.cmake.generators import expand_generator, joined_generators, split_list
from opspec_lint.builds.cmake.items import (
    REFERENCE,
    Item,
    Variable,
    assigned,
    handling_steps,
    has_many_cases,
    is_resolved,
    restrict,
    with_condition,
)
from opspec_lint.builds.source_lists import ENDS
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, implies, negation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from opspec_lint.builds.cmake.items import Doubt
    from opspec_lint.cpp.steps import StepLimit
    from opspec_lint.spec.condition import Condition


_HIDDEN = "$\0{"
"""The beginning of a reference whose value is unknown."""
_MAX_ALTERNATIVES = 8
"""The most values of a variable inside a longer text."""
_MAX_SUBSTITUTIONS = 64
_MAX_ITEMS = 10_000
_MAX_TEXT = 10_000
"""Items of a list and characters of a text; both may double with each command."""


_UNKNOWN = Variable()


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
        if has_many_cases(variable.items):
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
        self.store(name, Variable(assigned(before.items, kept, runs_if), unknown_if, doubt))

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
        items = tuple(with_condition(item, condition) for item, condition in given if condition != NEVER)
        return Variable(items, _given(variable.unknown_if, runs_if), variable.doubt)

    def expand_all(self, arguments: Iterable[str], runs_if: Condition) -> list[Item]:
        """Return the items of all arguments of a command."""
        return [item for argument in joined_generators(arguments) for item in self.expand(argument, runs_if)]

    def expand(self, text: str, runs_if: Condition) -> list[Item]:
        """Return the items of an argument: references to variables and generator expressions are replaced."""
        if ("$" not in text and ";" not in text) or " " in text:
            return [Item(str(text))]
        items = [item for part in split_list(text, ";") for item in self._expand_part(part, runs_if)]
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
        return all(self.get(name, _UNKNOWN).is_sure for name in REFERENCE.findall(text))

    def _expand_part(self, text: str, runs_if: Condition) -> Iterator[Item]:
        whole = REFERENCE.fullmatch(text)
        if whole is not None:
            variable = self.lookup(whole[1], runs_if)
            yield from variable.items
            if variable.unknown_if != NEVER:
                yield Item(text, variable.unknown_if, doubt=variable.doubt)
        elif text.startswith("$<"):
            yield from expand_generator(text, self, runs_if)
        else:
            yield from self._substitute(text, runs_if)

    def _substitute(self, text: str, runs_if: Condition) -> Iterator[Item]:
        """Yield the values of a text that contains references, inner ones first."""
        pending = [(text, ALWAYS)]
        left = _MAX_SUBSTITUTIONS
        while pending:
            text, condition = pending.pop()
            match = REFERENCE.search(text)
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
        names = REFERENCE.findall(text.rpartition("/")[2])
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


@lru_cache(4096)
def _given(condition: Condition, runs_if: Condition) -> Condition:
    """Return a condition at a place that runs under another one: ALWAYS and NEVER are recognised."""
    if condition in (ALWAYS, NEVER) or implies(runs_if, condition):
        return ALWAYS if condition != NEVER else NEVER
    return condition if conjunction(runs_if, condition) != NEVER else NEVER
