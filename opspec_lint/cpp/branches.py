"""The conditions of the preprocessor under which the parts of a file are compiled, true, false or unknown.

A macro is known if the file, or the build that the caller gives, defines it. Two kinds are assumed: a macro with a
default in the file (`#ifndef X`, `#define X 1`) has its default, and one that nothing in the tree defines is undefined.
A condition that holds under the assumptions is ALWAYS; one that does not is unknown, not NEVER, as the command line of
a compiler may define any macro. Such an unknown condition is *unlikely*.
"""

from __future__ import annotations

import re

from opspec_lint.cpp.conditions import ALTERNATIVE, PREDEFINED, is_followed, is_true, macro_body
from opspec_lint.cpp.formulas import condition_of
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, drop_unlikely, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from opspec_lint.cpp.formulas import Span
    from opspec_lint.spec.condition import Condition

_TOKEN = pattern(r'[A-Za-z_]\w*|\d(?:\w|\'(?=\w))*|\'(?:[^\'\\]|\\.)+\'|&&|\|\||[=!<>]=|<<|>>|"[^"]*"|[^\s\w]')
_NAME = pattern(r"[A-Za-z_]\w*")
_LITERAL = pattern(r"(?<!\w)\d(?:\w|'(?=\w))*|'(?:[^'\\]|\\.)+'")
_TOOL_NAMES = pattern(r"__\w+|_[A-Z]\w*|WIN32|NDEBUG|DEBUG")
"""Macros that compilers and build tools define."""
_OPERATORS = frozenset({"defined", "true", "false", *ALTERNATIVE})


class _Group:
    """An `#if` up to its `#endif`.

    `outside` is the condition around it, `remaining` the condition of the branches that follow, and `undefined` the
    macro that an `#ifndef` tests.
    """

    __slots__ = ("offset", "outside", "remaining", "undefined")

    def __init__(self, outside: Condition, offset: int, undefined: str) -> None:
        self.outside = outside
        self.remaining = outside
        self.offset = offset
        self.undefined = undefined


