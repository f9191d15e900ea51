"""What the names in the C++ of a tree mean: constants, enumerators, functions, found in the file, then elsewhere."""

from __future__ import annotations

import os
import re

from opspec_lint.cpp.assignments import Assignments
from opspec_lint.cpp.classes import function_at
from opspec_lint.cpp.declarations import CALLABLE, CONSTANT, VARIABLE, declarations
from opspec_lint.cpp.functions import bind_arguments, call_function, resolve_overload
from opspec_lint.cpp.preprocessed import occurrences
from opspec_lint.cpp.tokens import statement_end, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import Chars, std_string
from opspec_lint.cpp.variables import Variables
from opspec_lint.frameworks.onnx.extract import protos
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from opspec_lint.cpp.classes import Body
    from opspec_lint.cpp.declarations import NameDeclaration
    from opspec_lint.cpp.files import CppFiles
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.steps import StepLimit
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.frameworks.onnx.extract.protos import Protos

_GENERAL = "onnx/defs"
OPTIONS = ("Single", "Optional", "Variadic")
"""OpSchema::FormalParameterOption, in the order of its numbers."""
_NUMBERED = pattern(r"\b(?:TensorProto|AttributeProto)\s*(?:::|_)\s*(?:DataType|AttributeType)\b")
"""The enums that protobuf generates; values of them are numbers."""
_EXPORTED = pattern(r"\bONNX_API\b")


