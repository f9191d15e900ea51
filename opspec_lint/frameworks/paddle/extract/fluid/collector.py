"""The statements of a maker that declare inputs, outputs and attrs, and its calls of functions that do.

A statement is handled in this order: a variable that is set to `this`, a declaration (`AddInput`), a modifier of an
earlier declaration (`x.AsDispensable()`), a harmless macro, a call of a method or function that may declare.
"""

from __future__ import annotations

from opspec_lint.cpp.expressions import evaluate, text_of
from opspec_lint.cpp.tokens import NAME, STRING, split_arguments
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import THIS, This, std_string, truth
from opspec_lint.frameworks.paddle.extract.attr_types import attr_type, attr_type_of_c_type, to_attr_value
from opspec_lint.frameworks.paddle.extract.declarations import set_flags
from opspec_lint.frameworks.paddle.extract.fluid.checking import is_check, require_check_to_pass
from opspec_lint.frameworks.paddle.extract.fluid.effects import ADDERS, may_declare
from opspec_lint.frameworks.paddle.framework import flags_of
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Protocol

    from opspec_lint.cpp.classes import Body, Class
    from opspec_lint.cpp.preprocessed import Code
    from opspec_lint.cpp.tokens import Tokens
    from opspec_lint.cpp.variables import Variables
    from opspec_lint.frameworks.paddle.extract.bounds import Bounds
    from opspec_lint.frameworks.paddle.extract.declarations import Declarations, VariableRecord, VariableSection
    from opspec_lint.frameworks.paddle.extract.fluid.resolver import NamesAtPlace, Resolver
    from opspec_lint.spec.records import AttrRecord

    class EvaluatedMaker(Protocol):
        """The maker class that is evaluated.

        `chain` is the class and its bases, each with the values of its template parameters.
        """

        chain: list[tuple[Class, dict[str, str]]]
        resolver: Resolver
        is_framework: bool
        declared: Declarations

        def dispatch(self, name: str, index: int) -> tuple[list[Body], int] | None:
            """Return the methods that a call in a class of the chain selects, and the index of their class."""

        def methods(self, name: str, first: int) -> tuple[list[Body], int] | None:
            """Return the methods `name` of the first class from index `first` that has any, and its index."""

        def run(self, bodies: list[Body], index: int, arguments: list[Any], template: Sequence[str] = ()) -> None:
            """Follow the overload of a method that accepts the arguments."""

        def run_function(
            self, bodies: list[Body], arguments: list[Any], place: NamesAtPlace, template: list[str]
        ) -> None:
            """Follow a function that takes the maker as an argument."""

        def calls_declaring(self, tokens: Tokens, start: int, end: int) -> bool:
            """Return whether tokens call a method of the maker that may declare an argument."""


_VARIABLE_FLAGS = {method: flag.field.name for flag in flags_of("inputs") for method in flag.methods}
_ATTR_FLAGS = {method: flag.field.name for flag in flags_of("attrs") for method in flag.methods}
_SILENT = frozenset({"Reuse", "NotInGradient", "AsNoGradient", "IgnoreGradient"})
"""Modifiers that change nothing in an OpProto."""
_SELF = pattern(r"(?:\w+ (?::: )?)+\* (?:const )?\w+ = this|auto \w+ = this|auto & \w+ = \* this")


class VariableHandle:
    """The value of `AddInput` and `AddOutput`: an input or output that modifiers change."""

    def __init__(self, variable: VariableRecord) -> None:
        self.variable = variable


class AttrHandle:
    """The value of `AddAttr`: an attr that modifiers change, with its bounds so far."""

    def __init__(self, attr: AttrRecord) -> None:
        self.attr = attr
        self._bounds: Bounds | None = None

    def narrow(self, bounds: Bounds) -> None:
        """Restrict the attr to values within these bounds too."""
        self._bounds = bounds if self._bounds is None else self._bounds.intersect(bounds)
        self._bounds.write_to(self.attr)


