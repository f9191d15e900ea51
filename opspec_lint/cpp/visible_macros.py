"""The macros that are visible in one C++ file, and the expansion of parts of the file."""

from __future__ import annotations

from opspec_lint.cpp.comments import blank_comments
from opspec_lint.cpp.limits import MAX_DIRECTIVES
from opspec_lint.cpp.macro import Macro
from opspec_lint.cpp.open_conditions import NOT_FOLLOWED
from opspec_lint.cpp.preprocessed import Code
from opspec_lint.cpp.tokens import NAME, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from opspec_lint.cpp.files import CppFiles
    from opspec_lint.cpp.tokens import Tokens


class VisibleMacros:
    """The macros that are visible in one file: of the build (`defined`), of includes, and its own before a place."""

    def __init__(self, files: CppFiles, defined: Mapping[str, str], path: str) -> None:
        self._files = files
        self._defined = defined
        self._path = path
        self._followed = 0
        self._known: dict[str, list[str]] = {}
        self._definers_by_name: dict[str, list[str]] | None = None

    def is_kept(self, name: str) -> bool:  # noqa: ARG002 - for frameworks
        """Return whether a macro is not expanded, since the framework interprets its invocations."""
        return False

    def at(self, name: str, code: Code, offset: int) -> Macro | None:
        """Return the macro of a name at a place of the file, None if there is none.

        Raises:
            UnresolvedError: headers define it in different ways.
        """
        definers = self._definers(name)
        if not definers:
            value = self._defined.get(name)
            return None if value is None else Macro(name, None, value, "")
        home, limit = code.source_of(offset)
        if home.path != self._path:
            limit = 0  # a place in a header: all that this file makes of the name counts
        return self._macro_after(self._path, name, limit, frozenset(definers), {self._path}, None)

    def candidates(self, tokens: Tokens) -> set[str]:
        """Return the names among tokens that may be macros."""
        return {text for kind, text, _ in tokens if kind == NAME}

    def expanded(self, code: Code, start: int, end: int) -> tuple[Code, Tokens]:
        """Return the code and the tokens of a part of the file with its macros expanded.

        Raises:
            UnresolvedError: the macros grow without end, a macro is not known, or a file is included there.
        """
        if code.origin is None and any(
            start <= at < end for at, keyword, _, _ in code.directives if keyword == "include"
        ):
            raise UnresolvedError("a file is included in the middle of a declaration")
        self.check(code, start, end)
        tokens = tokenize(code.text, start, end)
        inside = {name for at, keyword, name, _ in code.directives if keyword != "include" and start <= at < end}
        if inside and any(text in inside for _, text, _ in tokens):
            raise UnresolvedError("a macro is defined in the middle of a declaration")
        if not self.possible_macros(self.candidates(tokens)):
            return code, tokens
        made = self.expansion(code, start, end)
        return made, tokenize(made.text, 0, len(made.text))

    def check(self, code: Code, start: int, end: int) -> None:
        """Raise an error if another file decides whether a part of the file is compiled.

        Raises:
            UnresolvedError: the part depends on such a file.
        """
        home, begin = code.source_of(start)
        for since, until, names in home.doubtful:
            if since < begin + max(end - start, 1) and begin < until:
                for name in sorted(names):
                    if name == NOT_FOLLOWED:
                        raise UnresolvedError("it depends on a preprocessor condition that cannot be evaluated")
                    if any(path != home.path for path in self._definers(name)):
                        raise UnresolvedError(f"it depends on the macro {name}, which another file defines")

    def expansion(self, code: Code, start: int, end: int) -> Code:
        """Return a part of the file with its macros expanded.

        Raises:
            UnresolvedError: the macros grow without end, or a name has two definitions.
        """
        from opspec_lint.cpp.macros import Expander

        expander = Expander(lambda name: None if self.is_kept(name) else self.at(name, code, start))
        try:
            pieces = expander.pieces(code.text[start:end], start)
        except UnresolvedError as error:
            raise error.at(code.path, code.place(start)[0]) from None
        begins: list[int] = []
        comes_from: list[int] = []
        length = 0
        for piece in pieces:
            begins.append(length)
            comes_from.append(piece.offset)
            length += len(piece.text)
        text, bare = blank_comments("".join([piece.text for piece in pieces]))
        return Code(code.path, text, bare, origin=(code, start), piece_offsets=(begins, comes_from))

    def possible_macros(self, names: set[str]) -> set[str]:
        """Return the names that a visible file or the build defines as macros."""
        new = names.difference(self._known)
        if new:
            definers_by_name = self._find_definers()
            self._known |= {name: definers_by_name.get(name, []) for name in new}
        return {name for name in names if self._known[name] or name in self._defined}

    def _find_definers(self) -> dict[str, list[str]]:
        """Return the visible files that may define each macro, and note that the caller's result depends on them."""
        paths = self._files.closure(self._path)
        if self._definers_by_name is None:
            self._definers_by_name = {}
            for path in paths:
                for name in self._files.defines(path):
                    self._definers_by_name.setdefault(name, []).append(path)
        return self._definers_by_name

    def _definers(self, name: str) -> list[str]:
        """Return the visible files that may define a macro."""
        if name not in self._known:
            self.possible_macros({name})
        return self._known[name]

    def _macro_after(  # noqa: PLR0913, PLR0917 - a walk, and what it has seen
        self, path: str, name: str, limit: int, definers: frozenset[str], seen: set[str], state: Macro | None
    ) -> Macro | None:
        """Return the macro of a name after the directives of a file, or after those before `limit` if it is not 0."""
        code = self._files.code(path, self._defined)
        self._followed += 0 if code is None else len(code.directives)
        if self._followed > MAX_DIRECTIVES:
            raise UnresolvedError(f"its macros need more than {MAX_DIRECTIVES} directives", path, 1)
        for at, keyword, text, macro in () if code is None else code.directives:
            if limit and at >= limit:
                break
            if keyword == "include":
                included = self._files.included(path, text.strip('"<> '))
                # A header is followed once, as by its include guard, and only if it leads to a definition of the macro.
                if included and included not in seen and not definers.isdisjoint(self._files.closure(included)):
                    seen.add(included)
                    state = self._macro_after(included, name, 0, definers, seen, state)
            elif text == name:
                if macro is not None and state is not None and state.path != path and not state.is_same(macro):
                    raise UnresolvedError(f"the macro {name} is defined differently in {state.path} and {path}")
                state = macro
        return state
