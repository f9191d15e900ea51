"""The resolution of names in the C++ of a tree: constants and functions of a file, its includes, and other files.

A framework derives classes from `Workspace` and `Names` that add its knowledge: the files that define functions of
headers, and names that no file of the tree declares.
"""

from __future__ import annotations

import re

from opspec_lint.cpp.assignments import Assignments
from opspec_lint.cpp.blocks import CLASS
from opspec_lint.cpp.classes import function_at
from opspec_lint.cpp.declarations import ALIAS, CALLABLE, CONSTANT, TYPE, VARIABLE, declarations, span_of_type
from opspec_lint.cpp.effects import NoEffects
from opspec_lint.cpp.functions import bind_arguments, call_function, resolve_overload
from opspec_lint.cpp.preprocessed import occurrences
from opspec_lint.cpp.tokens import Tokens, statement_end, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.variables import Variables
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from typing_extensions import Self

    from opspec_lint.cpp.classes import Body
    from opspec_lint.cpp.declarations import NameDeclaration
    from opspec_lint.cpp.files import CppFiles
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.steps import StepLimit


class Workspace:
    """The files of a tree in which names are looked up, as the build with the macros `defined` compiles them."""

    def __init__(self, files: CppFiles, defined: Mapping[str, str]) -> None:
        self.files = files
        self.build = defined
        self._results: dict[tuple[str, int], tuple[Any, set[str], set[str]]] = {}

    def code(self, path: str) -> Code | None:
        """Return a file as the build compiles it, None if it does not exist."""
        return self.files.code(path, self.build)

    def visible_declarations(
        self, code: Code, scope: Sequence[str], qualifiers: Sequence[str], name: str
    ) -> Iterator[NameDeclaration]:
        """Yield the declarations that a name may refer to: in the file, then in its includes.

        `scope` are the namespaces and classes around the use of the name, `qualifiers` the names before it: `a::b::`.
        """
        for path in self.files.closure(code.path):
            if self.files.contains(path, name):
                yield from self._declared(path, scope, qualifiers, name)

    def defining_files(self, code: Code, name: str) -> Iterable[str]:  # noqa: ARG002 - for frameworks
        """Return the paths of files that may define a function which the file only declares, likeliest first."""
        return ()

    def defined(
        self, code: Code, scope: Sequence[str], qualifiers: Sequence[str], name: str
    ) -> Iterator[Iterator[NameDeclaration]]:
        """Yield the declarations of a name in each of its `defining_files`."""
        for path in self.defining_files(code, name):
            yield self._declared(path, scope, qualifiers, name)

    def cached_result(self, body: Body, make: Callable[[], Any]) -> Any:
        """Return the result of a function without arguments, from the cache after the first call."""
        # Cache key: the place of the body decides the result, as there are no arguments, and a workspace has one build.
        key = (body.code.path, body.start)
        files = self.files
        # The dependencies of the result are cached with it, as each use of the result depends on them.
        if key not in self._results:
            others = files.looked_at, files.missed
            files.looked_at, files.missed = set(), set()
            try:
                self._results[key] = (make(), files.looked_at, files.missed)
            finally:
                files.looked_at, files.missed = others[0] | files.looked_at, others[1] | files.missed
        value, looked_at, missed = self._results[key]
        files.looked_at |= looked_at
        files.missed |= missed
        return value

    def _declared(
        self, path: str, scope: Sequence[str], qualifiers: Sequence[str], name: str
    ) -> Iterator[NameDeclaration]:
        """Yield the declarations in a file that a name may refer to."""
        # A file without the name is a dependency as well: the result changes once it declares the name.
        self.files.looked_at.add(path)
        code = self.code(path) if self.files.peek(path, name) else None
        for declared in declarations(code, name) if code is not None else ():
            if _is_in_scope(declared.path, scope, qualifiers):
                yield declared


