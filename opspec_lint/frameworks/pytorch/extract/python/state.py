"""The state of an evaluation of Python code: the current condition, and the values of names.

A branch on an unknown condition is evaluated in four steps (`State.run_branches`): evaluate one side and note what it
assigns, undo that, do the same with the other side, and assign the merged values: a `Choice` where both differ.
"""

from __future__ import annotations

from typing import NamedTuple

from opspec_lint.frameworks.pytorch.extract.python.values import (
    MAX_ALTERNATIVES,
    UNKNOWN,
    Choice,
    Module,
    Scope,
    Unknown,
    is_same,
)
from opspec_lint.kit.text import shorten
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, negation, requirement, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias, TypeVar

    from opspec_lint.frameworks.pytorch.extract.python.values import Class
    from opspec_lint.spec.condition import Condition

    Error: TypeAlias = type[BaseException] | Class | Unknown | None
    """A class of errors: Python's own, or one of the tree; None for an unknown one."""
    _T = TypeVar("_T")
    _Journal = dict[tuple[int, str], tuple[Scope, str, object]]

_MISSING = object()
UNCAUGHT = Unknown()
"""The "error" of a function that ends the program at once."""
MAX_STEPS = 1_000_000
"""Statements and calls of all files of a tree together."""
_LONGEST = 100
"""Characters of the text of a condition."""
_MAX_REQUIREMENTS = 6
"""Requirements of a condition: a branch that is nested deeper adds none."""
_MAX_WAYS = 4
"""Alternatives of a condition: the one behind a branch that ends in more ways is the one before the branch."""


class StepsExceededError(Exception):
    """The limit of evaluated statements and calls is exceeded, which a loop without an end would do as well."""


class Site(NamedTuple):
    """A place in evaluated code: a syntax node, and the frame that evaluates it."""

    node: ast.AST
    frame: Frame


class Frame:
    """A module, class body or call that is being evaluated.

    `call` is the site of the call, None for a module. `results` are the values returned so far, each with its
    condition. `breaks` and `continues` have a list for each open loop: the conditions under which it was left.
    `redirected` are the names that `global` and `nonlocal` move to another scope.
    `is_stepped`: only the first `yield` of the generator is certainly reached; `is_suspended`: it was reached.
    """

    __slots__ = (
        "breaks",
        "call",
        "continues",
        "is_stepped",
        "is_suspended",
        "module",
        "qualified",
        "redirected",
        "results",
        "scope",
    )

    def __init__(self, scope: Scope, module: Module, qualified: str = "", call: Site | None = None) -> None:
        self.scope = scope
        self.module = module
        self.qualified = qualified
        self.call = call
        self.results: list[tuple[Condition, object]] = []
        self.breaks: list[list[Condition]] = []
        self.continues: list[list[Condition]] = []
        self.redirected: dict[str, Scope] = {}
        self.is_stepped = self.is_suspended = False

    def mark(self) -> tuple[int, int, int]:
        """Return the numbers of `return`, `break` and `continue` so far, for `left_since`."""
        return len(self.results), sum(map(len, self.breaks)), sum(map(len, self.continues))

    def left_since(self, mark: tuple[int, int, int]) -> list[Condition]:
        """Return the conditions under which `return`, `break` or `continue` left the code behind a mark.

        The same loops have to be open as at the mark.
        """
        results, breaks, continues = mark
        returned = [condition for condition, _ in self.results]
        broken = [condition for loop in self.breaks for condition in loop]
        continued = [condition for loop in self.continues for condition in loop]
        return [*returned[results:], *broken[breaks:], *continued[continues:]]


class EvaluatedCall:
    """The evaluated arguments of a call, by position and by name, with the site of the call.

    Without the frame of a caller, no line of the tree makes the call: it is deferred, or Python makes it by itself.
    """

    __slots__ = ("arguments", "keywords", "site")

    def __init__(
        self, arguments: Sequence[object], keywords: Mapping[str, object], node: ast.AST, caller: Frame | None = None
    ) -> None:
        self.arguments = arguments
        self.keywords = keywords
        self.site = Site(node, Frame(Scope(), Module("", "", "")) if caller is None else caller)

    @property
    def values(self) -> tuple[object, ...]:
        """The values of all arguments."""
        return (*self.arguments, *self.keywords.values())

    @property
    def has_caller(self) -> bool:
        """Return whether a line of the tree makes the call."""
        return bool(self.site.frame.module.path)

    def argument(self, place: int) -> object:
        """Return the argument at a position, UNKNOWN for a missing one."""
        return self.arguments[place] if place < len(self.arguments) else UNKNOWN

    def by_name(self, *parameters: str) -> Mapping[str, object]:
        """Return all arguments by the names of the parameters."""
        return {**self.keywords, **dict(zip(parameters, self.arguments, strict=False))}

    def replace(self, arguments: Sequence[object], keywords: Mapping[str, object]) -> EvaluatedCall:
        """Return a call at the same site with other arguments."""
        return EvaluatedCall(arguments, keywords, *self.site)


