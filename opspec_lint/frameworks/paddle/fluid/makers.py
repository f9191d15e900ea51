"""Evaluates Make() of a maker class: what inputs, outputs and attrs it declares.

The statements are followed in their order, with virtual methods called where the most derived class has them. A
statement that decides a declaration and cannot be followed makes the op unresolved; any other may be anything.
"""

from __future__ import annotations

from opspec_lint.frameworks.paddle.cpp.expressions import evaluate, text_of
from opspec_lint.frameworks.paddle.cpp.functions import Locals, returned
from opspec_lint.frameworks.paddle.cpp.limits import MAX_DEPTH
from opspec_lint.frameworks.paddle.cpp.tokens import NAME, SIGN, STRING, Tokens, split_arguments, statement_end, tokens
from opspec_lint.frameworks.paddle.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.cpp.values import attr_type, converted
from opspec_lint.frameworks.paddle.declared import Declaration, Proto
from opspec_lint.frameworks.paddle.fluid.checkers import checked

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.frameworks.paddle.cpp.classes import Body, Class
    from opspec_lint.frameworks.paddle.cpp.preprocessed import Code
    from opspec_lint.frameworks.paddle.fluid.constants import Meanings

_ADDERS = frozenset({"AddInput", "AddOutput", "AddAttr"})
_CONTROL = frozenset({"if", "for", "while", "switch", "do", "try"})
_VARIABLE_FLAGS = {
    "AsDuplicable": "duplicable",
    "AsDispensable": "dispensable",
    "AsIntermediate": "intermediate",
    "AsExtra": "extra",
    "AsQuant": "quant",
}
_ATTR_FLAGS = {"AsExtra": "extra", "AsQuant": "quant", "SupportTensor": "support_tensor"}
_SILENT = frozenset({"Reuse", "NotInGradient"})
"""Modifiers that leave nothing in what Paddle prints of an op."""


class _Bound:
    """The names of a method of a class, with the template parameters of the class replaced."""

    def __init__(self, maker: Maker, index: int, path: str) -> None:
        self._maker = maker
        self._index = index
        self._path = path

    def constant(self, qualifiers: tuple[str, ...], name: str) -> Any:
        return self._maker.constant(self._index, self._path, qualifiers, name)

    def type_text(self, text: str) -> str:
        return self._maker.bound_type(self._index, text)

    def call(self, qualifiers: tuple[str, ...], name: str, arguments: list[Any]) -> Any:
        return self._maker.call_for_value(self._index, self._path, qualifiers, name, arguments)


