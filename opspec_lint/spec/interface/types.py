"""The types of what a declaration takes and gives, and the words of Python for them.

`float32[None, 4]` is a tensor, with None for a size that is not fixed; `float32[]` a scalar; `float32[...]` one of
unknown rank. `(a, b)`, `[a, b]` and `{"k": a}` hold others, and so does a named tuple, `Point(x=a, y=b)`. `True`, `1`,
`'sum'` and `None` are values of Python. `RaggedTensor(float32[None, None], 1)` is a composite tensor, and whatever else
a framework knows is written the same way. `constant(float32[], 3.0)` is a tensor that is a default value. `?` is a type
that nothing says.
"""

from __future__ import annotations

import ast
from functools import lru_cache

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn, TypeAlias

    from opspec_lint.spec.interface.shapes import Shape

    Type: TypeAlias = "Tensor | Value | Group | Composite | UnknownType"

_BRACKETS = {"tuple": "()", "list": "[]", "dict": "{}", "named_tuple": "()"}
_NAME = pattern(r"[A-Za-z_][\w.]*")
_TENSOR = pattern(r"([A-Za-z_]\w*)\[((?:\s*(?:None|\d+|\.\.\.)\s*,?)*)\]")
_VALUE = pattern(r"(?:True|False|None|-?inf|nan)(?![\w.(\[])|-?\d[\w.+-]*|b?'(?:[^'\\]|\\.)*'|b?\"(?:[^\"\\]|\\.)*\"")
_KEY = pattern(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_FIELD = pattern(r"([A-Za-z_]\w*)\s*=")
_SPACE = pattern(r"\s*")
CONSTANT_TENSOR = "constant"
"""The word for a tensor that is a default value: its dtype and shape, and its value."""
MAX_DEPTH = 100
"""How deep types stand in one another at most: protobuf decodes no more messages."""


class Tensor(Record):
    """A tensor of a dtype, and of a shape as `spec.interface.shapes` has them."""

    dtype: str
    shape: Shape = None

    def __str__(self) -> str:
        sizes = "..." if self.shape is None else ", ".join(map(str, self.shape))
        return f"{self.dtype}[{sizes}]"


class Value(Record):
    """A value of Python, as its `repr` writes it."""

    text: str

    @property
    def value(self) -> object:
        """The value; its text where that is no literal."""
        try:
            return ast.literal_eval(self.text)
        except (SyntaxError, ValueError):
            return self.text

    def __str__(self) -> str:
        return self.text


class Group(Record):
    """A tuple, list, dict or named tuple; `name` is that of a named tuple. Items of the first two have empty keys."""

    kind: str
    name: str = ""
    items: tuple[tuple[str, Type], ...] = ()

    def __str__(self) -> str:
        brackets = _BRACKETS[self.kind]
        return f"{self.name}{brackets[0]}{self._inside()}{brackets[1]}"

    def _inside(self) -> str:
        if self.kind == "dict":
            return ", ".join(f"{_quoted(key)}: {each}" for key, each in self.items)
        if self.kind == "named_tuple":
            return ", ".join(f"{key}={each}" for key, each in self.items)
        inside = ", ".join(str(each) for _, each in self.items)
        return f"{inside}," if self.kind == "tuple" and len(self.items) == 1 else inside


SPARSE = "SparseTensor"


class Composite(Record):
    """What is no plain tensor: `word` says what, `parts` what is known of it, a tensor with dtype and shape first."""

    type_name: str
    parts: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return f"{self.type_name}({', '.join(map(str, self.parts))})"

    def is_like(self, other: Composite) -> bool:
        """Tell whether two differ in their tensors alone."""
        return (
            self.type_name == other.type_name and bool(self.parts and other.parts) and self.parts[1:] == other.parts[1:]
        )


class UnknownType(Record):
    """A type that nothing says."""

    def __str__(self) -> str:
        return "?"


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)


def leaf_tensors(found: Type, path: str = "") -> Iterator[tuple[str, Tensor]]:
    """Yield the plain tensors of a type, each with the way to it: `['k'][0]`."""
    if isinstance(found, Tensor):
        yield path, found
    for step, each in children(found):
        yield from leaf_tensors(each, path + step)


