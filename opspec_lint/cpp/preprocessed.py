"""C++ text without code that is not compiled: comments, directives, and the regions that a build leaves out.

All views of a file have its length and its line breaks, so that positions are the same in all views.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from opspec_lint.cpp.blocks import NAMESPACE, Blocks
from opspec_lint.cpp.branches import Branches
from opspec_lint.cpp.comments import blank, blank_comments
from opspec_lint.cpp.conditions import is_followed, is_true
from opspec_lint.cpp.continued import join_broken_names, remove_breaks
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.spec.condition import ALWAYS, NEVER, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.cpp.blocks import Block
    from opspec_lint.cpp.formulas import Span

    Doubt = tuple[int, int, frozenset[str]]
    """A part of a file, and the names in its condition that the file does not define before."""

    Directive = tuple[int, str, str, "Macro | None"]

_DIRECTIVE = pattern(r"^[ \t]*#[ \t]*(\w+)([^\\\n]*(?:\\[\s\S][^\\\n]*)*)", "m")
NOT_FOLLOWED = ""
"""In place of a name in a condition: the condition itself cannot be evaluated."""
_NAME = pattern(r"[A-Za-z_]\w*")
_OF_COMPILER = pattern(r"__|_WIN32|_MSC_VER|\w+_H_?\Z")  # and guards of headers, which no other file defines
_TRIGRAPH = pattern(r"(//[^\n]*\?\?/[ \t]*\n)[^\n]*")
_DEFINE = pattern(r"\s*(\w+)(?:\(([^()]*)\))?([\s\S]*)")


class Macro:
    """A macro: its body, and its parameters, None for a macro that is used without parentheses."""

    __slots__ = ("body", "name", "parameters", "path")

    def __init__(self, name: str, parameters: tuple[str, ...] | None, body: str, path: str) -> None:
        self.name = name
        self.parameters = parameters
        self.body = body
        self.path = path

    def is_same(self, definition: Macro) -> bool:
        """Return whether another definition is equivalent."""
        return (self.parameters, self.body.split()) == (definition.parameters, definition.body.split())


class Code:
    """A file as one build compiles it, or the expansion of macros in a part.

    `text` has no comments and no directives; in `bare`, the inside of strings is blank as well. `dead` has the starts
    and ends of the parts that are not compiled, as a flat list. `directives` are the compiled ones that define macros:
    the offset, `define`, `undef` or `include`, the name or the path, and the macro. `declared` caches the results of
    `declarations`, and `doubtful` are the parts whose condition another file may decide.

    Args:
        path: the file.
        text: see above.
        bare: see above.
        directives: see above.
        origin: the code that this one was expanded from, and the offset in it; None for a file.
        spots: the start of each piece of an expansion, and its offset in the origin.
    """

    __slots__ = (
        "_blocks",
        "_breaks",
        "_spots",
        "bare",
        "dead",
        "declared",
        "directives",
        "doubtful",
        "origin",
        "path",
        "text",
    )

    def __init__(  # noqa: PLR0913, PLR0917 - the views of a text, and where it comes from
        self,
        path: str,
        text: str,
        bare: str,
        directives: Sequence[Directive] = (),
        origin: tuple[Code, int] | None = None,
        spots: tuple[list[int], list[int]] | None = None,
    ) -> None:
        self.path = path
        self.text = text
        self.bare = bare
        self.directives = directives
        self.origin = origin
        self._spots = spots
        self._breaks: list[int] | None = None
        self._blocks: Blocks | None = None
        self.dead: list[int] = []
        self.doubtful: list[Doubt] = []
        self.declared: dict[str, Any] = {}

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column, both from 1, of an offset."""
        if self.origin is not None:
            code, offset = self.home(offset)
            return code.place(offset)
        if self._breaks is None:
            self._breaks = [match.end() for match in re.finditer("\n", self.text)]
        line = bisect_right(self._breaks, offset)
        return line + 1, offset - (self._breaks[line - 1] if line else 0) + 1

    def home(self, offset: int) -> tuple[Code, int]:
        """Return the file, and the offset in it, that an offset of an expansion comes from."""
        if self.origin is None:
            return self, offset
        code, around = self.origin
        if self._spots is None:
            return code.home(around)
        begins, comes_from = self._spots
        index = bisect_right(begins, offset) - 1
        return code.home(comes_from[index] if index >= 0 else around)

    def blocks(self) -> Blocks:
        """Return its blocks, which are found once."""
        if self._blocks is None:
            self._blocks = Blocks(self.bare)
        return self._blocks

    def scope_at(self, offset: int) -> tuple[str, ...]:
        """Return the names of the namespaces, classes and enums around an offset."""
        block = self.blocks().at(offset)
        inside = block.path() if block is not None else ()
        return inside if self.origin is None else (*self.origin[0].scope_at(self.origin[1]), *inside)

    def namespaces_at(self, offset: int) -> int:
        """Return how many of the names around an offset belong to namespaces."""
        inside = _count_namespace_names(self.blocks().at(offset))
        return inside if self.origin is None else self.origin[0].namespaces_at(self.origin[1]) + inside