class DeclarationCollector:
    """The declarations that one function adds to a maker.

    `code` and `tokens` are its text, `here` its variables, and `is_method` says that its `this` is the maker.
    """

    def __init__(self, maker: EvaluatedMaker, code: Code, tokens: Tokens, here: Variables, *, is_method: bool) -> None:
        self._maker = maker
        self._code = code
        self._tokens = tokens
        self._here = here
        self._is_method = is_method
        self._resolver = maker.resolver.for_file(code.path)

    def expression(self, tokens: Tokens, start: int, end: int) -> bool:
        """Follow a statement that declares or calls; return False for another statement."""
        if tokens[end - 1][1] == "this" and self._is_method and _SELF.fullmatch(self._text(start, end)):
            # `auto* maker = this;`: from here on, the variable is another name of the maker.
            self._here.declare(tokens[end - 3][1], THIS, "auto")
            return True
        adder = next((at for at in range(start, end) if tokens[at][1] in ADDERS and tokens[at][0] == NAME), -1)
        if adder >= 0:
            self._follow_declaration(start, adder, end)
            return True
        receiver_end = self._skip_receiver(start, end)
        has_receiver = receiver_end > start
        at, qualifiers = self._split_qualifiers(receiver_end, end)
        if at + 1 >= end or tokens[at][0] != NAME:
            return False
        variable = None if qualifiers or at > start else self._here.find(tokens[at][1])
        if variable is None:
            return self._follow_named_call(at, qualifiers, end, is_own=has_receiver or self._is_method)
        if isinstance(variable.value, (AttrHandle, VariableHandle)) and tokens[at + 1][1] in (".", "->"):
            self._follow_modifiers(at + 1, end, variable.value)
            return True
        # Changes of variables are followed by `Assignments` (cpp/assignments.py).
        return False

    def _follow_named_call(self, at: int, qualifiers: tuple[str, ...], end: int, *, is_own: bool) -> bool:
        """Follow the call of the name at an index; False if it is no call, or a call that concerns no maker."""
        tokens = self._tokens
        name = tokens[at][1]
        template: list[str] = []
        opening = at + 1
        # `f<T>(x)` is a call with template arguments; any other `<` is a comparison.
        if tokens[opening][1] == "<" and 0 < tokens.closing_angle(opening) < end - 1:
            closed = tokens.closing_angle(opening)
            template = [self._text(*span) for span in split_arguments(tokens, opening + 1, closed)]
            opening = closed + 1
        if tokens[opening][1] != "(":
            return False
        closed = tokens.closing(opening)
        if is_own and name == "AddComment" and not qualifiers:
            return self._check_harmless(opening + 1, closed, end)
        if is_check(name) and not qualifiers:
            if not self._maker.is_framework:
                require_check_to_pass(tokens, at, self._here)
            return self._check_harmless(opening + 1, end, end)
        return self._follow_call(name, qualifiers, template, (opening + 1, closed), end, is_own=is_own)

    def may_have_effect(self, tokens: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:
        """Return whether tokens may declare an argument, or change a declared one."""
        if self._maker.is_framework:
            return any(tokens[at][1] in ADDERS for at in range(start, end))
        if may_declare(tokens, start, end, self._resolver.scope, is_value=is_value):
            return True
        for at in range(start, end):
            if tokens[at][0] == NAME:
                variable = self._here.find(tokens[at][1])
                if variable is not None and isinstance(variable.value, (AttrHandle, VariableHandle, This)):
                    return True
        # A method of an unknown object, or a bare name that may be a macro, may declare.
        if not is_value and tokens[start][0] == NAME:
            sign = tokens[start + 1][1] if start + 1 < end else ";"
            if sign in (".", "->", ";") and (end - start == 1 or self._here.find(tokens[start][1]) is None):
                return True
        return self._is_method and self._maker.calls_declaring(tokens, start, end)

    def _check_harmless(self, start: int, stop: int, end: int) -> bool:
        """Return True for a statement without effect on the maker; raise UnresolvedError for any other.

        The tokens up to `stop` are judged; before the statement's `end`, no more than one bracket may follow.
        """
        if self.may_have_effect(self._tokens, start, stop, is_value=True) or (stop != end and stop + 1 != end):
            raise UnresolvedError(f"{text_of(self._tokens, start, end)} is not evaluated")
        return True

    def _text(self, start: int, end: int) -> str:
        """Return the tokens of a range, joined by spaces."""
        return " ".join([text for _, text, _ in self._tokens[start:end]])

    def _skip_receiver(self, start: int, end: int) -> int:
        """Return the index behind `this->`, or behind a variable that holds the maker and its `->` or `.`."""
        tokens = self._tokens
        texts = [text for _, text, _ in tokens[start : start + 5]]
        at = start
        if texts == ["(", "*", "this", ")", "."] and self._is_method:
            at = start + 5
        elif len(texts) > 1 and texts[1] in (".", "->"):
            variable = self._here.find(texts[0])
            is_maker = variable is not None and isinstance(variable.value, This)
            if is_maker or (texts[0] == "this" and self._is_method):
                at = start + 2
        return at + 1 if at > start and at < end and tokens[at][1] == "template" else at

    def _split_qualifiers(self, at: int, end: int) -> tuple[int, tuple[str, ...]]:
        """Return the index of the last name of `a::b::name`, and the qualifiers before it."""
        tokens = self._tokens
        names: list[str] = []
        if at < end and tokens[at][1] == "::":
            names.append("")
            at += 1
        while at + 1 < end and tokens[at][0] == NAME and tokens[at + 1][1] in ("::", "<"):
            behind = at + 1
            if tokens[behind][1] == "<":
                behind = tokens.closing_angle(behind) + 1
                if behind <= 0 or behind >= end or tokens[behind][1] != "::":
                    break
            names.append(tokens[at][1])
            at = behind + 1
        return at, tuple(names)

    def _follow_call(  # noqa: PLR0913 - the parts of a call
        self, name: str, qualifiers: tuple[str, ...], template: list[str], inside: tuple[int, int], end: int,
        *, is_own: bool,
    ) -> bool:  # fmt: skip
        """Follow a call of a method of the maker, or of a function that takes it; False for another call."""
        tokens = self._tokens
        method = self._own_method(name, qualifiers) if is_own else None
        arguments = [self._argument(*span) for span in split_arguments(tokens, *inside)]
        if method is None and not any(isinstance(argument, This) for argument in arguments):
            return False
        if inside[1] + 1 != end:
            raise UnresolvedError(f"{text_of(tokens, inside[0], end)} is not evaluated")
        # An argument that declares would do so before the call, an order that is not followed.
        for span in split_arguments(tokens, *inside):
            if self._maker.calls_declaring(tokens, *span) or any(token[1] in ADDERS for token in tokens[slice(*span)]):
                raise UnresolvedError(f"{text_of(tokens, *span)} is not evaluated")
        if method is not None:
            self._maker.run(*method, arguments, template)
            return True
        offset = tokens[inside[0]][2]
        bodies = self._resolver.declared_functions(self._code, offset, qualifiers, name)
        if not bodies:
            raise UnresolvedError(f"the function {name}, which takes the maker, was not found")
        self._maker.run_function(bodies, arguments, self._resolver.names_at(self._code, offset), template)
        return True

    def _own_method(self, name: str, qualifiers: tuple[str, ...]) -> tuple[list[Body], int] | None:
        """Return the methods that a call on the maker selects (`Make()`, `Base::Make()`), and their class's index."""
        if not qualifiers:
            return self._maker.dispatch(name, 0)
        owners = [at for at, (maker_class, _) in enumerate(self._maker.chain) if maker_class.name == qualifiers[-1]]
        return self._maker.methods(name, owners[0]) if owners else None

    def _argument(self, start: int, end: int) -> Any:
        """Return the value of an argument, or the error as its value: the parameter may be unused."""
        try:
            return evaluate(self._tokens, start, end, self._here)
        except UnresolvedError as error:
            return error

    def _follow_declaration(self, start: int, adder: int, end: int) -> None:
        """Follow a statement that adds an input, output or attr, and perhaps assigns it to a variable."""
        begin, variable = self._split_assignment(start, adder)
        self._check_callee(begin, adder, end, start)
        opening, kind = self._added_type(adder, end)
        if opening >= end or self._tokens[opening][1] != "(":
            raise UnresolvedError(f"{text_of(self._tokens, start, end)} is not evaluated")
        closed = self._tokens.closing(opening)
        handle = self._add(adder, kind, split_arguments(self._tokens, opening + 1, closed))
        self._follow_modifiers(closed + 1, end, handle)
        if variable:
            # AddInput returns a builder by value, AddAttr a reference: a copy of that would take the modifiers.
            if isinstance(handle, AttrHandle) and "&" not in [text for _, text, _ in self._tokens[start:adder]]:
                raise UnresolvedError("a copy of what AddAttr returns is not evaluated")
            self._here.declare(variable, handle, "auto")

    def _check_callee(self, begin: int, adder: int, end: int, start: int) -> None:
        """Raise UnresolvedError for a call of `AddInput` and its like on another object than the maker.

        The call begins at `begin` with the receiver, the statement at `start`.
        """
        at = self._skip_receiver(begin, end)
        is_own = at > begin or self._is_method
        at, qualifiers = self._split_qualifiers(at, end)
        if at != adder or not is_own or any(not name.isidentifier() for name in qualifiers if name):
            raise UnresolvedError(f"{text_of(self._tokens, start, end)} is not evaluated")

    def _added_type(self, adder: int, end: int) -> tuple[int, str | None]:
        """Return the index behind `AddAttr<T>` and the attr type T, which inputs and outputs do not have."""
        at = adder + 1
        if self._tokens[adder][1] != "AddAttr":
            return at, None
        closed = self._tokens.closing_angle(at) if at < end and self._tokens[at][1] == "<" else -1
        if closed < 0:
            raise UnresolvedError("AddAttr without a type")
        return closed + 1, self._attr_type(at + 1, closed)

    def _add(self, adder: int, kind: str | None, arguments: list[tuple[int, int]]) -> AttrHandle | VariableHandle:
        """Add the input, output or attr that the arguments of a call name; `kind` is the type of an attr."""
        adding = self._tokens[adder][1]
        if not arguments:
            raise UnresolvedError(f"{adding} without a name")
        name = self._name(*arguments[0])
        for span in arguments[1:]:
            if self.may_have_effect(self._tokens, *span, is_value=True):
                raise UnresolvedError(f"{text_of(self._tokens, *span)} is not evaluated")
        place = (self._code.path, *self._code.place(self._tokens[adder][2]))
        declared = self._maker.declared
        if kind is None:
            section: VariableSection = "inputs" if adding == "AddInput" else "outputs"
            return VariableHandle(declared.add_variable(section, name, place))
        is_generated = len(arguments) > 2 and self._is_generated(*arguments[2])
        return AttrHandle(declared.add_attr(name, kind, place, flags=(("generated", is_generated),)))

    def _split_assignment(self, start: int, adder: int) -> tuple[int, str]:
        """Return the index behind `auto& x =` and the name `x`; "" where nothing is assigned."""
        tokens = self._tokens
        for at in range(start + 1, adder):
            if tokens[at][1] == "=" and tokens[at - 1][0] == NAME:
                if at - start < 2:
                    raise UnresolvedError(f"{text_of(tokens, start, adder)} is not evaluated")
                return at + 1, tokens[at - 1][1]
        return start, ""

    def _name(self, start: int, end: int) -> str:
        """Return the name of an argument; constants such as `{"X"}` are arrays of one string."""
        name = evaluate(self._tokens, start, end, self._here)
        while isinstance(name, list) and len(name) == 1:
            name = name[0]
        if not isinstance(name, str):
            raise UnresolvedError(f"the name {text_of(self._tokens, start, end)} is not a string")
        return std_string(name)

    def _is_generated(self, start: int, end: int) -> bool:
        """Return the third argument of AddAttr as a condition.

        A string literal, there by a stray comma, is a pointer and so true: `tdm_child` of Paddle 1.8 has such an attr.
        """
        if self._tokens[start][0] == STRING:
            return True
        return truth(evaluate(self._tokens, start, end, self._here))

    def _attr_type(self, start: int, end: int) -> str:
        """Return the type of an attr: as written, or with template parameters and aliases replaced."""
        written = self._text(start, end)
        kind = attr_type(written)
        if kind is None:
            bound = self._here.type_text(written)
            kind = attr_type(bound) or attr_type_of_c_type(c_type(written, self._here))
            if kind is None:
                raise UnresolvedError(f"the attr type {bound.strip()} is not known")
        return kind

    def _follow_modifiers(self, at: int, end: int, handle: AttrHandle | VariableHandle) -> None:
        """Follow the modifiers behind a declaration: `.AsDispensable().AsExtra()`."""
        tokens = self._tokens
        while at < end:
            if tokens[at][1] not in (".", "->") or at + 2 >= end or tokens[at + 2][1] not in "(<":
                raise UnresolvedError(f"{text_of(tokens, at, end)} is not evaluated")
            name = tokens[at + 1][1]
            at += 2
            if tokens[at][1] == "<":
                at = tokens.closing_angle(at) + 1
            closed = tokens.closing(at)
            if name not in _SILENT:
                if isinstance(handle, AttrHandle):
                    self._modify_attr(at + 1, closed, handle, name)
                else:
                    _modify_variable(handle.variable, name)
            at = closed + 1

    def _modify_attr(self, start: int, end: int, handle: AttrHandle, name: str) -> None:
        """Apply one modifier to an attr: a flag, its default, or a checker."""
        attr = handle.attr
        if name in _ATTR_FLAGS:
            set_flags(attr, ((_ATTR_FLAGS[name], True),))
        elif name == "SetDefault":
            if "default_value" in attr:
                # TypedAttrChecker::SetDefault throws on the second call.
                raise UnresolvedError(f"the default of {attr['name']!r} is set twice, which Paddle refuses")
            default = self._default(start, end, attr["type"])
            if default is not None:
                attr["default_value"] = default
        else:
            from opspec_lint.frameworks.paddle.extract.fluid.checkers import bounds_of_checker

            bounds = bounds_of_checker(name, self._tokens, start, end, self._here, attr["type"])
            if bounds is None:
                raise UnresolvedError(f"the modifier {name} of {attr['name']!r} is not known")
            handle.narrow(bounds)

    def _default(self, start: int, end: int, kind: str) -> Any:
        """Return the default of an attr; the error names its expression and place."""
        tokens = self._tokens
        try:
            return to_attr_value(evaluate(tokens, start, end, self._here), kind)
        except UnresolvedError as error:
            reason = f"the default {text_of(tokens, start, end)} is unknown: {error.reason}"
            line, _ = self._code.place(tokens[start][2] if start < len(tokens) else 0)
            raise UnresolvedError(reason, error.file, error.line).at(self._code.path, line) from None


def _modify_variable(variable: VariableRecord, name: str) -> None:
    """Apply one modifier to an input or output."""
    if name not in _VARIABLE_FLAGS:
        raise UnresolvedError(f"the modifier {name} of {variable['name']!r} is not known")
    set_flags(variable, ((_VARIABLE_FLAGS[name], True),))
