"""The expansion of macros in parts of a C++ file: each macro as it is defined at the place of its use."""

from __future__ import annotations

from bisect import bisect_right
from functools import partial
from itertools import pairwise

from opspec_lint.cpp.guarding_macros import drops_arguments
from opspec_lint.cpp.macros import Expander
from opspec_lint.cpp.tokens import tokenize
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from opspec_lint.cpp.macro import Macro
    from opspec_lint.cpp.preprocessed import CppFile
    from opspec_lint.cpp.tokens import Token
    from opspec_lint.spec.condition import Condition

    Redefinition = tuple[int, str, "Macro | None"]
    """The offset of a directive, the name of its macro, and the macro, None for `#undef`."""

_INCLUDE = pattern(r'#[ \t]*include[ \t]*"([^"\n]+)"')


def include_names(text: str) -> list[str]:
    """Return the names that a text includes in quotes; only blanks precede a directive in its line."""
    return [
        match[1]
        for match in _INCLUDE.finditer(text)
        if not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].strip()
    ]


def redefinitions(source: CppFile) -> list[Redefinition]:
    """Return the directives of the macros that `#undef` removes, such as those that two lists take in turn."""
    directives = [(offset, name, macro) for offset, _, name, macro in source.macro_directives()]
    removed = {name for _, name, macro in directives if macro is None}
    return [directive for directive in directives if directive[1] in removed]


def first_definitions(source: CppFile) -> dict[str, int]:
    """Return the offset of the first definition of each macro of a file, before which its name is no macro."""
    return {name: offset for offset, _, name, macro in reversed([*source.macro_directives()]) if macro is not None}


def executing_macros(
    macros: Mapping[str, Macro], source: CppFile, compiled_if: Callable[[int], Condition]
) -> dict[str, Macro]:
    """Return macros with another definition in place of each that drops its arguments, if a build compiles one.

    A macro that no build defines is left out, and so is one that only some builds define to nothing.

    The macro then guards its arguments (`guarding_macros`), so that they take effect under a condition. `compiled_if`
    returns the condition under which the directive at an offset counts.
    """
    result = dict(macros)
    for name, macro in macros.items():
        if drops_arguments(macro):
            definitions = {
                definition: compiled_if(at)
                for at, _, defined, definition in source.macro_directives()
                if defined == name and definition is not None
            }
            conditions = definitions.values()
            compiled = [definition for definition, condition in definitions.items() if condition != NEVER]
            executing = [definition for definition in compiled if not drops_arguments(definition)]
            if executing or (compiled and (macro.body.strip() or ALWAYS in conditions)):
                result[name] = next(iter(executing), macro)
            else:
                del result[name]
    return result


def expanded_tokens(text: str, span: tuple[int, int], macros: Mapping[str, Macro], source: CppFile) -> list[Token]:
    """Return the tokens of a part of a text with macros expanded, each with the offset of its origin in the text.

    Raises:
        UnresolvedError: the macros grow without end.
    """
    redefined, first = redefinitions(source), first_definitions(source)
    offsets = {*(offset for offset, *_ in redefined), *first.values()}
    edges = [span[0], *sorted(offset for offset in offsets if span[0] < offset < span[1]), span[1]]
    pieces = [
        piece
        for start, end in pairwise(edges)
        for piece in Expander(partial(_macro_at, start, macros, redefined, first)).pieces(text[start:end], start)
    ]
    begins: list[int] = []
    size = 0
    for piece in pieces:
        begins.append(size)
        size += len(piece.text)
    whole = "".join([piece.text for piece in pieces])
    return [
        (kind, token, pieces[bisect_right(begins, at) - 1].offset)
        for kind, token, at in tokenize(whole, 0, size, limit=size)
    ]


def _macro_at(
    offset: int, macros: Mapping[str, Macro], redefined: Sequence[Redefinition], first: Mapping[str, int], name: str
) -> Macro | None:
    """Return the macro of a name at an offset, None if there is none, or if a later line defines it."""
    if name not in macros or first.get(name, -1) > offset:
        return None
    earlier = [macro for at, defined, macro in redefined if defined == name and at <= offset]
    return earlier[-1] if earlier else macros[name]