def _count_namespace_names(block: Block | None) -> int:
    around = () if block is None else tuple(block.around())
    return sum(len(block_around.names) for block_around in around if block_around.kind == NAMESPACE)


class ConditionalCode(Record):
    """A file as some build compiles it: its code, the parts that not every build compiles, unlikely requirements."""

    code: Code
    spans: tuple[Span, ...] = ()
    unlikely: frozenset[str] = frozenset()


class CppFile:
    """A C++ file before the preprocessor; `code` applies a build to it.

    Args:
        path: the file.
        raw: its text.
        features: prefixes of the macros that differ between builds.
    """

    __slots__ = ("_codes", "_differences", "_directives", "_features", "_of_build", "_raw", "bare", "path", "text")

    def __init__(self, path: str, raw: str, features: tuple[str, ...] = ()) -> None:
        self.path = path
        self._features = features
        self._raw = raw if "??/" in raw else ""
        text, bare = blank_comments(raw)
        self.text, self.bare = (join_broken_names(view, bare) for view in (text, bare))
        self._directives = [
            (match.start(), match.end(), match[1], self.text[match.start(2) : match.end(2)])
            for match in (_DIRECTIVE.finditer(self.bare) if "#" in self.bare else ())
        ]
        spans = [directive[:2] for directive in self._directives]
        self.text, self.bare = (remove_breaks(view, self.bare, spans) for view in (self.text, self.bare))
        self._codes: dict[tuple[int, ...], Code] = {}
        self._differences: dict[tuple[int, int, re.Pattern[str]], bool] = {}
        self._of_build: dict[int, tuple[Mapping[str, str], Code]] = {}

    def tested(self) -> set[str]:
        """Return the names that the conditions of the file test."""
        tested = (rest for _, _, keyword, rest in self._directives if keyword in ("if", "ifdef", "ifndef", "elif"))
        return {name for rest in tested for name in re.findall(r"[A-Za-z_]\w*", rest)}

    def code(self, defined: Mapping[str, str]) -> Code:
        """Return the file as a build with these macros compiles it."""
        known = self._of_build.get(id(defined))
        if known is None:
            dead, directives, doubtful = self._preprocess(dict(defined)) if self._directives else ([], [], [])
            key = tuple(dead)  # builds that compile the same lines share their code
            if key not in self._codes:
                self._codes[key] = Code(self.path, _cut(self.text, dead), _cut(self.bare, dead), directives)
                self._codes[key].dead = dead
                self._codes[key].doubtful = doubtful
            known = self._of_build[id(defined)] = (
                defined,
                self._codes[key],
            )  # kept alive, so that its id is not reused
        return known[1]

    def all_branches(self) -> Code:
        """Return the file without directives, with the code of all branches of its conditions."""
        edges = [edge for directive in self._directives for edge in directive[:2]]
        return Code(self.path, _cut(self.text, edges), _cut(self.bare, edges))

    def conditional(self, defined: Mapping[str, str], is_defined_elsewhere: Callable[[str], bool]) -> ConditionalCode:
        """Return the file without what no build compiles, and the parts that not every build compiles.

        Args:
            defined: the macros that every build defines.
            is_defined_elsewhere: tells whether another file or a build may define a macro.
        """
        if not self._directives and not self._raw:
            return ConditionalCode(code=Code(self.path, self.text, self.bare))
        branches = Branches(self._directives, len(self.text), defined, is_defined_elsewhere)
        spans = [*branches.spans, *self._trigraphs()]
        if branches.whole != ALWAYS:
            spans.append((0, len(self.text), branches.whole, branches.whole_offset))
        never = [span[:2] for span in branches.spans if span[2] == NEVER]
        dead: list[int] = []
        for start, end in sorted((*never, *(directive[:2] for directive in self._directives))):
            if not dead or dead[-1] < end:
                _extend(dead, start, end)
        macros = [macro for macro in self._macros() if not any(start <= macro[0] < end for start, end in never)]
        code = Code(self.path, _cut(self.text, dead), _cut(self.bare, dead), macros)
        return ConditionalCode(code=code, spans=tuple(spans), unlikely=frozenset(branches.unlikely))

    def _macros(self) -> Iterator[Directive]:
        for start, _, keyword, rest in self._directives:
            if keyword == "define" and (macro := _define(self.path, rest, {})) is not None:
                yield start, keyword, macro.name, macro
            elif keyword == "undef":
                yield start, keyword, rest.strip(), None

    def _trigraphs(self) -> Iterator[Span]:
        """Yield the lines that belong to the comment before them if the compiler replaces trigraphs."""
        for match in _TRIGRAPH.finditer(self._raw) if "??/" in self._raw else ():
            if self.bare[match.start() : match.end(1)].isspace():
                yield match.end(1), match.end(), requirement("trigraphs are not replaced"), match.start()

    def macros(self) -> dict[str, Macro]:
        """Return the macros that any branch of the conditions defines, the first one of each name."""
        defined = (_define(self.path, rest, {}) for *_, keyword, rest in self._directives if keyword == "define")
        return {macro.name: macro for macro in reversed([*defined]) if macro is not None}

    def differs(self, first_build: Mapping[str, str], second_build: Mapping[str, str], what: re.Pattern[str]) -> bool:
        """Return whether a pattern matches in code that only one of two builds compiles."""
        first, second = self.code(first_build), self.code(second_build)
        if first is second:
            return False
        key = (id(first), id(second), what)
        if key not in self._differences:
            spans = _symmetric_difference(first.dead, second.dead)
            self._differences[key] = any(what.search(self.text, start, end) for start, end in spans)
        return self._differences[key]

    def _preprocess(  # noqa: PLR0912 - one branch for each directive
        self, defined: dict[str, str]
    ) -> tuple[list[int], list[Directive], list[Doubt]]:
        """Return the parts that are not compiled (flat list of starts and ends), the directives of macros, and doubts.

        A doubt is a part whose condition another file may decide.
        """
        dead: list[int] = []
        doubtful: list[Doubt] = []
        conditions: list[tuple[int, set[str]]] = []
        directives: list[Directive] = []
        stack: list[tuple[bool, bool]] = []  # whether the region outside is alive, whether a branch was taken
        alive = True
        since = 0
        for start, end, keyword, rest in self._directives:
            was_alive = alive
            if keyword in ("if", "ifdef", "ifndef"):
                conditions.append((start, _unknown(rest, defined, self._features) if alive else set()))
                stack.append((alive, alive and _holds(keyword, rest, defined)))
                alive = stack[-1][1]
            elif keyword in ("elif", "else") and stack:
                outside, taken = stack[-1]
                if keyword == "elif" and outside and not taken:
                    conditions[-1][1].update(_unknown(rest, defined, self._features))
                alive = outside and not taken and (keyword == "else" or _holds("if", rest, defined))
                stack[-1] = (outside, taken or alive)
            elif keyword == "endif" and stack:
                alive = stack.pop()[0]
                condition_start, names = conditions.pop()
                if names:
                    doubtful.append((condition_start, end, frozenset(names)))
            elif alive and keyword == "define":
                macro = _define(self.path, rest, defined)
                if macro is not None:
                    directives.append((start, keyword, macro.name, macro))
            elif alive and keyword == "undef":
                defined.pop(rest.strip(), None)
                directives.append((start, keyword, rest.strip(), None))
            elif alive and keyword == "include":
                directives.append((start, keyword, rest.strip(), None))
            if was_alive:
                since = start
            if alive:
                _extend(dead, since, end)
        if not alive:
            _extend(dead, since, len(self.text))
        return dead, directives, doubtful


