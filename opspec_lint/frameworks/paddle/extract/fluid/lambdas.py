"""The bounds that a lambda given to AddCustomChecker enforces, where they are comparisons with constants.

[](const float& p) { PADDLE_ENFORCE_EQ(p >= 0.0f && p <= 1.0f, true, ...); }

The framework drops the result of a checker: `return !path.empty();` enforces nothing.
"""

from __future__ import annotations

from opspec_lint.cpp.expressions import evaluate
from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.cpp.numbers import kind_of
from opspec_lint.cpp.tokens import NAME, SIGN, split_arguments, statement_end
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import std_string
from opspec_lint.frameworks.paddle.extract.bounds import (
    UNKNOWN_BOUNDS,
    WHOLE,
    Bounds,
    bounds_of_comparison,
    bounds_of_length,
)

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
# The comparison that holds where another one fails, and the one with exchanged sides.
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_SWAPPED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_CASTS = frozenset({"int", "int32_t", "int64_t", "size_t"})
_MAX_TOKENS = 1000
"""The length at which a lambda is no longer read, several times that of the longest one in Paddle."""
_LEAVING = frozenset({"return", "goto", "break", "throw", "exit", "abort"})


def bounds_of_lambda(tokens: Tokens, start: int, end: int, names: NameResolver, kind: str) -> Bounds:
    """Return the bounds that the lambda in a range of tokens enforces on its parameter, an attr of type `kind`.

    Raises UnresolvedError for tokens that are no lambda, or one that cannot be evaluated.
    """
    if end - start > _MAX_TOKENS:
        raise UnresolvedError("a lambda that is too long")
    parameter, at, stop = _parse_head(tokens, start, end)
    condition = _Condition(tokens, names, kind, parameter)
    bounds = Bounds()
    while at < stop:
        text = tokens[at][1]
        if text == ";":
            at += 1
        elif text == "for" and kind.endswith("S"):
            # A loop over the items sets no bound of the length, but may limit the items.
            at = _skip_loop(tokens, at, stop)
            bounds = bounds.intersect(UNKNOWN_BOUNDS)
        elif text == "PADDLE_ENFORCE" or text in _COMPARING:
            closed = tokens.closing(at + 1)
            # `if (x) PADDLE_ENFORCE(...)` or `a ? b : PADDLE_ENFORCE(...)` would check under a condition only.
            if statement_end(tokens, at) != closed + 1:
                raise UnresolvedError("a check inside another expression")
            try:
                bounds = bounds.intersect(condition.bounds_of_check(text, at + 2, closed))
            except UnresolvedError:
                # Checks that were understood keep their bounds.
                bounds = bounds.intersect(UNKNOWN_BOUNDS)
            at = closed + 1
        elif text == "return":
            condition.check_harmless(at + 1, statement_end(tokens, at))
            break
        else:
            raise UnresolvedError("a check that cannot be evaluated")
    return bounds


def _parse_head(tokens: Tokens, start: int, end: int) -> tuple[str, int, int]:
    """Return the name of the parameter of a lambda, and the range of its body."""
    if start >= end or tokens[start][1] != "[":
        raise UnresolvedError("a checker that is not a lambda")
    captured = tokens.closing(start)
    # Only captures by name or default are read: `[x = f()]` could change what a name means in the body.
    is_list = all(kind == NAME or text in "&=,*" for kind, text, _ in tokens[start + 1 : captured])
    if not is_list or any(
        tokens[at][1] == "=" and tokens[at + 1][1] not in (",", "]") for at in range(start + 1, captured)
    ):
        raise UnresolvedError("a lambda that captures something else")
    if captured + 1 >= end or tokens[captured + 1][1] != "(":
        raise UnresolvedError("a lambda without a parameter")
    closed = tokens.closing(captured + 1)
    kind, name, _ = tokens[closed - 1]
    body = closed + 1
    if [text for _, text, _ in tokens[body : body + 2]] == ["->", "void"]:
        body += 2
    if body >= end or tokens[body][1] != "{" or tokens.closing(body) != end - 1:
        raise UnresolvedError("a lambda without a body")
    return name if kind == NAME else "", body + 1, end - 1


