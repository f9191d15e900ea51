"""Evaluates Make() of a maker class: what inputs, outputs and attrs it declares.

The statements are followed in their order, with virtual methods called where the most derived class has them. A
statement that may declare an argument and cannot be followed makes the op unresolved.
"""

from __future__ import annotations

import re
from itertools import chain

from opspec_lint.cpp.expressions import construct
from opspec_lint.cpp.functions import bind_arguments, call_function, resolve_overload
from opspec_lint.cpp.preprocessed import outside_of_braces
from opspec_lint.cpp.statements import Statements
from opspec_lint.cpp.steps import StepLimit
from opspec_lint.cpp.tokens import NAME, tokenize
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.variables import Variables
from opspec_lint.frameworks.paddle.extract.attr_types import attr_type
from opspec_lint.frameworks.paddle.extract.declared import Declarations
from opspec_lint.frameworks.paddle.extract.fluid.collector import DeclarationCollector
from opspec_lint.frameworks.paddle.extract.fluid.effects import NoEffects, is_call, may_declare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from opspec_lint.cpp.classes import Body, Class
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.frameworks.paddle.extract.fluid.resolver import Place, Resolver


class Method:
    """The names of a method of a class, with the template parameters of the class replaced.

    Args:
        maker: what is evaluated.
        index: which class of its chain has the method.
        place: the names around it.
    """

    def __init__(self, maker: Maker, index: int, place: Place) -> None:
        self._maker = maker
        self._index = index
        self._place = place

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a member of the class or of those it derives from, or of a name around it."""
        real = self._maker.real(self._index, qualifiers)
        found = self._maker.member(self._index, real, name)
        return self._place.constant(real, name) if found is None else found[0]

    def type_text(self, text: str) -> str:
        """Return a type with template parameters and aliases replaced."""
        replaced = self._maker.bound_type(self._index, text)
        inherited = self._maker.inherited_type(self._index, replaced)
        if inherited is not None:
            return inherited
        return replaced if c_type(replaced) is not None or attr_type(replaced) else self._place.type_text(replaced)

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """The result of a method, or of a function around the class."""
        if not qualifiers:
            alias = self._maker.bound_type(self._index, name)
            if alias != name:
                return construct(c_type(alias, self._place), arguments)
            found = self._maker.dispatched(name, self._index)
            if found is not None:
                return self._maker.value_of(*found, arguments)
        return self._place.call(self._maker.real(self._index, qualifiers), name, arguments)


def _may_have(this: Class, name: str) -> bool:
    """Tell whether a class may have a constant or enumerator of a name, outside of its methods."""
    bare = this.code.bare
    places = [match.start() for match in re.compile(re.escape(name)).finditer(bare, this.start, this.end)]
    if places and bare.find("enum", this.start, this.end) >= 0:
        return True
    return next(outside_of_braces(bare, places, this.start), None) is not None


class Maker:
    """One evaluation of a maker.

    Args:
        chain: the class and those it derives from, each with what its template parameters stand for.
        resolver: what names and constants mean in the file of the registration.
        is_framework: whether it is the framework's own code, of which only what declares is followed.
    """

    def __init__(
        self, chain: list[tuple[Class, dict[str, str]]], resolver: Resolver, *, is_framework: bool = False
    ) -> None:
        self.chain = chain
        self.resolver = resolver
        self.is_framework = is_framework
        self.declared = Declarations()
        self._steps = resolver.resolvers.steps = StepLimit()  # one limit for the op, wherever its functions stand
        self._methods: dict[tuple[str, int], tuple[list[Body], int] | None] = {}
        self._named: dict[tuple[str, int, str], bool] = {}
        self._declaring: dict[str, bool] = {}

    def make(self) -> Declarations:
        """Follow Make(), or the constructors as until May 2018, and return the arguments that are declared.

        Raises:
            UnresolvedError: something that decides a declaration cannot be evaluated.
        """
        found = self.methods("Make", 0)
        if found is not None and any(body.is_open for body in found[0]):
            self._check_bodies(found[1])
            self.run(*found, [])
        else:
            self._construct()
        self._check_unique()
        return self.declared

    def _construct(self) -> None:
        bodies = [(index, self.resolver.scope.constructor(this)) for index, (this, _) in enumerate(self.chain)]
        self._check_bodies(len(self.chain) - 1)
        if all(body is None for _, body in bodies):
            this = self.chain[0][0]
            raise UnresolvedError(f"{this.name}::Make() is not defined", this.code.path, this.code.place(this.start)[0])
        for index, body in reversed(bodies):
            if body is not None:
                self.follow(body, index)

    def follow(self, body: Body, index: int = 0) -> None:
        """Follow a body as a method of a class of the chain that is given arguments which nobody knows."""
        here = Variables(Method(self, index, self._around(body)))
        for parameter in body.parameters:
            here.declare(parameter.name, UnresolvedError(f"the parameter {parameter.name} has no value"), None)
        self._follow(body, here)

    def run(self, bodies: list[Body], index: int, arguments: list[Any], template: Sequence[str] = ()) -> None:
        """Follow the one of several methods of a class that takes some arguments."""
        names = Method(self, index, self._around(bodies[0]))
        body = resolve_overload(bodies, arguments, names)
        if not body.is_open and self.is_framework:
            return  # Make() of whichever op
        if not body.is_open:
            raise UnresolvedError(f"the method {body.name} has no known body")
        self._follow(body, bind_arguments(body, arguments, Method(self, index, self._around(body)), template))

    def run_function(self, bodies: list[Body], arguments: list[Any], place: Place, template: list[str]) -> None:
        """Follow a function that is given the maker."""
        body = resolve_overload(bodies, arguments, place)
        if not body.is_open:
            raise UnresolvedError(f"the function {body.name} has no known body")
        self._follow(body, bind_arguments(body, arguments, self._around(body), template), is_method=False)

    def value_of(self, bodies: list[Body], index: int, arguments: list[Any]) -> Any:
        """The result of a method of a class that declares nothing."""
        body = resolve_overload(bodies, arguments, Method(self, index, self._around(bodies[0])))
        here = bind_arguments(body, arguments, Method(self, index, self._around(body)))
        return call_function(body, here, self._steps, NoEffects(self.resolver.scope))

    def _follow(self, body: Body, here: Variables, *, is_method: bool = True) -> None:
        scope = self.resolver.for_file(body.code.path).scope
        try:
            code, words = scope.expanded(body.code, body.start, body.end)
        except UnresolvedError as error:
            raise error.at(body.code.path, body.code.place(body.start)[0]) from None
        effects = DeclarationCollector(self, code, words, here, is_method=is_method)
        with self._steps.call():
            Statements(words, code, here, self._steps, effects, is_void=True).run()

    def _around(self, body: Body) -> Place:
        """Return the names around a function: those of the file that defines it."""
        return self.resolver.for_file(body.code.path).at(body.code, max(body.start, 0))

    def member(self, index: int, qualifiers: tuple[str, ...], name: str) -> tuple[Any] | None:
        """Return the value of a member of a class of the chain or of those it derives from, in a tuple."""
        if qualifiers[:1] == ("",):
            return None
        first = index
        for at, (this, _) in enumerate(self.chain):
            if qualifiers and this.name == qualifiers[-1]:
                first, qualifiers = at, ()
        for this, _ in self.chain[first:]:
            found = self._member(this, qualifiers, name, 0)
            if found is not None:
                return found
        return None

    def _may_have(self, this: Class, name: str) -> bool:
        key = this.code.path, this.start, name
        if key not in self._named:
            self._named[key] = _may_have(this, name)
        return self._named[key]

    def _member(self, this: Class, qualifiers: tuple[str, ...], name: str, depth: int) -> tuple[Any] | None:
        if self._may_have(this, name):
            scopes = (*this.code.scope_at(this.start), *qualifiers)
            found = self.resolver.for_file(this.code.path).member(this.code, scopes, name)
            if found is not None:
                return found
        if depth > 3:
            return None
        others = {each.name for each, _ in self.chain}
        for base in this.bases if len(this.bases) > 1 else ():  # a single base is the next class of the chain
            mixed = self.resolver.scope.base(base)
            if mixed is not None and mixed.name not in others:
                found = self._member(mixed, qualifiers, name, depth + 1)
                if found is not None:
                    return found
        return None

    def real(self, index: int, qualifiers: tuple[str, ...]) -> tuple[str, ...]:
        """Return qualifiers with template parameters replaced by the classes that they stand for."""
        bound_to = self.chain[index][1]
        found: list[str] = []
        for word in qualifiers:
            found += [part.strip() for part in bound_to[word].split("::")] if word in bound_to else [word]
        return tuple(found)

    def bound_type(self, index: int, text: str) -> str:
        """Return a type with the template parameters of a class replaced."""
        for parameter, value in self.chain[index][1].items():
            if parameter and parameter in text:
                words = [value if word == parameter else word for _, word, _ in tokenize(text, 0, len(text))]
                text = " ".join(words)
        return text

    def inherited_type(self, index: int, text: str) -> str | None:
        """Return the type that a base of a class of the chain calls so; None where none does."""
        if not text.strip().isidentifier():
            return None
        alias = re.compile(rf"\b(?:using\s+{text.strip()}\b|typedef\b[^;]*\b{text.strip()}\s*;)")
        for at, (this, _) in enumerate(self.chain[index:], index):
            if alias.search(this.code.bare, this.start, this.end):
                return None if at == index else self.resolver.type_text(this.code, this.end - 1, text)
        return None

    def methods(self, name: str, first: int) -> tuple[list[Body], int] | None:
        """Return the methods of a name of the first class that has any, from one of the chain on, and which it is."""
        if (name, first) not in self._methods:
            self._methods[name, first] = self._methods_from(name, first)
        return self._methods[name, first]

    def _methods_from(self, name: str, first: int) -> tuple[list[Body], int] | None:
        for index in range(first, len(self.chain)):
            found = self.resolver.scope.methods(self.chain[index][0], name)
            if found:
                return found, index
        return None

    def dispatched(self, name: str, index: int) -> tuple[list[Body], int] | None:
        """Return the methods that a call in a class of the chain means: those of the most derived one if virtual."""
        found = self.methods(name, index)
        if found is None or not found[1]:
            return found
        above = (self.methods(name, at) for at in range(found[1], len(self.chain)))
        # The root, which is not in the chain, declares Make() virtual.
        if name == "Make" or any(body.is_virtual for each in above if each is not None for body in each[0]):
            return self.methods(name, 0)
        return found

    def declares(self, name: str) -> bool:
        """Tell whether a method of a name, of any class of the chain, may declare an argument."""
        if name not in self._declaring:
            self._declaring[name] = True  # where it calls itself
            self._declaring[name] = any(
                self._declares(body)
                for this, _ in self.chain
                for body in self.resolver.scope.methods(this, name)
                if body.is_open
            )
        return self._declaring[name]

    def _declares(self, body: Body) -> bool:
        scope = self.resolver.for_file(body.code.path).scope
        _, words = scope.expanded(body.code, body.start, body.end)
        return may_declare(words, 0, len(words), scope) or self.calls_declaring(words, 0, len(words))

    def calls_declaring(self, words: Tokens, start: int, end: int) -> bool:
        """Tell whether tokens call a method of the maker that may declare an argument."""
        return any(
            words[at][0] == NAME
            and is_call(words, at, len(words))
            and (at == start or words[at - 1][1] not in (".", "->"))
            and self.has_method(words[at][1])
            and self.declares(words[at][1])
            for at in range(start, min(end, len(words) - 1))
        )

    def has_method(self, name: str) -> bool:
        """Tell whether a class of the chain has a method of a name."""
        return self.methods(name, 0) is not None

    def _check_bodies(self, last: int) -> None:
        """Refuse a class of which a macro may make methods."""
        for this, _ in self.chain[: last + 1]:
            macro = self.resolver.for_file(this.code.path).scope.macro_in_class(this)
            if macro:
                reason = f"the macro {macro} in the class {this.name} is not followed"
                raise UnresolvedError(reason, this.code.path, this.code.place(this.start)[0])

    def _check_unique(self) -> None:
        seen: set[str] = set()
        for argument, (file, line, _) in chain(self.declared.inputs, self.declared.outputs, self.declared.attrs):
            name = argument["name"]
            if name in seen:
                raise UnresolvedError(f"{name!r} is declared twice, which Paddle refuses", file, line)
            seen.add(name)
