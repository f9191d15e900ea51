"""A C++ file of an extension: its tokens with macros expanded where it registers ops, its constants and functions."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cached_property
from operator import itemgetter
from posixpath import normpath

from opspec_lint.cpp.preprocessed import CppFile
from opspec_lint.cpp.tokens import NAME, NUMBER, SIGN, STRING, Tokens, split_arguments, string_value, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.pytorch.extract.cpp_conditions import Conditions
from opspec_lint.frameworks.pytorch.extract.expansion import executing_macros, expanded_tokens, include_names
from opspec_lint.frameworks.pytorch.extract.partial_names import TemplateVariables
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from opspec_lint.cpp.macro import Macro
    from opspec_lint.cpp.tokens import Token
    from opspec_lint.spec.condition import Condition

    Span = tuple[int, int]
    """The indices of the first token of a part, and of the one behind it."""
    Texts = list[str]

LIBRARY = pattern(r"(?:[A-Z]+_)?TORCH_LIBRARY(?:_FRAGMENT)?(?:_EXPAND)?")
_MACRO_NAME = pattern(r"[A-Z][A-Z0-9_]+")
_REGISTERS = pattern(r"TORCH_LIBRARY|RegisterOperators|(?:\.|->)\s*def\s*\(")
_MAX_INCLUDED = 40
"""Files that are included, directly or through others."""
_WRAPPERS = {
    "TORCH_SELECTIVE_SCHEMA",
    "TORCH_SELECTIVE_NAME",
    "string",
    "string_view",
    "schema",
    "parseSchema",
    "parseName",
}
"""Functions and macros around the text of a schema."""
_TO_CHARACTERS = ([".", "c_str", "(", ")"], [".", "data", "(", ")"])
"""Calls behind a string that change nothing about its text."""


class Tree:
    """The C++ files of a tree, by path.

    `may_define` returns whether a build or another file may define a macro. `was_searched` becomes true once a result
    depends on another file than the one that is read.
    """

    def __init__(self, files: Mapping[str, str], may_define: Callable[[str], bool] = lambda _: False) -> None:
        self._files = files
        self.may_define = may_define
        self._sources: dict[str, CppSource] = {}
        self._macros: dict[str, Mapping[str, Macro]] = {}
        self._includes: dict[str, list[str]] = {}
        self._paths_by_name: dict[str, list[str]] = {}
        for path in files:
            self._paths_by_name.setdefault(path.rpartition("/")[2], []).append(path)
        self.was_searched = False

    def files_naming(self, name: str, besides: str) -> Iterator[CppSource]:
        """Yield the files that contain a name, except the file `besides`."""
        self.was_searched = True
        for path, text in self._files.items():
            if path != besides and name in text:
                if path not in self._sources:
                    self._sources[path] = CppSource(text, path, self, is_searched=True)
                yield self._sources[path]

    def included_macros(self, file: str, text: str) -> Iterator[Mapping[str, Macro]]:
        """Yield the macros of each file that a file includes, directly or through others."""
        self.was_searched = True
        waiting, seen = [(file, include_names(text))], set[str]()
        while waiting and len(seen) < _MAX_INCLUDED:
            including, names = waiting.pop()
            for name in names:
                path = self._included(including, name)
                if path is not None and path not in seen:
                    seen.add(path)
                    if path not in self._includes:
                        self._includes[path] = include_names(self._files[path])
                    waiting.append((path, self._includes[path]))
                    yield self._macros_of(path)

    def _included(self, including: str, name: str) -> str | None:
        """Return the path of a file that another one includes in quotes; None if the tree has none."""
        neighbour = normpath(f"{including.rpartition('/')[0]}/{name}").lstrip("/")
        if neighbour in self._files:
            return neighbour
        tail = "/" + name.lstrip("./")
        candidates = self._paths_by_name.get(tail.rpartition("/")[2], ())
        # The include folders of the build are not known, so the first file whose path ends so is taken.
        return next((path for path in candidates if f"/{path}".endswith(tail)), None)

    def has_file(self, path: str) -> bool:
        """Return whether the tree has a C++ file."""
        self.was_searched = True
        return path in self._files

    def _macros_of(self, path: str) -> Mapping[str, Macro]:
        """Return the macros that a file defines, by name; many files include the same one."""
        if path not in self._macros:
            text = self._files[path]
            self._macros[path] = CppFile("", text).macros() if "define" in text else {}
        return self._macros[path]


class CppSource:
    """A C++ file as tokens, with macros expanded in the regions that register ops.

    A file in which another one searches a function or constant (`is_searched`) keeps its macros. `definitions` caches
    the results of `definitions.definitions_of`.
    """

    def __init__(self, text: str, file: str, tree: Tree, *, is_searched: bool = False) -> None:
        self.file = file
        self.tree = tree
        self._raw = text
        self._cpp = CppFile(file, text)
        self._code = self._cpp.all_branches()
        self.definitions: dict[str, Any] = {}
        self.tokens = tokenize(self._code.text, 0, len(self._code.text), limit=len(self._code.text))
        if not is_searched:
            self._expand()

    @cached_property
    def conditions(self) -> Conditions:
        """The conditions under which its parts take effect."""
        return Conditions(self._cpp, self.tree.may_define, self.tree.has_file)

    def _compiled_if(self, offset: int) -> Condition:
        """Return the condition under which the text at an offset is compiled."""
        return self.conditions.compiled_if(offset)

    def line_of(self, index: int) -> int:
        """Return the line number of a token."""
        return self._code.place(self.tokens[index][2])[0]

    def fill_in(self, name: str, index: int) -> str:
        """Return a name at a token with the texts of the variables of a template."""
        return self._template.fill_in(name, self.tokens[index][2]) if "{{" in name else name

    @cached_property
    def _template(self) -> TemplateVariables:
        return TemplateVariables(self._code.text)

    def sign_at(self, index: int) -> str:
        """Return the text of a token if it is a sign such as `(`, "" for any other token or index."""
        kind, text, _ = self.tokens[index] if 0 <= index < len(self.tokens) else ("", "", 0)
        return text if kind == SIGN else ""

    def arguments(self, opening: int) -> list[Span]:
        """Return the spans of the arguments of a call, by the index of its parenthesis.

        Raises:
            UnresolvedError: the parenthesis is not closed.
        """
        return split_arguments(self.tokens, opening + 1, self.tokens.closing(opening))

    @cached_property
    def strings(self) -> dict[str, Texts | None]:
        """The string constants and lists of strings by name; None for a name with several values."""
        result: dict[str, Texts | None] = {}
        tokens = self.tokens
        for index, (kind, name, _) in enumerate(tokens):
            if kind != NAME or index + 1 >= len(tokens) or tokens[index + 1][1] not in ("=", "[", "{", "("):
                continue
            try:
                texts = self._initial_strings(index + 1)
            except UnresolvedError:
                continue
            if texts is not None:
                # Scopes are not told apart, so that a name with two values has no certain one.
                result[name] = texts if result.get(name, texts) == texts else None
        return result

    def _initial_strings(self, index: int) -> Texts | None:
        """Return the strings in an initialiser such as `= "a"` or `[] = {"a", "b"}`, by the index behind the name."""
        if self.sign_at(index) == "[":
            index = self.tokens.closing(index) + 1
            if self.sign_at(index) not in ("=", "{"):
                return None
        if self.sign_at(index) == "=":
            index += 1
        if self.sign_at(index) in ("{", "("):
            closed = self.tokens.closing(index)
            spans, behind = split_arguments(self.tokens, index + 1, closed), closed + 1
        else:
            behind = self._literal_end(index)
            spans = [(index, behind)]
        if self.sign_at(behind) not in (";", ","):
            return None
        items = [self.tokens[start:end] for start, end in spans if start < end]  # a comma may follow the last one
        if not items or any(kind != STRING for item in items for kind, _, _ in item):
            return None
        return ["".join(string_value(text) for _, text, _ in item) for item in items]

    def _literal_end(self, start: int) -> int:
        """Return the index behind adjacent string literals, which C++ joins."""
        end = start
        while end < len(self.tokens) and self.tokens[end][0] == STRING:
            end += 1
        return end

    def texts(self, start: int, end: int, known: Mapping[str, Texts], depth: int = 0) -> Texts | None:
        """Return the possible strings of the expression in tokens `start` to `end`, None where they are not known.

        Only a loop variable has several strings, one for each iteration. `known` are the values of parameters and loop
        variables. Literals, `+`, constants, wrappers such as `std::string(...)` and `x.c_str()` are followed.
        """
        start, end = self._unwrap(start, end)
        result: Texts = [""]
        index = start
        while index < end:
            kind, text, _ = self.tokens[index]
            if text == "+" and kind != STRING and start < index < end - 1:
                index += 1
                continue
            if kind == NAME and self.sign_at(index + 1) == "::":  # the name of a namespace or class
                index += 2
                continue
            values, index = self._operand_strings(index, end, known, depth)
            # Of two loop variables in one text, the pairs of values that occur are not known.
            if values is None or (len(values) > 1 and len(result) > 1):
                return None
            result = [before + value for before in result for value in values]
        return result if index > start else None

    def _unwrap(self, start: int, end: int) -> Span:
        """Return the span inside the wrappers that are around a whole expression: `"f"` of `std::string("f")`."""
        while start < end and self.tokens[start][0] != STRING:
            opening = next((index for index in range(start, end) if self.sign_at(index) == "("), start)
            wrapper = self.tokens[opening - 1][1] if opening > start else ""
            if wrapper not in _WRAPPERS or self.tokens.closing(opening) != end - 1:
                break
            # `torch::schema(TEXT, ALIAS_ANALYSIS)`: the second argument is no part of the text.
            start, end = self.arguments(opening)[0] if wrapper == "schema" else (opening + 1, end - 1)
        return start, end

    def _operand_strings(
        self, index: int, end: int, known: Mapping[str, Texts], depth: int
    ) -> tuple[Texts | None, int]:
        """Return the strings of the literal, wrapper or name at a token, and the index behind it.

        The strings are None where they are not known; the index then has no meaning.
        """
        kind, text, _ = self.tokens[index]
        if kind == STRING:
            return [string_value(text)], index + 1
        if kind != NAME:
            return None, index
        if self.sign_at(index + 1) == "(" and text in _WRAPPERS and index + 1 < end:
            closed = self.tokens.closing(index + 1)
            return self.texts(index + 2, closed, known, depth), closed + 1
        values, last = self._named_strings(text, index, end, known, depth)
        behind = [token[1] for token in self.tokens[last + 1 : last + 5]]
        return values, last + (5 if behind in _TO_CHARACTERS else 1)

    def _named_strings(
        self, name: str, index: int, end: int, known: Mapping[str, Texts], depth: int
    ) -> tuple[Texts | None, int]:
        """Return the strings that a name, or an item `name[N]`, has; and the index of its last token."""
        values = known[name] if name in known else self.constant(name)
        if self.sign_at(index + 1) != "[" or index + 1 >= end or depth:
            return (values if name in known or (values is not None and len(values) == 1) else None), index
        closed = self.tokens.closing(index + 1)
        kind, text, _ = self.tokens[index + 2]
        if values is not None and kind == NUMBER and closed == index + 3:
            values = values[int(text) :][:1] if text.isdigit() else None
        elif kind != NAME or closed != index + 3 or text not in known:
            values = None
        return values or None, closed

    def constant(self, name: str) -> Texts | None:
        """Return the strings of a constant of this file, or else of another file of the tree."""
        if name in self.strings:
            return self.strings[name]
        others = (source.strings[name] for source in self.tree.files_naming(name, self.file) if name in source.strings)
        return next(others, None)

    def alias(self, name: str) -> Tokens | None:
        """Return the type that `using NAME = TYPE;` or `typedef TYPE NAME;` gives a name, here or in another file."""
        return self.alias_in_file(name) or next(
            (tokens for source in self.tree.files_naming(name, self.file) if (tokens := source.alias_in_file(name))),
            None,
        )

    def alias_in_file(self, name: str) -> Tokens | None:
        """Return the type that `using` or `typedef` in this file gives a name, None if there is none."""
        tokens = self.tokens
        for index, (_, text, _) in enumerate(tokens):
            if text != name or index + 1 >= len(tokens):
                continue
            if tokens[index - 1][1] == "using" and self.sign_at(index + 1) == "=":
                end = next((n for n in range(index, len(tokens)) if self.sign_at(n) == ";"), index)
                return Tokens(tokens[index + 2 : end])
            if self.sign_at(index + 1) == ";":
                start = index
                while start and tokens[start - 1][1] not in (";", "}", "typedef"):
                    start -= 1
                if start and tokens[start - 1][1] == "typedef":
                    return Tokens(tokens[start:index])
        return None

    @cached_property
    def bracket_openings(self) -> dict[int, int]:
        """The index of the opening bracket of each closing one."""
        return {closed: opening for opening, closed in self.tokens.pairs().items()}

    @cached_property
    def braces_around(self) -> list[int]:
        """The index of the innermost brace around each token, -1 outside of all."""
        around: list[int] = []
        stack = [-1]
        for index in range(len(self.tokens)):
            sign = self.sign_at(index)
            if sign == "}" and len(stack) > 1:
                stack.pop()
            around.append(stack[-1])
            if sign == "{":
                stack.append(index)
        return around

    def _expand(self) -> None:
        """Replace the tokens of the regions that register ops by their macro expansions.

        Expanded tokens keep the offset of the macro's name, so that messages show the line of its use.
        """
        macros = executing_macros(_expandable(self._cpp.macros()), self._cpp, self._compiled_if)
        regions = self._regions(macros)
        used = {text for start, end in regions for _, text, _ in self.tokens[start:end] if _MACRO_NAME.fullmatch(text)}
        if any(not name.startswith(("TORCH_", "C10_", "AT_")) for name in used - macros.keys()):
            # Headers are read only if a name looks like a macro that this file does not define.
            for included in self.tree.included_macros(self.file, self._raw):
                for name, macro in included.items():
                    if name in used or macros:
                        macros.setdefault(name, macro)
            macros = _expandable(macros)
            regions = self._regions(macros)
        expanded: list[Token] = []
        done = 0  # the number of tokens that `expanded` replaces
        for start, end in regions:
            if start < done or not any(text in macros for _, text, _ in self.tokens[start:end]):
                continue
            last = self.tokens[end - 1]
            span = self.tokens[start][2], last[2] + len(last[1])
            try:
                tokens = expanded_tokens(self._code.text, span, macros, self._cpp)
            except UnresolvedError:
                continue
            expanded += [*self.tokens[done:start], *tokens]
            done = end
        if done:
            self.tokens = Tokens((*expanded, *self.tokens[done:]))

    def _regions(self, macros: Mapping[str, Macro]) -> list[Span]:
        """Return the spans that register ops: library blocks, functions that take a library, and uses of macros."""
        result: list[Span] = []
        registering = {name for name, macro in macros.items() if _REGISTERS.search(macro.body)}
        # The text is searched, not the tokens, as few of these begin a region.
        marks = re.compile(rf"\b(?:[A-Z]+_)?TORCH_LIBRARY\w*|\b(?:{'|'.join(('Library', *sorted(registering)))})\b")
        for match in marks.finditer(self._code.bare):
            text = match[0]
            index = bisect_left(self.tokens, match.start(), key=itemgetter(2))
            if index == len(self.tokens) or self.tokens[index][1] != text or self.tokens[index][0] != NAME:
                continue
            is_macro = text in registering
            is_library = LIBRARY.fullmatch(text) is not None and self.sign_at(index + 1) == "("
            is_parameter = text == "Library" and self.sign_at(index + 1) == "&"
            if not (is_library or is_parameter or is_macro) or (result and index < result[-1][1]):
                continue
            start = index + 1 if is_library else index
            try:
                result.append((start, self._region_end(index, is_macro=is_macro)))
            except UnresolvedError:
                continue
        return result

    def _region_end(self, index: int, *, is_macro: bool) -> int:
        """Return the index behind a region: behind its braces, or behind the arguments of a macro."""
        if is_macro:
            return self.tokens.closing(index + 1) + 1 if self.sign_at(index + 1) == "(" else index + 1
        while index < len(self.tokens) and self.sign_at(index) not in ("{", ";"):
            index = self.tokens.closing(index) + 1 if self.sign_at(index) == "(" else index + 1
        return self.tokens.closing(index) + 1 if self.sign_at(index) == "{" else index + 1


def _expandable(macros: Mapping[str, Macro]) -> dict[str, Macro]:
    """Return macros without TORCH_LIBRARY and its kind, whose names mark the blocks that are read."""
    return {name: macro for name, macro in macros.items() if not LIBRARY.fullmatch(name)}
