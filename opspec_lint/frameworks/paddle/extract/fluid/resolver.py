"""What constants, enumerators and functions of C++ sources are worth."""

from __future__ import annotations

import re

from opspec_lint.cpp.assignments import Assignments
from opspec_lint.cpp.classes import function_at
from opspec_lint.cpp.declarations import (
    ALIAS,
    CALLABLE,
    CONSTANT,
    ENUMERATOR,
    SPECIAL,
    TYPE,
    VARIABLE,
)
from opspec_lint.cpp.enums import enumerators, underlying
from opspec_lint.cpp.expressions import construct
from opspec_lint.cpp.functions import bind_arguments, call_function, resolve_overload
from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.cpp.steps import StepLimit
from opspec_lint.cpp.tokens import SIGN, Tokens
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import NULL, This, plus, std_string
from opspec_lint.cpp.variables import Variables
from opspec_lint.frameworks.paddle.extract.fluid.effects import NoEffects
from opspec_lint.frameworks.paddle.extract.fluid.lookup import Lookup, is_in
from opspec_lint.frameworks.paddle.extract.fluid.scope import Scope
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.classes import Body
    from opspec_lint.cpp.declarations import NameDeclaration
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.frameworks.paddle.extract.fluid.workspace import Workspace

_LONGEST = 20_000  # characters of a constant
_NAME = pattern(r"(?:::)?\s*(?:\w+\s*::\s*)*\w+")
_CV = pattern(r"\b(?:const|volatile|static|constexpr|inline|typename|enum|class|struct)\b|[&]")
_NONES = (("boost",), ("paddle",))  # of an optional without a value
_PROTO_TYPES = frozenset({"AttrType", "VarType_Type", "Type"})