def _skip_loop(tokens: Tokens, at: int, stop: int) -> int:
    """Return the index behind a loop, which may not leave the function."""
    closed = tokens.closing(at + 1)
    if closed + 1 >= stop or tokens[closed + 1][1] != "{":
        raise UnresolvedError("a loop without braces")
    behind = tokens.closing(closed + 1) + 1
    if any(kind == NAME and text in _LEAVING for kind, text, _ in tokens[at:behind]):
        raise UnresolvedError("a loop that may end early")
    return behind


class _Condition:
    """Reader of conditions on the parameter of a lambda."""

    def __init__(self, tokens: Tokens, names: NameResolver, kind: str, parameter: str) -> None:
        self._tokens = tokens
        self._names = names
        self._kind = kind
        self._parameter = parameter

    def bounds_of_check(self, name: str, start: int, end: int) -> Bounds:
        """Return the bounds that a check such as `PADDLE_ENFORCE_GE(p, 0)` enforces, given its argument range."""
        arguments = split_arguments(self._tokens, start, end)
        sign = _COMPARING.get(name)
        if sign is None:
            return self._bounds_of_condition(*arguments[0], depth=0)
        if len(arguments) < 2:
            raise UnresolvedError(f"{name} of one argument")
        left, right = arguments[:2]
        # PADDLE_ENFORCE_EQ(condition, true) enforces the condition, PADDLE_ENFORCE_EQ(condition, false) its contrary.
        if sign in ("==", "!="):
            for condition, (start_of_constant, end_of_constant) in ((left, right), (right, left)):
                constant = self._tokens[start_of_constant][1]
                if end_of_constant == start_of_constant + 1 and constant in ("true", "false"):
                    has_to_hold = (constant == "true") == (sign == "==")
                    return self._bounds_of_condition(*condition, depth=0, negated=not has_to_hold)
        return self._bounds_of_comparison(left, sign, right)

    def check_harmless(self, start: int, end: int) -> None:
        """Raise UnresolvedError if an expression may do more than yield a value."""
        for at in range(start, end):
            if self._tokens[at][1] == "(" and at > start and self._tokens[at - 1][0] == NAME:
                if self._tokens[at - 1][1] not in ("empty", "size"):
                    raise UnresolvedError("a call that is not evaluated")
            elif self._tokens[at][1] in ("=", "+=", "-=", "|=", "{"):
                raise UnresolvedError("an expression that is not evaluated")

    def _bounds_of_condition(self, start: int, end: int, *, depth: int, negated: bool = False) -> Bounds:
        """Return the bounds within which a condition holds, or fails if `negated`."""
        if depth > MAX_DEPTH or start >= end:
            raise UnresolvedError("a condition that is not evaluated")
        tokens = self._tokens
        if tokens[start][1] == "(" and tokens.closing(start) == end - 1:
            return self._bounds_of_condition(start + 1, end - 1, depth=depth + 1, negated=negated)
        # The operator of the lowest precedence first.
        for sign in ("||", "&&"):
            parts = self._split_at(start, end, (sign,))
            if parts:
                bounds = [self._bounds_of_condition(*part, depth=depth + 1, negated=negated) for part, _ in parts]
                # `!(a || b)` is `!a && !b`.
                all_hold = (sign == "&&") != negated
                return _intersection(bounds) if all_hold else _union(bounds)
        parts = self._split_at(start, end, tuple(_OPPOSITE))
        if parts:
            if len(parts) != 2:
                raise UnresolvedError("a comparison of comparisons")
            (left, sign), (right, _) = parts
            return self._bounds_of_comparison(left, _OPPOSITE[sign] if negated else sign, right, negated=negated)
        if tokens[start][1] == "!":
            return self._bounds_of_condition(start + 1, end, depth=depth + 1, negated=not negated)
        if self._subject((start, end)) == "empty":
            return bounds_of_length("==" if not negated else ">", 0)
        raise UnresolvedError("a condition that is not evaluated")

    def _bounds_of_comparison(
        self, left: tuple[int, int], sign: str, right: tuple[int, int], *, negated: bool = False
    ) -> Bounds:
        """Return the bounds of a comparison of the parameter or its length with a constant, on either side."""
        subject = self._subject(left)
        if not subject:
            left, right, sign = right, left, _SWAPPED[sign]
            subject = self._subject(left)
        if subject not in ("value", "size") or self._subject(right):
            raise UnresolvedError("a comparison of something other than the attr and a constant")
        for kind, text, _ in self._tokens[slice(*right)]:
            if kind == NAME and text == self._parameter:
                raise UnresolvedError("a comparison of the attr with itself")
        limit = evaluate(self._tokens, *right, self._names)
        # Compared with an unsigned number, a negative attr counts as a large one.
        if subject == "value" and self._kind in WHOLE and str(kind_of(limit)) in ("unsigned int", "unsigned long"):
            raise UnresolvedError("an unsigned comparison")
        if isinstance(limit, int) and not isinstance(limit, bool):
            limit = int(limit)
        elif isinstance(limit, str):
            limit = std_string(limit)
        if subject == "size":
            return bounds_of_length(sign, limit)
        # `!(x < 1)` lets NaN pass, `x >= 1` does not.
        if negated and self._kind not in WHOLE and sign not in ("==", "!="):
            raise UnresolvedError("a condition that NaN does not meet")
        return bounds_of_comparison(sign, limit, self._kind)

    def _split_at(self, start: int, end: int, signs: Sequence[str]) -> list[tuple[tuple[int, int], str]]:
        """Return the ranges between some operators, each with the operator behind it; none without operators."""
        parts: list[tuple[tuple[int, int], str]] = []
        part_start = at = start
        while at < end:
            kind, text, offset = self._tokens[at]
            if kind == SIGN and text in "<>" and at + 1 < end and self._tokens[at + 1][1:] == (text, offset + 1):
                at += 1  # a shift
            elif kind == SIGN and text in ("(", "[", "{"):
                at = self._tokens.closing(at)
            elif kind == SIGN and text == "<" and self._is_template(at, end):
                at = self._tokens.closing_angle(at)
            elif kind == SIGN and text in signs:
                parts.append(((part_start, at), text))
                part_start = at + 1
            at += 1
        return [*parts, ((part_start, end), "")] if parts else []

    def _is_template(self, at: int, end: int) -> bool:
        """Return whether a `<` opens template arguments."""
        before, text, _ = self._tokens[at - 1]
        if before != NAME or text == self._parameter:
            return False
        closed = self._tokens.closing_angle(at)
        return 0 <= closed < end - 1 and self._tokens[closed + 1][1] in ("(", "::")

    def _subject(self, span: tuple[int, int]) -> str:
        """Return how an expression uses the parameter: "value", "size", "empty", or "" if not at all."""
        start, end = span
        tokens = self._tokens
        while end - start > 2:
            opening = start
            if tokens[start][1] == "static_cast" and tokens[start + 1][1] == "<":
                closed = tokens.closing_angle(start + 1)
                target = [text for kind, text, _ in tokens[start + 2 : closed] if kind == NAME and text != "std"]
                if not 0 < closed < end - 1 or len(target) != 1 or target[0] not in _CASTS:
                    return ""
                inside = [text for _, text, _ in tokens[closed + 2 : end - 1]]
                # A cast of the attr itself may change its value; the cast of a length does not.
                if inside[1:] != [".", "size", "(", ")"]:
                    return ""
                opening = closed + 1
            if tokens[opening][1] != "(" or tokens.closing(opening) != end - 1:
                break
            start, end = opening + 1, end - 1
        texts = [text for _, text, _ in tokens[start:end]]
        if not self._parameter or not texts or texts[0] != self._parameter:
            return ""
        if len(texts) == 1:
            return "value"
        has_length = self._kind.endswith("S") or self._kind == "STRING"
        if has_length and texts[1:] in ([".", "size", "(", ")"], [".", "length", "(", ")"]):
            return "size"
        return "empty" if has_length and texts[1:] == [".", "empty", "(", ")"] else ""


def _intersection(bounds_list: list[Bounds]) -> Bounds:
    """Return the bounds that several conditions joined by AND set."""
    bounds = bounds_list[0]
    for bounds_of_part in bounds_list[1:]:
        bounds = bounds.intersect(bounds_of_part)
    return bounds


def _union(alternatives: list[Bounds]) -> Bounds:
    """Return the bounds of conditions joined by OR; each has to be a set of values."""
    allowed: list[object] = []
    for alternative in alternatives:
        if alternative.allowed is None or alternative.minimum is not None or alternative.maximum is not None:
            raise UnresolvedError("a choice of ranges")
        allowed += [value for value in alternative.allowed if value not in allowed]
    return Bounds(allowed=tuple(sorted(allowed)))
