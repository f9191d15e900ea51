"""The `#if` directives that are open at a place of a C++ file, as one build evaluates them."""

from __future__ import annotations

from opspec_lint.cpp.conditions import is_defined, is_followed, is_true
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Doubt = tuple[int, int, frozenset[str]]
    """A part of a file, and the names in its condition that another file may define."""

CONDITIONALS = frozenset({"if", "ifdef", "ifndef", "elif", "else", "endif"})
NOT_FOLLOWED = ""
"""The name in a `Doubt` for a condition that cannot be evaluated whatever macros are defined."""
_NAME = pattern(r"[A-Za-z_]\w*")
# Guards of headers (`X_H_`) are included, as no other file defines them.
_COMPILER_NAMES = pattern(r"__|_WIN32|_MSC_VER|\w+_H_?\Z")


class _OpenCondition:
    """An `#if` whose `#endif` has not been read yet."""

    __slots__ = ("has_taken", "is_outside_compiled", "start", "undecided")

    def __init__(self, start: int, *, is_outside_compiled: bool) -> None:
        self.start = start
        self.is_outside_compiled = is_outside_compiled
        self.has_taken = False
        """Whether a branch so far is compiled; then no later branch is."""
        self.undecided: set[str] = set()


class OpenConditions:
    """Follows the conditional directives of a file in order.

    Args:
        defined: the macros that are defined; the caller changes it at each `#define` and `#undef`.
        features: prefixes of macros that builds define; no other file decides them.
    """

    def __init__(self, defined: Mapping[str, str], features: tuple[str, ...]) -> None:
        self._defined = defined
        self._features = features
        self._open: list[_OpenCondition] = []
        self.is_compiled = True
        """Whether the code behind the last directive is compiled."""

    def follow(self, start: int, end: int, keyword: str, rest: str) -> Iterator[Doubt]:
        """Follow a directive; yield the part that it ends, if another file may decide the condition of the part.

        An `#elif`, `#else` or `#endif` without an `#if` means nothing.
        """
        if keyword in ("if", "ifdef", "ifndef"):
            self._open.append(_OpenCondition(start, is_outside_compiled=self.is_compiled))
            self._begin_branch(keyword, rest)
        elif self._open and keyword == "endif":
            condition = self._open.pop()
            self.is_compiled = condition.is_outside_compiled
            if condition.undecided:
                yield condition.start, end, frozenset(condition.undecided)
        elif self._open:
            self._begin_branch("if" if keyword == "elif" else keyword, rest)

    def undecided(self) -> frozenset[str]:
        """Return the names in the open conditions that another file may define."""
        return frozenset().union(*(condition.undecided for condition in self._open))

    def _begin_branch(self, keyword: str, rest: str) -> None:
        """Begin a branch of the innermost condition, which is compiled if it is the first one that holds."""
        condition = self._open[-1]
        self.is_compiled = False
        if condition.is_outside_compiled and not condition.has_taken:
            if keyword != "else":
                condition.undecided |= _undecided_names(rest, self._defined, self._features)
            self.is_compiled = condition.has_taken = keyword == "else" or _is_taken(keyword, rest, self._defined)


def _undecided_names(condition: str, defined: Mapping[str, str], features: tuple[str, ...]) -> set[str]:
    """Return the names in a condition that another file may define, without features of a build."""
    if not is_followed(condition, defined):
        return {NOT_FOLLOWED}
    names = set(_NAME.findall(condition)) - {"defined", *defined}
    return {name for name in names if not name.startswith(features) and not _COMPILER_NAMES.match(name)}


def _is_taken(keyword: str, rest: str, defined: Mapping[str, str]) -> bool:
    """Return whether `#if`, `#ifdef` or `#ifndef` holds."""
    if keyword == "if":
        return is_true(rest, defined)
    name = rest.split(None, 1)[0] if rest.strip() else ""
    return is_defined(name, defined) == (keyword == "ifdef")
