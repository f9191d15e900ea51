"""The registrations of ops in a C++ file: `TORCH_LIBRARY` blocks with `m.def(...)`, and `RegisterOperators`.

A block is read token by token, with the library variable, and the known strings, in a scope. Macros, loops over lists
of schemas, functions that take the library, and lambdas are followed, each in a nested scope. A
registration that no build executes is left out. A schema that is no constant, and a function whose type is not found,
become remarks.
"""

from __future__ import annotations

from bisect import bisect_left
from contextlib import suppress

from opspec_lint.cpp.preprocessed import CppFile
from opspec_lint.cpp.tokens import NAME, SIGN, statement_end
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.frameworks.pytorch.extract import signatures
from opspec_lint.frameworks.pytorch.extract.called import Call, called_functions, possible_calls
from opspec_lint.frameworks.pytorch.extract.callees import callee_before
from opspec_lint.frameworks.pytorch.extract.cpp_source import LIBRARY, CppSource, Tree
from opspec_lint.frameworks.pytorch.extract.library_blocks import (
    block_head,
    library_blocks,
    library_condition,
    token_text,
)
from opspec_lint.frameworks.pytorch.extract.loops import parse_loop
from opspec_lint.frameworks.pytorch.extract.partial_names import partial_name
from opspec_lint.frameworks.pytorch.extract.scope import Scope
from opspec_lint.frameworks.pytorch.extract.unfollowed import deciding_text
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import NEVER, conjunction
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from opspec_lint.frameworks.pytorch.extract.callees import Callee
    from opspec_lint.frameworks.pytorch.extract.cpp_source import Span, Texts
    from opspec_lint.frameworks.pytorch.extract.library_blocks import LibraryBlock

    Definition = Line | Remark

MARKS = (b"TORCH_LIBRARY", b"RegisterOperators", b"Library::FRAGMENT", b"Library::DEF")
"""Texts of which each file with registrations contains one."""
_KINDS = ("DEF", "FRAGMENT")
"""The kinds of `torch::Library` objects that define ops."""
_SHOWN_TOKENS = 12
"""Tokens of an argument that a remark shows."""
_MAX_CALLS = 4
"""Nested calls of functions that define ops."""
_MAX_FOLLOWED = 2000
"""Functions whose bodies are read for the calls of one file: each of k overloads may call k others."""
_BLOCK = pattern(r"\bTORCH_LIBRARY\w*\s*\([^(){}]*\)\s*\{")
_SCHEMA_NAME = pattern(r"[\w:.]+")