class Maker:
    """One evaluation of a maker.

    Args:
        chain: the class and those it derives from, each with what its template parameters stand for.
        meanings: what names and constants mean in the file of the registration.
    """

    def __init__(self, chain: list[tuple[Class, dict[str, str]]], meanings: Meanings) -> None:
        self._chain = chain
        self._scope = meanings.scope
        self._meanings = meanings
        self._depth = 0
        self.declared = Proto()

    def make(self) -> Proto:
        """Follow Make(), or the constructors as until May 2018, and return what is declared.

        Raises:
            UnresolvedError: something that decides a declaration cannot be evaluated.
        """
        found = self._method("Make", 0)
        if found is not None:
            self._run(*found, [])
        else:
            self._construct()
        self._check_unique()
        return self.declared

    def _construct(self) -> None:
        bodies = [(index, self._scope.constructor(this)) for index, (this, _) in enumerate(self._chain)]
        if all(body is None for _, body in bodies):
            this = self._chain[0][0]
            raise UnresolvedError(f"{this.name}::Make() is not defined", this.code.path, this.code.place(this.start)[0])
        for index, body in reversed(bodies):
            if body is not None:
                self._run(body, index, [])

    def follow(self, body: Body) -> None:
        """Follow a body as if it were a method of the class, for what it declares."""
        self._run(body, 0, [])

    def constant(self, index: int, path: str, qualifiers: tuple[str, ...], name: str) -> Any:
        """Return the value of a member of the class or of those it derives from, or of a name around it."""
        if not qualifiers or qualifiers[-1] in {this.name for this, _ in self._chain}:
            for this, _ in self._chain:
                found = self._meanings.in_class(this, name)
                if found is not None:
                    return found[0]
        bound = self._chain[index][1]
        real = tuple(bound.get(word, word).rpartition("::")[2].strip() for word in qualifiers)
        return self._around(path).constant(real, name)

    def _around(self, path: str) -> Meanings:
        """Return the names around a method: those of the file that defines it."""
        return self._meanings.elsewhere(path)

    def bound_type(self, index: int, text: str) -> str:
        """Return a type with the template parameters of a class replaced, and its aliases."""
        for parameter, value in self._chain[index][1].items():
            if parameter and parameter in text:
                words = [value if word == parameter else word for _, word, _ in tokens(text, 0, len(text))]
                text = " ".join(words)
        return text

    def call_for_value(
        self, index: int, path: str, qualifiers: tuple[str, ...], name: str, arguments: list[Any]
    ) -> Any:
        """Return what a method, or a function around the class, returns."""
        if not qualifiers:
            found = self._method(name, 0)
            if found is not None:
                self._enter()
                try:
                    return returned(found[0], arguments, _Bound(self, found[1], found[0].code.path))
                finally:
                    self._depth -= 1
        bound = self._chain[index][1]
        real = tuple(bound.get(word, word).rpartition("::")[2].strip() for word in qualifiers)
        return self._around(path).call(real, name, arguments)

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise UnresolvedError(f"methods call each other more than {MAX_DEPTH} deep")

    def _method(self, name: str, first: int) -> tuple[Body, int] | None:
        for index in range(first, len(self._chain)):
            body = self._scope.method(self._chain[index][0], name)
            if body is not None:
                return body, index
        return None

    def _run(self, body: Body, index: int, arguments: list[Any]) -> None:
        self._enter()
        values = dict(zip(body.parameters, arguments, strict=False))
        _Run(self, body.code, index, Locals(_Bound(self, index, body.code.path), values)).block(
            tokens(body.code.text, body.start, body.end)
        )
        self._depth -= 1

    def call(self, qualifier: str, name: str, arguments: list[Any]) -> bool:
        """Follow a method for what it declares; tell whether there is one."""
        first = 0
        if qualifier:
            named = [at for at, (this, _) in enumerate(self._chain) if this.name == qualifier]
            if not named:
                return False
            first = named[0]
        found = self._method(name, first)
        if found is None:
            return False
        self._run(*found, arguments)
        return True

    def _check_unique(self) -> None:
        seen: set[str] = set()
        declared = self.declared
        for item in (*declared.inputs, *declared.outputs, *declared.attrs):
            if item.name in seen:
                raise UnresolvedError(f"{item.name!r} is declared twice, which Paddle refuses", item.file, item.line)
            seen.add(item.name)


