"""What a lambda that checks an attr enforces, as far as it says so in plain comparisons with constants.

    [](const float& p) { PADDLE_ENFORCE_EQ(p >= 0.0f && p <= 1.0f, true, ...); }

What a lambda returns is dropped by the framework: `return !path.empty();` enforces nothing.
"""

from __future__ import annotations

from opspec_lint.cpp.expressions import evaluate
from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.cpp.numbers import kind_of
from opspec_lint.cpp.tokens import NAME, SIGN, split_arguments, statement_end
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import std_string
from opspec_lint.frameworks.paddle.extract.bounds import UNKNOWN_BOUNDS, WHOLE, Bounds, compared, compared_length

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.cpp.expressions import NameResolver
    from opspec_lint.cpp.tokens import Tokens

_COMPARING = {
    "PADDLE_ENFORCE_EQ": "==",
    "PADDLE_ENFORCE_NE": "!=",
    "PADDLE_ENFORCE_GT": ">",
    "PADDLE_ENFORCE_GE": ">=",
    "PADDLE_ENFORCE_LT": "<",
    "PADDLE_ENFORCE_LE": "<=",
}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_SWAPPED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_CASTS = frozenset({"int", "int32_t", "int64_t", "size_t"})
_MAX_TOKENS = 1000
"""How long a lambda may be that is looked at, several times what any real one is."""
_LEAVING = frozenset({"return", "goto", "break", "throw", "exit", "abort"})


def enforced(words: Tokens, start: int, end: int, names: NameResolver, kind: str) -> Bounds:
    """The bounds that a lambda enforces of its parameter.

    Args:
        words: the tokens of the function it stands in.
        start: where it begins.
        end: where it ends.
        names: what names mean around it.
        kind: the type of the attr.

    Raises:
        UnresolvedError: the tokens are no lambda, or one that cannot be evaluated.
    """
    if end - start > _MAX_TOKENS:
        raise UnresolvedError("a lambda that is too long")
    parameter, at, stop = _head(words, start, end)
    condition = _Condition(words, names, kind, parameter)
    found = Bounds()
    while at < stop:
        word = words[at][1]
        if word == ";":
            at += 1
        elif word == "for" and kind.endswith("S"):  # over the items, which leaves the length as it is
            at = _behind_loop(words, at, stop)
            found = found.narrowed(UNKNOWN_BOUNDS)
        elif word == "PADDLE_ENFORCE" or word in _COMPARING:
            closed = words.closing(at + 1)
            if statement_end(words, at) != closed + 1:
                raise UnresolvedError("a check inside another expression")
            try:
                found = found.narrowed(condition.of_check(word, at + 2, closed))
            except UnresolvedError:
                found = found.narrowed(UNKNOWN_BOUNDS)  # what the other checks enforce still holds
            at = closed + 1
        elif word == "return":
            condition.check_harmless(at + 1, statement_end(words, at))
            break
        else:
            raise UnresolvedError("a check that cannot be evaluated")
    return found


def _head(words: Tokens, start: int, end: int) -> tuple[str, int, int]:
    """Return the name of the parameter of a lambda, and the range of its body."""
    if start >= end or words[start][1] != "[":
        raise UnresolvedError("a checker that is not a lambda")
    captured = words.closing(start)
    is_list = all(kind == NAME or text in "&=,*" for kind, text, _ in words[start + 1 : captured])
    if not is_list or any(
        words[at][1] == "=" and words[at + 1][1] not in (",", "]") for at in range(start + 1, captured)
    ):
        raise UnresolvedError("a lambda that captures something else")
    if captured + 1 >= end or words[captured + 1][1] != "(":
        raise UnresolvedError("a lambda without a parameter")
    closed = words.closing(captured + 1)
    kind, name, _ = words[closed - 1]
    body = closed + 1
    if [text for _, text, _ in words[body : body + 2]] == ["->", "void"]:
        body += 2
    if body >= end or words[body][1] != "{" or words.closing(body) != end - 1:
        raise UnresolvedError("a lambda without a body")
    return name if kind == NAME else "", body + 1, end - 1


def _behind_loop(words: Tokens, at: int, stop: int) -> int:
    closed = words.closing(at + 1)
    if closed + 1 >= stop or words[closed + 1][1] != "{":
        raise UnresolvedError("a loop without braces")
    behind = words.closing(closed + 1) + 1
    if any(kind == NAME and text in _LEAVING for kind, text, _ in words[at:behind]):
        raise UnresolvedError("a loop that may end early")
    return behind


