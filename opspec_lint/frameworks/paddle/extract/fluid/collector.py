"""Follows the statements of a maker that declare inputs, outputs and attrs, and those that call what does."""

from __future__ import annotations

from opspec_lint.cpp.expressions import evaluate, text_of
from opspec_lint.cpp.tokens import NAME, STRING, split_arguments
from opspec_lint.cpp.type_names import c_type
from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.cpp.values import THIS, This, std_string, truth
from opspec_lint.frameworks.paddle.extract.attr_types import attr_type, attr_type_of, converted
from opspec_lint.frameworks.paddle.extract.fluid.checking import is_check
from opspec_lint.frameworks.paddle.extract.fluid.effects import ADDERS, may_declare
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
    from opspec_lint.frameworks.paddle.extract.declared import (
        Attr,
        AttrFlag,
        Declarations,
        Variable,
        VariableFlag,
        VariableSection,
    )
    from opspec_lint.frameworks.paddle.extract.fluid.resolver import Place, Resolver

    class EvaluatedMaker(Protocol):
        """What is evaluated: a maker class, with those it derives from."""

        chain: list[tuple[Class, dict[str, str]]]
        resolver: Resolver
        is_framework: bool
        declared: Declarations

        def dispatched(self, name: str, index: int) -> tuple[list[Body], int] | None:
            """Return the methods that a call in a class of the chain means, and which class has them."""

        def methods(self, name: str, first: int) -> tuple[list[Body], int] | None:
            """Return the methods of a name of the first class that has any, from one on, and which it is."""

        def run(self, bodies: list[Body], index: int, arguments: list[Any], template: Sequence[str] = ()) -> None:
            """Follow the one of several methods of a class that takes some arguments."""

        def run_function(self, bodies: list[Body], arguments: list[Any], place: Place, template: list[str]) -> None:
            """Follow a function that is given the maker."""

        def calls_declaring(self, words: Tokens, start: int, end: int) -> bool:
            """Tell whether tokens call a method of the maker that may declare an argument."""


_VARIABLE_FLAGS: dict[str, VariableFlag] = {
    "AsDuplicable": "duplicable",
    "AsDispensable": "dispensable",
    "AsIntermediate": "intermediate",
    "AsExtra": "extra",
    "AsQuant": "quant",
    "SetMultiple": "duplicable",  # the names of 2017
    "SetTemporary": "intermediate",
}
_ATTR_FLAGS: dict[str, AttrFlag] = {"AsExtra": "extra", "AsQuant": "quant", "SupportTensor": "support_tensor"}
_SILENT = frozenset({"Reuse", "NotInGradient", "AsNoGradient", "IgnoreGradient"})
"""Modifiers that leave nothing in what Paddle prints of an op."""
_SELF = pattern(r"(?:\w+ (?::: )?)+\* (?:const )?\w+ = this|auto \w+ = this|auto & \w+ = \* this")


class VariableHandle:
    """What AddInput and AddOutput return: the input or output that modifiers change."""

    def __init__(self, variable: Variable) -> None:
        self.variable = variable


class AttrHandle:
    """What AddAttr returns: the attr that modifiers change, and its bounds so far."""

    def __init__(self, attr: Attr) -> None:
        self.attr = attr
        self._bounds: Bounds | None = None

    def narrow(self, bounds: Bounds) -> None:
        """Limit the attr to values that are within some bounds as well."""
        self._bounds = bounds if self._bounds is None else self._bounds.narrowed(bounds)
        self._bounds.limit(self.attr)


