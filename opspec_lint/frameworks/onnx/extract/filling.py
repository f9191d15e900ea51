"""The evaluation of the C++ that fills a schema: method chains, lambdas, functions that return lambdas.

A statement that is not understood is skipped if it cannot change the schema; any other raises UnresolvedError.
"""

from __future__ import annotations

from opspec_lint.cpp.chains import calls, lambda_at, part
from opspec_lint.cpp.effects import NoEffects
from opspec_lint.cpp.expressions import evaluate, text_of
from opspec_lint.cpp.statements import Statements
from opspec_lint.cpp.tokens import NAME, split_arguments, statement_end, tokenize
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.onnx.extract.records import IGNORED, MethodArguments
from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.cpp.chains import Lambda
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.steps import StepLimit
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.cpp.variables import Variables
    from opspec_lint.frameworks.onnx.extract.names import OnnxNames
    from opspec_lint.frameworks.onnx.extract.records import SchemaBuilder

_REPLACE_FUNCTION = "ReplaceAll"
"""A function that changes its first argument, the text of a documentation."""
_DOC_MACRO = "POPULATE_OP_DOC_STR"
"""A macro around statements that make the text of a documentation; a build may leave them out."""
_QUALIFIED = pattern(r"(?:::)?\w+(?:::\w+)*")


class FillContext(Record):
    """The context of an evaluation: the file, its variables, and the meaning of names."""

    code: Code
    here: Variables
    names: OnnxNames


class Filler:
    """The evaluation of one schema into a builder; `steps` limits its length."""

    def __init__(self, schema: SchemaBuilder, steps: StepLimit) -> None:
        self._schema = schema
        self._steps = steps

    def chain(self, tokens: Tokens, start: int, end: int, frame: FillContext) -> None:
        """Evaluate the method calls `.A(...).B(...)` on the schema. Raises UnresolvedError for an unknown one."""
        for call in calls(tokens, start, end):
            if call.name == "FillUsing" and len(call.arguments) == 1:
                self.fill(tokens, *call.arguments[0], frame)
            else:
                given = MethodArguments(call.arguments, tokens, lambda span: self._value(tokens, *span, frame))
                _, _, offset_of_name = tokens[call.at]
                home, offset = frame.code.source_of(offset_of_name)
                line, _ = home.place(offset)
                self._schema.call(call.name, given, (home.path, line))

    def fill(self, tokens: Tokens, start: int, end: int, frame: FillContext) -> None:
        """Evaluate the argument of `FillUsing`: a lambda, or a call of a function that returns one.

        Raises UnresolvedError if the argument is anything else.
        """
        inline_lambda = lambda_at(tokens, start, end)
        if inline_lambda is not None and inline_lambda.end == end:
            self._fill_by_lambda(tokens, inline_lambda, frame)
            return
        opening = next((at for at in range(start, end) if tokens[at][1] == "("), end)
        spelled = [text for _, text, _ in tokens[start:opening]]
        if opening == end or tokens.closing(opening) != end - 1 or not _QUALIFIED.fullmatch("".join(spelled)):
            raise UnresolvedError(f"{text_of(tokens, start, end)} is not evaluated")
        given = [_try_evaluate(tokens, *span, frame.here) for span in split_arguments(tokens, opening + 1, end - 1)]
        named = [text for text in spelled if text != "::"]
        self._fill_by_function(tuple(named[:-1]), named[-1], given, frame.names)

    def _value(self, tokens: Tokens, start: int, end: int, frame: FillContext) -> Any:
        """Return the value of an expression; a lambda that is called in place has the value that it returns."""
        inline_lambda = lambda_at(tokens, start, end)
        if inline_lambda is None or not _is_called_in_place(inline_lambda, end):
            return evaluate(tokens, start, end, frame.here)
        body = part(tokens, *inline_lambda.body)
        with self._steps.call():
            outcome = Statements(body, frame.code, frame.here, self._steps, NoEffects()).run()
        if outcome is None or outcome.span is None:
            raise UnresolvedError("a lambda that returns nothing")
        return outcome.value

    def _fill_by_function(self, qualifiers: tuple[str, ...], name: str, given: list[Any], names: OnnxNames) -> None:
        """Evaluate the body of a function that returns a lambda which fills a schema."""
        body, inside = names.function(qualifiers, name, given)
        if not body.is_open:
            raise UnresolvedError(f"the function {name} has no known body")
        frame = FillContext(code=body.code, here=inside.bind_variables(body, inside, given), names=inside)
        with self._steps.call():
            self._run_statements(tokenize(body.code.text, body.start, body.end), frame, "")

    def _fill_by_lambda(self, tokens: Tokens, inline_lambda: Lambda, frame: FillContext) -> None:
        """Evaluate the body of a lambda whose last parameter is the schema."""
        parameters = [text for kind, text, _ in tokens[slice(*inline_lambda.parameters)] if kind == NAME]
        frame.here.enter()
        for name, span in inline_lambda.captures:
            frame.here.declare(name, _try_evaluate(tokens, *span, frame.here), "auto")
        self._run_statements(part(tokens, *inline_lambda.body), frame, parameters[-1] if parameters else "")
        frame.here.leave()

    def _run_statements(self, tokens: Tokens, frame: FillContext, receiver: str) -> None:
        """Evaluate statements that call methods on the variable `receiver`."""
        effects = _Effects(self, frame, receiver)
        Statements(tokens, frame.code, frame.here, self._steps, effects, is_void=True).run()