class Resolvers:
    """The constants that each file sees, looked up as far as somebody asks.

    Args:
        workspace: the tree as one build sees it.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._known: dict[str, Resolver] = {}
        self.steps = StepLimit()

    def of(self, path: str) -> Resolver:
        """Return those of a file."""
        if path not in self._known:
            self._known[path] = Resolver(Scope(self.workspace, path), self)
        return self._known[path]


class Resolver:
    """What the names of one file mean, evaluated when somebody asks.

    Args:
        scope: what the file sees.
        resolvers: the names of other files.
    """

    def __init__(self, scope: Scope, resolvers: Resolvers) -> None:
        self.scope = scope
        self.resolvers = resolvers
        self._protos = scope.workspace.protos
        self._lookup = Lookup(scope)
        self._known: dict[tuple[Code, int], Any] = {}
        self._enums: dict[tuple[Code, int], dict[str, Any]] = {}
        self._busy: set[tuple[Code, int]] = set()

    def at(self, code: Code, offset: int) -> Place:
        """The names at a place of the file, or of what a macro in it made."""
        return Place(self, code, offset)

    def for_file(self, path: str) -> Resolver:
        """The resolver of a file, this one or another."""
        return self if path == self.scope.path else self.resolvers.of(path)

    def constant(self, code: Code, offset: int, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a constant or enumerator as it is seen from a place.

        Raises:
            UnresolvedError: the name has no value, or one that cannot be evaluated.
        """
        if name == "none" and qualifiers[-1:] in _NONES:
            return NULL
        proto = self._proto(qualifiers, name)
        if proto is not None:
            return proto
        found = self._lookup.find(code, offset, qualifiers, name)
        if not found:
            proto = self._protos.early_enumerator(qualifiers, name)
            if proto is not None:
                return proto
            raise UnresolvedError(f"the name {'::'.join((*qualifiers, name))} has no known value")
        return self.value_of(found, name)

    def member(self, code: Code, scopes: tuple[str, ...], name: str) -> tuple[Any] | None:
        """Return the value of a constant of a class in a tuple; None where the class has none of that name.

        Args:
            code: where the class is.
            scopes: the names of the scopes around its members, its own the last.
            name: the name.
        """
        members = self.scope.members(code, name)
        own = [each for each in members if is_in(each, scopes) and each.kind in (CONSTANT, VARIABLE, ENUMERATOR)]
        return (self.value_of(own, name),) if own else None

    def value_of(self, found: list[NameDeclaration], name: str) -> Any:
        """Return the value that several declarations of a name have in common.

        Raises:
            UnresolvedError: the declarations have no value, or several.
        """
        values: list[Any] = []
        beside = [each for one in found if one.kind == CONSTANT for each in self.scope.defined_beside(one, name)]
        for each in [*found, *beside]:
            value = self.for_file(each.code.path)._evaluated(each, name)  # noqa: SLF001 - of the same class
            if value is not None:
                values.append(value[0])
        if not values:
            raise UnresolvedError(f"the name {name} has no known value")
        if any(type(value) is not type(values[0]) or value != values[0] for value in values):
            places = " and ".join(sorted({f"{each.code.path}:{each.code.place(each.offset)[0]}" for each in found}))
            raise UnresolvedError(f"the name {name} has different values in {places}")
        return values[0]

    def call(self, code: Code, offset: int, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """The result of a function that is no method of a maker.

        Raises:
            UnresolvedError: the call cannot be evaluated.
        """
        name, _, template = name.partition("<")
        if name == "GradVarName" and qualifiers[-1:] == ("framework",) and len(arguments) == 1:
            return plus(std_string(arguments[0]), "@GRAD")
        found = self._lookup.find(code, offset, qualifiers, name)
        written = "::".join((*qualifiers, name))
        if any(each.kind in (ALIAS, TYPE) for each in found):
            kind = c_type(written, self.at(code, offset))
            if kind is not None:
                return construct(kind, arguments)
        bodies = self.functions(found, name)
        if not bodies:
            raise UnresolvedError(f"the function {written} is not known")
        if any(isinstance(argument, This) for argument in arguments):
            raise UnresolvedError(f"the function {written} takes the maker")
        body = resolve_overload(bodies, arguments, self.at(code, offset))
        around = self.for_file(body.code.path).at(body.code, body.start)
        here = bind_arguments(body, arguments, around, _template(template))
        return call_function(body, here, self.resolvers.steps, NoEffects(self.scope))

    def functions(self, found: list[NameDeclaration], name: str) -> list[Body]:
        """Return the functions among some declarations, with the bodies that stand beside a header."""
        bodies: list[Body] = []
        if any(each.kind == SPECIAL for each in found):
            raise UnresolvedError(f"a specialization of the template {name} is not followed")
        for each in found:
            if each.kind == CALLABLE:
                body = function_at(each.code, name, each.offset)
                if body is not None:
                    bodies += [body] if body.is_open else [body, *self.scope.beside(each, name)]
        return bodies

    def declared_functions(self, code: Code, offset: int, qualifiers: tuple[str, ...], name: str) -> list[Body]:
        """Return the functions that a name means at a place."""
        return self.functions(self._lookup.find(code, offset, qualifiers, name), name)

    def type_text(self, code: Code, offset: int, text: str) -> str:
        """Return a type with what its name is another name for; `int` or the underlying type for an enum."""
        if c_type(text) is not None:
            return text
        plain = _CV.sub(" ", text).strip()
        if not _NAME.fullmatch(plain):
            return text
        words = tuple(word.strip() for word in plain.split("::"))
        if words[-1] in _PROTO_TYPES and {"proto", "VarType"}.intersection(words):
            return "int"
        for each in self._lookup.find(code, offset, words[:-1], words[-1]):
            if each.kind == ALIAS:
                if "<" in each.text or "*" in each.text:
                    return each.text
                around = self.for_file(each.code.path)
                return around.type_text(each.code, each.offset, each.text)
            if each.kind == TYPE:
                found = underlying(each.code, each.offset + len(words[-1]))
                if found is not None:
                    return found
        return plain

    def _proto(self, qualifiers: tuple[str, ...], name: str) -> int | None:
        """Return the value of an enumerator of framework.proto, unless the file has an enum of that name itself."""
        if "proto" in qualifiers or "VarType" in qualifiers:
            owner = qualifiers[-1]
            own = re.compile(rf"\b(?:enum|struct|class|namespace)\b[^;{{}}()]*\b{owner}\b[^;()]*\{{")
            if not any(owner in code.bare and own.search(code.bare) for code in self.scope.own()):
                return self._protos.enumerator(owner, name)
        return self._protos.flat_enumerator(name)

    def _evaluated(self, this: NameDeclaration, name: str) -> tuple[Any] | None:
        """Return the value of a declaration in a tuple; None for one that gives it none."""
        key = (this.code, this.offset)
        if key not in self._known:
            if key in self._busy or len(self._busy) > MAX_DEPTH:
                raise UnresolvedError(f"the constant {name} depends on itself")
            self._busy.add(key)
            try:
                self._known[key] = self._value(this, name)
            finally:
                self._busy.discard(key)
        found: tuple[Any] | None = self._known[key]
        return found

    def _value(self, this: NameDeclaration, name: str) -> tuple[Any] | None:
        self.scope.check(this.code, this.offset)
        if this.kind == ENUMERATOR and this.block is not None:
            key = (this.code, this.block.start)
            if key not in self._enums:
                words = self.scope.words(this.code, this.block.start + 1, this.block.end)
                block = this.block
                self._enums[key] = {}  # while it is evaluated, it has no enumerators
                names = self.at(this.code, block.start)
                self._enums[key] = enumerators(words, names, block.underlying, is_scoped=block.is_scoped)
            value = self._enums[key].get(name)
            if value is None or isinstance(value, UnresolvedError):
                raise value or UnresolvedError(f"the enumerator {name} is not followed")
            return (value,)
        if this.kind == VARIABLE:
            raise UnresolvedError(f"the variable {name} is not a constant")
        if this.kind == CONSTANT and this.is_of_object:
            raise UnresolvedError(f"{name} may differ between objects")
        if this.kind != CONSTANT or this.is_template:
            raise UnresolvedError(f"{name} is not a constant")
        return self._constant(this, name)

    def _constant(self, this: NameDeclaration, name: str) -> tuple[Any] | None:
        code = this.code
        end = code.bare.find(";", this.offset, this.offset + _LONGEST)
        end = this.offset + _LONGEST if end < 0 else end
        start = this.start + len(code.text[this.start : end]) - len(code.text[this.start : end].lstrip())
        words = _without_owners(self.scope.words(code, start, end), name)
        at = next((at for at, word in enumerate(words) if word[1] == name and word[0] == "n"), -1)
        while at >= 0 and at + 1 < len(words) and words[at + 1][1] == "[":
            at = words.closing(at + 1)
        if at + 1 >= len(words):
            return None  # a declaration of what is defined elsewhere
        here = Variables(self.at(code, this.offset))
        if not Assignments(words, here, NoEffects(self.scope)).follow(0, len(words)):
            raise UnresolvedError(f"the constant {name} is not followed")
        return (here.constant((), name),)


class Place:
    """What names mean at a place outside of functions and makers.

    Args:
        resolver: those of the file.
        code: the file, or what a macro in it made.
        offset: the place.
    """

    def __init__(self, resolver: Resolver, code: Code, offset: int) -> None:
        self._resolver = resolver
        self._code = code
        self._offset = offset

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a constant or enumerator."""
        return self._resolver.constant(self._code, self._offset, qualifiers, name)

    def type_text(self, text: str) -> str:
        """Return a type with its aliases replaced."""
        return self._resolver.type_text(self._code, self._offset, text)

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """The result of a function."""
        return self._resolver.call(self._code, self._offset, qualifiers, name, arguments)


def _template(written: str) -> list[str]:
    return [part.strip() for part in written.removesuffix(">").split(",")] if written else []


def _without_owners(words: Tokens, name: str) -> Tokens:
    """Return a declaration without access labels before it, and without the classes before its name."""
    start = 0
    while len(words) > start + 1 and words[start + 1][1] == ":" and words[start][1] in (
        "public", "protected", "private",
    ):  # fmt: skip
        start += 2
    at = next((at for at, word in enumerate(words) if word[1] == name and word[0] != SIGN), start)
    first = at
    while first - 2 >= start and words[first - 1][1] == "::":
        first -= 2
    plain = Tokens([*words[start:first], *words[at:]])
    while plain and plain[0][1] in ("inline", "static", "extern"):
        plain.pop(0)
    return plain