class Registrations:
    """The registrations of a C++ file; `tree` are the files that it may refer to."""

    def __init__(self, text: str, file: str, tree: Tree) -> None:
        self._source = CppSource(text, file, tree)
        self._followed = 0
        self._called: dict[tuple[str, int], list[Call]] = {}
        self._deciding: dict[tuple[str, int, str], str] = {}
        self._operators: list[int] = []
        self._libraries: list[int] = []
        self._schemas: list[int] = []
        self._objects: list[int] = []
        for index, (_, name, _) in enumerate(self._source.tokens):
            if name == "RegisterOperators":
                self._operators.append(index)
            elif name == "schema":
                self._schemas.append(index)
            elif name in _KINDS and [token[1] for token in self._source.tokens[index - 2 : index]] == ["Library", "::"]:
                self._objects.append(index)
            elif "TORCH_LIBRARY" in name and LIBRARY.fullmatch(name):
                self._libraries.append(index)

    def read(self) -> Iterator[Definition]:
        """Yield the schemas, and remarks about schemas that cannot be evaluated."""
        for index in sorted((*self._libraries, *self._operators)):
            read = self._read_chain if self._source.tokens[index][1] == "RegisterOperators" else self._read_library
            with suppress(UnresolvedError):  # of a bracket that is not closed
                yield from read(index + 1)
        for index in self._objects:
            if self._source.conditions.at(self._source.tokens[index][2])[0] != NEVER:
                reason = "it is an object that may define ops, and the calls of its methods are not followed"
                remark = _unresolved_remark(self._source.file, self._source.line_of(index), "a torch::Library", reason)
                yield remark.replace(digest=deciding_text(self._source, index, _KINDS))
        for number, reason in self._source.conditions.unread:
            file = self._source.file
            yield _unresolved_remark(
                file, number, f"{file}:{number}", f"the conditions of its ops are not known: {reason}"
            )

    def _read_library(self, opening: int) -> Iterator[Definition]:
        """Yield the ops of the block behind `TORCH_LIBRARY(NAMESPACE, VARIABLE)`."""
        source = self._source
        head = block_head(source, opening)
        if head is None:
            return
        condition = library_condition(source, opening - 1)
        scope = Scope(source=source, namespace=head.namespace, variable=head.variable, known={}, condition=condition)
        yield from self._read_block(scope, head.closed + 2, self._block_end(head.closed + 1))

    def library_blocks(self) -> Iterator[LibraryBlock]:
        """Yield the blocks that must be the only ones of their namespace."""
        return library_blocks(self._source, self._libraries)

    def _block_end(self, opening: int) -> int:
        """Return the index of the end of a block: its brace, or the next block if `#if` leaves the brace open."""
        following = bisect_left(self._libraries, opening)
        tokens = self._source.tokens
        end = self._libraries[following] if following < len(self._libraries) else len(tokens) - 1
        try:
            return min(end, tokens.closing(opening))
        except UnresolvedError:
            return end

    def _read_block(self, scope: Scope, start: int, end: int) -> Iterator[Definition]:
        """Yield the ops that the statements in tokens `start` to `end` define."""
        source, tokens = scope.source, scope.source.tokens
        index = start
        while index < end:
            kind, text, _ = tokens[index]
            is_call = kind == NAME and source.sign_at(index + 1) == "("
            behind = source.sign_at(index - 1)
            if is_call and text == "for" and (loop := parse_loop(source, scope.known, index)):
                inner = scope.replace(known={**scope.known, loop.variable: loop.texts})
                start_of_body, end_of_body = loop.body
                yield from self._read_block(inner, start_of_body, end_of_body)
                index = end_of_body
            elif text == "class_":
                index = statement_end(tokens, index)  # `m.class_<K>("K").def(...)` defines methods, not ops
            elif is_call and text == "def" and behind in (".", "->") and self._is_library(scope, index):
                yield from self._read_def(scope, index)
            elif text in ("(", "{") and kind == SIGN and self._takes_library(scope, index):
                yield from self._read_called_function(scope, index)
            elif kind == NAME and source.sign_at(index + 1) == "=" and source.sign_at(index + 2) == "[":
                closed = self._lambda_end(scope, index, end)
                if closed:
                    yield from self._read_lambda_calls(scope, index, closed, end)
                    index = closed
            elif kind == NAME and text == scope.variable:
                yield from self._read_reference(scope, index, end)
            index += 1

    def _read_reference(self, scope: Scope, index: int, end: int) -> Iterator[Definition]:
        """Yield the ops of a reference or pointer that the library at a token initialises, such as `auto& n = m;`.

        An object that keeps the library, as in `Registrar{m}`, is not followed: a remark states that.
        """
        source = scope.source
        before = index - 2 if source.sign_at(index - 1) == "&" else index - 1
        if source.sign_at(before) not in ("=", "{") or source.sign_at(index + 1) not in (";", "}", ","):
            return
        if scope.condition_at(index)[0] == NEVER:
            return
        is_reference = source.sign_at(before) == "=" and source.sign_at(before - 2) in ("&", "*")
        if is_reference and source.sign_at(index + 1) == ";" and scope.depth < _MAX_CALLS:
            # Two levels, so that references to references, whose number may double with each, soon end.
            inner = scope.replace(variable=source.tokens[before - 1][1], depth=scope.depth + 2)
            yield from self._read_block(inner, index + 1, end)
            return
        reason = f"an object keeps the library `{scope.variable}`, and what it defines is not followed"
        shown = "".join(token_text(token) for token in source.tokens[max(0, before - 1) : index + 2])
        remark = _unresolved_remark(source.file, source.line_of(index), shown, reason)
        yield remark.replace(digest=deciding_text(source, before - 1, (scope.variable,)))

    @staticmethod
    def _is_library(scope: Scope, index: int) -> bool:
        """Return whether the object of a method is the library, or a call of its methods: `m.def(...).def(...)`."""
        return scope.source.tokens[index - 2][1] in (scope.variable, ")")

    def _takes_library(self, scope: Scope, opening: int) -> bool:
        """Return whether the library is an argument of a call."""
        try:
            given = scope.source.arguments(opening)
        except UnresolvedError:
            return False
        texts = ([text for _, text, _ in scope.source.tokens[slice(*part)]] for part in given if part[1] - part[0] < 3)
        return bool(scope.variable) and any(text in ([scope.variable], ["&", scope.variable]) for text in texts)

    @staticmethod
    def _lambda_end(scope: Scope, index: int, end: int) -> int:
        """Return the index of the closing brace of `NAME = [...](...) {...}`, 0 if that is no lambda."""
        source = scope.source
        try:
            at = source.tokens.closing(index + 2) + 1
            at = source.tokens.closing(at) + 1 if source.sign_at(at) == "(" else at
            while at < end and source.sign_at(at) not in ("{", ";"):
                at += 1
            return source.tokens.closing(at) if source.sign_at(at) == "{" else 0
        except UnresolvedError:
            return 0

    def _read_lambda_calls(self, scope: Scope, index: int, closed: int, end: int) -> Iterator[Definition]:
        """Yield the ops that the calls of a named lambda define; without calls, the ops of its body."""
        source, name = scope.source, scope.source.tokens[index][1]
        start = source.tokens.closing(index + 2) + 1
        parameters = source.arguments(start) if source.sign_at(start) == "(" else []
        opening = next(n for n in range(start, closed) if source.sign_at(n) == "{")
        calls = [n for n in range(closed, end) if source.tokens[n][1] == name and source.sign_at(n + 1) == "("]
        if not calls:  # it may be passed to a function that calls it
            yield from self._read_block(scope, opening + 1, closed)
        for at in calls:
            known = self._bind_parameters(scope, source, parameters, source.arguments(at + 1))
            place = scope.place or (source.file, source.line_of(at))
            condition = scope.condition_at(at)[0]
            inner = scope.replace(known=known, place=place if parameters else scope.place, condition=condition)
            yield from self._read_block(inner, opening + 1, closed)

    def _bind_parameters(
        self, scope: Scope, source: CppSource, parameters: list[Span], given: list[Span]
    ) -> Mapping[str, Texts]:
        """Return the known strings in a function during a call, with the strings of its arguments."""
        known = dict(scope.known)
        for part, value in zip(parameters, given, strict=False):
            names = [text for kind, text, _ in source.tokens[slice(*part)] if kind == NAME]
            texts = scope.source.texts(*value, scope.known)
            if names and texts is not None:
                known[names[-1]] = texts
            elif names:
                # The parameter hides an outer variable of the same name, whose value would be wrong here.
                known.pop(names[-1], None)
        return known

    def _read_called_function(self, scope: Scope, opening: int) -> Iterator[Definition]:
        """Yield the ops that a called function defines, which takes the library as an argument behind a bracket."""
        source = scope.source
        callee = callee_before(source, opening)
        if callee is None:
            return
        index, given = callee.start, source.arguments(opening)
        is_followed = scope.depth < _MAX_CALLS and self._followed < _MAX_FOLLOWED
        called = self._called_functions(source, callee) if is_followed else []
        self._followed += len(called)
        if not called and source.sign_at(opening) == "{":
            return  # an object that keeps the library: `_read_reference` names it
        if not called:
            yield self._unfollowed_call(scope, callee)
            called = possible_calls(source, callee) if is_followed else []
            self._followed += len(called)
        library_position = next(
            position for position, (_, end) in enumerate(given) if token_text(source.tokens[end - 1]) == scope.variable
        )
        takes_strings = len(given) > 1
        place = scope.place or ((source.file, source.line_of(index)) if takes_strings else None)
        for call in called:
            function = call.function
            inner = Scope(
                source=function.source,
                namespace=scope.namespace,
                variable=function.parameter_name(library_position),
                known=self._bind_parameters(scope.replace(known={}), function.source, function.parameters, given),
                place=place,
                condition=conjunction(scope.condition_at(index)[0], call.condition),
                call=call,
                depth=scope.depth + 1,
            )
            yield from self._read_block(inner, *function.body)

    def _unfollowed_call(self, scope: Scope, callee: Callee) -> Remark:
        """Return the remark about a call with the library whose function is not known."""
        source, index = scope.source, callee.start
        known = "not in the tree" if self._followed < _MAX_FOLLOWED else "one of too many"
        reason = f"the function that defines ops is {known}"
        remark = _unresolved_remark(source.file, source.line_of(index), f"{callee.name}()", reason)
        key = source.file, index, scope.variable
        if key not in self._deciding:
            self._deciding[key] = deciding_text(source, index, (scope.variable,))  # its arguments may be schemas
        return remark.replace(digest=self._deciding[key])

    def _called_functions(self, source: CppSource, callee: Callee) -> list[Call]:
        """Return the functions that a call may call."""
        key = source.file, callee.opening
        if key not in self._called:
            try:
                self._called[key] = called_functions(source, callee)
            except UnresolvedError:
                self._called[key] = []
        return self._called[key]

    def _read_chain(self, index: int) -> Iterator[Definition]:
        """Yield the ops of a chain such as `RegisterOperators().op("a::f", &f)`."""
        source, tokens = self._source, self._source.tokens
        condition = library_condition(source, index - 1)
        scope = Scope(source=source, namespace="", variable="", known={}, condition=condition)
        if index < len(tokens) and tokens[index][0] == NAME:
            index += 1
        method = "RegisterOperators"
        while source.sign_at(index) == "(":
            closed = tokens.closing(index)
            if method in ("RegisterOperators", "op") and closed > index + 1:
                yield from self._read_definition(scope, index, self._schema_arguments(index))
            if source.sign_at(closed + 1) != ".":
                return
            method = tokens[closed + 2][1] if closed + 2 < len(tokens) else ""
            index = closed + 3

    def _schema_arguments(self, opening: int) -> list[Span]:
        """Return the arguments of `op(...)`, or of `schema(...)` in the options within it."""
        given = self._source.arguments(opening)
        start, end = given[0]
        schemas = self._schemas[bisect_left(self._schemas, start) : bisect_left(self._schemas, end)]
        called = next((index + 1 for index in schemas if self._source.sign_at(index + 1) == "("), None)
        return given if called is None else self._source.arguments(called)

    def _read_def(self, scope: Scope, index: int) -> Iterator[Definition]:
        """Yield the ops of the call of `def` at a token, or a remark if its arguments cannot be read."""
        try:
            given = scope.source.arguments(index + 1)
        except UnresolvedError as error:
            yield _unresolved_remark(scope.source.file, scope.source.line_of(index), "def", error.reason)
            return
        yield from self._read_definition(scope, index, given)

    def _read_definition(self, scope: Scope, index: int, given: list[Span]) -> Iterator[Definition]:
        """Yield the ops of a definition by its arguments, under the condition of its statement."""
        place = scope.place or (scope.source.file, scope.source.line_of(index))
        condition, cause = scope.condition_at(index)
        if condition == NEVER:
            return
        try:
            line = place[1] if scope.place or cause is None else cause
            for definition in attempt(lambda: self._parse_definition(scope, place, given)):
                yield definition.under(condition, line) if isinstance(definition, Line) else definition
        except UnresolvedError as error:
            yield _unresolved_remark(*place, "def", error.reason)

    def _parse_definition(self, scope: Scope, place: tuple[str, int], given: list[Span]) -> list[Definition]:
        """Return an op for each possible schema text; a text without `(` gets the schema of the C++ function.

        Args:
            scope: the block of the definition.
            place: the file and line for the user.
            given: the arguments: the schema or the name of the op, and perhaps the function.
        """
        source = scope.source
        file, line = place
        start, end = given[0] if given else (0, 0)
        texts = source.texts(start, end, scope.known) if given else None
        if texts is None:
            shown = " ".join(token_text(token) for token in source.tokens[start : min(end, start + _SHOWN_TOKENS)])
            name = source.fill_in(partial_name(source.tokens[start:end]), start)
            remark = _unresolved_remark(
                file, line, _qualified(scope, name) or shown or "def", "the schema is no literal"
            )
            return [remark.replace(digest=shown or "def")]
        result: list[Definition] = []
        for text in (" ".join(text.split()) for text in texts):
            name, bracket, _ = text.partition("(")
            qualified = _qualified(scope, name)
            signature = text[len(name) :] if bracket else _infer_schema(source, given[1:])
            if signature is None:
                reason = "its schema follows from a C++ function whose type is not known"
                result.append(_unresolved_remark(file, line, qualified, reason))
            else:
                result.append(Line(text=f"{qualified}{signature}", file=file, line=line))
        return result


