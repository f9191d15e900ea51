"""The values of constants, enumerators and functions of C++ sources.

A name is looked up (`lookup.py`), its declarations are evaluated in the files that contain each, and all have to agree.
"""

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
from opspec_lint.cpp.tokens import NAME, SIGN, Tokens
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import NULL, This, add_values, std_string
from opspec_lint.cpp.variables import Variables
from opspec_lint.frameworks.paddle.extract.fluid.effects import NoEffects
from opspec_lint.frameworks.paddle.extract.fluid.lookup import Lookup, belongs_to
from opspec_lint.frameworks.paddle.extract.fluid.scope import Scope
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.blocks import Block
    from opspec_lint.cpp.classes import Body
    from opspec_lint.cpp.declarations import NameDeclaration
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.frameworks.paddle.extract.fluid.workspace import Workspace

_MAX_CONSTANT_LENGTH = 20_000  # characters of a constant
_NAME = pattern(r"(?:::)?\s*(?:\w+\s*::\s*)*\w+")
_CV = pattern(r"\b(?:const|volatile|static|constexpr|inline|typename|enum|class|struct)\b|[&]")
_EMPTY_OPTIONALS = (("boost",), ("paddle",))  # of an optional without a value
_PROTO_TYPES = frozenset({"AttrType", "VarType_Type", "Type"})


