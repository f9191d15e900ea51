"""What macros are at a place of a C++ file, and what a part of it is with its macros expanded."""

from __future__ import annotations

from opspec_lint.cpp.comments import blank_comments
from opspec_lint.cpp.limits import MAX_DIRECTIVES
from opspec_lint.cpp.preprocessed import NOT_FOLLOWED, Code, Macro
from opspec_lint.cpp.tokens import NAME, closing_brace, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.fluid.checking import is_check
from opspec_lint.frameworks.paddle.extract.fluid.common_names import COMMON
from opspec_lint.frameworks.paddle.extract.fluid.declaring_macros import REGISTERING
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.cpp.classes import Class
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.frameworks.paddle.extract.fluid.workspace import Workspace

_MEMBERS = frozenset({"public", "protected", "private", "virtual", "override", "final", "static", "inline", "using"})
_WORD = pattern(r"[A-Za-z_]\w*")


class Macros:
    """The macros that one file sees.

    Args:
        workspace: the tree and the build.
        path: the file.
    """

    def __init__(self, workspace: Workspace, path: str) -> None:
        self._workspace = workspace
        self._files = workspace.files
        self._path = path
        self._followed = 0
        self._known: dict[str, list[str]] = {}
        self._paths: tuple[str, ...] | None = None

    def at(self, name: str, code: Code, offset: int) -> Macro | None:
        """The macro of a name at a place of the file, None where there is none.

        Raises:
            UnresolvedError: headers define it in different ways.
        """
        definers = self._definers(name)
        if not definers:
            value = self._workspace.defined.get(name)
            return None if value is None else Macro(name, None, value, "")
        home, limit = code.home(offset)
        if home.path != self._path:
            limit = 0  # a place in a header: all that this file makes of the name counts
        return self._after(self._path, name, limit, frozenset(definers), {self._path}, None)

    def expanded(self, code: Code, start: int, end: int) -> tuple[Code, Tokens]:
        """Return the tokens of a part of the file with its macros expanded, and where they stand.

        Raises:
            UnresolvedError: the macros grow without end, what one is cannot be told, or a file is included there.
        """
        if code.origin is None and any(start <= at < end for at, word, _, _ in code.directives if word == "include"):
            raise UnresolvedError("a file is included in the middle of a declaration")
        self.check(code, start, end)
        words = tokenize(code.text, start, end)
        inside = {name for at, word, name, _ in code.directives if word != "include" and start <= at < end}
        if inside and any(text in inside for _, text, _ in words):
            raise UnresolvedError("a macro is defined in the middle of a declaration")
        if not self._suspects(self._names(words)):
            return code, words
        made = self.expansion(code, start, end)
        return made, tokenize(made.text, 0, len(made.text))

    def check(self, code: Code, start: int, end: int) -> None:
        """Refuse a part of the file that may not be compiled, as a file that it includes decides.

        Raises:
            UnresolvedError: the part depends on such a file.
        """
        home, begin = code.home(start)
        for since, until, names in home.doubtful:
            if since < begin + max(end - start, 1) and begin < until:
                for name in sorted(names):
                    if name == NOT_FOLLOWED:
                        raise UnresolvedError("it depends on a preprocessor condition that cannot be evaluated")
                    if any(path != home.path for path in self._definers(name)):
                        raise UnresolvedError(f"it depends on the macro {name}, which another file defines")

    def in_class(self, this: Class) -> str:
        """Return the name of a macro that stands among the members of a class; "" where none does."""
        bare = this.code.bare
        outside: list[str] = []
        at = this.start
        while at < this.end:
            opening = bare.find("{", at, this.end)
            outside.append(bare[at : this.end if opening < 0 else opening])
            at = this.end if opening < 0 else closing_brace(bare, opening) + 1
        names = (
            {name for text in outside for name in _WORD.findall(text)}
            - (COMMON - self._workspace.redefined - self._files.defines(self._path))
            - _MEMBERS
        )
        return next(iter(sorted(self._suspects(names))), "")

    def expansion(self, code: Code, start: int, end: int) -> Code:
        """A part of the file with its macros expanded.

        Raises:
            UnresolvedError: the macros grow without end, or a name has two definitions.
        """
        from opspec_lint.cpp.macros import Expander

        expander = Expander(lambda name: None if name in REGISTERING or is_check(name) else self.at(name, code, start))
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
        return Code(code.path, text, bare, origin=(code, start), spots=(begins, comes_from))

    def _names(self, words: Tokens) -> set[str]:
        """Return the names that may be macros and are not left as they are."""
        own = self._files.defines(self._path) | self._workspace.redefined
        names = {text for kind, text, _ in words if kind == NAME}
        more = names - COMMON
        if own:
            more |= names.intersection(own)
        # The variables of a checker are no macros: to look for them would read all that the file includes.
        for at, (_, text, _) in enumerate(words):
            if text == "AddCustomChecker" and at + 1 < len(words) and words[at + 1][1] == "(":
                inside = words[at + 2 : words.closing(at + 1)]
                outside = {word[1] for word in (*words[:at], *words[words.closing(at + 1) :])}
                more -= {text for _, text, _ in inside if text.islower() and text not in outside and text not in own}
        return {name for name in more if not is_check(name)}

    def _suspects(self, names: set[str]) -> set[str]:
        """Return the names that may be macros."""
        new = names.difference(self._known)
        if new:
            self._known |= {name: [] for name in new}
            for path in self._closure():
                defined = self._files.defines(path)
                if not new.isdisjoint(defined):
                    for name in new.intersection(defined):
                        self._known[name].append(path)
        return {name for name in names if self._known[name] or name in self._workspace.defined}

    def _closure(self) -> tuple[str, ...]:
        if self._paths is None:
            self._paths = self._files.closure(self._path)
        return self._paths

    def _definers(self, name: str) -> list[str]:
        """Return the files that may define a macro, of those that the file sees."""
        if name not in self._known:
            self._suspects({name})
        return self._known[name]

    def _after(  # noqa: PLR0913, PLR0917 - a walk, and what it has seen
        self, path: str, name: str, limit: int, definers: frozenset[str], seen: set[str], state: Macro | None
    ) -> Macro | None:
        """The macro of a name behind the directives of a file, those before an offset if that is not 0."""
        code = self._files.code(path, self._workspace.defined)
        self._followed += 0 if code is None else len(code.directives)
        if self._followed > MAX_DIRECTIVES:
            raise UnresolvedError(f"its macros need more than {MAX_DIRECTIVES} directives", path, 1)
        for at, word, text, macro in () if code is None else code.directives:
            if limit and at >= limit:
                break
            if word == "include":
                other = self._files.included(path, text.strip('"<> '))
                if other and other not in seen and not definers.isdisjoint(self._files.closure(other)):
                    seen.add(other)
                    state = self._after(other, name, 0, definers, seen, state)
            elif text == name:
                if macro is not None and state is not None and state.path != path and not state.is_same(macro):
                    raise UnresolvedError(f"the macro {name} is defined differently in {state.path} and {path}")
                state = macro
        return state
