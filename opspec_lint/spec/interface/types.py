"""The types of parameters and results in an interface, with their notation.

- `float32[None, 4]` is a tensor; None is a size that is not fixed, `float32[]` a scalar, `float32[...]` of unknown
  rank.
- `(a, b)`, `[a, b]`, `{"k": a}` and the named tuple `Point(x=a, y=b)` are groups of other types.
- `True`, `1`, `'sum'` and `None` are Python values.
- `RaggedTensor(float32[None, None], 1)` is a composite tensor, or another type that a framework knows.
- `constant(float32[], 3.0)` is a tensor that is a default value.
- `?` is an unknown type.
"""

from __future__ import annotations

from functools import lru_cache

from opspec_lint.kit.pattern import pattern
from opspec_lint.kit.python_text import literal_value
from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import NoReturn, TypeAlias

    from opspec_lint.spec.interface.shapes import Shape

    Type: TypeAlias = "TensorType | ValueType | GroupType | CompositeType | UnknownType"

_BRACKETS = {"tuple": "()", "list": "[]", "dict": "{}", "named_tuple": "()"}
_NAME = pattern(r"[A-Za-z_][\w.]*")
_TENSOR = pattern(r"([A-Za-z_]\w*)\[((?:\s*(?:None|\d+|\.\.\.)\s*,?)*)\]")
_VALUE = pattern(r"(?:True|False|None|-?inf|nan)(?![\w.(\[])|-?\d[\w.+-]*|b?'(?:[^'\\]|\\.)*'|b?\"(?:[^\"\\]|\\.)*\"")
_KEY = pattern(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
_FIELD = pattern(r"([A-Za-z_]\w*)\s*=")
_SPACE = pattern(r"\s*")
CONSTANT_TENSOR = "constant"
"""The name of the composite for a tensor that is a default value: its dtype and shape, and its value."""
MAX_DEPTH = 100
"""The deepest nesting of types: protobuf decodes no deeper messages (100 is its recursion limit)."""


class TensorType(Record):
    """A tensor with a dtype, and a shape as in `spec.interface.shapes`."""

    dtype: str
    shape: Shape = None

    def __str__(self) -> str:
        sizes = "..." if self.shape is None else ", ".join(map(str, self.shape))
        return f"{self.dtype}[{sizes}]"


class ValueType(Record):
    """A Python value, as its `repr`."""

    text: str

    @property
    def value(self) -> object:
        """The value; the text itself if it is no literal."""
        try:
            return literal_value(self.text)
        except (SyntaxError, ValueError):
            return self.text

    def __str__(self) -> str:
        return self.text


class GroupType(Record):
    """A tuple, list, dict or named tuple.

    `name` is the name of a named tuple. Items of tuples and lists have empty keys.
    """

    kind: str
    name: str = ""
    items: tuple[tuple[str, Type], ...] = ()

    def __str__(self) -> str:
        brackets = _BRACKETS[self.kind]
        return f"{self.name}{brackets[0]}{self._inside()}{brackets[1]}"

    def _inside(self) -> str:
        if self.kind == "dict":
            return ", ".join(f"{_quote(key)}: {type_}" for key, type_ in self.items)
        if self.kind == "named_tuple":
            return ", ".join(f"{key}={type_}" for key, type_ in self.items)
        inside = ", ".join(str(type_) for _, type_ in self.items)
        return f"{inside}," if self.kind == "tuple" and len(self.items) == 1 else inside


SPARSE = "SparseTensor"


class CompositeType(Record):
    """A type that is no plain tensor: `type_name` is its name, `parts` its known parts, often a tensor first."""

    type_name: str
    parts: tuple[Type, ...] = ()

    def __str__(self) -> str:
        return f"{self.type_name}({', '.join(map(str, self.parts))})"

    def is_like(self, composite: CompositeType) -> bool:
        """Return whether two composites differ only in their tensors."""
        return (
            self.type_name == composite.type_name
            and bool(self.parts and composite.parts)
            and self.parts[1:] == composite.parts[1:]
        )


class UnknownType(Record):
    """A type that the source does not state."""

    def __str__(self) -> str:
        return "?"


def _quote(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)


def leaf_tensors(type_: Type, path: str = "") -> Iterator[tuple[str, TensorType]]:
    """Yield the plain tensors of a type, with their paths: `['k'][0]`."""
    if isinstance(type_, TensorType):
        yield path, type_
    for step, part in children(type_):
        yield from leaf_tensors(part, path + step)


def children(type_: Type) -> Iterator[tuple[str, Type]]:
    """Yield the parts of a group, with the steps to them as Python writes them: `[0]`, `["k"]`, `.x`."""
    if isinstance(type_, GroupType):
        for at, (key, part) in enumerate(type_.items):
            if type_.kind == "dict":
                yield f"[{_quote(key)}]", part
            else:
                yield (f".{key}" if type_.kind == "named_tuple" else f"[{at}]"), part


class TypeTextError(ValueError):
    """The error that a text is no type."""


@lru_cache(maxsize=4096)
def parse(text: str) -> Type:
    """Return the type that a text describes.

    Raises:
        TypeTextError: the text describes no type.
    """
    reader = TypeParser(text)
    type_ = reader.type()
    reader.end()
    return type_


class TypeParser:
    """A recursive descent parser of types.

    Args:
        text: the text.
        at: the index to begin at.
    """

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at
        self._depth = 0

    def type(self) -> Type:
        """Parse a type."""
        # The text of a model's author can nest without end, and Python's recursion limit is no clear error.
        self._depth += 1
        if self._depth > MAX_DEPTH:
            self.fail("types are nested too deep")
        type_ = self._type()
        self._depth -= 1
        return type_

    def _type(self) -> Type:
        """Parse a type: `?`, a tuple, a list, a dict, a Python value, or else a tensor or a named type."""
        self.skip()
        opening = self.text[self.at : self.at + 1]
        if opening == "?":
            self.at += 1
            return UnknownType()
        if opening in ("(", "["):
            kind, end = ("tuple", ")") if opening == "(" else ("list", "]")
            self.at += 1
            return GroupType(kind=kind, items=tuple(("", item) for item in self.types_until(end)))
        if opening == "{":
            self.at += 1
            return GroupType(kind="dict", items=tuple(self._dict_members()))
        # Before names: `True` and `None` are names as well.
        value = _VALUE.match(self.text, self.at)
        if value is not None:
            self.at = value.end()
            return ValueType(text=value[0])
        return self._tensor_or_composite()

    def _tensor_or_composite(self) -> Type:
        """Parse a tensor, a named tuple, or a composite."""
        tensor = _TENSOR.match(self.text, self.at)
        if tensor is not None:
            self.at = tensor.end()
            return TensorType(dtype=tensor[1], shape=_shape(tensor[2]))
        name = _NAME.match(self.text, self.at)
        if name is None or self.text[name.end() : name.end() + 1] != "(":
            self.fail("expected a type")
        self.at = name.end() + 1
        self.skip()
        # `Point(x=...)` is a named tuple, `Point(...)` a composite.
        if _FIELD.match(self.text, self.at):
            return GroupType(kind="named_tuple", name=name[0], items=tuple(self._named_tuple_fields()))
        return CompositeType(type_name=name[0], parts=tuple(self.types_until(")")))

    def types_until(self, end: str) -> Iterator[Type]:
        """Yield the types up to a closing bracket, which is consumed."""
        for _ in self.items_until(end):
            yield self.type()

    def items_until(self, end: str) -> Iterator[None]:
        """Yield before each item of a list, which the caller parses; the closing bracket is consumed."""
        while not self.accept(end):
            yield
            if not self.accept(","):
                self.expect(end)
                return

    def _dict_members(self) -> Iterator[tuple[str, Type]]:
        """Yield the keys and types in `{'key': TYPE, ...}`."""
        for _ in self.items_until("}"):
            self.skip()
            key = _KEY.match(self.text, self.at)
            if key is None:
                self.fail("expected a key in quotes")
            self.at = key.end()
            self.expect(":")
            yield str(literal_value(key[0])), self.type()

    def _named_tuple_fields(self) -> Iterator[tuple[str, Type]]:
        for _ in self.items_until(")"):
            yield self.field() or self.fail("expected a name and '='"), self.type()

    def field(self) -> str:
        """Consume `name=`, and return the name; "" if there is none."""
        self.skip()
        match = _FIELD.match(self.text, self.at)
        if match is None:
            return ""
        self.at = match.end()
        return match[1]

    def skip(self) -> None:
        """Skip white space."""
        match = _SPACE.match(self.text, self.at)
        self.at = match.end() if match else self.at

    def accept(self, token: str) -> bool:
        """Consume a token if it comes next, and return whether it did."""
        self.skip()
        if not self.text.startswith(token, self.at):
            return False
        self.at += len(token)
        return True

    def expect(self, token: str) -> None:
        """Consume a token that must come next."""
        if not self.accept(token):
            self.fail(f"expected '{token}'")

    def end(self) -> None:
        """Raise an error if any text is left."""
        self.skip()
        if self.at < len(self.text):
            self.fail("expected the end")

    def fail(self, problem: str) -> NoReturn:
        """Raise an error about the text at the current index."""
        raise TypeTextError(f"{problem} at character {self.at + 1} of {self.text[:200]!r}")


def _shape(text: str) -> Shape:
    sizes = [size.strip() for size in text.split(",") if size.strip()]
    if sizes == ["..."]:
        return None
    return tuple(None if size == "None" else int(size) for size in sizes if size != "...")
