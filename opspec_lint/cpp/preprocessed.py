"""The views of a C++ file without code that is not compiled: comments, directives, and regions that a build leaves out.

All views of a file have its length and its line breaks, so that an offset is valid in each view.
"""

from __future__ import annotations

import re
from bisect import bisect_right

from opspec_lint.cpp.blocks import NAMESPACE, Blocks
from opspec_lint.cpp.branches import Branches
from opspec_lint.cpp.comments import blank, blank_comments
from opspec_lint.cpp.conditions import with_parameters
from opspec_lint.cpp.continued import join_broken_names, remove_breaks
from opspec_lint.cpp.macro import Macro
from opspec_lint.cpp.open_conditions import CONDITIONALS, NOT_FOLLOWED, OpenConditions
from opspec_lint.cpp.saved_macros import with_restored_macros
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.spec.condition import ALWAYS, NEVER, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.cpp.blocks import Block
    from opspec_lint.cpp.formulas import Span
    from opspec_lint.cpp.open_conditions import Doubt

    Edge = tuple[int, int]
    """The start and the end of a directive."""
    Directive = tuple[int, str, str, "Macro | None"]

_DIRECTIVE = pattern(r"[ \t\f\v]*#(?:[ \t\f\v]|\\[ \t]*\n)*(\w+)([^\\\n]*(?:\\[\s\S][^\\\n]*)*)")
_DIGRAPH = pattern(r"<:(?!:[^:>])|:>|<%|%[:>]")
"""Other spellings of `[`, `]`, `{`, `}` and `#` ([lex.digraph]); `<::` begins with one only before `:` and `>`."""
_DIGRAPH_MEANINGS = {"<:": "[ ", ":>": "] ", "<%": "{ ", "%>": "} ", "%:": "# "}
_TRIGRAPH = pattern(r"(//[^\n]*\?\?/[ \t]*\n)[^\n]*")
_DEFINE = pattern(r"\s*(\w+)(?:\(([^()]*)\))?([\s\S]*)")
_BREAK = pattern(r"\\\n")
_BREAK_OUTSIDE = pattern(r'(R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")|\\\n', "s")
"""A line that a backslash continues; in a raw string, the backslash belongs to the string ([lex.pptoken])."""


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
        piece_offsets: the start of each piece of an expansion, and its offset in the origin.
    """

    __slots__ = (
        "_blocks",
        "_breaks",
        "_piece_offsets",
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
        piece_offsets: tuple[list[int], list[int]] | None = None,
    ) -> None:
        self.path = path
        self.text = text
        self.bare = bare
        self.directives = directives
        self.origin = origin
        self._piece_offsets = piece_offsets
        self._breaks: list[int] | None = None
        self._blocks: Blocks | None = None
        self.dead: list[int] = []
        self.doubtful: list[Doubt] = []
        self.declared: dict[str, Any] = {}

    def place(self, offset: int) -> tuple[int, int]:
        """Return the line and the column, both from 1, of an offset."""
        if self.origin is not None:
            code, offset = self.source_of(offset)
            return code.place(offset)
        if self._breaks is None:
            self._breaks = [match.end() for match in re.finditer("\n", self.text)]
        line = bisect_right(self._breaks, offset)
        return line + 1, offset - (self._breaks[line - 1] if line else 0) + 1

    def source_of(self, offset: int) -> tuple[Code, int]:
        """Return the file and the offset in it where the text at an offset of an expansion comes from."""
        if self.origin is None:
            return self, offset
        code, around = self.origin
        if self._piece_offsets is None:
            return code.source_of(around)
        begins, comes_from = self._piece_offsets
        index = bisect_right(begins, offset) - 1
        return code.source_of(comes_from[index] if index >= 0 else around)

    def blocks(self) -> Blocks:
        """Return the blocks of the text, which are determined at the first call."""
        if self._blocks is None:
            self._blocks = Blocks(self.bare)
        return self._blocks

    def scope_at(self, offset: int) -> tuple[str, ...]:
        """Return the names of the namespaces, classes and enums around an offset."""
        block = self.blocks().at(offset)
        inside = block.path() if block is not None else ()
        return inside if self.origin is None else (*self.origin[0].scope_at(self.origin[1]), *inside)

    def namespaces_at(self, offset: int) -> int:
        """Return the number of names in `scope_at` that belong to namespaces."""
        inside = _count_namespace_names(self.blocks().at(offset))
        return inside if self.origin is None else self.origin[0].namespaces_at(self.origin[1]) + inside


def _count_namespace_names(block: Block | None) -> int:
    """Return the number of names of namespaces around a block, itself included."""
    around = () if block is None else tuple(block.around())
    return sum(len(block_around.names) for block_around in around if block_around.kind == NAMESPACE)


class ConditionalCode(Record):
    """The code of a file that any build compiles, with the conditions of its parts, and unlikely requirements."""

    code: Code
    spans: tuple[Span, ...] = ()
    unlikely: frozenset[str] = frozenset()


class CppFile:
    """A C++ file before the preprocessor; `code` preprocesses it for a build.

    `raw` is its text, `features` are prefixes of the macros that differ between builds.
    """

    __slots__ = ("_code_by_build", "_codes", "_differences", "_directives", "_features", "_raw", "bare", "path", "text")

    def __init__(self, path: str, raw: str, features: tuple[str, ...] = ()) -> None:
        self.path = path
        self._features = features
        # Kept only for trigraphs at the end of comments, which the other views blank; most files have none.
        self._raw = raw if "??/" in raw else ""
        text, bare = _without_digraphs(*blank_comments(raw))
        # Before directives are searched, as a backslash may break a name in one ([lex.phases]).
        self.text, self.bare = (join_broken_names(view, bare) for view in (text, bare))
        self._directives = [
            (match.start(), match.end(), match[1], self.text[match.start(2) : match.end(2)])
            for match in (_directives(_with_breaks(self.text, self.bare)) if "#" in self.bare else ())
        ]
        if "push_macro" in self.text:
            self._directives = [*with_restored_macros(self._directives)]
        spans = [directive[:2] for directive in self._directives]
        # After that search, as a backslash continues a directive; in other code it means nothing any more.
        self.text, self.bare = (remove_breaks(view, self.bare, spans) for view in (self.text, self.bare))
        self._codes: dict[tuple[int, ...], Code] = {}
        self._differences: dict[tuple[int, int, re.Pattern[str]], bool] = {}
        self._code_by_build: dict[int, tuple[Mapping[str, str], Code]] = {}

    def includes(self) -> list[tuple[int, str]]:
        """Return the offset of each `#include`, and the name behind it with its quotes."""
        return [(start, rest.strip()) for start, _, keyword, rest in self._directives if keyword == "include"]

    def include_guard(self) -> tuple[Edge, Edge] | None:
        """Return the ranges of `#ifndef NAME` and `#endif` that let the whole text count once; None without these."""
        if len(self._directives) < 3:
            return None
        first, second, *_, last = self._directives
        is_guard = first[2] == "ifndef" and second[2] == "define" and last[2] == "endif"
        if not is_guard or second[3].split()[:1] != first[3].split():
            return None
        depth = 0
        for *_, keyword, _ in self._directives[:-1]:
            depth += keyword.startswith("if") - (keyword == "endif")
            if not depth:
                return None  # something is behind the first `#endif`
        is_whole = not (self.bare[: first[0]].strip() or self.bare[last[1] :].strip())
        return (first[:2], last[:2]) if is_whole else None

    def tested_names(self) -> set[str]:
        """Return the names that the conditions of the file test."""
        tested_names = (
            rest for _, _, keyword, rest in self._directives if keyword in ("if", "ifdef", "ifndef", "elif")
        )
        return {name for rest in tested_names for name in re.findall(r"[A-Za-z_]\w*", rest)}

    def code(self, defined: Mapping[str, str]) -> Code:
        """Return the file as a build with these macros compiles it."""
        known = self._code_by_build.get(id(defined))
        if known is None:
            dead, directives, doubtful = self._preprocess(dict(defined)) if self._directives else ([], [], [])
            # Builds that compile the same lines share their code.
            key = tuple(dead)
            if key not in self._codes:
                self._codes[key] = Code(
                    self.path, _blank_spans(self.text, dead), _blank_spans(self.bare, dead), directives
                )
                self._codes[key].dead = dead
                self._codes[key].doubtful = doubtful
            known = self._code_by_build[id(defined)] = (
                defined,
                self._codes[key],
            )  # kept alive, so that its id is not reused
        return known[1]

    def all_branches(self) -> Code:
        """Return the file without directives, with the code of all branches of its conditions."""
        edges = [edge for directive in self._directives for edge in directive[:2]]
        return Code(self.path, _blank_spans(self.text, edges), _blank_spans(self.bare, edges))

    def conditional(self, defined: Mapping[str, str], is_defined_elsewhere: Callable[[str], bool]) -> ConditionalCode:
        """Return the file without the parts that no build compiles, and the conditions of the other parts.

        `defined` are the macros of every build; `is_defined_elsewhere` returns whether anything else may define one.
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
                _append_span(dead, start, end)
        macros = [
            macro for macro in self.macro_directives() if not any(start <= macro[0] < end for start, end in never)
        ]
        code = Code(self.path, _blank_spans(self.text, dead), _blank_spans(self.bare, dead), macros)
        return ConditionalCode(code=code, spans=tuple(spans), unlikely=frozenset(branches.unlikely))

    def macro_directives(self) -> Iterator[Directive]:
        """Yield the definitions and removals of macros in all branches."""
        for start, _, keyword, rest in self._directives:
            if keyword == "define" and (macro := _parse_define(self.path, rest, {})) is not None:
                yield start, keyword, macro.name, macro
            elif keyword == "undef":
                yield start, keyword, rest.strip(), None

    def _trigraphs(self) -> Iterator[Span]:
        """Yield the lines behind a comment that ends with `??/`, a backslash for a compiler that replaces trigraphs."""
        for match in _TRIGRAPH.finditer(self._raw) if "??/" in self._raw else ():
            if self.bare[match.start() : match.end(1)].isspace():
                yield match.end(1), match.end(), requirement("trigraphs are not replaced"), match.start()

    def macros(self) -> dict[str, Macro]:
        """Return the macros that any branch of the conditions defines, the first one of each name."""
        defined = (_parse_define(self.path, rest, {}) for *_, keyword, rest in self._directives if keyword == "define")
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

    def _preprocess(self, defined: dict[str, str]) -> tuple[list[int], list[Directive], list[Doubt]]:
        """Return the parts that are not compiled (flat list of starts and ends), the macro directives, and doubts."""
        dead: list[int] = []
        directives: list[Directive] = []
        doubts: list[Doubt] = []
        conditions = OpenConditions(defined, self._features)
        since = 0
        for start, end, keyword, rest in self._directives:
            was_compiled = conditions.is_compiled
            if keyword in CONDITIONALS:
                doubts += conditions.follow(start, end, keyword, rest)
            elif keyword == "error":
                names = conditions.undecided()
                if was_compiled and not names:
                    # A build that reaches it compiles nothing of the file: https://eel.is/c++draft/cpp.error
                    return [0, len(self.text)], [], []
                if names:
                    # As another file decides it, the conditions of this file do not say whether a build reaches it.
                    doubts.append((0, len(self.text), frozenset({NOT_FOLLOWED}) if was_compiled else names))
            elif was_compiled:
                directives += self._macro_directive(start, keyword, rest, defined)
            if was_compiled:
                since = start
            if conditions.is_compiled:
                _append_span(dead, since, end)
        if not conditions.is_compiled:
            _append_span(dead, since, len(self.text))
        return dead, directives, doubts

    def _macro_directive(self, start: int, keyword: str, rest: str, defined: dict[str, str]) -> Iterator[Directive]:
        """Yield a directive that is compiled and may define macros, and change `defined` by it."""
        if keyword == "define":
            macro = _parse_define(self.path, rest, defined)
            if macro is not None:
                yield start, keyword, macro.name, macro
        elif keyword == "undef":
            defined.pop(rest.strip(), None)
            yield start, keyword, rest.strip(), None
        elif keyword == "include":
            yield start, keyword, rest.strip(), None


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
    """Return whether a character may be a part of a name."""
    return character.isalnum() or character == "_"


