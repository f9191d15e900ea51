"""Reads registrations of ops in C++: `TORCH_LIBRARY` blocks with `m.def(...)`, and `RegisterOperators`.

A registration that no build executes is left out. Macros, loops over lists of schemas, functions that are given the
library, and lambdas are followed. A schema that is no constant, and a function whose type is not found, is a remark.
"""

from __future__ import annotations

from bisect import bisect_left
from contextlib import suppress

from opspec_lint.cpp.tokens import NAME, STRING, string_value
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.frameworks.pytorch.extract import signatures
from opspec_lint.frameworks.pytorch.extract.cpp_source import LIBRARY, CppSource, Tree
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.cpp.tokens import Token
    from opspec_lint.frameworks.pytorch.extract.cpp_source import Span, Texts
    from opspec_lint.spec.condition import Condition

    Definition = Line | Remark

MARKS = (b"TORCH_LIBRARY", b"RegisterOperators")
"""One of these is in every file with registrations."""
_SHOWN = 12
"""Tokens of an argument that a remark shows."""
_MAX_CALLS = 4
"""Functions that define ops within each other."""
_SCHEMA_NAME = pattern(r"[\w:.]+")


class _Scope(Record):
    """The code in which a variable is a library.

    `known` are the strings of parameters and loop variables, `place` is the file and the line of the call that gives
    them, None for the code itself. `condition` is the one of the library and of the calls on the way.
    """

    source: CppSource
    namespace: str
    variable: str
    known: Mapping[str, Texts]
    place: tuple[str, int] | None = None
    condition: Condition = ALWAYS
    depth: int = 0

    def condition_at(self, index: int) -> tuple[Condition, int | None]:
        """Return the condition under which a statement takes effect, and the line of its cause."""
        condition, cause = self.source.conditions.at(self.source.tokens[index][2])
        return conjunction(self.condition, condition), cause