class NoEffects:
    """A function that does nothing beyond its variables, as those do that only make a value."""

    def expression(self, words: Tokens, start: int, end: int) -> bool:  # noqa: ARG002
        """Understand no statement."""
        return False

    def may_have_effect(self, words: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:  # noqa: ARG002
        """Return False."""
        return False


class Workspace:
    """The files of a tree in which names are looked up.

    Args:
        files: the C++ files.
        defined: the macros of the build.
        paths: the files that are compiled, in which functions are defined that headers declare.
        enums: the enums of onnx.in.proto.
    """

    def __init__(self, files: CppFiles, defined: Mapping[str, str], paths: Sequence[str], enums: Protos) -> None:
        self._files = files
        self._defined = defined
        self._paths = paths
        self.enums = enums
        self._results: dict[tuple[str, int], tuple[Any, set[str]]] = {}

    def code(self, path: str) -> Code | None:
        """Return a file as the build compiles it, None where there is none."""
        return self._files.code(path, self._defined)

    def visible(
        self, code: Code, scope: Sequence[str], qualifiers: Sequence[str], name: str
    ) -> Iterator[NameDeclaration]:
        """Yield the declarations that a name may mean at a place: those of the file, then those of what it includes.

        Args:
            code: the file.
            scope: the names of the namespaces and classes around the place.
            qualifiers: what stands before the name.
            name: the name.
        """
        for path in self._files.closure(code.path):
            yield from self._declared(path, scope, qualifiers, name)

    def defined(
        self, code: Code, scope: Sequence[str], qualifiers: Sequence[str], name: str
    ) -> Iterator[Iterator[NameDeclaration]]:
        """Yield the declarations of a name in each of the files that are compiled, the nearest first."""
        own = os.path.dirname(code.path)
        for path in sorted(self._paths, key=lambda each: (os.path.dirname(each) not in (own, _GENERAL), each)):
            yield self._declared(path, scope, qualifiers, name)

    def remembered(self, body: Body, make: Callable[[], Any]) -> Any:
        """The result of a function without arguments, which is evaluated once."""
        key = (body.code.path, body.start)
        if key not in self._results:
            others, self._files.looked_at = self._files.looked_at, set()
            try:
                self._results[key] = (make(), self._files.looked_at)
            finally:
                self._files.looked_at = others | self._files.looked_at
        value, looked_at = self._results[key]
        self._files.looked_at |= looked_at
        return value

    def _declared(
        self, path: str, scope: Sequence[str], qualifiers: Sequence[str], name: str
    ) -> Iterator[NameDeclaration]:
        self._files.looked_at.add(path)
        code = self.code(path) if self._files.peek(path, name) else None
        for each in declarations(code, name) if code is not None else ():
            if _reaches(each.path, scope, qualifiers):
                yield each


class Names:
    """What names mean in a scope of a file.

    Args:
        workspace: the tree.
        code: the file.
        scope: the names of the namespaces and classes around.
        steps: counts what is followed.
    """

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
        if qualifiers[-1:] == ("OpSchema",) and name in OPTIONS:
            return OPTIONS.index(name)
        number = self._workspace.enums.number(qualifiers, name)
        if number is not None:
            return number
        for each in self._workspace.visible(self._code, self._scope, qualifiers, name):
            if each.kind == CONSTANT or (each.kind == VARIABLE and not _changes(each, name)):
                return self._value(each, name)
        raise UnresolvedError(f"the name {'::'.join((*qualifiers, name))} has no known value")

    def _value(self, declared: NameDeclaration, name: str) -> Any:
        code = declared.code
        words = tokenize(code.text, declared.start, _end(code, declared.offset))
        here = Variables(Names(self._workspace, code, declared.path, self._steps))
        with self._steps.call():
            if not Assignments(words, here, NoEffects()).follow(0, statement_end(words, 0)):
                raise UnresolvedError(f"the name {name} has no known value")
            return here.constant((), name)

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        """The result of a function.

        Raises:
            UnresolvedError: the function is not known, or its result cannot be told.
        """
        plain, _, template = name.partition("<")
        if plain == "ToDataTypeString" and len(arguments) == 1:
            return self._element(arguments[0])
        body, names = self.function(qualifiers, plain, arguments)

        def make() -> Any:
            here = self.bound(body, names, arguments, template.removesuffix(">"))
            return call_function(body, here, self._steps, NoEffects())

        return make() if arguments or template else self._workspace.remembered(body, make)

    def bound(self, body: Body, names: Names, arguments: list[Any], template: str = "") -> Variables:
        """Return the variables of a function at its beginning; a parameter of its template may be a value."""
        here = bind_arguments(body, arguments, names, [template] if template else ())
        if template and body.template:
            words = tokenize(template, 0, len(template))
            here.declare(body.template[0], _attempt(words, self), "auto")
        return here

    def function(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> tuple[Body, Names]:
        """Return the function that a call means, and what names mean in it.

        Raises:
            UnresolvedError: no function of the name is known, or several may be meant.
        """
        found = list(self._bodies(self._workspace.visible(self._code, self._scope, qualifiers, name), name))
        if not any(each.is_open for each in found):
            for declared in self._workspace.defined(self._code, self._scope, qualifiers, name):
                found += self._bodies(declared, name)
                if any(each.is_open for each in found):
                    break
        if not found:
            raise UnresolvedError(f"the function {'::'.join((*qualifiers, name))} is not known")
        body = resolve_overload(found, arguments, self)
        scope = body.code.scope_at(body.start) if body.is_open else ()
        return body, Names(self._workspace, body.code, scope, self._steps)

    def _bodies(self, found: Iterator[NameDeclaration], name: str) -> Iterator[Body]:
        bodies = (function_at(each.code, name, each.offset) for each in found if each.kind == CALLABLE)
        return (each for each in bodies if each is not None)

    def type_text(self, text: str) -> str:
        """Return a type with the enums that protobuf generates replaced by a type of number, and without macros."""
        return _NUMBERED.sub("int", _EXPORTED.sub(" ", text))

    def _element(self, number: Any) -> Any:
        """Return how schemas call a type of elements."""
        name = self._workspace.enums.name(protos.ELEMENT, number) if isinstance(number, int) else None
        if name is None:
            raise UnresolvedError("a type of elements that is not known")
        return std_string(Chars(name.lower()))


def _attempt(words: Tokens, names: Names) -> Any:
    from opspec_lint.cpp.expressions import evaluate

    try:
        return evaluate(words, 0, len(words), names)
    except UnresolvedError as error:
        return error


_CHANGED = pattern(r"\s*(?:[-+*/%&|^]?=(?!=)|<<=|>>=|\+\+|--|\.|->|\[)")
_CHANGING = pattern(r"(?:\+\+|--|&)\s*\Z")


def _changes(declared: NameDeclaration, name: str) -> bool:
    """Tell whether a file may change a variable that it declares for itself, or others may."""
    bare = declared.code.bare
    if not re.search(r"\bstatic\b", bare[declared.start : declared.offset]):
        return True
    others = (at for at in occurrences(bare, name, 0, len(bare)) if at != declared.offset)
    return any(_CHANGED.match(bare, at + len(name)) or _CHANGING.search(bare, max(0, at - 9), at) for at in others)


def _end(code: Code, offset: int) -> int:
    """Return the offset behind the statement that declares a name."""
    depth = 0
    for at in range(offset, len(code.bare)):
        sign = code.bare[at]
        depth += (sign in "({[") - (sign in ")}]")
        if sign == ";" and not depth:
            return at + 1
    return len(code.bare)


def _reaches(path: Sequence[str], scope: Sequence[str], qualifiers: Sequence[str]) -> bool:
    """Tell whether a name with qualifiers, in a scope, means a declaration in a scope."""
    spelled = tuple(each for each in qualifiers if each)
    return any(tuple(path) == (*scope[:count], *spelled) for count in range(len(scope) + 1))