class State:
    """The condition under which the current statement is reached, and the assignments since each open branch began.

    `stops` counts the raises and exits so far. `raised` has the classes of the errors that were raised in the innermost
    open `try`. `escaped` are values that code outside the tree, or a value that is not followed, may refer to.
    `follows_doubts` is false in a statement of a `try` whose doubts are a condition already.
    """

    def __init__(self) -> None:
        self.condition: Condition = ALWAYS
        self.condition_line: int | None = None
        self._journals: list[_Journal] = []
        self.steps_left = MAX_STEPS
        self.depth = 0
        self.stops = 0
        self.raised: list[Error] = []
        self.escaped: list[object] = []
        self.follows_doubts = True

    def step(self) -> None:
        """Count a step.

        Raises:
            StepsExceededError: there were too many.
        """
        self.steps_left -= 1
        if self.steps_left < 0:
            raise StepsExceededError

    def stop(self, error: Error = None) -> None:
        """Note that the code raises or exits here, so that nothing behind it is reached in this call."""
        self.stops += 1
        self.raised.append(error)
        self.condition = NEVER

    def doubt(self, text: str) -> None:
        """Note that the code behind is reached only if Python raises no error here: `text` is the condition."""
        if self.follows_doubts:
            self.condition = conjunction(self.condition, self.condition_for(text))

    def assign(self, scope: Scope, name: str, value: object) -> None:
        """Set the value of a name, and note the old one, so that the end of an open branch can undo it."""
        if self._journals:
            # The first assignment in a branch notes the value before the branch, which later ones must not replace.
            self._journals[-1].setdefault((id(scope), name), (scope, name, scope.values.get(name, _MISSING)))
        scope.values[name] = value

    def point(self) -> tuple[Condition, int | None, int, int]:
        """Return the state that `return_to` restores after an error has left the evaluation of a part."""
        return self.condition, self.condition_line, self.depth, len(self._journals)

    def return_to(self, point: tuple[Condition, int | None, int, int]) -> None:
        """Close the branches that an error left open, and make the values that they assigned unknown."""
        self.condition, self.condition_line, self.depth, journals = point
        left = self._journals[journals:]
        del self._journals[journals:]
        for journal in left:
            for scope, name, _ in journal.values():
                self.assign(scope, name, UNKNOWN)

    def run_branches(
        self, chosen: Condition, line: int, then: Callable[[], None], otherwise: Callable[[], None]
    ) -> None:
        """Evaluate the reachable branches of a condition, and merge the values that they assign."""
        if chosen == ALWAYS:
            then()
        elif chosen == NEVER:
            otherwise()
        elif self.condition != NEVER:
            before = self.condition
            chosen = chosen if _is_simple(chosen) else self.condition_for(show(chosen))
            sides = _narrow(before, chosen), _narrow(before, negation(chosen))
            first, reached_first = self._run_branch(sides[0], line, then)
            second, reached_second = self._run_branch(sides[1], line, otherwise)
            ends = reached_first, reached_second
            self.condition = before if ends == sides else _join_ends(ends, before)
            for key, (scope, name, old) in {**second, **first}.items():
                new = tuple(
                    side[key][2] if key in side else scope.values.get(name, _MISSING) for side in (first, second)
                )
                self.assign(scope, name, _merge_sides(sides, ends, new, old))

    def run_under(self, condition: Condition, line: int, action: Callable[[], _T], otherwise: _T) -> _T:
        """Return the result of an evaluation that happens under a condition only; `otherwise` if it never does."""
        results = [otherwise]
        self.run_branches(condition, line, lambda: results.append(action()), lambda: None)
        return results[-1]

    def run_limited(self, steps: int, action: Callable[[], object]) -> object:
        """Return the result of an evaluation, UNKNOWN if it takes more steps than given."""
        start = self.point()
        kept = self.steps_left - min(self.steps_left, steps)
        self.steps_left -= kept
        try:
            return action()
        except StepsExceededError:
            self.return_to(start)
            # All steps given count as taken, so that many such evaluations exceed the limit of the tree.
            self.steps_left = 0
            if not kept:
                raise
            return UNKNOWN
        finally:
            self.steps_left += kept

    def _run_branch(self, condition: Condition, line: int, action: Callable[[], None]) -> tuple[_Journal, Condition]:
        """Evaluate a branch and undo its assignments; return these, and the condition at its end."""
        journal: _Journal = {}
        self._journals.append(journal)
        outer = self.condition_line
        self.condition, self.condition_line = condition, line
        if condition != NEVER:
            action()
        end, self.condition_line = self.condition, outer
        self._journals.pop()
        changed: _Journal = {}
        for key, (scope, name, old) in journal.items():
            changed[key] = scope, name, scope.values.get(name, _MISSING)
            if old is _MISSING:
                scope.values.pop(name, None)
            else:
                scope.values[name] = old
        return changed, end

    def map_alternatives(self, choice: Choice, action: Callable[[object], object]) -> object:
        """Return the results of an action for all alternatives, each evaluated under its condition, as one value."""
        results: list[tuple[Condition, object]] = []
        for condition, value in choice.alternatives:
            self.run_branches(
                condition,
                self.condition_line or 0,
                lambda: results.append((condition, action(value))),  # noqa: B023 - called now
                lambda: None,
            )
        return merge_alternatives(results)

    def condition_for(self, text: str) -> Condition:
        """Return the unknown condition that a source text expresses, such as `x > 1`."""
        if any(len(alternative) >= _MAX_REQUIREMENTS for alternative in self.condition):
            return requirement("further conditions")
        return requirement(shorten(" ".join(text.split()), _LONGEST))


