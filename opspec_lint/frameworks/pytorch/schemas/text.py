"""Parser and printer of schemas: `aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor`.

The grammar follows PyTorch's function_schema_parser.cpp and schema_type_parser.cpp, and includes all that its printer
writes. The parser is a recursive descent over tokens.
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
_IDENTIFIER = pattern(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_SHOWN = 40
_ESCAPE = pattern(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b"}


class SchemaError(ValueError):
    """A text is no schema; the message has the column and the reason."""


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
    """Return the op that a schema declares; raise SchemaError if the text is no schema.

    `name` replaces the name in the schema, `origin` is the place of the declaration, `more` are further fields.
    """
    own = identity(text)
    reader = _SchemaParser(text, text.index("("))
    inputs, vararg = reader.arguments()
    reader.expect("->")
    outputs, varret = reader.returns()
    reader.expect_end()
    return Op(
        name=own if name is None else name,
        inputs=tuple(inputs),
        outputs=tuple(outputs),
        origin=origin,
        **{**more, "own": {"vararg": vararg, "varret": varret, **more.get("own", {})}},
    )


@lru_cache(4096)
def type_of(text: str) -> Type:
    """Return the type that a text denotes; a text that is no type counts as the name of one."""
    reader = _SchemaParser(text, 0)
    try:
        kind, _ = reader.type()
        reader.expect_end()
    except SchemaError:
        return Type(head=text)
    return kind


def show(op: Op) -> str:
    """Return the schema of an op, which `parse` reads as an equal op."""
    inputs = [show_argument(argument) for argument in op.inputs]
    keyword = next((place for place, argument in enumerate(op.inputs) if argument.get("keyword_only") is True), None)
    if keyword is not None:
        inputs.insert(keyword, "*")
    outputs = list(map(show_argument, op.outputs))
    more = ["..."] if op.get("vararg") is True else []
    ends = ["..."] if op.get("varret") is True else []
    returns = ", ".join(outputs + ends)
    # One return is written without parentheses; around a tuple type they keep it from being read as a list of returns.
    if len(outputs + ends) != 1 or returns[0] == "(":
        returns = f"({returns})"
    return f"{op.name}({', '.join(inputs + more)}) -> {returns}"


def show_argument(argument: Input | Output) -> str:
    """Return the text of an argument or return; a number as its name means that the schema gives it none."""
    kind, alias = str(argument.type), argument.get("alias")
    if alias:
        kind = _with_alias(type_of(kind), alias)
    name = argument.name.partition("#")[0]
    default = argument.get("default")
    text = kind if name.isdigit() else f"{kind} {name}"
    return f"{text}={default}" if isinstance(default, str) else text


def _with_alias(kind: Type, alias: str) -> str:
    """Return the text of a type with its alias annotation; a list has one for its items, one behind its brackets."""
    if kind.head == OPTIONAL:
        return f"{_with_alias(kind.items[0], alias)}?"
    inner, bracket, container = alias.rpartition("[]")
    if kind.head == LIST and bracket:
        return f"{_with_alias(kind.items[0], inner)}[{'' if kind.size is None else kind.size}]{container}"
    return f"{kind}{alias}"


def _unescape(match: re.Match[str]) -> str:
    """Return the character of an escape sequence of C++ in a string."""
    octal, short, long, letter = match.groups()
    if letter is not None:
        return _ESCAPES.get(letter, letter)
    return chr(int(octal, 8) if octal else int(short or long, 16))


class _SchemaParser:
    """The recursive descent over the tokens of a text, from the index `begin` on.

    `_places` are the indices of the tokens; both lists end with an empty token for the end of the text.
    """

    def __init__(self, text: str, begin: int) -> None:
        self._text = text
        self._tokens: list[str] = []
        self._places: list[int] = []
        self._at = 0
        self._depth = 0
        self._fresh_sets = 0
        at, match = begin, _TOKEN.match
        while token := match(text, at):
            self._tokens.append(token[1])
            self._places.append(token.start(1))
            at = token.end()
        self._tokens.append("")
        self._places.append(at + len(text[at:]) - len(text[at:].lstrip()))

    def arguments(self) -> tuple[list[Input], bool]:
        """Parse `(...)` with arguments; return them, and whether `...` follows."""
        self.expect("(")
        arguments: dict[str, Input] = {}
        is_keyword = False
        while not self._skip_if(")"):
            if arguments or is_keyword:
                self.expect(",")
            if self._skip_if("..."):
                self.expect(")")
                return list(arguments.values()), True
            if not is_keyword and self._skip_if("*"):
                is_keyword = True
                continue
            argument = self._argument(is_keyword=is_keyword)
            # Names have to differ, and static_runtime::clamp_nan_to_num has two arguments of one name.
            if argument.name in arguments:
                argument = argument.replace(name=f"{argument.name}#{len(arguments)}")
            arguments[argument.name] = argument
        return list(arguments.values()), False

    def _argument(self, *, is_keyword: bool) -> Input:
        """Parse an argument such as `int n=1`; `is_keyword`: a `*` precedes it."""
        kind, alias = self.type()
        name = self._identifier("the name of an argument")
        default = None
        if self._skip_if("="):
            try:
                default = defaults.canonical(self._default_value(), kind)
            except ValueError as error:
                raise error if isinstance(error, SchemaError) else self._error(str(error)) from None
        return Input(name=name, type=str(kind), own={"default": default, "keyword_only": is_keyword, "alias": alias})

    def returns(self) -> tuple[list[Output], bool]:
        """Parse the returns; return them, and whether `...` follows."""
        if self._skip_if("..."):
            return [], True
        if not self._at_token("("):
            return [self._return(0)], False
        outputs: list[Output] = []
        self.expect("(")
        while not self._skip_if(")"):
            if outputs:
                self.expect(",")
            if self._skip_if("..."):
                self.expect(")")
                return outputs, True
            outputs.append(self._return(len(outputs)))
        return outputs, False

    def _return(self, place: int) -> Output:
        """Parse a return; one without a name is named by its position."""
        kind, alias = self.type()
        has_name = _IDENTIFIER.fullmatch(self._tokens[self._at])
        name = self._identifier("the name of a return") if has_name else str(place)
        return Output(name=name, type=str(kind), own={"alias": alias})

    def type(self) -> tuple[Type, str | None]:
        """Parse a type; return it, and its alias annotation or None."""
        outside = self._depth
        self._enter_level()
        kind, alias = self._base_type(), self._alias()
        while True:
            self._enter_level()
            if self._skip_if("?"):
                kind, alias = Type(head=OPTIONAL, items=(kind,)), alias or self._alias()
            elif self._skip_if("["):
                size = None if self._at_token("]") else self._list_size()
                self.expect("]")
                container = self._alias()
                kind = Type(head=LIST, items=(kind,), size=size)
                alias = f"{alias or ''}[]{container or ''}" if alias or container else None
            else:
                self._depth = outside
                return kind, alias

    def _enter_level(self) -> None:
        """Count a level of nesting; the limit protects the stack from a hostile text."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._error(f"types are nested more than {MAX_DEPTH} levels deep")

    def _base_type(self) -> Type:
        """Parse a type without the `?` and `[]` behind it."""
        if self._skip_if("("):
            return Type(head=TUPLE, items=self._types())
        head = self._identifier("a type")
        if head not in GENERICS:
            return Type(head=SYNONYMS.get(head, head))
        self.expect("(")
        items = self._types()
        if GENERICS[head] not in (None, len(items)) or not items:
            self._fail(f"{GENERICS[head] or 'some'} types in {head}(...)")
        return Type(head=head, items=items)

    def _types(self) -> tuple[Type, ...]:
        """Parse types up to a closing bracket; their alias annotations are not compared, and dropped."""
        types: list[Type] = []
        while not self._skip_if(")"):
            if types:
                self.expect(",")
            types.append(self.type()[0])
        return tuple(types)

    def _alias(self) -> str | None:
        """Parse an alias annotation such as `(a!)` or `(a -> *)`, or return None; a bare `!` gets a fresh set."""
        if self._skip_if("!"):
            self._fresh_sets += 1
            return f"(${self._fresh_sets - 1}!)"
        if not self._at_token("("):
            return None
        self._at += 1
        before = self._sets("!")
        written = "!" if self._skip_if("!") else ""
        after = self._sets(")") if self._skip_if("->") else before
        self.expect(")")
        return f"({before}{written}{'' if after == before else ' -> ' + after})"

    def _sets(self, end: str) -> str:
        """Parse the alias sets before a token, and return them sorted: `a|b`."""
        names: list[str] = []
        while self._tokens[self._at] not in (")", "->", end, ""):
            if names:
                self.expect("|")
            names.append(
                self._next_token()
                if self._at_token("*") or self._tokens[self._at][0] == "$"
                else self._identifier("a set")
            )
        # PyTorch compares alias sets without order (alias_info.h), so their order in the text must not count.
        return "|".join(sorted(names))

    def _list_size(self) -> int:
        """Parse the size in `int[2]`."""
        text = self._next_token()
        if not text.isdigit() or len(text) > 9:
            self._at -= 1
            self._fail("a size, or `]`")
        return int(text)

    def _default_value(self) -> object:
        """Parse a default value: a list or a single value."""
        if self._skip_if("["):
            items: list[object] = []
            while not self._skip_if("]"):
                if items:
                    self.expect(",")
                items.append(self._default_item())
            return items
        return self._default_item()

    def _default_item(self) -> object:
        """Parse a string, identifier or number; a complex number is written as a sum, `1+2j`."""
        token = self._next_token()
        if token[:1] in "\"'" and token:
            return _ESCAPE.sub(_unescape, token[1:-1])
        if _IDENTIFIER.fullmatch(token):
            return defaults.parse_identifier(token)
        if token[-1:].isalnum() or token[-1:] == ".":
            value = defaults.parse_number(token)
            follows = self._tokens[self._at]
            return value + defaults.parse_number(self._next_token()) if follows[-1:] == "j" else value  # type: ignore[operator]
        self._at -= 1
        return self._fail("a default value")

    def _identifier(self, what: str) -> str:
        """Return the next token if it is a name; `what` describes it in the error otherwise."""
        if not _IDENTIFIER.fullmatch(self._tokens[self._at]):
            self._fail(what)
        return self._next_token()

    def _at_token(self, token: str) -> bool:
        """Return whether the next token is the given one."""
        return self._tokens[self._at] == token

    def _skip_if(self, token: str) -> bool:
        """Skip the next token if it is the given one; return whether it was."""
        if self._tokens[self._at] == token:
            self._at += 1
            return True
        return False

    def _next_token(self) -> str:
        """Return the next token and advance; at the end, ""."""
        token = self._tokens[self._at]
        self._at += bool(token)
        return token

    def expect(self, token: str) -> None:
        """Skip a token; raise SchemaError if it is another one."""
        if not self._skip_if(token):
            self._fail(f"`{token}`")

    def expect_end(self) -> None:
        """Raise SchemaError unless all tokens were read."""
        if self._at < len(self._tokens) - 1 or self._places[-1] < len(self._text):
            self._fail("the end of the schema")

    def _fail(self, expected: str) -> NoReturn:
        """Raise the error that something else was expected at the next token."""
        place = self._places[self._at]
        raise self._error(f"expected {expected}, found {self._text[place : place + _SHOWN] or 'the end'!r}")

    def _error(self, problem: str) -> SchemaError:
        """Return an error at the next token."""
        return SchemaError(f"column {self._places[self._at] + 1}: {problem}")
