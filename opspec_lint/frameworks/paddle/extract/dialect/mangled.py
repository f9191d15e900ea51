"""The parameters of a C++ function by its name in a library, as the Itanium ABI mangles it: as much as is needed here.

Source of the rules: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling
"""

from __future__ import annotations

_BUILTIN = {
    "b": "bool", "i": "int", "l": "long", "x": "long long", "f": "float", "d": "double", "c": "char", "j": "unsigned",
    "m": "unsigned long", "v": "void", "s": "short", "h": "unsigned char",
}  # fmt: skip
_STANDARD = {"Sa": "std::allocator", "Ss": "std::string", "Sb": "std::basic_string"}
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MANY = 4  # digits of a number in a name
_LONGEST = 4000
"""Characters of a name that is looked at."""


def parameters(name: str) -> tuple[str, list[str]]:
    """Return the qualified name of a function, and the types of its parameters.

    Raises:
        ValueError: the name is no function's, or has what is not understood here.
    """
    reader = _Reader(name)
    found: list[str] = []
    try:
        function = reader.function()
        while not reader.is_done():
            found.append(reader.type())
    except (IndexError, KeyError, RecursionError, ValueError):
        raise ValueError(name[:_LONGEST]) from None
    return function, [] if found == ["void"] else found


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 2
        self._seen: list[str] = []

    def function(self) -> str:
        if not self._text.startswith("_Z") or len(self._text) > _LONGEST:
            raise ValueError(self._text)
        return self.nested(is_function=True) if self.peek() == "N" else self.source_name()

    def is_done(self) -> bool:
        return self._at >= len(self._text)

    def peek(self, count: int = 1) -> str:
        return self._text[self._at : self._at + count]

    def _take(self, count: int = 1) -> str:
        found = self._text[self._at : self._at + count]
        self._at += count
        return found

    def _remember(self, name: str) -> str:
        self._seen.append(name)
        return name

    def type(self) -> str:
        char = self.peek()
        if char in ("R", "P", "K", "O"):
            self._take()
            sign = {"R": "&", "P": "*", "K": " const", "O": "&&"}[char]
            return self._remember(self.type() + sign)
        if char == "N":
            return self.nested(is_function=False)
        if char == "S":
            return self._with_arguments(self._substitution())
        if char.isdigit():
            return self._with_arguments(self._remember(self.source_name()))
        return _BUILTIN[self._take()]

    def nested(self, *, is_function: bool) -> str:
        self._take()
        name = ""
        while self.peek() != "E":
            char = self.peek()
            if char == "K":
                self._take()
            elif char == "S":
                name = "std" if self.peek(2) == "St" else self._substitution()
                self._at += 2 * (name == "std" and self.peek(2) == "St")
            elif char == "I":
                name = self._remember(name + self._arguments())
            else:
                own = self.source_name()
                name = f"{name}::{own}" if name else own
                if not (is_function and self.peek() == "E"):
                    self._remember(name)
        self._take()
        return name

    def source_name(self) -> str:
        count = ""
        while self.peek().isdigit():
            count += self._take()
        name = self._take(int(count[:_MANY] or 0))
        if not name or len(name) != int(count):
            raise ValueError(self._text)
        return name

    def _with_arguments(self, name: str) -> str:
        return self._remember(name + self._arguments()) if self.peek() == "I" else name

    def _arguments(self) -> str:
        self._take()
        found: list[str] = []
        while self.peek() != "E":
            found.append(self.type())
        self._take()
        return f"<{', '.join(found)}>"

    def _substitution(self) -> str:
        two = self.peek(2)
        if two == "St":
            self._take(2)
            return self._remember(f"std::{self.source_name()}")
        if two in _STANDARD:
            self._take(2)
            return _STANDARD[two]
        self._take()
        number, end, rest = self._text[self._at :].partition("_")
        if not end:
            raise ValueError(self._text)
        self._at = len(self._text) - len(rest)
        place = 0
        for digit in number[:_MANY]:
            place = place * len(_DIGITS) + _DIGITS.index(digit)
        return self._seen[place + 1 if number else 0]