def _is_simple(condition: Condition) -> bool:
    return len(condition) <= _MAX_WAYS and all(len(alternative) <= _MAX_REQUIREMENTS for alternative in condition)


def _narrow(condition: Condition, chosen: Condition) -> Condition:
    """Return the condition within a branch; the one outside if the conjunction has too many alternatives."""
    if len(condition) * len(chosen) > _MAX_WAYS**2:
        return condition
    together = conjunction(condition, chosen)
    return together if _is_simple(together) else condition


def without_left(before: Condition, left: Sequence[Condition]) -> Condition:
    """Return the condition of code, without the conditions under which the code was left since."""
    return _narrow(before, negation(disjunction(left))) if left else before


def _join_ends(ends: tuple[Condition, Condition], before: Condition) -> Condition:
    """Return the condition behind two branches; the one before them if they end in too many ways."""
    reached = [end for end in ends if end != NEVER]
    together = reached[0] if len(reached) == 1 else disjunction(reached) if reached else NEVER
    return together if _is_simple(together) else before


def merge_alternatives(results: list[tuple[Condition, object]]) -> object:
    """Return one value for several that hold under conditions: the common value, or a `Choice`."""
    if not results:
        return UNKNOWN
    first = results[0][1]
    if all(is_same(first, value) for _, value in results):
        return first
    flat: list[tuple[Condition, object]] = []
    for condition, value in results:
        inner = value.alternatives if isinstance(value, Choice) else ((ALWAYS, value),)
        flat += ((conjunction(condition, own), element) for own, element in inner)
    possible = [(condition, value) for condition, value in flat if condition != NEVER]
    return Choice(possible) if len(possible) <= MAX_ALTERNATIVES else UNKNOWN


def _merge_sides(
    sides: tuple[Condition, Condition], ends: tuple[Condition, Condition], values: tuple[object, ...], old: object
) -> object:
    """Return the value of a name behind two branches; one whose end is not reached does not count."""
    reached = [
        (side, old if value is _MISSING and old is not _MISSING else value)
        for side, end, value in zip(sides, ends, values, strict=True)
        if end != NEVER
    ]
    present = [(condition, value) for condition, value in reached if value is not _MISSING]
    if not present:
        return UNKNOWN
    if len(reached) == 1:
        return present[0][1]
    return merge_alternatives(present) if len(present) == len(reached) else Choice(present)