class Branches:
    """The conditions of the parts of a file, by its directives: start, end, keyword and rest of each.

    `spans` are the parts that are not always compiled. `whole` is the condition of the whole file, with the offset of
    the `#error` that causes it. `unlikely` are the requirements that the assumptions about macros contradict.

    `defined` are the macros that every build defines, and the `__has_include("...")` that hold; `is_defined_elsewhere`
    returns whether the tree or its build may define a macro.
    """

    def __init__(
        self,
        directives: Iterable[tuple[int, int, str, str]],
        length: int,
        defined: Mapping[str, str],
        is_defined_elsewhere: Callable[[str], bool],
    ) -> None:
        self.spans: list[Span] = []
        self.whole: Condition = ALWAYS
        self.whole_offset = 0
        self.unlikely: set[str] = set()
        self._known = {**defined}
        self._defaults: dict[str, str] = {}
        self._undefined: set[str] = set()
        self._unknown: set[str] = set()
        self._is_defined_elsewhere = is_defined_elsewhere
        self._groups: list[_Group] = []
        current, since, offset = ALWAYS, 0, 0
        for start, end, keyword, rest in directives:
            following = self._follow_directive(keyword, rest, current, start)
            if following != current:
                self._add(since, start, current, offset)
                current, since, offset = following, end, start
        self._add(since, length, current, offset)

    def _add(self, start: int, end: int, condition: Condition, offset: int) -> None:
        """Add a part that is not always compiled."""
        if condition != ALWAYS and start < end:
            self.spans.append((start, end, condition, offset))

    def _follow_directive(self, keyword: str, rest: str, current: Condition, start: int) -> Condition:
        """Execute a directive, and return the condition of the text after it."""
        groups = self._groups
        if keyword in ("if", "ifdef", "ifndef"):
            name = rest.split(None, 1)[0] if rest.strip() else ""
            groups.append(_Group(current, start, name if keyword == "ifndef" else ""))
            return self._branch(rest if keyword == "if" else f"defined({name})", is_true=keyword != "ifndef")
        if keyword in ("elif", "else", "elifdef", "elifndef") and groups:
            # Only the first branch of an `#ifndef` knows that the macro is undefined.
            groups[-1].undefined = ""
            if keyword == "else":
                result, groups[-1].remaining = groups[-1].remaining, NEVER
                return result
            if keyword != "elif":
                rest = f"defined({rest.strip()})"
            return self._branch(rest, is_true=keyword != "elifndef")
        if keyword == "endif" and groups:
            return groups.pop().outside
        if current != NEVER:
            self._follow_definition(keyword, rest, current, start)
        return current

    def _branch(self, formula: str, *, is_true: bool) -> Condition:
        """Return the condition of a branch, and add its opposite to the condition of the branches after it."""
        group = self._groups[-1]
        if group.remaining == NEVER:
            return NEVER
        texts = [ALTERNATIVE.get(text, text) for text in _TOKEN.findall(formula.replace("\\\n", " "))]
        taken = conjunction(group.remaining, condition_of(texts, 0, len(texts), self._leaf(texts), holds=is_true))
        group.remaining = conjunction(
            group.remaining, condition_of(texts, 0, len(texts), self._leaf(texts), holds=not is_true)
        )
        return taken

    def _leaf(self, texts: list[str]) -> Callable[[int, int, bool], Condition]:
        """Return the evaluation of a part of a condition, by the indices of its tokens."""
        return lambda start, end, holds: self._evaluate(texts[start:end], holds=holds)

    def _evaluate(self, texts: list[str], *, holds: bool) -> Condition:
        """Return the condition that a formula holds, or does not hold: ALWAYS, NEVER or unknown."""
        text = _normalise_text(texts)
        if text.startswith("__has_include") and text in self._known:
            return ALWAYS if holds else NEVER
        macros = {**self._known, **self._defaults}
        names, is_certain = _names_in(text) - _OPERATORS - (PREDEFINED - macros.keys()), True
        # The bodies of macros name further macros, which decide the condition as well.
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            body = macros.get(name, "")
            for inner in _names_in(body) - names - set(getattr(body, "parameters", ())) - PREDEFINED:
                names.add(inner)
                waiting.append(inner)
        for name in names:
            if name in self._unknown or (name not in macros and self._may_be_defined(name)):
                return requirement(text, holds=holds)
            is_certain = is_certain and (name in self._known or name in self._undefined)
        if not is_followed(text, macros):
            return requirement(text, holds=holds)
        if is_true(text, macros) == holds:
            return ALWAYS
        if is_certain:
            return NEVER
        unlikely = requirement(text, holds=holds)
        self.unlikely.update(unlikely[0])
        return unlikely

    def _may_be_defined(self, name: str) -> bool:
        """Return whether anything but this file may define a macro."""
        if name in self._undefined:
            return False
        return _TOOL_NAMES.fullmatch(name) is not None or self._is_defined_elsewhere(name)

    def _follow_definition(self, keyword: str, rest: str, current: Condition, start: int) -> None:
        """Record a definition of a macro, or an `#error`, under the current condition."""
        match = _NAME.match(rest.strip())
        if keyword == "error":
            # A build that reaches it compiles nothing of the file: https://eel.is/c++draft/cpp.error
            self.whole, self.whole_offset = (
                conjunction(self.whole, negation(drop_unlikely(current, self.unlikely))),
                start,
            )
        elif keyword in ("define", "undef") and match is not None:
            name, body = match[0], macro_body(rest.strip()[match.end() :].replace("\\\n", " "))
            # `#ifndef X`, `#define X 1`: a default, which the command line of a compiler may replace.
            is_default = bool(self._groups) and self._groups[-1].undefined == name
            if is_default and self._groups[-1].outside == ALWAYS and keyword == "define":
                self._defaults[name] = body
            elif current == ALWAYS:
                self._forget(name)
                if keyword == "define":
                    self._known[name] = body
                else:
                    self._undefined.add(name)
            else:
                self._forget(name)
                self._unknown.add(name)

    def _forget(self, name: str) -> None:
        """Drop all that is known of a macro."""
        self._known.pop(name, None)
        self._defaults.pop(name, None)
        self._undefined.discard(name)
        self._unknown.discard(name)


def _names_in(text: str) -> set[str]:
    """Return the names in a formula; the `x0` of `0x0` and the `a` of `'a'` are none."""
    return set(_NAME.findall(_LITERAL.sub(" ", text)))


def _normalise_text(texts: list[str]) -> str:
    """Return the text of tokens in one spelling: `defined X` is `defined(X)`."""
    text = " ".join(texts)
    text = re.sub(r"\bdefined (?:\( )?(\w+)(?: \))?", r"defined(\1)", text)
    return re.sub(r"(?<=\() | (?=[(),])", "", text)