class _Run:
    """Follows the statements of one method."""

    def __init__(self, maker: Maker, code: Code, index: int, names: Locals) -> None:
        self._maker = maker
        self._code = code
        self._index = index
        self._names = names
        self._handles: dict[str, tuple[Declaration, str]] = {}

    def block(self, words: Tokens) -> None:
        """Follow statements."""
        at = 0
        while at < len(words):
            kind, text, offset = words[at]
            if kind == SIGN and text in ";{}":
                at += 1
                continue
            try:
                if kind == NAME and text in _CONTROL:
                    at = self._control(words, at)
                elif kind == NAME and text == "return":
                    end = statement_end(words, at)
                    if end > at + 1:
                        self._statement(words, at + 1, end)
                    return
                else:
                    end = statement_end(words, at)
                    self._statement(words, at, end)
                    at = end + 1 if end > at else at + 1
            except UnresolvedError as error:
                raise error.at(self._code.path, self._code.place(offset)[0]) from None

    def _control(self, words: Tokens, at: int) -> int:
        """Follow a control statement; return the index behind it."""
        keyword = words[at][1]
        at += 1
        condition = None
        if keyword not in ("do", "try"):
            closed = words.closing(at)
            condition = (at + 1, closed)
            at = closed + 1
        first, at = _branch(words, at)
        second = None
        while (
            at < len(words)
            and words[at][1] in ("else", "catch", "while")
            and (keyword != "if" or words[at][1] == "else")
        ):
            at += 1
            if words[at - 1][1] != "else":
                at = words.closing(at) + 1
            second, at = _branch(words, at)
        spans = [span for span in (first, second) if span is not None]
        if not any(self._declares(words, *span) for span in spans):
            for span in spans:
                self._names.forget(words, *span)
        elif keyword == "if" and condition is not None:
            taken = first if evaluate(words, *condition, self._names) else second
            if taken is not None:
                self.block(Tokens(words[slice(*taken)]))
        else:
            raise UnresolvedError(f"a declaration inside `{keyword}` is not followed")
        return at

    def _declares(self, words: Tokens, start: int, end: int) -> bool:
        return any(
            kind == NAME and (text in _ADDERS or text in self._handles or self._is_own_call(words, at))
            for at, (kind, text, _) in enumerate(words[start:end], start)
        )

    def _is_own_call(self, words: Tokens, at: int) -> bool:
        if at + 1 >= len(words) or words[at + 1][1] != "(" or words[at - 1][1] in (".", "->", "::"):
            return False
        return self._maker._method(words[at][1], 0) is not None  # noqa: SLF001 - two halves of one

    def _statement(self, words: Tokens, start: int, end: int) -> None:
        adder = next((at for at in range(start, end) if words[at][1] in _ADDERS and words[at][0] == NAME), -1)
        if adder >= 0:
            self._declaration(words, start, adder, end)
            return
        first = start
        if words[first][1] == "this" and first + 1 < end and words[first + 1][1] == "->":
            first += 2
        qualifiers: list[str] = []
        while first + 1 < end and words[first][0] == NAME and words[first + 1][1] in ("::", "<"):
            behind = first + 1
            if words[behind][1] == "<":
                behind = words.closing_angle(behind) + 1
                if behind <= 0 or behind >= end or words[behind][1] != "::":
                    break
            qualifiers.append(words[first][1])
            first = behind + 1
        if first + 1 < end and words[first][0] == NAME:
            name, sign = words[first][1], words[first + 1][1]
            if sign == "(" and name != "AddComment" and self._called(words, first, qualifiers):
                return
            if sign in (".", "->") and name in self._handles and not qualifiers:
                item, kind = self._handles[name]
                self._chain(words, first + 1, end, item, kind)
                return
        if not self._names.declare(words, start, end):
            self._names.forget(words, start, end)

    def _called(self, words: Tokens, at: int, qualifiers: list[str]) -> bool:
        closed = words.closing(at + 1)
        ranges = split_arguments(words, at + 2, closed)
        arguments: list[Any] = []
        for each in ranges:
            try:
                arguments.append(evaluate(words, *each, self._names))
            except UnresolvedError as error:  # noqa: PERF203 - each statement has its place
                arguments.append(error)
        qualifier = qualifiers[-1] if qualifiers else ""
        return self._maker.call(qualifier, words[at][1], arguments)

    def _declaration(self, words: Tokens, start: int, adder: int, end: int) -> None:
        """Follow a statement that adds an input, output or attr, and perhaps names it."""
        before = [text for _, text, _ in words[start:adder]]
        handle = None
        if len(before) >= 2 and before[-1] == "=":
            handle = before[-2]
        elif any(text not in ("this", "->", "::", "template") and not text.isidentifier() for text in before) or (
            before and before[-1] not in ("->", "::", "template")
        ):
            raise UnresolvedError(f"{text_of(words, start, end)} is not followed")
        adding, _, offset = words[adder][1], None, words[adder][2]
        at = adder + 1
        kind: str | None = None
        if adding == "AddAttr":
            if at >= end or words[at][1] != "<":
                raise UnresolvedError("AddAttr without a type")
            closed = words.closing_angle(at)
            if closed < 0:
                raise UnresolvedError("AddAttr without a type")
            kind = self._attr_type(words, at + 1, closed)
            at = closed + 1
        if at >= end or words[at][1] != "(":
            raise UnresolvedError(f"{text_of(words, start, end)} is not followed")
        closed = words.closing(at)
        arguments = split_arguments(words, at + 1, closed)
        if not arguments:
            raise UnresolvedError(f"{adding} without a name")
        name = evaluate(words, *arguments[0], self._names)
        while isinstance(name, list) and len(name) == 1:
            name = name[0]
        if not isinstance(name, str):
            raise UnresolvedError(f"the name {text_of(words, *arguments[0])} is no string")
        item = Declaration(name, self._code.path, *self._code.place(offset), kind)
        if adding == "AddAttr" and len(arguments) > 2:
            item.generated = self._generated(words, *arguments[2])
        section = {"AddInput": "inputs", "AddOutput": "outputs", "AddAttr": "attrs"}[adding]
        getattr(self._maker.declared, section).append(item)
        self._chain(words, closed + 1, end, item, adding)
        if handle is not None:
            self._handles[handle] = (item, adding)

    def _generated(self, words: Tokens, start: int, end: int) -> bool:
        """Return a third argument as a condition: a string literal, after a stray comma, is a pointer that is true."""
        if words[start][0] == STRING:
            return True
        return bool(evaluate(words, start, end, self._names))

    def _attr_type(self, words: Tokens, start: int, end: int) -> str:
        written = "".join(f"{text} " if kind == NAME else text for kind, text, _ in words[start:end])
        bound = self._maker.bound_type(self._index, written)
        kind = attr_type(bound)
        if kind is None:
            alias = self._maker._scope.alias(bound.strip())  # noqa: SLF001 - two halves of one
            kind = attr_type(alias) if alias else None
        if kind is None:
            raise UnresolvedError(f"the attr type {bound.strip()} is not known")
        return kind

    def _chain(self, words: Tokens, at: int, end: int, item: Declaration, adding: str) -> None:
        """Follow the modifiers behind a declaration."""
        while at < end:
            if words[at][1] not in (".", "->") or at + 2 >= end or words[at + 2][1] not in "(<":
                raise UnresolvedError(f"{text_of(words, at, end)} is not followed")
            name = words[at + 1][1]
            at += 2
            if words[at][1] == "<":
                at = words.closing_angle(at) + 1
            closed = words.closing(at)
            self._modify(words, at + 1, closed, item, adding, name)
            at = closed + 1

    def _modify(  # noqa: PLR0913, PLR0917 - a part of a statement, and what it is about
        self, words: Tokens, start: int, end: int, item: Declaration, adding: str, name: str
    ) -> None:
        flags = _ATTR_FLAGS if adding == "AddAttr" else _VARIABLE_FLAGS
        if name in flags:
            item.flags.add(flags[name])
        elif name in _SILENT:
            return
        elif adding == "AddAttr" and name == "SetDefault":
            if item.default is not None:
                raise UnresolvedError(f"the default of {item.name!r} is set twice, which Paddle refuses")
            item.default = self._default(words, start, end, item.type or "")
        elif adding != "AddAttr" or not checked(name, words, start, end, self._names, item.type or "", item.bounds):
            raise UnresolvedError(f"the modifier {name} of {item.name!r} is not known")

    def _default(self, words: Tokens, start: int, end: int, kind: str) -> Any:
        try:
            return converted(evaluate(words, start, end, self._names), kind)
        except UnresolvedError as error:
            place = self._code.path, self._code.place(words[start][2] if start < len(words) else 0)[0]
            reason = f"the default {text_of(words, start, end)} is unknown: {error.reason}"
            raise UnresolvedError(reason, *((error.file, error.line) if error.file else place)) from None


def _branch(words: Tokens, at: int) -> tuple[tuple[int, int], int]:
    """Return the range of the statement or block at an index, and the index behind it."""
    if at < len(words) and words[at][1] == "{":
        closed = words.closing(at)
        return (at + 1, closed), closed + 1
    if at < len(words) and words[at][1] in ("if", "for", "while"):
        closed = words.closing(at + 1)
        _, behind = _branch(words, closed + 1)
        while behind < len(words) and words[behind][1] == "else":
            _, behind = _branch(words, behind + 1)
        return (at, behind), behind
    end = statement_end(words, at)
    return (at, end), min(end + 1, len(words))