class Registrations:
    """The registrations of a file.

    Args:
        text: the file.
        file: its path in messages.
        tree: the other files.
    """

    def __init__(self, text: str, file: str, tree: Tree) -> None:
        self._source = CppSource(text, file, tree)
        self._operators: list[int] = []
        self._libraries: list[int] = []
        self._schemas: list[int] = []
        for index, (_, name, _) in enumerate(self._source.tokens):
            if name == "RegisterOperators":
                self._operators.append(index)
            elif name == "schema":
                self._schemas.append(index)
            elif "TORCH_LIBRARY" in name and LIBRARY.fullmatch(name):
                self._libraries.append(index)

    def read(self) -> Iterator[Definition]:
        """Yield the schemas, and remarks about those that cannot be told."""
        for index in sorted((*self._libraries, *self._operators)):
            read = self._chain if self._source.tokens[index][1] == "RegisterOperators" else self._library
            with suppress(UnresolvedError):  # of a bracket that is not closed
                yield from read(index + 1)
        for number, reason in self._source.conditions.unread:
            file = self._source.file
            yield _unread(file, number, f"{file}:{number}", f"the conditions of its ops are not known: {reason}")

    def _library(self, opening: int) -> Iterator[Definition]:
        """Yield what the block behind `TORCH_LIBRARY(NAMESPACE, VARIABLE)` defines."""
        source, tokens = self._source, self._source.tokens
        if source.sign(opening) != "(":
            return
        parts, closed = source.arguments(opening), tokens.closing(opening)
        if len(parts) != 2 or source.sign(closed + 1) != "{":
            return
        texts = (_text(token) for token in tokens[slice(*parts[0])])
        namespace = "".join(text for text in texts if text not in ("CONCAT", "(", ")", ","))
        variable = _text(tokens[parts[1][1] - 1]) if parts[1][0] < parts[1][1] else ""
        condition = self._registered(opening - 1)
        scope = _Scope(source=source, namespace=namespace, variable=variable, known={}, condition=condition)
        yield from self._block(scope, closed + 2, self._block_end(closed + 1))

    def _registered(self, index: int) -> Condition:
        """Return the condition under which a macro or a class at a token registers ops."""
        _, name, offset = self._source.tokens[index]
        return self._source.conditions.of_library(name, offset)

    def _block_end(self, opening: int) -> int:
        """Return the index where a block ends: at its brace, or before the next block where branches leave it open."""
        following = bisect_left(self._libraries, opening)
        tokens = self._source.tokens
        end = self._libraries[following] if following < len(self._libraries) else len(tokens) - 1
        try:
            return min(end, tokens.closing(opening))
        except UnresolvedError:
            return end

    def _block(self, scope: _Scope, start: int, end: int) -> Iterator[Definition]:
        """Yield what some statements define."""
        source, tokens = scope.source, scope.source.tokens
        index = start
        while index < end:
            kind, text, _ = tokens[index]
            is_call = kind == NAME and source.sign(index + 1) == "("
            behind = source.sign(index - 1)
            if is_call and text == "for" and (loop := self._loop(scope, index)):
                variable, values, body = loop
                inner = scope.replace(known={**scope.known, variable: values})
                yield from self._block(inner, *body)
                index = body[1]
            elif is_call and text == "def" and behind in (".", "->") and self._is_library(scope, index):
                yield from self._definitions(scope, index)
            elif is_call and behind not in (".", "->") and self._takes_library(scope, index + 1):
                yield from self._function_called(scope, index)
            elif kind == NAME and source.sign(index + 1) == "=" and source.sign(index + 2) == "[":
                closed = self._lambda_end(scope, index, end)
                if closed:
                    yield from self._lambda_calls(scope, index, closed, end)
                    index = closed
            index += 1

    @staticmethod
    def _is_library(scope: _Scope, index: int) -> bool:
        """Return whether a method is one of the library, or follows one in a chain."""
        return scope.source.tokens[index - 2][1] in (scope.variable, ")")

    def _takes_library(self, scope: _Scope, opening: int) -> bool:
        """Return whether the library is an argument of a call."""
        try:
            given = scope.source.arguments(opening)
        except UnresolvedError:
            return False
        texts = ([_text(token) for token in scope.source.tokens[slice(*part)]] for part in given)
        return bool(scope.variable) and any(text in ([scope.variable], ["&", scope.variable]) for text in texts)

    @staticmethod
    def _loop(scope: _Scope, index: int) -> tuple[str, Texts, Span] | None:
        """Return the variable of a loop over a list of strings, its values, and the body; None for another loop."""
        source, tokens = scope.source, scope.source.tokens
        try:
            closed = tokens.closing(index + 1)
            body = (closed + 2, tokens.closing(closed + 1)) if source.sign(closed + 1) == "{" else None
        except UnresolvedError:
            return None
        if body is None:
            stop = next((n for n in range(closed, len(tokens)) if source.sign(n) == ";"), closed)
            body = closed + 1, stop
        colon = next((n for n in range(index + 2, closed) if source.sign(n) == ":"), None)
        if colon is None:  # for (int i = 0; ...): `list[i]` is any item
            return _text(tokens[index + 3]), [""], body
        start = colon + 1
        if source.sign(start) == "{":
            parts = source.arguments(start)
            texts = [source.texts(*part, scope.known) for part in parts if part[0] < part[1]]
            values = [text for item in texts if item is not None for text in item] if None not in texts else None
        else:
            values = source.constant(_text(tokens[start])) if closed == start + 1 else None
        return None if not values else (_text(tokens[colon - 1]), values, body)

    @staticmethod
    def _lambda_end(scope: _Scope, index: int, end: int) -> int:
        """Return the index of the brace behind a lambda that is given a name, 0 if there is none."""
        source = scope.source
        try:
            at = source.tokens.closing(index + 2) + 1
            at = source.tokens.closing(at) + 1 if source.sign(at) == "(" else at
            while at < end and source.sign(at) not in ("{", ";"):
                at += 1
            return source.tokens.closing(at) if source.sign(at) == "{" else 0
        except UnresolvedError:
            return 0

    def _lambda_calls(self, scope: _Scope, index: int, closed: int, end: int) -> Iterator[Definition]:
        """Yield what the calls of a lambda define."""
        source, name = scope.source, scope.source.tokens[index][1]
        start = source.tokens.closing(index + 2) + 1
        parameters = source.arguments(start) if source.sign(start) == "(" else []
        opening = next(n for n in range(start, closed) if source.sign(n) == "{")
        calls = [n for n in range(closed, end) if source.tokens[n][1] == name and source.sign(n + 1) == "("]
        if not calls:  # something else may call it
            yield from self._block(scope, opening + 1, closed)
        for at in calls:
            known = self._bound(scope, source, parameters, source.arguments(at + 1))
            place = scope.place or (source.file, source.line(at))
            condition = scope.condition_at(at)[0]
            inner = scope.replace(known=known, place=place if parameters else scope.place, condition=condition)
            yield from self._block(inner, opening + 1, closed)

    def _bound(
        self, scope: _Scope, source: CppSource, parameters: list[Span], given: list[Span]
    ) -> Mapping[str, Texts]:
        """Return the strings of the parameters of a function in a call."""
        known = dict(scope.known)
        for part, value in zip(parameters, given, strict=False):
            names = [text for kind, text, _ in source.tokens[slice(*part)] if kind == NAME]
            texts = scope.source.texts(*value, scope.known)
            if names and texts is not None:
                known[names[-1]] = texts
            elif names:
                known.pop(names[-1], None)
        return known

    def _function_called(self, scope: _Scope, index: int) -> Iterator[Definition]:
        """Yield what a function defines that is given the library."""
        source = scope.source
        name, given = source.tokens[index][1], source.arguments(index + 1)
        function = source.function(name) if scope.depth < _MAX_CALLS else None
        if function is None or len(function.parameters) < len(given):
            yield _unread(
                source.file, source.line(index), f"{name}()", "the function that defines ops is not in the tree"
            )
            return
        at = next(n for n, part in enumerate(given) if _text(source.tokens[part[1] - 1]) == scope.variable)
        known = self._bound(scope.replace(known={}), function.source, function.parameters, given)
        strings = [part for n, part in enumerate(given) if n != at]
        place = scope.place or ((source.file, source.line(index)) if strings else None)
        inner = _Scope(
            source=function.source,
            namespace=scope.namespace,
            variable=function.name_of(at),
            known=known,
            place=place,
            condition=scope.condition_at(index)[0],
            depth=scope.depth + 1,
        )
        yield from self._block(inner, *function.body)

    def _chain(self, index: int) -> Iterator[Definition]:
        """Yield what a chain such as `RegisterOperators().op("a::f", &f)` registers."""
        source, tokens = self._source, self._source.tokens
        condition = self._registered(index - 1)
        scope = _Scope(source=source, namespace="", variable="", known={}, condition=condition)
        if index < len(tokens) and tokens[index][0] == NAME:
            index += 1
        method = "RegisterOperators"
        while source.sign(index) == "(":
            closed = tokens.closing(index)
            if method in ("RegisterOperators", "op") and closed > index + 1:
                yield from self._attempted(scope, index, self._options(index))
            if source.sign(closed + 1) != ".":
                return
            method = tokens[closed + 2][1] if closed + 2 < len(tokens) else ""
            index = closed + 3

    def _options(self, opening: int) -> list[Span]:
        """Return the arguments of `op`; of options, the arguments of `schema(...)`."""
        given = self._source.arguments(opening)
        start, end = given[0]
        schemas = self._schemas[bisect_left(self._schemas, start) : bisect_left(self._schemas, end)]
        called = next((index + 1 for index in schemas if self._source.sign(index + 1) == "("), None)
        return given if called is None else self._source.arguments(called)

    def _definitions(self, scope: _Scope, index: int) -> Iterator[Definition]:
        """Yield the schemas that a call of `def` at a token defines; a remark where that cannot be told."""
        try:
            given = scope.source.arguments(index + 1)
        except UnresolvedError as error:
            yield _unread(scope.source.file, scope.source.line(index), "def", error.reason)
            return
        yield from self._attempted(scope, index, given)

    def _attempted(self, scope: _Scope, index: int, given: list[Span]) -> Iterator[Definition]:
        place = scope.place or (scope.source.file, scope.source.line(index))
        condition, cause = scope.condition_at(index)
        if condition == NEVER:
            return
        try:
            line = place[1] if scope.place or cause is None else cause
            for definition in attempt(lambda: self._defined(scope, place, given)):
                yield definition.under(condition, line) if isinstance(definition, Line) else definition
        except UnresolvedError as error:
            yield _unread(*place, "def", error.reason)

    def _defined(self, scope: _Scope, place: tuple[str, int], given: list[Span]) -> list[Definition]:
        source = scope.source
        texts = source.texts(*given[0], scope.known) if given else None
        if texts is None:
            start, end = given[0] if given else (0, 0)
            shown = " ".join(_text(token) for token in source.tokens[start : min(end, start + _SHOWN)])
            return [_unread(*place, shown or "def", "the schema is no literal")]
        result: list[Definition] = []
        for text in (" ".join(text.split()) for text in texts):
            name, bracket, _ = text.partition("(")
            qualified = name if "::" in name or not scope.namespace else f"{scope.namespace}::{name}"
            schema = text[len(name) :] if bracket else _inferred(source, given[1:])
            if schema is None:
                reason = "its schema follows from a C++ function whose type is not known"
                result.append(_unread(*place, qualified, reason))
            else:
                result.append(Line(text=f"{qualified}{schema}", file=place[0], line=place[1]))
        return result


def _inferred(source: CppSource, given: list[Span]) -> str | None:
    """Return the schema, without a name, that follows from the type of a function; None where that is not found."""
    if not given or given[0][0] == given[0][1]:
        return None
    if source.sign(given[0][0]) == "[":
        return signatures.of_lambda(source, given[0])
    function = signatures.function_of(source.tokens[slice(*given[0])])
    return None if function is None else signatures.of_named(source, function)


def _unread(file: str, line: int, name: str, reason: str) -> Remark:
    return Remark(
        event="op_unresolved",
        name=name,
        op=name if "::" in name and _SCHEMA_NAME.fullmatch(name) else None,
        digest=name,
        facts={"reason": reason},
        origin=Origin(file=file, line=line),
    )


def _text(token: Token) -> str:
    return string_value(token[1]) if token[0] == STRING else token[1]