def children(found: Type) -> Iterator[tuple[str, Type]]:
    """Yield the parts of what holds others, each with the step to it as Python writes it."""
    if isinstance(found, Group):
        for at, (key, each) in enumerate(found.items):
            if found.kind == "dict":
                yield f"[{_quoted(key)}]", each
            else:
                yield (f".{key}" if found.kind == "named_tuple" else f"[{at}]"), each


class TypeTextError(ValueError):
    """A text is no type."""


@lru_cache(maxsize=4096)
def parse(text: str) -> Type:
    """Return the type that a text stands for.

    Raises:
        TypeTextError: the text stands for no type.
    """
    reader = Reader(text)
    found = reader.type()
    reader.end()
    return found


class Reader:
    """Recursive descent over a text of types.

    Args:
        text: the text.
        at: where to begin.
    """

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at
        self._depth = 0

    def type(self) -> Type:
        """Read a type."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.fail("types are nested too deep")
        found = self._type()
        self._depth -= 1
        return found

    def _type(self) -> Type:
        self.skip()
        opening = self.text[self.at : self.at + 1]
        if opening == "?":
            self.at += 1
            return UnknownType()
        if opening in ("(", "["):
            kind, end = ("tuple", ")") if opening == "(" else ("list", "]")
            self.at += 1
            return Group(kind=kind, items=tuple(("", each) for each in self.several(end)))
        if opening == "{":
            self.at += 1
            return Group(kind="dict", items=tuple(self._members()))
        value = _VALUE.match(self.text, self.at)
        if value is not None:
            self.at = value.end()
            return Value(text=value[0])
        return self._named()

    def _named(self) -> Type:
        tensor = _TENSOR.match(self.text, self.at)
        if tensor is not None:
            self.at = tensor.end()
            return Tensor(dtype=tensor[1], shape=_shape(tensor[2]))
        name = _NAME.match(self.text, self.at)
        if name is None or self.text[name.end() : name.end() + 1] != "(":
            self.fail("expected a type")
        self.at = name.end() + 1
        self.skip()
        if _FIELD.match(self.text, self.at):
            return Group(kind="named_tuple", name=name[0], items=tuple(self._fields()))
        return Composite(type_name=name[0], parts=tuple(self.several(")")))

    def several(self, end: str) -> Iterator[Type]:
        """Yield types up to a closing bracket, which is read as well."""
        for _ in self.items(end):
            yield self.type()

    def items(self, end: str) -> Iterator[None]:
        """Stop before each item of a list, which the caller reads, up to a closing bracket, which is read as well."""
        while not self.takes(end):
            yield
            if not self.takes(","):
                self.expect(end)
                return

    def _members(self) -> Iterator[tuple[str, Type]]:
        for _ in self.items("}"):
            self.skip()
            key = _KEY.match(self.text, self.at)
            if key is None:
                self.fail("expected a key in quotes")
            self.at = key.end()
            self.expect(":")
            yield str(ast.literal_eval(key[0])), self.type()

    def _fields(self) -> Iterator[tuple[str, Type]]:
        for _ in self.items(")"):
            yield self.field() or self.fail("expected a name and '='"), self.type()

    def field(self) -> str:
        """Read `name=`, and return the name; "" where there is none."""
        self.skip()
        found = _FIELD.match(self.text, self.at)
        if found is None:
            return ""
        self.at = found.end()
        return found[1]

    def skip(self) -> None:
        """Pass over white space."""
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def takes(self, word: str) -> bool:
        """Read a word if it stands here, and tell whether it did."""
        self.skip()
        if not self.text.startswith(word, self.at):
            return False
        self.at += len(word)
        return True

    def expect(self, word: str) -> None:
        """Read a word that has to stand here."""
        if not self.takes(word):
            self.fail(f"expected '{word}'")

    def end(self) -> None:
        """Make sure that nothing is left."""
        self.skip()
        if self.at < len(self.text):
            self.fail("expected the end")

    def fail(self, problem: str) -> NoReturn:
        """Refuse the text."""
        raise TypeTextError(f"{problem} at character {self.at + 1} of {self.text[:200]!r}")


def _shape(text: str) -> Shape:
    sizes = [each.strip() for each in text.split(",") if each.strip()]
    if sizes == ["..."]:
        return None
    return tuple(None if each == "None" else int(each) for each in sizes if each != "...")