def occurrences(text: str, name: str, start: int, end: int) -> Iterator[int]:
    """Yield the offsets of a whole word in a part of a text; none for an empty word."""
    if not name:
        return
    at = text.find(name, start, end)
    while at >= 0:
        behind = at + len(name)
        if not (at and _is_name_part(text[at - 1])) and not (behind < len(text) and _is_name_part(text[behind])):
            yield at
        at = text.find(name, behind, end)


def outside_of_braces(text: str, places: Iterable[int], start: int) -> Iterator[int]:
    """Yield the positions, which are given in order, at which all braces opened since `start` are closed."""
    depth, since = 0, start
    for at in places:
        depth += text.count("{", since, at) - text.count("}", since, at)
        since = at
        if not depth:
            yield at


def _is_name_part(character: str) -> bool:
    return character.isalnum() or character == "_"


def _extend(spans: list[int], start: int, end: int) -> None:
    if spans and spans[-1] >= start:
        spans[-1] = end
    else:
        spans += (start, end)


def _symmetric_difference(first: list[int], second: list[int]) -> list[tuple[int, int]]:
    """Return the spans that are in exactly one of two flat lists of starts and ends."""
    edges = sorted((*first, *second))
    return [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if start < end]


def _cut(text: str, dead: list[int]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end in zip(dead[::2], dead[1::2], strict=True):
        pieces += (text[at:start], blank(text[start:end]))
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


def _unknown(condition: str, defined: Mapping[str, str], features: tuple[str, ...]) -> set[str]:
    """Return the names in a condition that another file may define, without features of a build."""
    if not is_followed(condition, defined):
        return {NOT_FOLLOWED}
    names = set(_NAME.findall(condition)) - {"defined", *defined}
    return {name for name in names if not name.startswith(features) and not _OF_COMPILER.match(name)}


def _holds(keyword: str, rest: str, defined: Mapping[str, str]) -> bool:
    if keyword == "if":
        return is_true(rest, defined)
    name = rest.split(None, 1)[0] if rest.strip() else ""
    return (name in defined) == (keyword == "ifdef")


def _define(path: str, rest: str, defined: dict[str, str]) -> Macro | None:
    match = _DEFINE.match(rest.replace("\\\n", " \n"))
    if match is None:
        return None
    name, parameters, body = match.groups()
    body = body.strip()
    defined[name] = body if parameters is None else ""  # a condition can only test whether it is defined
    names = (
        None
        if parameters is None
        else tuple(parameter.strip() for parameter in parameters.split(",") if parameter.strip())
    )
    return Macro(name, names, body, path)