class _Effects:
    """The effects of statements on a schema, which they refer to by the variable `receiver`.

    `receiver` is "" in a function that returns a lambda.
    """

    def __init__(self, filler: Filler, frame: FillContext, receiver: str) -> None:
        self._filler = filler
        self._frame = frame
        self._receiver = receiver

    def expression(self, tokens: Tokens, start: int, end: int) -> bool:
        """Evaluate an expression statement; return False if it is not understood."""
        first = tokens[start][1]
        if start and tokens[start - 1][1] == "return":
            self._filler.fill(tokens, start, end, self._frame)
        elif self._receiver and first == self._receiver:
            self._filler.chain(tokens, start + 1, end, self._frame)
        elif first in (_REPLACE_FUNCTION, _DOC_MACRO) and tokens[start + 1][1] == "(":
            self._forget_texts(tokens, start + 2, tokens.closing(start + 1))
        else:
            return False
        return True

    def _forget_texts(self, tokens: Tokens, start: int, end: int) -> None:
        """Forget the values of variables that documentation statements change; documentation is no part of a schema."""
        for at in range(start, end):
            if tokens[at][0] == NAME and tokens[at - 1][1] in ("(", ";") and tokens[at + 1][1] in ("=", ",", "."):
                self._frame.here.forget(tokens, at, at + 1)

    def may_have_effect(self, tokens: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:  # noqa: ARG002
        """Return True if statements may change the published part of the schema."""
        uses = (at for at in range(start, end) if tokens[at][0] == NAME and tokens[at][1] == self._receiver)
        return not all(_is_without_effect(tokens, at) for at in uses)


def _is_called_in_place(inline_lambda: Lambda, end: int) -> bool:
    """Return True if a lambda without parameters is followed by `()`, and by nothing else up to `end`."""
    first_parameter, parameters_end = inline_lambda.parameters
    return first_parameter == parameters_end and inline_lambda.end + len("()") == end


def _is_without_effect(tokens: Tokens, at: int) -> bool:
    """Return True if the statement at the name of a schema only calls methods that are ignored."""
    try:
        return all(call.name in IGNORED for call in calls(tokens, at + 1, statement_end(tokens, at)))
    except UnresolvedError:
        return False


def _try_evaluate(tokens: Tokens, start: int, end: int, here: Variables) -> Any:
    """Return the value of an expression, or the error: the value may not be needed."""
    try:
        return evaluate(tokens, start, end, here)
    except UnresolvedError as error:
        return error
