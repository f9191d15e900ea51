"""Reads the text of a schema: `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`.

The grammar is that of PyTorch's function_schema_parser.cpp and schema_type_parser.cpp, and what its printer writes.
"""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.frameworks.pytorch.schemas import defaults
from opspec_lint.frameworks.pytorch.schemas.types import GENERICS, LIST, OPTIONAL, SYNONYMS, TUPLE, Type
from opspec_lint.kit.limits import MAX_DEPTH
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.model import Input, Op, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any, NoReturn

    from opspec_lint.spec.model import Origin

_IDENTITY = pattern(r"(?:\w+::)*\w+(?:\.\w+)?")
_TOKEN = pattern(
    r"\s*(->|\.\.\.|[A-Za-z_][\w$]*(?:\.[A-Za-z_]\w*)*|[+-]?(?:0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?j?)"
    r"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\$\d+|[()\[\]{},=*?!|])"""
)
_WORD = pattern(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_SHOWN = 40
_ESCAPE = pattern(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b"}


class SchemaError(ValueError):
    """A text is no schema; the message says where and why."""


def identity(text: str) -> str:
    """Return the name and overload that a schema begins with.

    Raises:
        SchemaError: the text begins with no name.
    """
    name, bracket, _ = text.partition("(")
    name = name.strip()
    if not bracket or not _IDENTITY.fullmatch(name):
        raise SchemaError(f"expected a schema, `NAMESPACE::NAME(ARGUMENTS) -> RETURNS`, found {text[:_SHOWN]!r}")
    return name


def parse(text: str, name: str | None = None, origin: Origin | None = None, **more: Any) -> Op:
    """Return the op that a schema declares.

    Args:
        text: the schema.
        name: the identity of the op, None for what the schema begins with.
        origin: where it is declared.
        more: further fields of the op.

    Raises:
        SchemaError: the text is no schema.
    """
    own = identity(text)
    reader = _Reader(text, text.index("("))
    inputs, vararg = reader.arguments()
    reader.expect("->")
    outputs, varret = reader.returns()
    reader.end()
    return Op(
        name=own if name is None else name,
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        origin=origin,
        **{**more, "own": {"vararg": vararg, "varret": varret, **more.get("own", {})}},
    )


@lru_cache(4096)
def type_of(text: str) -> Type:
    """Return the type that a text stands for; what stands for none is a type of that name."""
    reader = _Reader(text, 0)
    try:
        found, _ = reader.type()
        reader.end()
    except SchemaError:
        return Type(head=text)
    return found


def show(op: Op) -> str:
    """Return the text of a schema, which `parse` reads as an equal op."""
    inputs = [show_argument(each) for each in op.inputs]
    keyword = next((place for place, each in enumerate(op.inputs) if each.get("keyword_only") is True), None)
    if keyword is not None:
        inputs.insert(keyword, "*")
    outputs = list(map(show_argument, op.outputs))
    more = ["..."] if op.get("vararg") is True else []
    ends = ["..."] if op.get("varret") is True else []
    returns = ", ".join(outputs + ends)
    if len(outputs + ends) != 1 or returns[0] == "(":
        returns = f"({returns})"
    return f"{op.name}({', '.join(inputs + more)}) -> {returns}"


def show_argument(argument: Input | Output) -> str:
    """Return the text of an argument or return; a return without a name is called by its place."""
    kind, alias = str(argument.type), argument.get("alias")
    if alias:
        kind = _annotated(type_of(kind), alias)
    name = argument.name.partition("#")[0]
    default = argument.get("default")
    text = kind if name.isdigit() else f"{kind} {name}"
    return f"{text}={default}" if isinstance(default, str) else text


def _annotated(kind: Type, alias: str) -> str:
    """Return the text of a type with its annotations: those of a list stand behind its brackets."""
    if kind.head == OPTIONAL:
        return f"{_annotated(kind.items[0], alias)}?"
    inner, bracket, container = alias.rpartition("[]")
    if kind.head == LIST and bracket:
        return f"{_annotated(kind.items[0], inner)}[{'' if kind.size is None else kind.size}]{container}"
    return f"{kind}{alias}"


def _unescaped(match: re.Match[str]) -> str:
    octal, short, long, letter = match.groups()
    if letter is not None:
        return _ESCAPES.get(letter, letter)
    return chr(int(octal, 8) if octal else int(short or long, 16))


class _Reader:
    """Recursive descent over the tokens of a text from a place on."""

    def __init__(self, text: str, begin: int) -> None:
        self._text = text
        self._tokens: list[str] = []
        self._places: list[int] = []
        self._at = 0
        self._depth = 0
        self._fresh = 0
        at, match = begin, _TOKEN.match
        while found := match(text, at):
            self._tokens.append(found[1])
            self._places.append(found.start(1))
            at = found.end()
        self._tokens.append("")
        self._places.append(at + len(text[at:]) - len(text[at:].lstrip()))

    def arguments(self) -> tuple[list[Input], bool]:
        """Return the arguments, and whether any number of others may follow."""
        self.expect("(")
        found: dict[str, Input] = {}
        is_keyword = False
        while not self._take(")"):
            if found or is_keyword:
                self.expect(",")
            if self._take("..."):
                self.expect(")")
                return list(found.values()), True
            if not is_keyword and self._take("*"):
                is_keyword = True
                continue
            each = self._argument(is_keyword)
            if each.name in found:  # static_runtime::clamp_nan_to_num has two arguments of one name
                each = each.replace(name=f"{each.name}#{len(found)}")
            found[each.name] = each
        return list(found.values()), False

    def _argument(self, is_keyword: bool) -> Input:
        kind, alias = self.type()
        name = self._word("the name of an argument")
        default = None
        if self._take("="):
            try:
                default = defaults.canonical(self._value(), kind)
            except ValueError as error:
                raise error if isinstance(error, SchemaError) else self._error(str(error)) from None
        return Input(name=name, type=str(kind), own={"default": default, "keyword_only": is_keyword, "alias": alias})

    def returns(self) -> tuple[list[Output], bool]:
        """Return the returns, and whether any number of others may follow."""
        if self._take("..."):
            return [], True
        if not self._sees("("):
            return [self._return(0)], False
        found: list[Output] = []
        self.expect("(")
        while not self._take(")"):
            if found:
                self.expect(",")
            if self._take("..."):
                self.expect(")")
                return found, True
            found.append(self._return(len(found)))
        return found, False

    def _return(self, place: int) -> Output:
        kind, alias = self.type()
        has_name = _WORD.fullmatch(self._tokens[self._at])
        name = self._word("the name of a return") if has_name else str(place)
        return Output(name=name, type=str(kind), own={"alias": alias})

    def type(self) -> tuple[Type, str | None]:
        """Return a type, and its alias annotation, None for none."""
        outside = self._depth
        self._deeper()
        kind, alias = self._base(), self._alias()
        while True:
            self._deeper()
            if self._take("?"):
                kind, alias = Type(head=OPTIONAL, items=(kind,)), alias or self._alias()
            elif self._take("["):
                size = None if self._sees("]") else self._size()
                self.expect("]")
                container = self._alias()
                kind = Type(head=LIST, items=(kind,), size=size)
                alias = f"{alias or ''}[]{container or ''}" if alias or container else None
            else:
                self._depth = outside
                return kind, alias

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._error(f"types are nested more than {MAX_DEPTH} levels deep")

    def _base(self) -> Type:
        if self._take("("):
            return Type(head=TUPLE, items=self._types())
        head = self._word("a type")
        if head not in GENERICS:
            return Type(head=SYNONYMS.get(head, head))
        self.expect("(")
        items = self._types()
        if GENERICS[head] not in (None, len(items)) or not items:
            self._fail(f"{GENERICS[head] or 'some'} types in {head}(...)")
        return Type(head=head, items=items)

    def _types(self) -> tuple[Type, ...]:
        """Return the types up to a closing bracket; what they alias is not compared."""
        found: list[Type] = []
        while not self._take(")"):
            if found:
                self.expect(",")
            found.append(self.type()[0])
        return tuple(found)

    def _alias(self) -> str | None:
        """Return an annotation such as `(a!)`, `(a -> *)`: its sets, and whether it is written to."""
        if self._take("!"):
            self._fresh += 1
            return f"(${self._fresh - 1}!)"
        if not self._sees("("):
            return None
        self._at += 1
        before = self._sets("!")
        written = "!" if self._take("!") else ""
        after = self._sets(")") if self._take("->") else before
        self.expect(")")
        return f"({before}{written}{'' if after == before else ' -> ' + after})"

    def _sets(self, end: str) -> str:
        found: list[str] = []
        while self._tokens[self._at] not in (")", "->", end, ""):
            if found:
                self.expect("|")
            found.append(self._next() if self._sees("*") or self._tokens[self._at][0] == "$" else self._word("a set"))
        return "|".join(sorted(found))

    def _size(self) -> int:
        text = self._next()
        if not text.isdigit() or len(text) > 9:
            self._at -= 1
            self._fail("a size, or `]`")
        return int(text)

    def _value(self) -> object:
        if self._take("["):
            found: list[object] = []
            while not self._take("]"):
                if found:
                    self.expect(",")
                found.append(self._item())
            return found
        return self._item()

    def _item(self) -> object:
        token = self._next()
        if token[:1] in "\"'" and token:
            return _ESCAPE.sub(_unescaped, token[1:-1])
        if _WORD.fullmatch(token):
            return defaults.word(token)
        if token[-1:].isalnum() or token[-1:] == ".":
            value = defaults.number(token)
            follows = self._tokens[self._at]
            return value + defaults.number(self._next()) if follows[-1:] == "j" else value  # type: ignore[operator]
        self._at -= 1
        return self._fail("a default value")

    def _word(self, what: str) -> str:
        if not _WORD.fullmatch(self._tokens[self._at]):
            self._fail(what)
        return self._next()

    def _sees(self, token: str) -> bool:
        return self._tokens[self._at] == token

    def _take(self, token: str) -> bool:
        if self._tokens[self._at] == token:
            self._at += 1
            return True
        return False

    def _next(self) -> str:
        token = self._tokens[self._at]
        self._at += bool(token)
        return token

    def expect(self, token: str) -> None:
        """Pass over a token.

        Raises:
            SchemaError: another one stands there.
        """
        if not self._take(token):
            self._fail(f"`{token}`")

    def end(self) -> None:
        """Make sure that nothing is left.

        Raises:
            SchemaError: something is.
        """
        if self._at < len(self._tokens) - 1 or self._places[-1] < len(self._text):
            self._fail("the end of the schema")

    def _fail(self, expected: str) -> NoReturn:
        place = self._places[self._at]
        raise self._error(f"expected {expected}, found {self._text[place : place + _SHOWN] or 'the end'!r}")

    def _error(self, problem: str) -> SchemaError:
        return SchemaError(f"column {self._places[self._at] + 1}: {problem}")
