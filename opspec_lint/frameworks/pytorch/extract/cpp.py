"""Reads registrations of ops in C++: `TORCH_LIBRARY` blocks with `m.def(...)`, and `RegisterOperators`.

A registration that no build executes is left out. A schema that is no literal, and a function whose type is not found,
is a remark.
"""

from __future__ import annotations

from bisect import bisect_left
from contextlib import suppress

from opspec_lint.cpp.preprocessed import CppFile
from opspec_lint.cpp.tokens import NAME, SIGN, STRING, split_arguments, string_value, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.frameworks.pytorch.extract import signatures
from opspec_lint.frameworks.pytorch.extract.cpp_conditions import Conditions
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, both
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.tokens import Token, Tokens
    from opspec_lint.frameworks.pytorch.extract.signatures import Span

MARKS = (b"TORCH_LIBRARY", b"RegisterOperators")
"""One of these stands in every file with registrations."""
_LIBRARY = pattern(r"(?:[A-Z]+_)?TORCH_LIBRARY(?:_FRAGMENT)?(?:_EXPAND)?")
_WRAPPERS = {"TORCH_SELECTIVE_SCHEMA", "TORCH_SELECTIVE_NAME", "string", "schema", "parseSchema", "parseName"}
"""What may stand around the text of a schema."""
_SHOWN = 12
"""Tokens of an argument that a remark shows."""


