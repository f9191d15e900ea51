"""Evaluation of a C++ file for the ops that it registers.

Registrations outside of functions are evaluated one by one, after expansion of macros. A function that registers ops is
executed as a whole (`loops`), and if that fails, the statements in it are evaluated one by one as well; the ops of a
function count if it is called (`function_calls`). Calls of the C API are evaluated last (`c_registrations`).
"""

from __future__ import annotations

from functools import cached_property, partial

from opspec_lint.cpp.assertions import is_refused
from opspec_lint.cpp.chains import calls
from opspec_lint.cpp.expressions import evaluate
from opspec_lint.cpp.replaced_macros import replacement
from opspec_lint.cpp.steps import StepLimit
from opspec_lint.cpp.tokens import split_arguments, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError, attempt
from opspec_lint.cpp.values import std_string
from opspec_lint.cpp.variables import Variables
from opspec_lint.frameworks.tensorflow.extract.source import loops, shims
from opspec_lint.frameworks.tensorflow.extract.source.builder import Builder
from opspec_lint.frameworks.tensorflow.extract.source.c_registrations import c_registrations
from opspec_lint.frameworks.tensorflow.extract.source.discarded import kept_condition, outermost_invocations
from opspec_lint.frameworks.tensorflow.extract.source.earlier_ops import EarlierOp, EarlierOps, Statement
from opspec_lint.frameworks.tensorflow.extract.source.macros import (
    PLAIN,
    REGISTERING,
    REPLACED,
    TEMPLATES,
    Macros,
    registering_macros,
)
from opspec_lint.frameworks.tensorflow.extract.source.names import Names
from opspec_lint.frameworks.tensorflow.extract.source.op_records import PLACE
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record
from opspec_lint.spec.condition import ALWAYS, NEVER, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from opspec_lint.cpp.blocks import Block
    from opspec_lint.cpp.macro import Macro
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.frameworks.tensorflow.extract.source.behavior import BuilderBehavior
    from opspec_lint.frameworks.tensorflow.extract.source.builder import BuiltOp, Place
    from opspec_lint.frameworks.tensorflow.extract.source.c_registrations import CRegistration
    from opspec_lint.frameworks.tensorflow.extract.source.function_calls import FunctionCalls
    from opspec_lint.frameworks.tensorflow.extract.source.names import Workspace
    from opspec_lint.spec.condition import Condition

_EDGE = pattern(r"[(){}\[\];]")
_REGISTERED = pattern(rf"\b(?:{'|'.join(REGISTERING)})\s*\(")
_REGISTRY = pattern(r"\bOpRegistry\s*::\s*Global\s*\(\s*\)\s*->\s*Register\s*\(")
_WHOLE = pattern(r"(\w+)(?!\w|\s*\()")
"""The name of a macro without arguments."""
_CONTINUED = pattern(r"\s*[.;]")


class Registration(Record):
    """A statement that registers an op: its text and place, and the op or the error of its evaluation.

    `name` is the name of the op, "" if it cannot be evaluated, and `key` is "" if a later revision cannot reuse the op.
    """

    name: str
    text: str
    place: Place
    op: BuiltOp | UnresolvedError
    key: str = ""