class DeclarationCollector:
    """The effects of one function that declares arguments of a maker.

    Args:
        maker: what is evaluated.
        code: where the function stands.
        words: its tokens.
        here: its variables.
        is_method: whether the maker is its `this`.
    """

    def __init__(self, maker: EvaluatedMaker, code: Code, words: Tokens, here: Variables, *, is_method: bool) -> None:
        self._maker = maker
        self._code = code
        self._words = words
        self._here = here
        self._is_method = is_method
        self._resolver = maker.resolver.for_file(code.path)

    def expression(self, words: Tokens, start: int, end: int) -> bool:
        """Follow a statement that declares or calls; tell whether it is one."""
        if words[end - 1][1] == "this" and self._is_method and _SELF.fullmatch(self._text(start, end)):
            self._here.declare(words[end - 3][1], THIS, "auto")
            return True
        adder = next((at for at in range(start, end) if words[at][1] in ADDERS and words[at][0] == NAME), -1)
        if adder >= 0:
            self._declaration(start, adder, end)
            return True
        at = self._behind_receiver(start, end)
        is_own = at > start or self._is_method
        at, qualifiers = self._qualified(at, end)
        if at + 1 >= end or words[at][0] != NAME:
            return False
        name, sign = words[at][1], words[at + 1][1]
        variable = None if qualifiers or at > start else self._here.find(name)
        if variable is not None and isinstance(variable.value, (AttrHandle, VariableHandle)) and sign in (".", "->"):
            self._chain(at + 1, end, variable.value)
            return True
        if variable is not None:
            return False  # `Assignments` follows what changes a variable
        template: list[str] = []
        opening = at + 1
        if sign == "<" and 0 < words.closing_angle(opening) < end - 1:
            closed = words.closing_angle(opening)
            template = [self._text(*each) for each in split_arguments(words, opening + 1, closed)]
            opening = closed + 1
        if words[opening][1] != "(":
            return False
        closed = words.closing(opening)
        if is_own and name == "AddComment" and not qualifiers:
            return self._harmless(opening + 1, closed, end)
        if is_check(name) and not qualifiers:
            return self._harmless(opening + 1, end, end)
        return self._call(name, qualifiers, template, (opening + 1, closed), end, is_own=is_own)

    def may_have_effect(self, words: Tokens, start: int, end: int, *, is_value: bool = False) -> bool:
        """Tell whether tokens may declare an argument, or change one."""
        if self._maker.is_framework:
            return any(words[at][1] in ADDERS for at in range(start, end))
        if may_declare(words, start, end, self._resolver.scope, is_value=is_value):
            return True
        for at in range(start, end):
            if words[at][0] == NAME:
                variable = self._here.find(words[at][1])
                if variable is not None and isinstance(variable.value, (AttrHandle, VariableHandle, This)):
                    return True
        if not is_value and words[start][0] == NAME:  # a method of what nobody knows, or what may be a macro
            sign = words[start + 1][1] if start + 1 < end else ";"
            if sign in (".", "->", ";") and (end - start == 1 or self._here.find(words[start][1]) is None):
                return True
        return self._is_method and self._maker.calls_declaring(words, start, end)

    def _harmless(self, start: int, stop: int, end: int) -> bool:
        if self.may_have_effect(self._words, start, stop, is_value=True) or (stop != end and stop + 1 != end):
            raise UnresolvedError(f"{text_of(self._words, start, end)} is not followed")
        return True

    def _text(self, start: int, end: int) -> str:
        return " ".join([text for _, text, _ in self._words[start:end]])

    def _behind_receiver(self, start: int, end: int) -> int:
        """Return the index behind `this->`, or behind a variable that is the maker and its `->` or `.`."""
        words = self._words
        texts = [text for _, text, _ in words[start : start + 5]]
        at = start
        if texts == ["(", "*", "this", ")", "."] and self._is_method:
            at = start + 5
        elif len(texts) > 1 and texts[1] in (".", "->"):
            variable = self._here.find(texts[0])
            is_maker = variable is not None and isinstance(variable.value, This)
            if is_maker or (texts[0] == "this" and self._is_method):
                at = start + 2
        return at + 1 if at > start and at < end and words[at][1] == "template" else at

    def _qualified(self, at: int, end: int) -> tuple[int, tuple[str, ...]]:
        """Return the index of the last name of a qualified one, and what stands before it."""
        words = self._words
        names: list[str] = []
        if at < end and words[at][1] == "::":
            names.append("")
            at += 1
        while at + 1 < end and words[at][0] == NAME and words[at + 1][1] in ("::", "<"):
            behind = at + 1
            if words[behind][1] == "<":
                behind = words.closing_angle(behind) + 1
                if behind <= 0 or behind >= end or words[behind][1] != "::":
                    break
            names.append(words[at][1])
            at = behind + 1
        return at, tuple(names)

    def _call(  # noqa: PLR0913 - the parts of a call
        self, name: str, qualifiers: tuple[str, ...], template: list[str], inside: tuple[int, int], end: int,
        *, is_own: bool,
    ) -> bool:  # fmt: skip
        """Follow a call of a method of the maker, or of a function that is given it; tell whether it is one."""
        words = self._words
        found = self._own_method(name, qualifiers) if is_own else None
        arguments = [self._argument(*each) for each in split_arguments(words, *inside)]
        if found is None and not any(isinstance(argument, This) for argument in arguments):
            return False
        if inside[1] + 1 != end:
            raise UnresolvedError(f"{text_of(words, inside[0], end)} is not followed")
        for each in split_arguments(words, *inside):
            if self._maker.calls_declaring(words, *each) or any(word[1] in ADDERS for word in words[slice(*each)]):
                raise UnresolvedError(f"{text_of(words, *each)} is not followed")
        if found is not None:
            self._maker.run(*found, arguments, template)
            return True
        offset = words[inside[0]][2]
        bodies = self._resolver.declared_functions(self._code, offset, qualifiers, name)
        if not bodies:
            raise UnresolvedError(f"the function {name}, which takes the maker, was not found")
        self._maker.run_function(bodies, arguments, self._resolver.at(self._code, offset), template)
        return True

    def _own_method(self, name: str, qualifiers: tuple[str, ...]) -> tuple[list[Body], int] | None:
        if not qualifiers:
            return self._maker.dispatched(name, 0)
        named = [at for at, (this, _) in enumerate(self._maker.chain) if this.name == qualifiers[-1]]
        return self._maker.methods(name, named[0]) if named else None

    def _argument(self, start: int, end: int) -> Any:
        try:
            return evaluate(self._words, start, end, self._here)
        except UnresolvedError as error:
            return error

    def _declaration(self, start: int, adder: int, end: int) -> None:
        """Follow a statement that adds an input, output or attr, and perhaps names it."""
        words = self._words
        begin, variable = self._variable_of(start, adder)
        at = self._behind_receiver(begin, end)
        is_own = at > begin or self._is_method
        at, qualifiers = self._qualified(at, end)
        if at != adder or not is_own or any(not name.isidentifier() for name in qualifiers if name):
            raise UnresolvedError(f"{text_of(words, start, end)} is not followed")
        adding = words[adder][1]
        at = adder + 1
        kind: str | None = None
        if adding == "AddAttr":
            if at >= end or words[at][1] != "<":
                raise UnresolvedError("AddAttr without a type")
            closed = words.closing_angle(at)
            if closed < 0:
                raise UnresolvedError("AddAttr without a type")
            kind = self._attr_type(at + 1, closed)
            at = closed + 1
        if at >= end or words[at][1] != "(":
            raise UnresolvedError(f"{text_of(words, start, end)} is not followed")
        closed = words.closing(at)
        arguments = split_arguments(words, at + 1, closed)
        if not arguments:
            raise UnresolvedError(f"{adding} without a name")
        name = self._name(*arguments[0])
        for each in arguments[1:]:
            if self.may_have_effect(words, *each, is_value=True):
                raise UnresolvedError(f"{text_of(words, *each)} is not followed")
        generated = adding == "AddAttr" and len(arguments) > 2 and self._generated(*arguments[2])
        place = (self._code.path, *self._code.place(words[adder][2]))
        handle: AttrHandle | VariableHandle
        if kind is None:
            section: VariableSection = "inputs" if adding == "AddInput" else "outputs"
            handle = VariableHandle(self._maker.declared.add_variable(section, name, place))
        else:
            handle = AttrHandle(self._maker.declared.add_attr(name, kind, place, generated=generated))
        self._chain(closed + 1, end, handle)
        if variable:
            # AddInput returns a builder by value, AddAttr a reference: a copy of that would take the modifiers.
            if adding == "AddAttr" and "&" not in [text for _, text, _ in words[start:adder]]:
                raise UnresolvedError("a copy of what AddAttr returns is not followed")
            self._here.declare(variable, handle, "auto")

    def _variable_of(self, start: int, adder: int) -> tuple[int, str]:
        """Return where a declaration of an argument begins behind `auto& x =`, and the name of the variable."""
        words = self._words
        for at in range(start + 1, adder):
            if words[at][1] == "=" and words[at - 1][0] == NAME:
                if at - start < 2:
                    raise UnresolvedError(f"{text_of(words, start, adder)} is not followed")
                return at + 1, words[at - 1][1]
        return start, ""

    def _name(self, start: int, end: int) -> str:
        name = evaluate(self._words, start, end, self._here)
        while isinstance(name, list) and len(name) == 1:
            name = name[0]
        if not isinstance(name, str):
            raise UnresolvedError(f"the name {text_of(self._words, start, end)} is not a string")
        return std_string(name)

    def _generated(self, start: int, end: int) -> bool:
        """Return a third argument as a condition: a string literal, after a stray comma, is a pointer that is true."""
        if self._words[start][0] == STRING:
            return True
        return truth(evaluate(self._words, start, end, self._here))

    def _attr_type(self, start: int, end: int) -> str:
        written = self._text(start, end)
        kind = attr_type(written)
        if kind is None:
            bound = self._here.type_text(written)
            kind = attr_type(bound) or attr_type_of(c_type(written, self._here))
            if kind is None:
                raise UnresolvedError(f"the attr type {bound.strip()} is not known")
        return kind

    def _chain(self, at: int, end: int, handle: AttrHandle | VariableHandle) -> None:
        """Follow the modifiers behind a declaration."""
        words = self._words
        while at < end:
            if words[at][1] not in (".", "->") or at + 2 >= end or words[at + 2][1] not in "(<":
                raise UnresolvedError(f"{text_of(words, at, end)} is not followed")
            name = words[at + 1][1]
            at += 2
            if words[at][1] == "<":
                at = words.closing_angle(at) + 1
            closed = words.closing(at)
            if name not in _SILENT:
                if isinstance(handle, AttrHandle):
                    self._modify_attr(at + 1, closed, handle, name)
                else:
                    _modify_variable(handle.variable, name)
            at = closed + 1

    def _modify_attr(self, start: int, end: int, handle: AttrHandle, name: str) -> None:
        attr = handle.attr
        if name in _ATTR_FLAGS:
            attr[_ATTR_FLAGS[name]] = True
        elif name == "SetDefault":
            if "default_value" in attr:
                raise UnresolvedError(f"the default of {attr['name']!r} is set twice, which Paddle refuses")
            default = self._default(start, end, attr["type"])
            if default is not None:
                attr["default_value"] = default
        else:
            from opspec_lint.frameworks.paddle.extract.fluid.checkers import checked

            found = checked(name, self._words, start, end, self._here, attr["type"])
            if found is None:
                raise UnresolvedError(f"the modifier {name} of {attr['name']!r} is not known")
            handle.narrow(found)

    def _default(self, start: int, end: int, kind: str) -> Any:
        words = self._words
        try:
            return converted(evaluate(words, start, end, self._here), kind)
        except UnresolvedError as error:
            place = self._code.path, self._code.place(words[start][2] if start < len(words) else 0)[0]
            reason = f"the default {text_of(words, start, end)} is unknown: {error.reason}"
            raise UnresolvedError(reason, *((error.file, error.line) if error.file else place)) from None


def _modify_variable(variable: Variable, name: str) -> None:
    if name not in _VARIABLE_FLAGS:
        raise UnresolvedError(f"the modifier {name} of {variable['name']!r} is not known")
    variable[_VARIABLE_FLAGS[name]] = True