class Resolvers:
    """The resolvers of the files of a workspace, made on first use; they share one limit of steps.

    `environment_reads` counts the calls of `getenv` that were evaluated.
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self._values: dict[str, Resolver] = {}
        self.steps = StepLimit()
        self.environment_reads = 0
        self.environment_names: set[str] = set()
        """The constants whose values come from the environment, which are evaluated once."""

    def for_path(self, path: str) -> Resolver:
        """Return the resolver of a file."""
        if path not in self._values:
            self._values[path] = Resolver(Scope(self.workspace, path), self)
        return self._values[path]


class Resolver:
    """The values of the names in one file, evaluated on first use."""

    def __init__(self, scope: Scope, resolvers: Resolvers) -> None:
        self.scope = scope
        self.resolvers = resolvers
        self._protos = scope.workspace.protos
        self._lookup = Lookup(scope)
        self._values: dict[tuple[Code, int], Any] = {}
        self._enums: dict[tuple[Code, int], dict[str, Any]] = {}
        self._busy: set[tuple[Code, int]] = set()

    def names_at(self, code: Code, offset: int) -> NamesAtPlace:
        """Return the names as they are seen at an offset of the file, or of the expansion of a macro in it."""
        return NamesAtPlace(self, code, offset)

    def for_file(self, path: str) -> Resolver:
        """Return the resolver of a file: this one, or one of another file."""
        return self if path == self.scope.path else self.resolvers.for_path(path)

    def constant(self, code: Code, offset: int, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a constant or enumerator as it is seen from a place.

        Raises UnresolvedError for a name whose value is unknown.
        """
        # `boost::none` and `paddle::none` in an op version: the default of an attr that has none.
        if name == "none" and qualifiers[-1:] in _EMPTY_OPTIONALS:
            return NULL
        proto = self._proto_enumerator(qualifiers, name)
        if proto is not None:
            return proto
        declarations = self._lookup.find(code, offset, qualifiers, name)
        if not declarations:
            proto = self._protos.package_enumerator(qualifiers, name)
            if proto is not None:
                return proto
            raise UnresolvedError(f"the name {'::'.join((*qualifiers, name))} has no known value")
        return self.value_of(declarations, name)

    def member(self, code: Code, scopes: tuple[str, ...], name: str) -> tuple[Any] | None:
        """Return (value,) of a constant of a class; None if the class has no such constant.

        `scopes` are the names of the scopes around the member, its class last.
        """
        member_candidates = self.scope.member_candidates(code, name)
        own = [
            declaration
            for declaration in member_candidates
            if belongs_to(declaration, scopes) and declaration.kind in (CONSTANT, VARIABLE, ENUMERATOR)
        ]
        return (self.value_of(own, name),) if own else None

    def value_of(self, declarations: list[NameDeclaration], name: str) -> Any:
        """Return the value that all declarations of a name share.

        Raises UnresolvedError for declarations without a value, or with different ones.
        """
        values: list[Any] = []
        definitions = [
            definition
            for declaration in declarations
            if declaration.kind == CONSTANT
            for definition in self.scope.definitions_in_source(declaration, name)
        ]
        reads = self.resolvers.environment_reads
        for declaration in [*declarations, *definitions]:
            value = self.for_file(declaration.code.path)._evaluate(declaration, name)  # noqa: SLF001 - of the same class
            if value is not None:
                values.append(value[0])
        if self.resolvers.environment_reads != reads:
            self.resolvers.environment_names.add(name)
        if not values:
            raise UnresolvedError(f"the name {name} has no known value")
        # Types are compared too: in Python 1 == True and 0 == 0.0, in C++ these are different constants.
        if any(type(value) is not type(values[0]) or value != values[0] for value in values):
            places = " and ".join(
                sorted(
                    {
                        f"{declaration.code.path}:{declaration.code.place(declaration.offset)[0]}"
                        for declaration in declarations
                    }
                )
            )
            raise UnresolvedError(f"the name {name} has different values in {places}")
        return values[0]

    def call(self, code: Code, offset: int, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """Return the result of a function that is no method of a maker.

        Raises UnresolvedError for a call that cannot be evaluated.
        """
        # `name` includes the template arguments of the call.
        name, _, template = name.partition("<")
        # GradVarName is an inline function of the framework that builds a std::string in place, which is not followed.
        if name == "GradVarName" and qualifiers[-1:] == ("framework",) and len(arguments) == 1:
            return add_values(std_string(arguments[0]), "@GRAD")
        if name == "getenv" and qualifiers in ((), ("std",), ("",)):
            # A maker runs when a program starts: the default is that of an environment without settings.
            self.resolvers.environment_reads += 1
            return NULL
        declarations = self._lookup.find(code, offset, qualifiers, name)
        written = "::".join((*qualifiers, name))
        if any(declaration.kind in (ALIAS, TYPE) for declaration in declarations):
            kind = c_type(written, self.names_at(code, offset))
            if kind is not None:
                return construct(kind, arguments)
        bodies = self.functions(declarations, name)
        if not bodies:
            raise UnresolvedError(f"the function {written} is not known")
        if any(isinstance(argument, This) for argument in arguments):
            raise UnresolvedError(f"the function {written} takes the maker")
        body = resolve_overload(bodies, arguments, self.names_at(code, offset))
        around = self.for_file(body.code.path).names_at(body.code, body.start)
        here = bind_arguments(body, arguments, around, _template_arguments(template))
        return call_function(body, here, self.resolvers.steps, NoEffects(self.scope))

    def functions(self, declarations: list[NameDeclaration], name: str) -> list[Body]:
        """Return the functions among declarations.

        A function without a body is followed by the functions of its name in the source beside its header.
        """
        bodies: list[Body] = []
        if any(declaration.kind == SPECIAL for declaration in declarations):
            raise UnresolvedError(f"a specialization of the template {name} is not evaluated")
        for declaration in declarations:
            if declaration.kind == CALLABLE:
                body = function_at(declaration.code, name, declaration.offset)
                if body is not None:
                    bodies += [body] if body.is_open else [body, *self.scope.bodies_in_source(declaration, name)]
        return bodies

    def declared_functions(self, code: Code, offset: int, qualifiers: tuple[str, ...], name: str) -> list[Body]:
        """Return the functions that a name means at a place."""
        return self.functions(self._lookup.find(code, offset, qualifiers, name), name)

    def type_text(self, code: Code, offset: int, text: str) -> str:
        """Return a type with its alias replaced; for an enum, its underlying type or `int`."""
        if c_type(text) is not None:
            return text
        plain = _CV.sub(" ", text).strip()
        if not _NAME.fullmatch(plain):
            return text
        names = tuple(name.strip() for name in plain.split("::"))
        if names[-1] in _PROTO_TYPES and {"proto", "VarType"}.intersection(names):
            return "int"
        for declaration in self._lookup.find(code, offset, names[:-1], names[-1]):
            if declaration.kind == ALIAS:
                if "<" in declaration.text or "*" in declaration.text:
                    return declaration.text
                around = self.for_file(declaration.code.path)
                return around.type_text(declaration.code, declaration.offset, declaration.text)
            if declaration.kind == TYPE:
                underlying_type = underlying(declaration.code, declaration.offset + len(names[-1]))
                if underlying_type is not None:
                    return underlying_type
        return plain

    def _proto_enumerator(self, qualifiers: tuple[str, ...], name: str) -> int | None:
        """Return the value of an enumerator of framework.proto, unless the file declares an enum of that name."""
        if "proto" in qualifiers or "VarType" in qualifiers:
            owner = qualifiers[-1]
            own = re.compile(rf"\b(?:enum|struct|class|namespace)\b[^;{{}}()]*\b{owner}\b[^;()]*\{{")
            if not any(owner in code.bare and own.search(code.bare) for code in self.scope.own_code()):
                return self._protos.enumerator(owner, name)
        return self._protos.prefixed_enumerator(name)

    def _evaluate(self, declaration: NameDeclaration, name: str) -> tuple[Any] | None:
        """Return (value,) of a declaration; None for one without a value, such as `extern const int x;`."""
        key = (declaration.code, declaration.offset)
        if key not in self._values:
            if key in self._busy or len(self._busy) > MAX_DEPTH:
                raise UnresolvedError(f"the constant {name} depends on itself")
            self._busy.add(key)
            try:
                self._values[key] = self._compute_value(declaration, name)
            finally:
                self._busy.discard(key)
        value: tuple[Any] | None = self._values[key]
        return value

    def _compute_value(self, declaration: NameDeclaration, name: str) -> tuple[Any] | None:
        """Evaluate a declaration for `_evaluate`, which stores the value."""
        self.scope.check_compiled(declaration.code, declaration.offset)
        if declaration.kind == ENUMERATOR and declaration.block is not None:
            return (self._enumerator_value(declaration.code, declaration.block, name),)
        if declaration.kind == VARIABLE:
            raise UnresolvedError(f"the variable {name} is not a constant")
        if declaration.kind == CONSTANT and declaration.is_of_object:
            raise UnresolvedError(f"{name} may differ between objects")
        if declaration.kind != CONSTANT or declaration.is_template:
            raise UnresolvedError(f"{name} is not a constant")
        return self._constant_value(declaration, name)

    def _enumerator_value(self, code: Code, block: Block, name: str) -> Any:
        """Return the value of an enumerator of the enum in a block; raise UnresolvedError if it has no known one."""
        key = (code, block.start)
        if key not in self._enums:
            tokens = self.scope.tokens(code, block.start + 1, block.end)
            # An enumerator that refers to its own enum finds nothing there, instead of an endless recursion.
            self._enums[key] = {}
            names = self.names_at(code, block.start)
            self._enums[key] = enumerators(tokens, names, block.underlying, is_scoped=block.is_scoped)
        value = self._enums[key].get(name)
        if value is None:
            raise UnresolvedError(f"the enumerator {name} is not evaluated")
        if isinstance(value, UnresolvedError):
            raise value
        return value

    def _constant_value(self, declaration: NameDeclaration, name: str) -> tuple[Any] | None:
        """Return (value,) of a constant, by following its declaration as a statement; None without an initializer."""
        code = declaration.code
        # Strings are blanked in `bare`, so a `;` in a string does not end the declaration.
        end = code.bare.find(";", declaration.offset, declaration.offset + _MAX_CONSTANT_LENGTH)
        end = declaration.offset + _MAX_CONSTANT_LENGTH if end < 0 else end
        written = code.text[declaration.start : end]
        start = declaration.start + len(written) - len(written.lstrip())
        tokens = _strip_qualifiers(self.scope.tokens(code, start, end), name)
        at = next((at for at, token in enumerate(tokens) if token[1] == name and token[0] == NAME), -1)
        while at >= 0 and at + 1 < len(tokens) and tokens[at + 1][1] == "[":
            at = tokens.closing(at + 1)
        if at + 1 >= len(tokens):
            # `extern const int x;` or a static member: the value is in the definition.
            return None
        here = Variables(self.names_at(code, declaration.offset))
        if not Assignments(tokens, here, NoEffects(self.scope)).follow(0, len(tokens)):
            raise UnresolvedError(f"the constant {name} is not evaluated")
        return (here.constant((), name),)


class NamesAtPlace:
    """The meaning of names at a place outside of functions and makers."""

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
        """Return the result of a function."""
        return self._resolver.call(self._code, self._offset, qualifiers, name, arguments)


def _template_arguments(written: str) -> list[str]:
    """Return the template arguments in the text behind `name<`."""
    return [part.strip() for part in written.removesuffix(">").split(",")] if written else []


def _strip_qualifiers(tokens: Tokens, name: str) -> Tokens:
    """Return the tokens of a declaration without access labels, storage classes and `Class::` before its name."""
    start = 0
    while len(tokens) > start + 1 and tokens[start + 1][1] == ":" and tokens[start][1] in (
        "public", "protected", "private",
    ):  # fmt: skip
        start += 2
    at = next((at for at, token in enumerate(tokens) if token[1] == name and token[0] != SIGN), start)
    first = at
    while first - 2 >= start and tokens[first - 1][1] == "::":
        first -= 2
    plain = Tokens([*tokens[start:first], *tokens[at:]])
    while plain and plain[0][1] in ("inline", "static", "extern"):
        plain.pop(0)
    return plain