class Names:
    """The resolver of the names in a scope of a file; `steps` limits the evaluation of functions."""

    def __init__(self, workspace: Workspace, code: Code, scope: Sequence[str], steps: StepLimit) -> None:
        self._workspace = workspace
        self._code = code
        self._scope = scope
        self._steps = steps

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a constant or enumerator.

        Raises:
            UnresolvedError: the name has no known value.
        """
        known = self.known_constant(qualifiers, name)
        if known is not None:
            return known
        for declared in self._workspace.visible_declarations(self._code, self._scope, qualifiers, name):
            if _is_static_member_without_value(declared):
                continue  # its definition, outside of the class, has the value
            if declared.kind == CONSTANT or (declared.kind == VARIABLE and not _may_change(declared, name)):
                return self._initial_value(declared, name)
        raise UnresolvedError(f"the name {'::'.join((*qualifiers, name))} has no known value")

    def _initial_value(self, declared: NameDeclaration, name: str) -> Any:
        """Return the value that a constant is initialised with."""
        code = declared.code
        definition = tokenize(code.text, declared.offset, _declaration_end(code, declared.offset))
        tokens = Tokens([*tokenize(code.text, *span_of_type(declared)), *definition])
        environment = Variables(type(self)(self._workspace, code, declared.path, self._steps))
        with self._steps.call():
            if not Assignments(tokens, environment, NoEffects()).follow(0, statement_end(tokens, 0)):
                raise UnresolvedError(f"the name {name} has no known value")
            return environment.constant((), name)

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """Return the result of a function.

        Raises:
            UnresolvedError: the function is not known, or its result cannot be evaluated.
        """
        plain, _, template = name.partition("<")
        known = self.known_result(qualifiers, plain, arguments)
        if known is not None:
            return known
        body, names = self.function(qualifiers, plain, arguments)

        def make() -> Any:
            environment = self.bind_variables(body, names, arguments, template.removesuffix(">"))
            return call_function(body, environment, self._steps, NoEffects())

        return make() if arguments or template else self._workspace.cached_result(body, make)

    def known_constant(self, qualifiers: tuple[str, ...], name: str) -> Any:  # noqa: ARG002 - for frameworks
        """Return the value of a constant that only the framework knows, None for any other name."""
        return None

    def known_result(
        self,
        qualifiers: tuple[str, ...],  # noqa: ARG002 - for frameworks
        name: str,  # noqa: ARG002
        arguments: list[Any],  # noqa: ARG002
    ) -> Any:
        """Return the result of a function that the framework computes itself, None for any other function."""
        return None

    def bind_variables(self, body: Body, names: Names, arguments: list[Any], template: str = "") -> Variables:
        """Return the variables of a function at its beginning; a parameter of its template may be a value."""
        environment = bind_arguments(body, arguments, names, [template] if template else ())
        if template and body.template:
            tokens = tokenize(template, 0, len(template))
            environment.declare(body.template[0], _value_or_error(tokens, self), "auto")
        return environment

    def has_function(self, qualifiers: tuple[str, ...], name: str) -> bool:
        """Return whether a visible file declares a function of a name."""
        every = self._workspace.visible_declarations(self._code, self._scope, qualifiers, name)
        return any(declared.kind == CALLABLE for declared in every)

    def types(self, name: str) -> Iterator[tuple[NameDeclaration, Self]]:
        """Yield the classes and aliases of a name, each with the resolver of the names that its declaration uses."""
        for declared in self._workspace.visible_declarations(self._code, self._scope, (), name):
            if declared.kind in (ALIAS, TYPE):
                yield declared, type(self)(self._workspace, declared.code, declared.path, self._steps)

    def function(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> tuple[Body, Self]:
        """Return the function that a call selects, and the resolver of the names in it.

        Raises:
            UnresolvedError: no function of the name is known, or the call is ambiguous.
        """
        candidates = list(
            self._function_bodies(self._workspace.visible_declarations(self._code, self._scope, qualifiers, name), name)
        )
        # Only if the file and its includes have no body, as this search reads further files.
        if not any(body.is_open for body in candidates):
            for declarations_of_file in self._workspace.defined(self._code, self._scope, qualifiers, name):
                candidates += self._function_bodies(declarations_of_file, name)
                if any(body.is_open for body in candidates):
                    break
        if not candidates:
            raise UnresolvedError(f"the function {'::'.join((*qualifiers, name))} is not known")
        body = resolve_overload(candidates, arguments, self)
        scope = body.code.scope_at(body.start) if body.is_open else ()
        return body, type(self)(self._workspace, body.code, scope, self._steps)

    def _function_bodies(self, every: Iterator[NameDeclaration], name: str) -> Iterator[Body]:
        """Return the functions among declarations."""
        bodies = (function_at(declared.code, name, declared.offset) for declared in every if declared.kind == CALLABLE)
        return (body for body in bodies if body is not None)

    def type_text(self, text: str) -> str:
        """Return a type with the aliases replaced that only a framework knows."""
        return text


def _value_or_error(tokens: Tokens, names: Names) -> Any:
    """Return the value of an expression, or the error with which it cannot be evaluated."""
    from opspec_lint.cpp.expressions import evaluate

    try:
        return evaluate(tokens, 0, len(tokens), names)
    except UnresolvedError as error:
        return error


def _is_static_member_without_value(declared: NameDeclaration) -> bool:
    """Return whether a class only declares a static member: `static const char kName[];`."""
    bare = declared.code.bare
    block = declared.code.blocks().at(declared.offset)
    if declared.kind != CONSTANT or block is None or block.kind != CLASS:
        return False
    is_static = re.search(r"\bstatic\b", bare[declared.start : declared.offset]) is not None
    return is_static and not _VALUE.search(bare, declared.offset, _declaration_end(declared.code, declared.offset))


_VALUE = pattern(r"[={(]")
_CHANGED = pattern(r"\s*(?:[-+*/%&|^]?=(?!=)|<<=|>>=|\+\+|--|\.|->|\[)")
_CHANGING = pattern(r"(?:\+\+|--|&)\s*\Z")


def _may_change(declared: NameDeclaration, name: str) -> bool:
    """Return whether a variable may change: its file assigns to it, or other files may, as it is not static."""
    bare = declared.code.bare
    if not re.search(r"\bstatic\b", bare[declared.start : declared.offset]):
        return True
    others = (at for at in occurrences(bare, name, 0, len(bare)) if at != declared.offset)
    return any(_CHANGED.match(bare, at + len(name)) or _CHANGING.search(bare, max(0, at - 9), at) for at in others)


def _declaration_end(code: Code, offset: int) -> int:
    """Return the offset behind the statement that declares a name."""
    depth = 0
    for at in range(offset, len(code.bare)):
        sign = code.bare[at]
        depth += (sign in "({[") - (sign in ")}]")
        if sign == ";" and not depth:
            return at + 1
    return len(code.bare)


def _is_in_scope(path: Sequence[str], scope: Sequence[str], qualifiers: Sequence[str]) -> bool:
    """Return whether a name with qualifiers, used in `scope`, refers to a declaration in the scope `path`."""
    spelled = tuple(qualifier for qualifier in qualifiers if qualifier)
    return any(tuple(path) == (*scope[:count], *spelled) for count in range(len(scope) + 1))
