"""The operands of C++ expressions that operators may skip: of `&&`, `||`, `?:` and `sizeof`.

A call in such an operand is executed only under the condition that the operands before it decide.
"""

from __future__ import annotations

from opspec_lint.cpp.limits import MAX_DEPTH, MAX_OPERATORS
from opspec_lint.cpp.tokens import NAME, SIGN
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.spec.condition import Condition

    Decide = Callable[[int, int], tuple[Condition, Condition]]
    """Returns the condition that the tokens between two indices are true, and the condition that they are not."""

    Operand = tuple[int, int, Condition]
    """The indices of the tokens of an operand, and the condition under which it is evaluated."""

SKIPPING = ("&&", "||", "?", "sizeof", "decltype", "noexcept", "typeid", "alignof", "and", "or")
"""Tokens without which every operand of an expression is evaluated."""
_UNEVALUATED = frozenset({"sizeof", "decltype", "noexcept", "typeid", "alignof"})
_AND, _OR = ("&&", "and"), ("||", "or")
_SEPARATORS = frozenset({",", ";", ":", "=", "return", "+=", "-=", "|=", "&=", "^=", "*=", "/=", "<<=", ">>=", "%="})
"""Tokens that bind less than `?:`, at which a text is split into expressions."""
_NO_OPERANDS = frozenset({")", ">", ",", ";", "=", "]", "}", ":", "."})
"""Signs with which no operand of `&&` begins: it declares a reference, as in `f(T&&)`."""


class Operands:
    """The operands of the expressions in a range of tokens that are not evaluated in every case.

    Args:
        tokens: the tokens.
        texts: their texts.
        decide: returns the conditions that an operand is true, and that it is false.
    """

    def __init__(self, tokens: Tokens, texts: list[str], decide: Decide) -> None:
        self._tokens = tokens
        self._texts = texts
        self._decide = decide

    def between(self, start: int, end: int, depth: int = 0) -> Iterator[Operand]:
        """Yield the operands between two indices that operators may skip, and those inside of brackets.

        Blocks are left out, as lambdas and other bodies have statements of their own.
        """
        if depth > MAX_DEPTH:
            return
        since = at = start
        places: list[int] = []
        while at < end:
            text = self._texts[at]
            if self._tokens[at][0] == SIGN and text in ("(", "[", "{"):
                closed = min(self._tokens.closing(at), end)
                if at > start and self._texts[at - 1] in _UNEVALUATED:
                    yield at + 1, closed, NEVER
                elif text != "{":
                    yield from self.between(at + 1, closed, depth + 1)
                at = closed
            elif text == "?" or text in _OR or (text in _AND and not self._is_reference(since, at, places)):
                places.append(at)
            elif text in _SEPARATORS and not (text == ":" and self._has_open_question(places)):
                yield from self._skipped(since, at, places)
                since, places = at + 1, []
            elif text == ":":
                places.append(at)
            at += 1
        yield from self._skipped(since, end, places)

    def _is_reference(self, since: int, at: int, places: list[int]) -> bool:
        """Return whether a `&&` declares a reference, as in `auto&& x = f()`, and is no operator."""
        kind, behind, _ = self._tokens[at + 1] if at + 1 < len(self._tokens) else (SIGN, ";", 0)
        if (kind == SIGN and behind in _NO_OPERANDS) or (at > since and self._texts[at - 1] == "auto"):
            return True
        # `T&& x = f()`, `for (T&& x : list)`
        declared = ("=", "{") if "?" in (self._texts[place] for place in places) else ("=", "{", ":")
        is_declared = kind == NAME and at + 2 < len(self._texts) and self._texts[at + 2] in declared
        return is_declared and since < at and all(self._is_part_of_type(index) for index in range(since, at))

    def _is_part_of_type(self, index: int) -> bool:
        """Return whether a token may belong to the name of a type."""
        kind, text, _ = self._tokens[index]
        return kind == NAME or text in ("::", "<", ">", ",")

    def _has_open_question(self, places: list[int]) -> bool:
        """Return whether a `?` among operators has no `:` yet."""
        texts = [self._texts[place] for place in places]
        return texts.count("?") > texts.count(":")

    def _skipped(self, start: int, end: int, places: list[int]) -> Iterator[Operand]:
        """Yield the operands of one expression that the operators at some indices may skip."""
        if len(places) > MAX_OPERATORS:  # the conditions of the operands grow with the square of their number
            raise UnresolvedError(f"an expression has more than {MAX_OPERATORS} operators")
        question = next((place for place in places if self._texts[place] == "?"), None)
        if question is not None:
            before = [place for place in places if place < question]
            holds, fails = self._decide(start, question)
            colon = self._colon([place for place in places if place >= question], end)
            yield from self._skipped(start, question, before)
            yield from self._part(question + 1, colon, places, holds)
            yield from self._part(colon + 1, end, places, fails)
            return
        for signs in (_OR, _AND):
            edges = [place for place in places if self._texts[place] in signs]
            if not edges:
                continue
            condition = ALWAYS
            for since, until in zip([start, *(edge + 1 for edge in edges)], [*edges, end], strict=True):
                yield from self._part(since, until, places, condition)
                if until < end:
                    holds, fails = self._decide(since, until)
                    condition = conjunction(condition, fails if signs == _OR else holds)
            return

    def _part(self, start: int, end: int, places: list[int], condition: Condition) -> Iterator[Operand]:
        """Yield an operand under its condition, and the operands in it."""
        if condition != ALWAYS and start < end:
            yield start, end, condition
        yield from self._skipped(start, end, [place for place in places if start <= place < end])

    def _colon(self, places: list[int], end: int) -> int:
        """Return the index of the `:` of the first of the operators."""
        depth = 0
        for place in places:
            depth += (self._texts[place] == "?") - (self._texts[place] == ":")
            if not depth:
                return place
        return end
