"""The labels of a C++ `switch`."""

from __future__ import annotations

from opspec_lint.cpp.unresolved import UnresolvedError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.cpp.tokens import Tokens


def switch_labels(tokens: Tokens, at: int, end: int) -> dict[int, tuple[int, int] | None]:
    """Return the labels of a switch by index: the range of tokens of the value, None for `default`.

    Raises:
        UnresolvedError: an inner block has a label of the switch.
    """
    labels: dict[int, tuple[int, int] | None] = {}
    while at < end:
        text = tokens[at][1]
        if text == "{":
            closed = tokens.closing(at)
            inner = {text for _, text, _ in tokens[at:closed]}
            if "case" in inner and "switch" not in inner:
                raise UnresolvedError("a label of `switch` in an inner block is not evaluated")
            at = closed
        elif text == "default" and at + 1 < len(tokens) and tokens[at + 1][1] == ":":
            labels[at] = None
        elif text == "case":
            colon = at + 1
            while colon < end and tokens[colon][1] != ":":
                colon += 1
            labels[at] = (at + 1, colon)
        at += 1
    return labels
