"""Reads registrations of ops in C++: `TORCH_LIBRARY` blocks with `m.def(...)`, and `RegisterOperators`.

All branches of conditions are read. A schema that is no literal, and a function whose type is not found, is a remark.
"""

from __future__ import annotations

import re

from opspec_lint.frameworks.pytorch.extract import signatures
from opspec_lint.frameworks.pytorch.extract.tokens import Token, arguments, closing, tokens
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.model import Origin, Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MARKS = (b"TORCH_LIBRARY", b"RegisterOperators")
"""One of these stands in every file with registrations."""
_LIBRARY = pattern(r"(?:[A-Z]+_)?TORCH_LIBRARY(?:_FRAGMENT)?(?:_EXPAND)?")
_WRAPPERS = {"TORCH_SELECTIVE_SCHEMA", "TORCH_SELECTIVE_NAME", "string", "schema", "parseSchema", "parseName"}
"""What may stand around the text of a schema."""


class Registrations:
    """The registrations of a file.

    Args:
        text: the file.
        file: what reports call it.
        elsewhere: yields the texts of other files that may declare a function of a name.
    """

    def __init__(self, text: str, file: str, elsewhere: Callable[[str], Iterator[str]]) -> None:
        self._tokens = tokens(text)
        self._file = file
        self._elsewhere = elsewhere

    def read(self) -> Iterator[Line | Remark]:
        """Yield the schemas, and remarks about those that cannot be told."""
        every = self._tokens
        for place, each in enumerate(every[:-1]):
            if each.is_string or every[place + 1].is_string:
                continue
            if _LIBRARY.fullmatch(each.text) and every[place + 1].text == "(":
                yield from self._library(place + 1)
            elif each.text == "RegisterOperators":
                yield from self._chain(place + 1)

    def _library(self, opening: int) -> Iterator[Line | Remark]:
        """Yield what the block behind `TORCH_LIBRARY(NAMESPACE, VARIABLE)` defines."""
        every = self._tokens
        about = arguments(every, opening)
        begin = closing(every, opening) + 1
        if len(about) != 2 or begin >= len(every) or every[begin].text != "{":
            return
        namespace = "".join(each.text for each in about[0] if each.text not in ("CONCAT", "(", ")", ","))
        variable = about[1][-1].text if about[1] else ""
        for place in range(begin + 1, closing(every, begin) - 2):
            dot, word, bracket = every[place : place + 3]
            owner = every[place - 1].text
            if dot.text in (".", "->") and word.text == "def" and bracket.text == "(" and owner in (variable, ")"):
                yield self._definition(word, arguments(every, place + 2), namespace)

    def _chain(self, place: int) -> Iterator[Line | Remark]:
        """Yield what a chain such as `RegisterOperators().op("a::f", &f)` registers."""
        every = self._tokens
        if place < len(every) and re.fullmatch(r"[A-Za-z_]\w*", every[place].text):
            place += 1
        method = "RegisterOperators"
        while place < len(every) and every[place].text == "(":
            given = arguments(every, place)
            if method in ("RegisterOperators", "op") and given:
                yield self._definition(every[place], _options(given), "")
            place = closing(every, place) + 1
            if [each.text for each in every[place : place + 1]] != ["."]:
                return
            method = every[place + 1].text
            place += 2

    def _definition(self, at: Token, given: Sequence[Sequence[Token]], namespace: str) -> Line | Remark:
        text = None if not given else _literal(given[0])
        if text is None:
            shown = " ".join(each.text for each in (given[0] if given else ())[:12])
            return self._unread(at, shown or "def", "the schema is no literal")
        text = " ".join(text.split())
        name, bracket, _ = text.partition("(")
        qualified = name if "::" in name or not namespace else f"{namespace}::{name}"
        if bracket:
            return Line(text=qualified + text[len(name) :], file=self._file, line=at.line)
        schema = self._inferred(given[1:])
        if schema is None:
            return self._unread(at, qualified, "its schema follows from a C++ function whose type is not known")
        return Line(text=f"{qualified}{schema}", file=self._file, line=at.line)

    def _inferred(self, given: Sequence[Sequence[Token]]) -> str | None:
        """Return the schema, without a name, that follows from the type of a function; None where that is not found."""
        if not given or not given[0]:
            return None
        if given[0][0].text == "[":
            return signatures.of_lambda(given[0], self._declared)
        function = signatures.function_of(given[0])
        return None if function is None else self._declared(function)

    def _declared(self, function: str) -> str | None:
        """Return the schema of a function of this file or of another one; None where none declares it."""
        found = signatures.of_function(self._tokens, function)
        others = (signatures.of_function(tokens(text), function) for text in self._elsewhere(function))
        return found or next((each for each in others if each), None)

    def _unread(self, at: Token, name: str, reason: str) -> Remark:
        return Remark(
            event="op_unresolved",
            name=name,
            op=name if "::" in name and " " not in name else None,
            digest=name,
            facts={"reason": reason},
            origin=Origin(file=self._file, line=at.line),
        )


def _options(given: list[list[Token]]) -> list[list[Token]]:
    """Return the arguments of `op`; of options, what stands in `schema(...)`."""
    first = given[0]
    places = [place for place, each in enumerate(first[:-1]) if each.text == "schema" and first[place + 1].text == "("]
    return arguments(first, places[0] + 1) if places else given


def _literal(argument: Sequence[Token]) -> str | None:
    """Return the text of literals that stand together, perhaps in a wrapper; None for anything else."""
    if argument and all(each.is_string for each in argument):
        return "".join(each.text for each in argument)
    place = next((at for at, each in enumerate(argument) if each.text == "(" and not each.is_string), 0)
    if not place or argument[place - 1].text not in _WRAPPERS or closing(argument, place) != len(argument) - 1:
        return None
    return _literal(argument[place + 1 : -1])