def _qualified(scope: Scope, name: str) -> str:
    """Return the name of an op with the namespace of its block, unless it has one, or is empty."""
    return name if "::" in name or not scope.namespace or not name else f"{scope.namespace}::{name}"


def _infer_schema(source: CppSource, given: list[Span]) -> str | None:
    """Return the schema, without a name, of the function in the first argument; None if its type is not known."""
    if not given or given[0][0] == given[0][1]:
        return None
    if source.sign_at(given[0][0]) == "[":
        return signatures.lambda_schema(source, given[0])
    function = signatures.function_name(source.tokens[slice(*given[0])])
    return None if function is None else signatures.function_schema(source, function)


def has_library(text: str) -> bool:
    """Return whether a file has a library block outside of comments, also where no build compiles it."""
    return "TORCH_LIBRARY" in text and _BLOCK.search(CppFile("", text).all_branches().bare) is not None


def unread_include(file: str, line: int, reason: str) -> Remark:
    """Return the remark about an `#include` whose registrations are not known."""
    return _unresolved_remark(file, line, f"{file}:{line}", reason)


def _unresolved_remark(file: str, line: int, name: str, reason: str) -> Remark:
    """Return the remark about a registration that cannot be evaluated."""
    return Remark(
        event="op_unresolved",
        name=name,
        op=name if "::" in name and _SCHEMA_NAME.fullmatch(name) else None,
        digest=name,
        facts={"reason": reason},
        origin=Origin(file=file, line=line),
    )
