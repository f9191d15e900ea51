"""The conditions under which the parts of a C++ file take effect: all that decides it, in one place.

`branches.py` has what the preprocessor decides, `reach.py` what control flow decides inside of a function. This module
adds who calls a function, and combines all conditions.
"""

from __future__ import annotations

from bisect import bisect_right

from opspec_lint.cpp.blocks import CLASS, FUNCTION
from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.cpp.preprocessed import occurrences
from opspec_lint.cpp.straight import is_straight
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, drop_unlikely, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from opspec_lint.cpp.blocks import Block
    from opspec_lint.cpp.formulas import Span
    from opspec_lint.cpp.preprocessed import CppFile
    from opspec_lint.spec.condition import Condition

_NAME_OF_FUNCTION = pattern(r"(~?\w+)\s*\(")
_VARIABLE_OF_LAMBDA = pattern(r"(\w+)\s*=\s*\[")
_INTERNAL = pattern(r"\b(?:static|namespace\s*\{)")
_KEYWORDS = frozenset({"if", "for", "while", "switch", "catch", "return", "sizeof", "decltype", "alignas", "noexcept"})


def nowhere(_: str) -> bool:
    """Return False: no other file defines a macro."""
    return False


class Liveness:
    """The conditions of the parts of a file.

    `code` is the file without what is certainly not compiled. `unread` are the functions whose statements cannot be
    told apart, each with its line and the reason; all of their text counts as reached.

    Args:
        file: the file.
        defined: the macros that every build of the file defines.
        is_defined_elsewhere: tells whether another file or a build may define a macro.
        hidden: the names of objects whose methods matter: a variable of such a name hides the object.
    """

    def __init__(
        self,
        file: CppFile,
        defined: Mapping[str, str] = {},
        is_defined_elsewhere: Callable[[str], bool] = nowhere,
        hidden: Collection[str] = (),
    ) -> None:
        conditional = file.conditional(defined, is_defined_elsewhere)
        self.code = conditional.code
        self._unlikely = conditional.unlikely
        self._compiled = conditional.spans
        self._spans: list[Span] = list(conditional.spans)
        self.unread: list[tuple[int, str]] = []
        self._hidden = hidden
        self._passed: dict[int, int] = {}
        self._entered: dict[int, Condition] = {}
        self._depth = 0
        self._indices: dict[bool, _Index] = {}

    @property
    def is_conditional(self) -> bool:
        """True if a directive may leave out a part of the file, or replaces a name in it."""
        return bool(self._compiled) or any(macro is not None for *_, macro in self.code.directives)

    def at(self, offset: int) -> tuple[Condition, int | None]:
        """Return the condition under which a statement takes effect, and the line that causes it, None for none."""
        return self._combined(self._spans, offset)

    def is_compiled(self, offset: int) -> Condition:
        """Return the condition under which a text is compiled; NEVER if that is unlikely."""
        return drop_unlikely(self._combined(self._compiled, offset)[0], self._unlikely)

    def expanded(self, names: Collection[str], offset: int, kept: str = "") -> tuple[Condition, int | None]:
        """Return the condition under which no macro of the file replaces one of several names, and the line.

        Args:
            names: the names.
            offset: the offset of a text with these names.
            kept: a text in the body of macros that have the same effect.
        """
        condition, cause = ALWAYS, None
        latest = {name: (at, macro) for at, _, name, macro in self.code.directives if at < offset and name in names}
        for name, (at, macro) in latest.items():
            if macro is not None and not (kept and kept in macro.body):
                same = requirement(f"the macro `{name}` still does the same") if name in macro.body else NEVER
                condition, cause = conjunction(condition, disjunction((negation(self.is_compiled(at)), same))), at
        return condition, None if cause is None else self.code.place(cause)[0]

    def restrict(self, start: int, end: int, condition: Condition, cause: int) -> None:
        """Note that a part takes effect under a condition only; `cause` is the offset of what says so."""
        if condition != ALWAYS:
            self._spans.append((start, end, condition, cause))

    def follow(self, start: int, end: int, last: int) -> None:
        """Follow the statements of a function, unless control simply passes them.

        Args:
            start: the offset after the brace that opens its body.
            end: the offset of the brace that closes it.
            last: the offset of the last statement that matters.
        """
        if self._passed.get(start, 0) >= last:
            return
        if is_straight(self.code.bare, start, last, self._hidden):
            self._passed[start] = last
            return
        from opspec_lint.cpp.reach import Reach

        self._passed[start] = len(self.code.bare)
        try:
            self._spans += attempt(lambda: Reach(self.code, start, end, self.is_compiled, self._hidden).spans)
        except UnresolvedError as error:
            self.unread.append((self.code.place(start)[0], error.reason))

    def enter(self, offset: int, entry: Callable[[str, tuple[str, ...]], Condition | None]) -> Condition:
        """Return the condition under which the function around an offset is called, ALWAYS outside of functions.

        The statements of the function are followed. What it needs is noted for all of its body.

        Args:
            offset: the offset.
            entry: returns the condition under which the framework calls a function, None where only the file does. It
                takes the text before the body, and the names of the namespaces and classes around it.
        """
        block = self.code.blocks().at(offset)
        outermost = [around for around in block.around() if around.kind == FUNCTION] if block is not None else []
        if not outermost:
            return ALWAYS
        function = outermost[-1]
        self.follow(function.start + 1, function.end, function.end)
        if function.start not in self._entered:
            self._entered[function.start] = NEVER  # a function that only calls itself is not called
            self._depth += 1
            deep = requirement(f"functions call each other more than {MAX_DEPTH} deep")
            condition = self._called(function, entry) if self._depth <= MAX_DEPTH else deep
            self._depth -= 1
            self._entered[function.start] = condition
            self.restrict(function.start, function.end, condition, function.start)
        return self._entered[function.start]

    def _called(self, function: Block, entry: Callable[[str, tuple[str, ...]], Condition | None]) -> Condition:
        bare = self.code.bare
        start = self.code.blocks().statement_start(function.start - 1)
        head = bare[start : function.start]
        scope = function.outer.path() if function.outer is not None else ()
        condition = entry(head, scope)
        if condition is not None:
            return condition
        variable = _VARIABLE_OF_LAMBDA.search(head)
        if variable is not None and bare[function.end + 1 : function.end + 9].lstrip().startswith("("):
            return ALWAYS
        match = variable or _NAME_OF_FUNCTION.search(head)
        name = match[1] if match is not None else ""
        calls: list[Condition] = []
        for place in occurrences(bare, name, 0, len(bare)):
            is_call = bare[place + len(name) :].lstrip()[:1] == "(" and not start <= place < function.end
            if is_call and not self._is_declaration(place, name):
                calls.append(conjunction(self.enter(place, entry), self.at(place)[0]))
        if not calls and not self._is_internal(head, function, is_lambda=variable is not None):
            return requirement(f"another file calls `{name}`")
        return disjunction(calls) if calls else NEVER

    def _is_declaration(self, place: int, name: str) -> bool:
        """Return whether a name before a parenthesis declares a function instead of calling it."""
        block = self.code.blocks().at(place)
        if block is not None and block.kind == FUNCTION:
            return False
        before = self.code.bare[self.code.blocks().statement_start(place) : place]
        after = self.code.bare[place + len(name) :]
        return "=" not in before and not before.rstrip().endswith("return") and ")" in after

    def _is_internal(self, head: str, function: Block, *, is_lambda: bool) -> bool:
        """Return whether no other file can call a function."""
        is_member = function.outer is not None and function.outer.kind == CLASS
        if is_lambda or (_INTERNAL.search(head) and not is_member):
            return True
        around = function.outer.around() if function.outer is not None else ()
        return any(not block.names and "inline" not in self._head(block) for block in around if block.kind != FUNCTION)

    def _head(self, block: Block) -> str:
        start = self.code.blocks().statement_start(block.start - 1)
        text = self.code.bare[start : block.start]
        return text if "namespace" in text and "extern" not in text else "inline"

    def _combined(self, spans: Sequence[Span], offset: int) -> tuple[Condition, int | None]:
        key = spans is self._spans
        index = self._indices.get(key)
        if index is None or index.size != len(spans):
            index = self._indices[key] = _Index(spans)
        condition, cause = ALWAYS, None
        for _, _, own, place in index.at(offset):
            narrowed = conjunction(condition, own)
            if narrowed != condition:
                condition, cause = narrowed, place
        return condition, None if cause is None else self.code.place(cause)[0]


class _Index:
    """The spans around each offset; `size` is how many spans there are."""

    __slots__ = ("_around", "_edges", "size")

    def __init__(self, spans: Sequence[Span]) -> None:
        self.size = len(spans)
        self._edges = sorted({edge for start, end, _, _ in spans for edge in (start, end)})
        self._around: list[tuple[Span, ...]] = []
        waiting = sorted(spans, key=lambda span: span[0], reverse=True)
        active: list[Span] = []
        for edge in self._edges:
            active = [span for span in active if span[1] > edge]
            while waiting and waiting[-1][0] == edge:
                active.append(waiting.pop())
            self._around.append(tuple(active))

    def at(self, offset: int) -> tuple[Span, ...]:
        """Return the spans around an offset."""
        index = bisect_right(self._edges, offset) - 1
        return self._around[index] if index >= 0 else ()