class _Condition:
    """What a condition says of a parameter."""

    def __init__(self, words: Tokens, names: NameResolver, kind: str, parameter: str) -> None:
        self._words = words
        self._names = names
        self._kind = kind
        self._parameter = parameter

    def of_check(self, name: str, start: int, end: int) -> Bounds:
        """The bounds behind a check, by its name and the range of its arguments."""
        arguments = split_arguments(self._words, start, end)
        sign = _COMPARING.get(name)
        if sign is None:
            return self._of(*arguments[0], depth=0)
        if len(arguments) < 2:
            raise UnresolvedError(f"{name} of one argument")
        left, right = arguments[:2]
        if sign in ("==", "!="):
            for one, other in ((left, right), (right, left)):
                word = self._words[other[0]][1]
                if other[1] == other[0] + 1 and word in ("true", "false"):
                    return self._of(*one, depth=0, negated=(word == "false") == (sign == "=="))
        return self._compared(left, sign, right)

    def check_harmless(self, start: int, end: int) -> None:
        """Raise UnresolvedError if an expression may do more than yield a value."""
        for at in range(start, end):
            if self._words[at][1] == "(" and at > start and self._words[at - 1][0] == NAME:
                if self._words[at - 1][1] not in ("empty", "size"):
                    raise UnresolvedError("a call that is not followed")
            elif self._words[at][1] in ("=", "+=", "-=", "|=", "{"):
                raise UnresolvedError("an expression that is not followed")

    def _of(self, start: int, end: int, *, depth: int, negated: bool = False) -> Bounds:
        if depth > MAX_DEPTH or start >= end:
            raise UnresolvedError("a condition that is not followed")
        words = self._words
        if words[start][1] == "(" and words.closing(start) == end - 1:
            return self._of(start + 1, end - 1, depth=depth + 1, negated=negated)
        for sign in ("||", "&&"):
            parts = self._parted(start, end, (sign,))
            if parts:
                found = [self._of(*part, depth=depth + 1, negated=negated) for part, _ in parts]
                return _all(found) if (sign == "&&") != negated else _any(found)
        parts = self._parted(start, end, tuple(_OPPOSITE))
        if parts:
            if len(parts) != 2:
                raise UnresolvedError("a comparison of comparisons")
            (left, sign), (right, _) = parts
            return self._compared(left, _OPPOSITE[sign] if negated else sign, right, negated=negated)
        if words[start][1] == "!":
            return self._of(start + 1, end, depth=depth + 1, negated=not negated)
        if self._subject((start, end)) == "empty":
            return compared_length("==" if not negated else ">", 0)
        raise UnresolvedError("a condition that is not followed")

    def _compared(self, left: tuple[int, int], sign: str, right: tuple[int, int], *, negated: bool = False) -> Bounds:
        subject = self._subject(left)
        if not subject:
            left, right, sign = right, left, _SWAPPED[sign]
            subject = self._subject(left)
        if subject not in ("value", "size") or self._subject(right):
            raise UnresolvedError("a comparison of something other than the attr and a constant")
        for kind, text, _ in self._words[slice(*right)]:
            if kind == NAME and text == self._parameter:
                raise UnresolvedError("a comparison of the attr with itself")
        limit = evaluate(self._words, *right, self._names)
        # Compared with an unsigned number, a negative attr counts as a large one.
        if subject == "value" and self._kind in WHOLE and str(kind_of(limit)) in ("unsigned int", "unsigned long"):
            raise UnresolvedError("an unsigned comparison")
        if isinstance(limit, int) and not isinstance(limit, bool):
            limit = int(limit)
        elif isinstance(limit, str):
            limit = std_string(limit)
        if subject == "size":
            return compared_length(sign, limit)
        # `!(x < 1)` lets NaN pass, `x >= 1` does not.
        if negated and self._kind not in WHOLE and sign not in ("==", "!="):
            raise UnresolvedError("a condition that NaN does not meet")
        return compared(sign, limit, self._kind)

    def _parted(self, start: int, end: int, signs: Sequence[str]) -> list[tuple[tuple[int, int], str]]:
        """Return the ranges that some signs part, each with the sign behind it; none where there is no such sign."""
        found: list[tuple[tuple[int, int], str]] = []
        since = at = start
        while at < end:
            kind, text, offset = self._words[at]
            if kind == SIGN and text in "<>" and at + 1 < end and self._words[at + 1][1:] == (text, offset + 1):
                at += 1  # a shift
            elif kind == SIGN and text in ("(", "[", "{"):
                at = self._words.closing(at)
            elif kind == SIGN and text == "<" and self._is_template(at, end):
                at = self._words.closing_angle(at)
            elif kind == SIGN and text in signs:
                found.append(((since, at), text))
                since = at + 1
            at += 1
        return [*found, ((since, end), "")] if found else []

    def _is_template(self, at: int, end: int) -> bool:
        before, text, _ = self._words[at - 1]
        if before != NAME or text == self._parameter:
            return False
        closed = self._words.closing_angle(at)
        return 0 <= closed < end - 1 and self._words[closed + 1][1] in ("(", "::")

    def _subject(self, span: tuple[int, int]) -> str:
        """The part of the parameter that an expression is: "value", "size", "empty"; "" where it is another."""
        start, end = span
        words = self._words
        while end - start > 2:
            opening = start
            if words[start][1] == "static_cast" and words[start + 1][1] == "<":
                closed = words.closing_angle(start + 1)
                target = [text for kind, text, _ in words[start + 2 : closed] if kind == NAME and text != "std"]
                if not 0 < closed < end - 1 or len(target) != 1 or target[0] not in _CASTS:
                    return ""
                inside = [text for _, text, _ in words[closed + 2 : end - 1]]
                if inside[1:] != [".", "size", "(", ")"]:  # of a number a cast may make another
                    return ""
                opening = closed + 1
            if words[opening][1] != "(" or words.closing(opening) != end - 1:
                break
            start, end = opening + 1, end - 1
        texts = [text for _, text, _ in words[start:end]]
        if not self._parameter or not texts or texts[0] != self._parameter:
            return ""
        if len(texts) == 1:
            return "value"
        has_length = self._kind.endswith("S") or self._kind == "STRING"
        if has_length and texts[1:] in ([".", "size", "(", ")"], [".", "length", "(", ")"]):
            return "size"
        return "empty" if has_length and texts[1:] == [".", "empty", "(", ")"] else ""


def _all(found: list[Bounds]) -> Bounds:
    bounds = found[0]
    for other in found[1:]:
        bounds = bounds.narrowed(other)
    return bounds


def _any(found: list[Bounds]) -> Bounds:
    """The bounds that hold if any of several do: a set of values, where each is one."""
    allowed: list[object] = []
    for each in found:
        if each.allowed is None or each.minimum is not None or each.maximum is not None:
            raise UnresolvedError("a choice of ranges")
        allowed += [value for value in each.allowed if value not in allowed]
    return Bounds(allowed=tuple(sorted(allowed)))