class Registrations:
    """Evaluates one file of a tree.

    Args:
        workspace: the files of the tree, preprocessed for a build.
        path: the file to evaluate.
        behavior: the behavior of OpDefBuilder in the release.
        declaring: the macros of headers whose expansion registers an op.
        earlier: the ops of an earlier revision of the file.
    """

    def __init__(
        self,
        workspace: Workspace,
        path: str,
        behavior: BuilderBehavior,
        declaring: frozenset[str],
        earlier: EarlierOps,
    ) -> None:
        self._workspace = workspace
        self._path = path
        self._behavior = behavior
        self._declaring = declaring
        self._earlier = earlier
        self._macros = Macros(workspace.files, workspace.build, path)

    def evaluate(self) -> Iterator[Registration | EarlierOp]:
        """Yield the registrations of the file: outside of functions, in functions, and through the C API."""
        code = self._workspace.code(self._path)
        if code is None:
            return
        if is_refused(code):
            return
        functions: dict[int, tuple[Block, list[int]]] = {}
        outside: list[int] = []
        for start in self._registration_offsets(code):
            function = code.blocks().function_around(start)
            if function is None:
                outside.append(start)
            else:
                functions.setdefault(function.start, (function, []))[1].append(start)
        for start in outermost_invocations(code.bare, outside, self._is_macro):
            condition = self._kept_condition(code, start)
            yield from (_registered_if(condition, registration) for registration in self._registrations_at(code, start))
        if functions:
            yield from self._registrations_in_functions(code, functions.values())
        for registered in c_registrations(code):
            yield self._c_registration(code, registered)

    def _registrations_at(self, code: Code, start: int) -> Iterator[Registration | EarlierOp]:
        """Yield the registrations of the statement at an offset."""
        if code.bare.startswith(TEMPLATES, start):
            yield self._shim_registration(code, start)
            return
        macro = self._replacement(code, start)
        if macro is not None:
            if macro.body.strip():
                yield self._replaced_registration(code, start)
            return
        try:
            whole = _WHOLE.match(code.bare, start)
            end = whole.end(1) if whole is not None else _statement_end(code.bare, start, is_expanded=False)
            statement = Statement(code, start, end, PLAIN, self._workspace.files.defines(self._path))
            # Only REGISTER_OP itself: another macro may register several ops.
            is_plain = _REGISTERED.match(code.bare, start) is not None
            known = self._earlier.find(statement) if is_plain else None
            if known is not None:
                yield known
                return
            registrations = list(self._expand_statement(code, start, end))
        except UnresolvedError as error:
            yield self._unresolved_registration(code, start, error)
            return
        for made, tokens, begin in registrations:
            registration = self._evaluate_statement(made, tokens, begin)
            if is_plain and statement.has_key and len(registrations) == 1 and self._macros.is_self_contained(tokens):
                registration = registration.replace(key=statement.key(has_macros=made is not code))
            yield registration

    def _is_macro(self, name: str) -> bool:
        """Return whether a file that is visible here defines a macro."""
        return bool(self._macros.possible_macros({name}))

    def _kept_condition(self, code: Code, start: int) -> Condition:
        """Return the condition under which no build replaces the macro at an offset that registers an op."""
        match = _REGISTERED.match(code.bare, start) if self._replaced else None
        file = None if match is None else self._workspace.files.source(self._path)
        if match is None or file is None:
            return ALWAYS
        return kept_condition(file, self._workspace.build, match[0].rstrip("( \t\n"), start)

    def _replacement(self, code: Code, start: int) -> Macro | None:
        """Return the macro that the file has in place of TensorFlow's at an offset, if it registers no op."""
        match = _REGISTERED.match(code.bare, start)
        name = "" if match is None else match[0].rstrip("( \t\n")
        return replacement(code, name, start, REGISTERING) if name in self._replaced else None

    @cached_property
    def _replaced(self) -> frozenset[str]:
        """The macros of TensorFlow that the file replaces."""
        return REPLACED.names_in(self._workspace.files.raw(self._path) or "")

    def _replaced_registration(self, code: Code, start: int) -> Registration:
        """Return the registration by a macro that takes the place of TensorFlow's, which is not known."""
        tokens = tokenize(code.text, start, _statement_end(code.bare, start, is_expanded=False))
        registration = self._evaluate_statement(code, tokens, start)
        error = UnresolvedError(f"the macro {tokens[0][1]} is not the one of TensorFlow here")
        return registration.replace(op=error)

    def _registration_offsets(self, code: Code) -> list[int]:
        """Return the offsets at which the file names a macro or method that registers an op."""
        own = registering_macros((macro.name, macro.body) for *_, macro in code.directives if macro is not None)
        # A search for a word is much faster than one for a pattern: most files have one or two of the words.
        names = [name for name in {*REGISTERING, *TEMPLATES, *own, *self._declaring} if name in code.bare]
        any_name = "|".join(sorted(names, key=len, reverse=True))
        starts: list[int] = []
        if names:
            starts += [match.start() for match in pattern(rf"\b(?:{any_name})\b(?=\s*\()").finditer(code.bare)]
        if names and pattern(rf"\b(?:{any_name})\s*[,)]").search(code.bare):
            # The macro is an argument of another one, such as `FOR_EACH_TYPE(REGISTER_MY_OP)`.
            handed_on = pattern(rf"\b(\w+)\s*\(\s*(?:\w+\s*,\s*)*(?:{any_name})\s*[,)]").finditer(code.bare)
            starts += [match.start() for match in handed_on]
        # A macro without parameters that has a whole registration.
        plain = {name for *_, name, macro in code.directives if macro is not None and macro.parameters is None}
        if not plain.isdisjoint(own):
            whole = pattern(rf"\b(?:{'|'.join(sorted(plain.intersection(own)))})\b(?!\s*[(,)])")
            starts += [match.start() for match in whole.finditer(code.bare)]
        # The builder may be in another file. A file without other registrations adds ops of a user at run time, as a
        # converter does.
        if loops.MARK in code.bare and (starts or loops.BUILDER in code.bare):
            starts += [match.start() for match in _REGISTRY.finditer(code.bare)]
        return sorted(starts)

    def _expand_statement(self, code: Code, start: int, end: int) -> Iterator[tuple[Code, Tokens, int]]:
        """Expand the macros of a statement, and yield code, tokens and start offset of each registration in it."""
        made, tokens = self._macros.expanded(code, start, end)
        if made is code:
            yield code, tokens, start
            return
        for match in _REGISTERED.finditer(made.bare):
            stop = _statement_end(made.bare, match.start(), is_expanded=True)
            yield made, tokenize(made.text, match.start(), stop), match.start()

    def _evaluate_statement(self, code: Code, tokens: Tokens, start: int) -> Registration:
        """Evaluate the registration in the tokens of a statement."""
        here = self._variables(code, start)
        name = ""

        def make() -> BuiltOp:
            nonlocal name  # known even if the rest cannot be evaluated
            closed = tokens.closing(1)
            name = _require_string(evaluate(tokens, 2, closed, here))
            return self._build_op(code, tokens, (1, closed + 1, len(tokens)), here)

        op = _op_or_error(make)
        text = code.text[start : tokens[-1][2] + len(tokens[-1][1])]
        return Registration(name=name, text=text, place=self._place(code, start), op=op)

    def _build_op(self, code: Code, tokens: Tokens, span: tuple[int, int, int], here: Variables) -> BuiltOp:
        """Build an op from tokens; `span` has the index of the parenthesis before its name, and the range of calls."""
        opening, start, end = span
        name = _require_string(evaluate(tokens, opening + 1, tokens.closing(opening), here))
        builder = Builder(name, self._behavior)
        for call in calls(tokens, start, end):
            given = [partial(evaluate, tokens, *argument, here) for argument in call.arguments]
            builder.call(call.name, given, self._place(code, tokens[call.at][2]))
        return builder.finish()

    def _shim_registration(self, code: Code, start: int) -> Registration:
        """Evaluate the registration of an op that a class template declares."""
        place = self._place(code, start)
        name = ""

        def make_builder(op: str) -> Builder:
            nonlocal name
            name = op
            return Builder(op, self._behavior)

        def make() -> BuiltOp:
            tokens = tokenize(code.text, start, _statement_end(code.bare, start, is_expanded=False))
            names = Names(self._workspace, code, code.scope_at(start), StepLimit())
            return shims.build_op(shims.kernel_of(tokens), names, make_builder, place)

        op = _op_or_error(make)
        return Registration(name=name, text=code.text[start : start + 200], place=place, op=op)

    def _registrations_in_functions(
        self, code: Code, functions: Iterable[tuple[Block, list[int]]]
    ) -> Iterator[Registration | EarlierOp]:
        """Yield the registrations of the functions that may be called."""
        from opspec_lint.frameworks.tensorflow.extract.source.function_calls import FunctionCalls

        source = self._workspace.files.source(self._path)
        if source is None:
            return
        calls = FunctionCalls(source, self._workspace.build)
        for function, starts in functions:
            condition = calls.of_function(starts[0])
            if condition == NEVER:
                continue
            try:
                registrations = self._execute(code, function)
            except UnresolvedError as error:
                yield from self._registrations_by_statement(code, starts, calls, error)
            else:
                for registration in registrations:
                    yield _registered_if(condition, registration)

    def _execute(self, code: Code, function: Block) -> list[Registration]:
        """Return the registrations that the execution of a function makes; raises UnresolvedError if it fails."""
        here = self._variables(code, function.start)
        registrations: list[Registration] = []

        def build(tokens: Tokens, opening: int, start: int, end: int) -> None:
            op = self._build_op(code, tokens, (opening, start, end), here)
            text = code.text[tokens[opening][2] : tokens[end - 1][2]]
            place = self._place(code, tokens[opening - 1][2])
            registrations.append(Registration(name=op.name, text=text, place=place, op=op))

        attempt(lambda: loops.build_registered_ops(code, function, here, StepLimit(), build))
        return registrations

    def _registrations_by_statement(
        self, code: Code, starts: list[int], calls: FunctionCalls, error: UnresolvedError
    ) -> Iterator[Registration | EarlierOp]:
        """Yield the registrations of a function that cannot be executed because of an error."""
        for start in starts:
            condition = calls.of_statement(start)
            if condition == NEVER:
                continue
            if _REGISTRY.match(code.bare, start):
                yield self._unresolved_registration(code, start, error)
                continue
            for registration in self._registrations_at(code, start):
                yield _registered_if(condition, registration)

    def _variables(self, code: Code, offset: int) -> Variables:
        return Variables(Names(self._workspace, code, code.scope_at(offset), StepLimit()))

    def _c_registration(self, code: Code, registered: CRegistration) -> Registration:
        """Evaluate a registration through the C API."""
        here = self._variables(code, registered.offset)
        name = ""

        def make() -> BuiltOp:
            nonlocal name
            tokens = tokenize(code.text, *registered.name)
            name = _require_string(evaluate(tokens, 0, len(tokens), here))
            builder = Builder(name, self._behavior)
            for call in registered.calls:
                tokens = tokenize(code.text, call.start, call.end)
                given = [partial(evaluate, tokens, *span, here) for span in split_arguments(tokens, 0, len(tokens))]
                builder.call(call.method, given, self._place(code, call.offset))
            return builder.finish()

        op = _op_or_error(make)
        text = code.text[registered.offset : registered.end]
        return Registration(name=name, text=text, place=self._place(code, registered.offset), op=op)

    def _unresolved_registration(self, code: Code, start: int, error: UnresolvedError) -> Registration:
        return Registration(name="", text=code.text[start : start + 200], place=self._place(code, start), op=error)

    def _place(self, code: Code, offset: int) -> Place:
        home, _ = code.source_of(offset)
        return home.path, *code.place(offset)


