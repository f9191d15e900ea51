"""What constants, enumerators and functions of C++ sources are worth."""

from __future__ import annotations

import re

from opspec_lint.frameworks.paddle.cpp.expressions import evaluate
from opspec_lint.frameworks.paddle.cpp.functions import returned
from opspec_lint.frameworks.paddle.cpp.limits import MAX_DEPTH
from opspec_lint.frameworks.paddle.cpp.preprocessed import occurrences
from opspec_lint.frameworks.paddle.cpp.tokens import closing_brace, tokens, tokens_between_commas
from opspec_lint.frameworks.paddle.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.fluid.scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.paddle.cpp.classes import Class
    from opspec_lint.frameworks.paddle.cpp.preprocessed import Code
    from opspec_lint.frameworks.paddle.fluid.workspace import Workspace

_ENUM = re.compile(r"\benum\s+(?:class\s+|struct\s+)?(\w*)\s*(?::[\w:\s]+)?\{")
_CONST = re.compile(r"\b(?:const|constexpr)\b")
_INITIALIZED = re.compile(r"\s*(?:\[[^\]]*\]\s*)*(=(?!=)|\{)")
_LONGEST = 20_000  # characters of a constant
_BEFORE = 400


class AllMeanings:
    """The constants that each file sees, looked up as far as somebody asks.

    Args:
        workspace: the tree as one build sees it.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._known: dict[str, Meanings] = {}

    def of(self, path: str) -> Meanings:
        """Return those of a file."""
        if path not in self._known:
            self._known[path] = Meanings(Scope(self.workspace, path), self)
        return self._known[path]


class Meanings:
    """The constants that one file sees, evaluated when somebody asks.

    Args:
        scope: what the names of the file mean.
        everywhere: those of other files.
    """

    def __init__(self, scope: Scope, everywhere: AllMeanings) -> None:
        self.scope = scope
        self._everywhere = everywhere
        self._protos = scope.workspace.protos
        self._known: dict[tuple[str, str], Any] = {}
        self._busy: set[tuple[str, str]] = set()
        self._members: dict[tuple[str, str], tuple[Any] | None] = {}
        self._calls = 0

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a constant or enumerator at file, namespace or class level.

        Raises:
            UnresolvedError: there is none, or it cannot be evaluated.
        """
        key = (qualifiers[-1] if qualifiers else "", name)
        if key not in self._known:
            if key in self._busy or len(self._busy) > MAX_DEPTH:
                raise UnresolvedError(f"the constant {name} depends on itself")
            self._busy.add(key)
            try:
                self._known[key] = self._evaluated(qualifiers, name)
            finally:
                self._busy.discard(key)
        return self._known[key]

    def type_text(self, text: str) -> str:
        """Return a type as it is: no template is open at file level."""
        return text

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """Return what a free function, or a static one of a class, returns."""
        body = None
        if qualifiers:
            this = self.scope.find_class(qualifiers[-1])
            body = None if this is None else self.scope.method(this, name)
        body = body or self.scope.function(name)
        if body is None:
            raise UnresolvedError(f"the function {name} is not known")
        if self._calls > MAX_DEPTH:
            raise UnresolvedError(f"functions call each other more than {MAX_DEPTH} deep")
        self._calls += 1
        try:
            return returned(body, arguments, self.elsewhere(body.code.path))
        finally:
            self._calls -= 1

    def elsewhere(self, path: str) -> Meanings:
        """Return what the constants of a file are worth, this one or another."""
        return self if path == self.scope.path else self._everywhere.of(path)

    def in_class(self, this: Class, name: str) -> tuple[Any] | None:
        """Return the value of a static member of a class, in a tuple; None where it has none of that name."""
        key = (f"{this.code.path}:{this.start}", name)
        if key not in self._members:
            own = next(occurrences(this.code.bare, name, this.start, this.end), None) is not None
            inside = self._in_code(this.code, this.name, name, this.start, this.end) if own else None
            self._members[key] = inside or (self._outside(this, name) if own else None)
        return self._members[key]

    def _evaluated(self, qualifiers: tuple[str, ...], name: str) -> Any:
        if qualifiers:
            if "proto" in qualifiers or "VarType" in qualifiers:
                value = self._protos.enumerator(qualifiers[-1], name)
                if value is not None:
                    return value
            found = self._member(qualifiers[-1], name)
            if found is not None:
                return found[0]
        proto = self._protos.flat_enumerator(name)
        if proto is not None:
            return proto
        macro = None if qualifiers else self.scope.macro(name)
        if macro is not None and macro.parameters is None:
            return self._text(macro.body)
        for code in self.scope.visible(name):
            found = self._in_code(code, qualifiers[-1] if qualifiers else "", name, 0, len(code.bare))
            if found is not None:
                return found[0]
        raise UnresolvedError(f"the name {'::'.join((*qualifiers, name))} has no value that could be found")

    def _member(self, owner: str, name: str) -> tuple[Any] | None:
        """Return the value of a static member of a class, in a tuple."""
        for code in self.scope.visible(owner):
            this = self.scope.class_in(code, owner) if owner in code.bare else None
            if this is not None:
                inside = self._in_code(this.code, owner, name, this.start, this.end)
                return inside or self._outside(this, name)
        return None

    def _outside(self, this: Class, name: str) -> tuple[Any] | None:
        """Return the value of a static member that is set outside of its class."""
        for code in self.scope.definers(this):
            found = self._in_code(code, this.name, name, 0, len(code.bare), outside=True)
            if found is not None:
                return found
        return None

    def _in_code(  # noqa: PLR0913 - a part of a file, and what is looked for
        self, code: Code, owner: str, name: str, start: int, end: int, *, outside: bool = False
    ) -> tuple[Any] | None:
        """Return the value of a constant or enumerator that a part of a file defines, in a tuple.

        `owner` is the class or enum that has it, and `outside` says that it is defined outside of that.
        """
        for at in occurrences(code.bare, name, start, end):
            match = _INITIALIZED.match(code.bare, at + len(name))
            if match is None:
                continue
            before = code.bare[max(start, at - _BEFORE) : at]
            if outside and not re.search(rf"\b{owner}\s*::\s*\Z", before):
                continue
            if _CONST.search(before[max(before.rfind(";"), before.rfind("{"), before.rfind("}")) + 1 :]):
                begin = match.end() if match[1] == "=" else match.start(1)
                return (self._initializer(code, begin),)
        if outside:
            return None
        for match in _ENUM.finditer(code.bare, start, end):
            closed = closing_brace(code.bare, match.end() - 1)
            if next(occurrences(code.bare, name, match.end(), closed), None) is not None:
                value = self._enumerator(code, match.end(), closed, name)
                if value is not None and (not owner or owner == match[1] or not match[1] or start == 0):
                    return (value,)
        return None

    def _initializer(self, code: Code, start: int) -> Any:
        end = code.bare.find(";", start, start + _LONGEST)
        words = tokens(code.text, start, start + _LONGEST if end < 0 else end)
        return evaluate(words, 0, len(words), self)

    def _enumerator(self, code: Code, start: int, end: int, wanted: str) -> int | None:
        value = -1
        for part in tokens_between_commas(tokens(code.text, start, end)):
            if not part:
                continue
            name = part[0][1]
            if len(part) > 2 and part[1][1] == "=":
                value = evaluate(part, 2, len(part), _Enumerators(self, code, start, end))
            else:
                value += 1
            if name == wanted:
                return value
        return None

    def _text(self, text: str) -> Any:
        words = tokens(text, 0, len(text))
        return evaluate(words, 0, len(words), self)


class _Enumerators:
    """The names in the initialisers of an enum, which may be its own."""

    def __init__(self, outer: Meanings, code: Code, start: int, end: int) -> None:
        self._outer = outer
        self._place = (code, start, end)

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of an enumerator of the same enum, or of a constant."""
        code, start, end = self._place
        at = next(occurrences(code.bare, name, start, end), None)
        if not qualifiers and at is not None:
            value = self._outer._enumerator(code, start, at + len(name), name)  # noqa: SLF001 - two halves of one
            if value is not None:
                return value
        return self._outer.constant(qualifiers, name)

    def type_text(self, text: str) -> str:
        """Return a type as it is."""
        return text

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """Return what a function returns."""
        return self._outer.call(qualifiers, name, arguments)
