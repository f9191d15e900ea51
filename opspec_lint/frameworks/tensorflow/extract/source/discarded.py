"""The invocations of macros around registrations, and the builds that replace the macros that register ops."""

from __future__ import annotations

from opspec_lint.cpp.liveness import Liveness
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from opspec_lint.cpp.preprocessed import CppFile
    from opspec_lint.spec.condition import Condition

_NAME_BEHIND = pattern(r"(\w+)\s*\Z")
_FAR = 200


def outermost_invocations(bare: str, starts: Iterable[int], is_macro: Callable[[str], bool]) -> Iterator[int]:
    """Yield the offsets of registrations, or of the invocations of macros that they are arguments of, in order.

    `starts` are the offsets in order, and `bare` the text without comments and strings.
    """
    depth = since = 0
    last = -1
    for start in starts:
        depth += bare.count("(", since, start) - bare.count(")", since, start)
        since = start
        offset = _invocation_around(bare, start, is_macro) if depth else start
        if offset != last:
            yield offset
        last = offset


def _invocation_around(bare: str, start: int, is_macro: Callable[[str], bool]) -> int:
    """Return the offset of the outermost invocation of a macro around an offset, the offset itself if there is none."""
    result, closed, at = start, 0, start
    while (at := max(bare.rfind("(", 0, at), bare.rfind(")", 0, at))) >= 0:
        if bare[at] == ")":
            closed += 1
        elif closed:
            closed -= 1
        else:
            name = _NAME_BEHIND.search(bare, max(0, at - _FAR), at)
            if name is None or not is_macro(name[1]):
                break
            result = name.start()
    return result


def kept_condition(file: CppFile, build: Mapping[str, str], name: str, offset: int) -> Condition:
    """Return the condition under which no directive of a file replaces a macro before an offset, in any build."""
    return Liveness(file, build, lambda _: True).unreplaced({name}, offset, kept=name)[0]