def _registered_if(condition: Condition, registration: Registration | EarlierOp) -> Registration | EarlierOp:
    """Return a registration, as unresolved if the condition under which it is executed is unknown."""
    if condition == ALWAYS:
        return registration
    error = UnresolvedError(f"it is registered only if {show(condition)}")
    if isinstance(registration, Registration):
        return registration.replace(op=error, key="")
    return Registration(name=registration.name, text=registration.key, place=registration.record[PLACE], op=error)


def _op_or_error(make: Callable[[], BuiltOp]) -> BuiltOp | UnresolvedError:
    """Return the built op, or the error that its registration cannot be evaluated."""
    try:
        return attempt(make)
    except UnresolvedError as error:
        return error


def _require_string(value: object) -> str:
    if not isinstance(value, str):
        raise UnresolvedError("the name of an op that is no string")
    return std_string(value)


def _statement_end(bare: str, start: int, *, is_expanded: bool) -> int:
    """Return the offset of the `;` that ends the statement at `start`; raises UnresolvedError if it does not end.

    A macro other than REGISTER_OP may lack the `;` and ends with its parenthesis. The text of an expanded macro
    (`is_expanded`) may end before the `;`.
    """
    needs_end = _REGISTERED.match(bare, start) is not None
    depth = 0
    for match in _EDGE.finditer(bare, start):
        sign = match[0]
        if sign in "({[":
            depth += 1
        elif sign != ";":
            depth -= 1
        elif not depth:
            return match.start()
        if depth < 0:
            break
        if not depth and sign == ")" and not needs_end and not _CONTINUED.match(bare, match.end()):
            return match.end()
    if is_expanded and not depth:
        return len(bare)
    raise UnresolvedError("the statement does not end")