def _append_span(spans: list[int], start: int, end: int) -> None:
    """Append a span to a flat list of starts and ends, joined with the last span if both touch."""
    if spans and spans[-1] >= start:
        spans[-1] = end
    else:
        spans += (start, end)


def _symmetric_difference(first: list[int], second: list[int]) -> list[tuple[int, int]]:
    """Return the spans that are in exactly one of two flat lists of starts and ends."""
    # Sorted edges begin and end a difference in turn; an edge of both lists makes an empty span.
    edges = sorted((*first, *second))
    return [(start, end) for start, end in zip(edges[::2], edges[1::2], strict=True) if start < end]


def _directives(text: str) -> Iterator[re.Match[str]]:
    """Yield the directives of a text, each with the blanks before it in its line."""
    # Most lines have no `#`: to search that alone is several times as fast as a pattern that begins with `^`.
    at = text.find("#")
    while at >= 0:
        match = _DIRECTIVE.match(text, text.rfind("\n", 0, at) + 1)
        if match is not None:
            yield match
        at = text.find("#", at + 1 if match is None else match.end())


def _without_digraphs(text: str, bare: str) -> tuple[str, str]:
    """Return the views of a file with brackets, braces and `#` in place of their other spellings, and a blank."""
    if "%" not in bare and "<:" not in bare and ":>" not in bare:
        return text, bare
    digraphs = [(match.start(), _DIGRAPH_MEANINGS[match[0]]) for match in _DIGRAPH.finditer(bare)]
    for at, meaning in digraphs:
        text, bare = (f"{view[:at]}{meaning}{view[at + 2 :]}" for view in (text, bare))
    return text, bare