class Registrations:
    """The registrations of a file.

    Args:
        text: the file.
        file: what reports call it.
        elsewhere: yields the texts of other files that may declare a function of a name.
        is_defined_elsewhere: tells whether another file or a build may define a macro.
    """

    def __init__(
        self,
        text: str,
        file: str,
        elsewhere: Callable[[str], Iterator[str]],
        is_defined_elsewhere: Callable[[str], bool] = lambda _: False,
    ) -> None:
        source = CppFile(file, text)
        self._conditions = Conditions(source, is_defined_elsewhere)
        self._library_condition = ALWAYS
        self._code = source.all_branches()
        self._tokens = _tokens(self._code)
        self._file = file
        self._elsewhere = elsewhere
        self._operators: list[int] = []
        self._libraries: list[int] = []
        self._definitions: list[int] = []
        self._schemas: list[int] = []
        indices = {
            "RegisterOperators": self._operators,
            "def": self._definitions,
            "schema": self._schemas,
        }
        for index, (_, name, _) in enumerate(self._tokens):
            if name in indices:
                indices[name].append(index)
            elif "TORCH_LIBRARY" in name and _LIBRARY.fullmatch(name):
                self._libraries.append(index)

    def read(self) -> Iterator[Line | Remark]:
        """Yield the schemas, and remarks about those that cannot be told."""
        for index in sorted((*self._libraries, *self._operators)):
            read = self._chain if self._tokens[index][1] == "RegisterOperators" else self._library
            self._library_condition = self._conditions.of_library(self._tokens[index][1], self._tokens[index][2])
            with suppress(UnresolvedError):  # of a bracket that is not closed
                yield from (line for line in read(index + 1) if line is not None)
        for number, reason in self._conditions.unread:
            yield self._unread(number, f"{self._file}:{number}", f"the conditions of its ops are not known: {reason}")

    def _library(self, opening: int) -> Iterator[Line | Remark | None]:
        """Yield what the block behind `TORCH_LIBRARY(NAMESPACE, VARIABLE)` defines."""
        tokens = self._tokens
        if self._sign(opening) != "(":
            return
        about, closed = self._arguments(opening), tokens.closing(opening)
        if len(about) != 2 or self._sign(closed + 1) != "{":
            return
        parts = (_text(token) for token in tokens[slice(*about[0])])
        namespace = "".join(part for part in parts if part not in ("CONCAT", "(", ")", ","))
        variable = _text(tokens[about[1][1] - 1]) if about[1][0] < about[1][1] else ""
        first = bisect_left(self._definitions, closed)
        for index in self._definitions[first : bisect_left(self._definitions, self._block_end(closed + 1))]:
            is_method = tokens[index - 1][1] in (".", "->") and tokens[index - 2][1] in (variable, ")")
            if is_method and self._sign(index + 1) == "(":
                yield self._definition(index, namespace, lambda: self._arguments(index + 1))  # noqa: B023 - called now

    def _block_end(self, opening: int) -> int:
        """Return the index where a block ends: at its brace, or before the next block where branches leave it open."""
        following = bisect_left(self._libraries, opening)
        end = self._libraries[following] if following < len(self._libraries) else len(self._tokens) - 1
        try:
            return min(end, self._tokens.closing(opening))
        except UnresolvedError:
            return end

    def _chain(self, index: int) -> Iterator[Line | Remark | None]:
        """Yield what a chain such as `RegisterOperators().op("a::f", &f)` registers."""
        tokens = self._tokens
        if index < len(tokens) and tokens[index][0] == NAME:
            index += 1
        method = "RegisterOperators"
        while self._sign(index) == "(":
            closed = tokens.closing(index)
            if method in ("RegisterOperators", "op") and closed > index + 1:
                yield self._definition(index, "", lambda: self._options(index))  # noqa: B023 - called now
            if self._sign(closed + 1) != ".":
                return
            method = tokens[closed + 2][1] if closed + 2 < len(tokens) else ""
            index = closed + 3

    def _options(self, opening: int) -> list[Span]:
        """Return the arguments of `op`; of options, those of `schema(...)`."""
        given = self._arguments(opening)
        start, end = given[0]
        schemas = self._schemas[bisect_left(self._schemas, start) : bisect_left(self._schemas, end)]
        called = next((index + 1 for index in schemas if self._sign(index + 1) == "("), None)
        return given if called is None else self._arguments(called)

    def _definition(self, index: int, namespace: str, arguments: Callable[[], list[Span]]) -> Line | Remark | None:
        """Return the schema that a call at a token defines; a remark if it is not known, None for a dead call."""
        line = self._code.place(self._tokens[index][2])[0]
        condition, cause = self._conditions.at(self._tokens[index][2])
        condition = both(condition, self._library_condition)
        if condition == NEVER:
            return None
        try:
            result = attempt(lambda: self._defined(line, namespace, arguments()))
            return result.under(condition, cause or line) if isinstance(result, Line) else result
        except UnresolvedError as error:
            return self._unread(line, "def", error.reason)

    def _defined(self, line: int, namespace: str, given: list[Span]) -> Line | Remark:
        text = self._literal(*given[0]) if given else None
        if text is None:
            start, end = given[0] if given else (0, 0)
            shown = " ".join(_text(token) for token in self._tokens[start : min(end, start + _SHOWN)])
            return self._unread(line, shown or "def", "the schema is no literal")
        text = " ".join(text.split())
        name, bracket, _ = text.partition("(")
        qualified = name if "::" in name or not namespace else f"{namespace}::{name}"
        if bracket:
            return Line(text=qualified + text[len(name) :], file=self._file, line=line)
        schema = self._inferred(given[1:])
        if schema is None:
            return self._unread(line, qualified, "its schema follows from a C++ function whose type is not known")
        return Line(text=f"{qualified}{schema}", file=self._file, line=line)

    def _literal(self, start: int, end: int) -> str | None:
        """Return the text of literals that stand together, perhaps in wrappers; None for anything else."""
        tokens = self._tokens
        while start < end and tokens[start][0] != STRING:
            opening = next((index for index in range(start, end) if self._sign(index) == "("), start)
            is_wrapper = opening > start and tokens[opening - 1][1] in _WRAPPERS
            if not is_wrapper or tokens.closing(opening) != end - 1:
                return None
            start, end = opening + 1, end - 1
        literals = tokens[start:end]
        is_literal = literals and all(kind == STRING for kind, _, _ in literals)
        return "".join(string_value(text) for _, text, _ in literals) if is_literal else None

    def _inferred(self, given: list[Span]) -> str | None:
        """Return the schema, without a name, that follows from the type of a function; None where that is not found."""
        if not given or given[0][0] == given[0][1]:
            return None
        if self._sign(given[0][0]) == "[":
            return signatures.of_lambda(self._tokens, given[0], self._declared)
        function = signatures.function_of(self._tokens[slice(*given[0])])
        return None if function is None else self._declared(function)

    def _declared(self, function: str) -> str | None:
        """Return the schema of a function of this file or of another one; None where none declares it."""
        found = signatures.of_function(self._tokens, function)
        if found:
            return found
        others = (_tokens(CppFile("", text).all_branches()) for text in self._elsewhere(function))
        return next((schema for tokens in others if (schema := signatures.of_function(tokens, function))), None)

    def _arguments(self, opening: int) -> list[Span]:
        return split_arguments(self._tokens, opening + 1, self._tokens.closing(opening))

    def _sign(self, index: int) -> str:
        """Return the sign that a token is, "" for another token, and behind the last one."""
        kind, text, _ = self._tokens[index] if index < len(self._tokens) else ("", "", 0)
        return text if kind == SIGN else ""

    def _unread(self, line: int, name: str, reason: str) -> Remark:
        return Remark(
            event="op_unresolved",
            name=name,
            op=name if "::" in name and " " not in name else None,
            digest=name,
            facts={"reason": reason},
            origin=Origin(file=self._file, line=line),
        )


def _tokens(code: Code) -> Tokens:
    return tokenize(code.text, 0, len(code.text), limit=len(code.text))


def _text(token: Token) -> str:
    return string_value(token[1]) if token[0] == STRING else token[1]
