"""The conditions under which the parts of a C++ file are executed, combined from three sources.

The preprocessor decides which lines are compiled (`branches.py`), control flow which statements of a function are
reached (`reach.py`), and this module adds under which conditions a function is called.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from contextlib import suppress
from itertools import islice, takewhile

from opspec_lint.cpp.blocks import CLASS, FUNCTION, TEMPLATE_HEAD, name_of_function
from opspec_lint.cpp.limits import MAX_DEPTH
from opspec_lint.cpp.preprocessed import occurrences
from opspec_lint.cpp.straight import is_straight
from opspec_lint.cpp.tokens import closing_parenthesis
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.condition import ALWAYS, NEVER, conjunction, disjunction, drop_unlikely, negation, requirement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from opspec_lint.cpp.blocks import Block
    from opspec_lint.cpp.endings import ControlFlowNames
    from opspec_lint.cpp.formulas import Span
    from opspec_lint.cpp.preprocessed import CppFile
    from opspec_lint.spec.condition import Condition

_VARIABLE_OF_LAMBDA = pattern(r"(\w+)\s*=\s*\[")
_LAMBDA = pattern(r"[^;\w\])\s]\s*\[[^\[\]]*\]\s*(?:\([^;]*)?\Z")
"""The head of a lambda that is part of an expression; `x[0]` is an element, and `[[x]]` an attribute."""
_CLASS_KEYWORD = pattern(r"(?:struct|class|union)\s+\w+[^;(){}]*\{")
_HEAD_OF_CLASS = pattern(r"\b(?:struct|class|union)\b[^;(){}]*\Z")
_ENDS_OF_ARGUMENT = (",", ")", "}")
"""Characters after the name of a function that is an argument: `std::call_once(flag, add_all)`."""
_NEAR = 100
"""Characters after a name in which its parenthesis is searched, so that not the rest of the file is copied."""
_INTERNAL = pattern(r"\b(?:static|namespace\s*\{)")
_KEYWORDS = frozenset({"if", "for", "while", "switch", "catch", "return", "sizeof", "decltype", "alignas", "noexcept"})


def defined_nowhere(_: str) -> bool:
    """Return False, for a file whose macros no other file defines."""
    return False


def local_method_called(name: str) -> Condition:
    """Return the condition that a method of a class in a function is called."""
    return requirement(f"`{name}` of a local class is called")


class Liveness:
    """The conditions of the parts of a file.

    `code` is the file without the parts that no build compiles. `unread` are the functions whose statements cannot be
    followed, as (line, reason); all of their text counts as reached.

    Args:
        file: the file.
        defined: the macros that every build of the file defines.
        is_defined_elsewhere: returns whether another file or a build may define a macro.
        hidden: the names of objects whose methods matter: a variable with such a name hides the object.
    """

    def __init__(
        self,
        file: CppFile,
        defined: Mapping[str, str] = {},
        is_defined_elsewhere: Callable[[str], bool] = defined_nowhere,
        hidden: Collection[str] = (),
    ) -> None:
        conditional = file.conditional(defined, is_defined_elsewhere)
        self.code = conditional.code
        self._unlikely = conditional.unlikely
        self._compile_spans = conditional.spans
        self._spans: list[Span] = list(conditional.spans)
        self._indices: dict[bool, _SpanIndex] = {}
        self.unread: list[tuple[int, str]] = []
        self._hidden = hidden
        self._followed_up_to: dict[int, int] = {}
        self._call_conditions: dict[int, Condition] = {}
        self._depth = 0
        self._control_names: ControlFlowNames | None = None
        self._restrict_failed_assertions()
        self._restrict_skipped_arguments()

    @property
    def is_conditional(self) -> bool:
        """True if a directive may leave out a part of the file, or replaces a name in it."""
        return bool(self._compile_spans) or any(macro is not None for *_, macro in self.code.directives)

    def at(self, offset: int) -> tuple[Condition, int | None]:
        """Return the condition under which a statement is executed, and the line that causes it, None for ALWAYS."""
        return self._combine_spans(self._spans, offset)

    def is_compiled(self, offset: int) -> Condition:
        """Return the condition under which a text is compiled; NEVER if that is unlikely."""
        return drop_unlikely(self._combine_spans(self._compile_spans, offset)[0], self._unlikely)

    def unreplaced(self, names: Collection[str], offset: int, kept: str = "") -> tuple[Condition, int | None]:
        """Return the condition under which no macro of the file replaces one of several names, and the line.

        Args:
            names: the names.
            offset: the offset of a text with these names.
            kept: a text in the body of macros that have the same effect.
        """
        condition, cause = ALWAYS, None
        # Of several directives for a name the last one counts, which is the one that a dict keeps.
        latest = {name: (at, macro) for at, _, name, macro in self.code.directives if at < offset and name in names}
        for name, (at, macro) in latest.items():
            if macro is not None and not (kept and kept in macro.body):
                same = requirement(f"the macro `{name}` still does the same") if name in macro.body else NEVER
                condition, cause = conjunction(condition, disjunction((negation(self.is_compiled(at)), same))), at
        return condition, None if cause is None else self.code.place(cause)[0]

    def restrict(self, start: int, end: int, condition: Condition, cause: int) -> None:
        """Add a condition to a part of the file; `cause` is the offset of its reason."""
        if condition != ALWAYS:
            self._spans.append((start, end, condition, cause))

    def follow(self, start: int, end: int, last: int) -> None:
        """Add the conditions of the statements of a function, which begins at `start` and ends at `end`.

        Straight code up to the last statement that matters, `last`, needs no analysis.
        """
        if self._followed_up_to.get(start, 0) >= last:
            return
        defined = [name for *_, name, macro in self.code.directives if macro is not None]
        if is_straight(self.code.bare, start, last, self._hidden, defined):
            self._followed_up_to[start] = last
            return
        from opspec_lint.cpp.ending_functions import declared_ending
        from opspec_lint.cpp.endings import ControlFlowNames, ending_macros
        from opspec_lint.cpp.guarding_macros import guarding_macros
        from opspec_lint.cpp.reach import Reach
        from opspec_lint.cpp.returning_calls import ReturningCalls

        self._restrict_local_methods(start, end)
        # Before the analysis, so that one that fails is not repeated for each statement of the function.
        self._followed_up_to[start] = len(self.code.bare)
        try:
            if self._control_names is None:
                guards = guarding_macros(self.code, self.is_compiled)
                names = ControlFlowNames(declared_ending(self.code), ending_macros(self.code), guards)
                self._control_names = ReturningCalls(self.code, self.is_compiled, names).control_names
            names = self._control_names
            reach = attempt(lambda: Reach(self.code, start, end, self.is_compiled, self._hidden, control_names=names))
            self._spans += reach.spans
        except UnresolvedError as error:
            self.unread.append((self.code.place(start)[0], error.reason))

    def enter(self, offset: int, entry: Callable[[str, tuple[str, ...]], Condition | None]) -> Condition:
        """Return the condition under which the function around an offset is called, ALWAYS outside of functions.

        The condition is added to all of its body, and the statements in it are followed.

        `entry` returns the condition under which the framework calls a function, None if only the file may call it. It
        takes the text before the body, and the names of the namespaces and classes around it.
        """
        function = self.code.blocks().function_around(offset)
        if function is None:
            return self._enter_class(offset)
        self.follow(function.start + 1, function.end, function.end)
        if function.start not in self._call_conditions:
            # Until its callers are known: a function that only calls itself is never called.
            self._call_conditions[function.start] = NEVER
            self._depth += 1
            deep = requirement(f"functions call each other more than {MAX_DEPTH} deep")
            condition = self._call_condition(function, entry) if self._depth <= MAX_DEPTH else deep
            self._depth -= 1
            self._call_conditions[function.start] = condition
            self.restrict(function.start, function.end, condition, function.start)
        return self._call_conditions[function.start]

    def _enter_class(self, offset: int) -> Condition:
        """Return the condition under which the static members of the classes around an offset exist.

        Members of a class template do where a program instantiates it and uses them: [temp.inst].
        """
        condition, block = ALWAYS, self.code.blocks().at(offset)
        for around in () if block is None else block.around():
            if around.kind == CLASS and TEMPLATE_HEAD.search(self.code.blocks().head(around)):
                instantiated = requirement(f"a program uses the member of the template `{''.join(around.names)}`")
                condition = conjunction(condition, instantiated)
                if around.start not in self._call_conditions:
                    self._call_conditions[around.start] = instantiated
                    self.restrict(around.start, around.end, instantiated, around.start)
        return condition

    def _restrict_failed_assertions(self) -> None:
        """Add, for each assertion that fails, that no build compiles the file with it."""
        if "static_assert" not in self.code.bare:
            return
        from opspec_lint.cpp.assertions import failed_assertions

        for at in failed_assertions(self.code):
            self._spans.append((0, len(self.code.bare), negation(self.is_compiled(at)), at))

    def _restrict_skipped_arguments(self) -> None:
        """Add the conditions of the arguments of macros outside of functions, which the macros may skip."""
        code, bare = self.code, self.code.bare
        names = {name for *_, name, macro in code.directives if macro is not None and macro.parameters}
        places = [(name, at) for name in names for at in occurrences(bare, name, 0, len(bare))]
        outside = [(name, at) for name, at in places if code.blocks().function_around(at) is None]
        if not outside:
            return
        from opspec_lint.cpp.guarding_macros import guarding_macros

        with suppress(UnresolvedError):
            guards = guarding_macros(code, self.is_compiled)
            for name, at in outside:
                guard, opening = guards.get(name), bare.find("(", at)
                if guard is not None and guard.is_for_arguments and guard.counts_at(at) and opening > 0:
                    start = at if guard.covers_name else opening
                    self.restrict(start, closing_parenthesis(bare, opening), guard.condition, at)

    def _restrict_local_methods(self, start: int, end: int) -> None:
        """Add the condition that they are called to the methods of classes inside of a function's body."""
        bare, blocks = self.code.bare, self.code.blocks()
        if not _CLASS_KEYWORD.search(bare, start, end):
            return
        first = bisect_left(blocks.all, start, key=lambda block: block.start)
        for method in takewhile(lambda block: block.start < end, islice(blocks.all, first, None)):
            if not self._is_local_class(method.outer):
                continue
            name = name_of_function(blocks.head(method))
            start_of_method = blocks.head_start(method)
            is_used = any(not start_of_method <= at < method.end for at in occurrences(bare, name, 0, len(bare)))
            # The name of a constructor is used where the class begins, and that of an operator nowhere.
            is_nameless = not name or name.startswith("~") or "operator" in blocks.head(method)
            condition = local_method_called(name) if is_used or is_nameless else NEVER
            self.restrict(method.start, method.end, condition, method.start)

    def _is_local_class(self, block: Block | None) -> bool:
        """Return whether a block in a function is the body of a class."""
        if block is None or block.kind != FUNCTION:
            return False
        return _HEAD_OF_CLASS.search(self.code.blocks().head(block)) is not None

    def _call_condition(self, function: Block, entry: Callable[[str, tuple[str, ...]], Condition | None]) -> Condition:
        """Return the condition under which a function is called: by the framework, another file, or this file."""
        bare = self.code.bare
        start, head = self.code.blocks().head_start(function), self.code.blocks().head(function)
        scope = function.outer.path() if function.outer is not None else ()
        condition = entry(head, scope)
        if condition is not None:
            return condition
        variable = _VARIABLE_OF_LAMBDA.search(head)
        # `x = [] {...}();` calls the lambda where it is defined, so that it needs no other caller.
        if variable is not None and bare[function.end + 1 : function.end + 9].lstrip().startswith("("):
            return ALWAYS
        is_part_of_expression = variable is None and _LAMBDA.search(head) is not None
        name = "" if is_part_of_expression else variable[1] if variable is not None else name_of_function(head)
        if not name:
            return requirement(f"the function in line {self.code.place(function.start)[0]} is called")
        calls: list[Condition] = []
        for place in occurrences(bare, name, 0, len(bare)):
            if start <= place < function.end:
                continue
            is_followed_by = bare[place + len(name) : place + len(name) + _NEAR].lstrip()[:1]
            if is_followed_by == "(" and not self._is_declaration(place):
                calls.append(conjunction(self.enter(place, entry), self.at(place)[0]))
            elif is_followed_by in _ENDS_OF_ARGUMENT:
                calls.append(requirement(f"`{name}` is called through a pointer"))
        if not calls and not self._is_internal(head, function, is_lambda=variable is not None):
            return requirement(f"another file calls `{name}`")
        return disjunction(calls) if calls else NEVER

    def _is_declaration(self, place: int) -> bool:
        """Return whether a name before a parenthesis declares a function instead of calling it."""
        block = self.code.blocks().at(place)
        if block is not None and block.kind == FUNCTION:
            return False
        before = self.code.bare[self.code.blocks().statement_start(place) : place]
        # A call outside of functions is a part of an initializer: `static int x = f();`.
        return "=" not in before and not before.rstrip().endswith("return")

    def _is_internal(self, head: str, function: Block, *, is_lambda: bool) -> bool:
        """Return whether no other file can call a function."""
        is_member = function.outer is not None and function.outer.kind == CLASS
        if is_lambda or (_INTERNAL.search(head) and not is_member):
            return True
        around = function.outer.around() if function.outer is not None else ()
        return any(
            not block.names and "inline" not in self._block_head(block) for block in around if block.kind != FUNCTION
        )

    def _block_head(self, block: Block) -> str:
        """Return the text before a namespace; "inline" for a block that is none or has external linkage."""
        text = self.code.blocks().head(block)
        return text if "namespace" in text and "extern" not in text else "inline"

    def _combine_spans(self, spans: Sequence[Span], offset: int) -> tuple[Condition, int | None]:
        """Return the conjunction of the conditions of all spans around an offset, and the line of the last one."""
        key = spans is self._spans
        index = self._indices.get(key)
        if index is None or index.size != len(spans):
            index = self._indices[key] = _SpanIndex(spans)
        condition, cause = ALWAYS, None
        for _, _, own, place in index.at(offset):
            narrowed = conjunction(condition, own)
            if narrowed != condition:
                condition, cause = narrowed, place
        return condition, None if cause is None else self.code.place(cause)[0]


class _SpanIndex:
    """An index of the spans around each offset; an index with another `size` than the number of spans is stale."""

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
