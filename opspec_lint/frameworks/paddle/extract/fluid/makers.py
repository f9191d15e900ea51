"""The evaluation of a maker class: the inputs, outputs and attrs that its Make() declares.

Statements are followed in their order; a virtual method is called in the most derived class that has it. A statement
that may declare an argument and cannot be followed makes the op unresolved.
"""

from __future__ import annotations

import re
from itertools import chain

from opspec_lint.cpp.expressions import construct
from opspec_lint.cpp.functions import bind_arguments, call_function, resolve_overload
from opspec_lint.cpp.preprocessed import occurrences, outside_of_braces
from opspec_lint.cpp.steps import StepLimit
from opspec_lint.cpp.tokens import NAME, tokenize
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.variables import Variables
from opspec_lint.frameworks.paddle.extract.attr_types import attr_type
from opspec_lint.frameworks.paddle.extract.declarations import Declarations
from opspec_lint.frameworks.paddle.extract.fluid.collector import DeclarationCollector
from opspec_lint.frameworks.paddle.extract.fluid.effects import NoEffects, is_call, may_declare
from opspec_lint.frameworks.paddle.extract.fluid.maker_statements import MakerStatements

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opspec_lint.cpp.classes import Body, Class
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.frameworks.paddle.extract.fluid.resolver import NamesAtPlace, Resolver


