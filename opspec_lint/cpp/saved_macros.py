"""The macros that `#pragma pop_macro` restores.

https://gcc.gnu.org/onlinedocs/gcc/Push_002fPop-Macro-Pragmas.html
"""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Directive = tuple[int, int, str, str]
    """The start, the end, the keyword and the rest of a directive."""

_NAME = pattern(r"[A-Za-z_]\w*")
_SAVED = pattern(r"\s*(push|pop)_macro\s*\(\s*\"(\w+)\"\s*\)")


def with_restored_macros(directives: Sequence[Directive]) -> Iterator[Directive]:
    """Yield directives with a `#define` or `#undef` in place of each `pop_macro`, which has the same effect.

    A macro that another file defines counts as removed before and after.
    """
    latest: dict[str, tuple[str, str]] = {}
    saved: dict[str, list[tuple[str, str]]] = {}
    for start, end, keyword, rest in directives:
        pragma = _SAVED.match(rest) if keyword == "pragma" else None
        name = _NAME.search(rest) if keyword in ("define", "undef") else None
        if name is not None:
            latest[name[0]] = keyword, rest
        if pragma is not None and pragma[1] == "pop" and saved.get(pragma[2]):
            latest[pragma[2]] = saved[pragma[2]].pop()
            yield start, end, *latest[pragma[2]]
            continue
        if pragma is not None and pragma[1] == "push":
            saved.setdefault(pragma[2], []).append(latest.get(pragma[2], ("undef", pragma[2])))
        yield start, end, keyword, rest