def _with_breaks(text: str, bare: str) -> str:
    """Return `bare` with the line breaks of strings that a backslash continues: they do not end a directive."""
    pieces: list[str] = []
    at = 0
    for match in _BREAK.finditer(text):
        if bare[match.start()] == " ":
            pieces += (bare[at : match.start()], match[0])
            at = match.end()
    return "".join((*pieces, bare[at:])) if at else bare


def _blank_spans(text: str, dead: list[int]) -> str:
    """Return a text with blanks in the spans of a flat list."""
    pieces: list[str] = []
    at = 0
    for start, end in zip(dead[::2], dead[1::2], strict=True):
        pieces += (text[at:start], blank(text[start:end]))
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


def _parse_define(path: str, rest: str, defined: dict[str, str]) -> Macro | None:
    """Return the macro of a `#define`, and add it to `defined`; None if it is malformed."""
    match = _DEFINE.match(_BREAK_OUTSIDE.sub(lambda match: match[1] or " \n", rest))
    if match is None:
        return None
    name, parameters, body = match.groups()
    body = body.strip()
    defined[name] = body if parameters is None else with_parameters(parameters, body)
    names = (
        None
        if parameters is None
        else tuple(parameter.strip() for parameter in parameters.split(",") if parameter.strip())
    )
    return Macro(name, names, body, path)