class MethodNames:
    """The meaning of names in a method of a maker class, whose template parameters are replaced.

    `index` is the position of the class in the chain of the maker, and `place` knows the names around the class.
    """

    def __init__(self, maker: Maker, index: int, place: NamesAtPlace) -> None:
        self._maker = maker
        self._index = index
        self._place = place

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a member of the class or its bases, or else of a name around the class."""
        actual_qualifiers = self._maker.substitute_qualifiers(self._index, qualifiers)
        member = self._maker.member(self._index, actual_qualifiers, name)
        return self._place.constant(actual_qualifiers, name) if member is None else member[0]

    def type_text(self, text: str) -> str:
        """Return a type with template parameters and aliases replaced."""
        substituted = self._maker.substitute_parameters(self._index, text)
        inherited = self._maker.inherited_type(self._index, substituted)
        if inherited is not None:
            return inherited
        if c_type(substituted) is not None or attr_type(substituted):
            return substituted
        return self._place.type_text(substituted)

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """Return the result of a method, or of a function around the class."""
        if not qualifiers:
            alias = self._maker.substitute_parameters(self._index, name)
            if alias != name:
                return construct(c_type(alias, self._place), arguments)
            method = self._maker.dispatch(name, self._index)
            if method is not None:
                return self._maker.value_of(*method, arguments)
        return self._place.call(self._maker.substitute_qualifiers(self._index, qualifiers), name, arguments)


def _may_contain(maker_class: Class, name: str) -> bool:
    """Return whether a class may have a constant or enumerator of a name, outside of its methods."""
    bare = maker_class.code.bare
    places = list(occurrences(bare, name, maker_class.start, maker_class.end))
    if places and bare.find("enum", maker_class.start, maker_class.end) >= 0:
        return True
    # A name within braces is local to a method, except for enumerators, whose enum has braces too.
    return next(outside_of_braces(bare, places, maker_class.start), None) is not None


class Maker:
    """The evaluation of one maker class.

    `chain` is the class and its bases up to the root, each with the values of its template parameters. `resolver` knows
    the names in the file of the registration. `is_framework` marks the framework's own code, where all statements but
    declarations are skipped.
    """

    def __init__(
        self, chain: list[tuple[Class, dict[str, str]]], resolver: Resolver, *, is_framework: bool = False
    ) -> None:
        self.chain = chain
        self.resolver = resolver
        self.is_framework = is_framework
        self.declared = Declarations()
        # The limit counts the steps of all functions for one op, in whichever file they are.
        self._steps = resolver.resolvers.steps = StepLimit()
        self._methods: dict[tuple[str, int], tuple[list[Body], int] | None] = {}
        self._member_checks: dict[tuple[str, int, str], bool] = {}
        self._declaring_methods: dict[str, bool] = {}

    def make(self) -> Declarations:
        """Follow Make(), or the constructors as until May 2018, and return the declarations.

        Raises UnresolvedError if something that decides a declaration cannot be evaluated.
        """
        bodies, index = self.methods("Make", 0) or ([], 0)
        if any(body.is_open for body in bodies):
            self._require_no_macros(index)
            self.run(bodies, index, [])
        else:
            self._construct()
        self._require_unique_names()
        return self.declared

    def _construct(self) -> None:
        """Follow the constructors, in the order of C++: base classes first."""
        bodies = [
            (index, self.resolver.scope.constructor(maker_class)) for index, (maker_class, _) in enumerate(self.chain)
        ]
        self._require_no_macros(len(self.chain) - 1)
        if all(body is None for _, body in bodies):
            maker_class = self.chain[0][0]
            raise UnresolvedError(
                f"{maker_class.name}::Make() is not defined",
                maker_class.code.path,
                maker_class.code.place(maker_class.start)[0],
            )
        for index, body in reversed(bodies):
            if body is not None:
                self.follow(body, index)

    def follow(self, body: Body, index: int = 0) -> None:
        """Follow a body as a method of a class of the chain, with unknown arguments."""
        here = Variables(MethodNames(self, index, self._names_around(body)))
        for parameter in body.parameters:
            here.declare(parameter.name, UnresolvedError(f"the parameter {parameter.name} has no value"), None)
        self._follow(body, here)

    def run(self, bodies: list[Body], index: int, arguments: list[Any], template: Sequence[str] = ()) -> None:
        """Follow the overload of a method that accepts the arguments."""
        names = MethodNames(self, index, self._names_around(bodies[0]))
        body = resolve_overload(bodies, arguments, names)
        if not body.is_open and self.is_framework:
            # OpProtoAndCheckerMaker::operator() calls the pure virtual Make() of the op, which is followed elsewhere.
            return
        if not body.is_open:
            raise UnresolvedError(f"the method {body.name} has no known body")
        self._follow(
            body, bind_arguments(body, arguments, MethodNames(self, index, self._names_around(body)), template)
        )

    def run_function(self, bodies: list[Body], arguments: list[Any], place: NamesAtPlace, template: list[str]) -> None:
        """Follow a function that takes the maker as an argument."""
        body = resolve_overload(bodies, arguments, place)
        if not body.is_open:
            raise UnresolvedError(f"the function {body.name} has no known body")
        self._follow(body, bind_arguments(body, arguments, self._names_around(body), template), is_method=False)

    def value_of(self, bodies: list[Body], index: int, arguments: list[Any]) -> Any:
        """Return the result of a method that declares nothing."""
        body = resolve_overload(bodies, arguments, MethodNames(self, index, self._names_around(bodies[0])))
        here = bind_arguments(body, arguments, MethodNames(self, index, self._names_around(body)))
        return call_function(body, here, self._steps, NoEffects(self.resolver.scope))

    def _follow(self, body: Body, here: Variables, *, is_method: bool = True) -> None:
        """Follow the statements of a function with the macros in it expanded."""
        scope = self.resolver.for_file(body.code.path).scope
        try:
            code, tokens = scope.expanded(body.code, body.start, body.end)
        except UnresolvedError as error:
            raise error.at(body.code.path, body.code.place(body.start)[0]) from None
        effects = DeclarationCollector(self, code, tokens, here, is_method=is_method)
        with self._steps.call():
            MakerStatements(self.resolver.resolvers, tokens, code, here, self._steps, effects, is_void=True).run()

    def _names_around(self, body: Body) -> NamesAtPlace:
        """Return the names around a function, as the file that defines it sees them."""
        return self.resolver.for_file(body.code.path).names_at(body.code, max(body.start, 0))

    def member(self, index: int, qualifiers: tuple[str, ...], name: str) -> tuple[Any] | None:
        """Return (value,) of a member of a class of the chain or of its bases; None if there is none."""
        if qualifiers[:1] == ("",):
            return None
        first = index
        for at, (maker_class, _) in enumerate(self.chain):
            if qualifiers and maker_class.name == qualifiers[-1]:
                first, qualifiers = at, ()
        for maker_class, _ in self.chain[first:]:
            value = self._member(maker_class, qualifiers, name, 0)
            if value is not None:
                return value
        return None

    def _may_declare_member(self, maker_class: Class, name: str) -> bool:
        """Return whether a class may have a member constant of a name; the answer is stored."""
        key = maker_class.code.path, maker_class.start, name
        if key not in self._member_checks:
            self._member_checks[key] = _may_contain(maker_class, name)
        return self._member_checks[key]

    def _member(self, maker_class: Class, qualifiers: tuple[str, ...], name: str, depth: int) -> tuple[Any] | None:
        """Return (value,) of a member of one class or its additional bases."""
        if self._may_declare_member(maker_class, name):
            scopes = (*maker_class.code.scope_at(maker_class.start), *qualifiers)
            value = self.resolver.for_file(maker_class.code.path).member(maker_class.code, scopes, name)
            if value is not None:
                return value
        # The limit stops classes that derive from each other.
        if depth > 3:
            return None
        # A single base is the next class of the chain.
        if len(maker_class.bases) < 2:
            return None
        chain_names = {chain_class.name for chain_class, _ in self.chain}
        for base in maker_class.bases:
            base_class = self.resolver.scope.base_class(base)
            if base_class is not None and base_class.name not in chain_names:
                value = self._member(base_class, qualifiers, name, depth + 1)
                if value is not None:
                    return value
        return None

    def substitute_qualifiers(self, index: int, qualifiers: tuple[str, ...]) -> tuple[str, ...]:
        """Return qualifiers with template parameters replaced by the classes that they are bound to."""
        bound_to = self.chain[index][1]
        substituted: list[str] = []
        for qualifier in qualifiers:
            substituted += (
                [part.strip() for part in bound_to[qualifier].split("::")] if qualifier in bound_to else [qualifier]
            )
        return tuple(substituted)

    def substitute_parameters(self, index: int, text: str) -> str:
        """Return a type with the template parameters of a class replaced."""
        for parameter, value in self.chain[index][1].items():
            if parameter and parameter in text:
                tokens = [value if token == parameter else token for _, token, _ in tokenize(text, 0, len(text))]
                text = " ".join(tokens)
        return text

    def inherited_type(self, index: int, text: str) -> str | None:
        """Return the type that a base class declares under a name; None if no base does."""
        if not text.strip().isidentifier():
            return None
        alias = re.compile(rf"\b(?:using\s+{text.strip()}\b|typedef\b[^;]*\b{text.strip()}\s*;)")
        for at, (maker_class, _) in enumerate(self.chain[index:], index):
            if alias.search(maker_class.code.bare, maker_class.start, maker_class.end):
                return None if at == index else self.resolver.type_text(maker_class.code, maker_class.end - 1, text)
        return None

    def methods(self, name: str, first: int) -> tuple[list[Body], int] | None:
        """Return the methods `name` of the first class from index `first` that has any, and its index."""
        if (name, first) not in self._methods:
            self._methods[name, first] = self._methods_from(name, first)
        return self._methods[name, first]

    def _methods_from(self, name: str, first: int) -> tuple[list[Body], int] | None:
        """Find the methods for `methods`, which stores them."""
        for index in range(first, len(self.chain)):
            bodies = self.resolver.scope.methods(self.chain[index][0], name)
            if bodies:
                return bodies, index
        return None

    def dispatch(self, name: str, index: int) -> tuple[list[Body], int] | None:
        """Return the methods that a call in class `index` selects: of the most derived class if virtual."""
        declared = self.methods(name, index)
        if declared is None:
            return None
        _, declaring_index = declared
        # No class of the chain derives from the first one, which so has no overriding method.
        if declaring_index == 0:
            return declared
        of_bases = (self.methods(name, at) for at in range(declaring_index, len(self.chain)))
        bodies = (body for methods in of_bases if methods is not None for body in methods[0])
        # The root, which is not in the chain, declares Make() virtual.
        if name == "Make" or any(body.is_virtual for body in bodies):
            return self.methods(name, 0)
        return declared

    def declares(self, name: str) -> bool:
        """Return whether a method of a name, in any class of the chain, may declare an argument."""
        if name not in self._declaring_methods:
            # A method that calls itself is assumed to declare while it is searched.
            self._declaring_methods[name] = True
            self._declaring_methods[name] = any(
                self._declares(body)
                for maker_class, _ in self.chain
                for body in self.resolver.scope.methods(maker_class, name)
                if body.is_open
            )
        return self._declaring_methods[name]

    def _declares(self, body: Body) -> bool:
        """Return whether a body may declare an argument, itself or through methods that it calls."""
        scope = self.resolver.for_file(body.code.path).scope
        _, tokens = scope.expanded(body.code, body.start, body.end)
        return may_declare(tokens, 0, len(tokens), scope) or self.calls_declaring(tokens, 0, len(tokens))

    def calls_declaring(self, tokens: Tokens, start: int, end: int) -> bool:
        """Return whether tokens call a method of the maker that may declare an argument."""
        return any(
            tokens[at][0] == NAME
            and is_call(tokens, at, len(tokens))
            and (at == start or tokens[at - 1][1] not in (".", "->"))
            and self.has_method(tokens[at][1])
            and self.declares(tokens[at][1])
            for at in range(start, min(end, len(tokens) - 1))
        )

    def has_method(self, name: str) -> bool:
        """Return whether a class of the chain has a method of a name."""
        return self.methods(name, 0) is not None

    def _require_no_macros(self, last: int) -> None:
        """Raise UnresolvedError for a class of the chain up to `last` in which a macro may declare methods."""
        for maker_class, _ in self.chain[: last + 1]:
            macro = self.resolver.for_file(maker_class.code.path).scope.macro_in_class(maker_class)
            if macro:
                reason = f"the macro {macro} in the class {maker_class.name} is not evaluated"
                raise UnresolvedError(reason, maker_class.code.path, maker_class.code.place(maker_class.start)[0])

    def _require_unique_names(self) -> None:
        """Raise UnresolvedError for a name declared twice, as CheckNoDuplicatedInOutAttrs does."""
        seen: set[str] = set()
        for argument, (file, line, _) in chain(self.declared.inputs, self.declared.outputs, self.declared.attrs):
            name = argument["name"]
            if name in seen:
                raise UnresolvedError(f"{name!r} is declared twice, which Paddle refuses", file, line)
            seen.add(name)
