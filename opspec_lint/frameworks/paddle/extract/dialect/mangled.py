"""Demangler for the names of API functions: the parameter types of a mangled C++ name.

It covers the part of the Itanium ABI that Paddle's names use:
https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling
"""

from __future__ import annotations

_BUILTIN = {
    "b": "bool", "i": "int", "l": "long", "x": "long long", "f": "float", "d": "double", "c": "char", "j": "unsigned",
    "m": "unsigned long", "v": "void", "s": "short", "h": "unsigned char",
}  # fmt: skip
_STANDARD = {"Sa": "std::allocator", "Ss": "std::string", "Sb": "std::basic_string"}
_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MAX_DIGITS = 4
"""The digits that are read of a length, and of the number of a component."""
_MAX_LENGTH = 4000
"""The length at which a name is no longer read."""


def demangle(name: str) -> tuple[str, list[str]]:
    """Return the qualified name of a function and the types of its parameters.

    Raises ValueError for a name of no function, or with an unsupported construct.
    """
    reader = _Demangler(name)
    types: list[str] = []
    try:
        function = reader.function()
        while not reader.is_done():
            types.append(reader.type())
    except (IndexError, KeyError, RecursionError, ValueError):
        raise ValueError(name[:_MAX_LENGTH]) from None
    return function, [] if types == ["void"] else types


class _Demangler:
    """A recursive-descent parser of one mangled name; its methods are named after the rules of the grammar."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = len("_Z")
        self._seen: list[str] = []

    def function(self) -> str:
        """Parse the name of the function."""
        if not self._text.startswith("_Z") or len(self._text) > _MAX_LENGTH:
            raise ValueError(self._text)
        return self.nested(is_function=True) if self.peek() == "N" else self.source_name()

    def is_done(self) -> bool:
        """Return whether the whole name is consumed."""
        return self._at >= len(self._text)

    def peek(self, count: int = 1) -> str:
        """Return the next characters without consuming them."""
        return self._text[self._at : self._at + count]

    def _take(self, count: int = 1) -> str:
        """Consume and return characters."""
        taken = self._text[self._at : self._at + count]
        self._at += count
        return taken

    def _add_substitution(self, name: str) -> str:
        """Add a component that `S_`, `S0_`, ... may refer to later, and return it."""
        self._seen.append(name)
        return name

    def type(self) -> str:
        """Parse one type."""
        char = self.peek()
        if char in ("R", "P", "K", "O"):
            self._take()
            sign = {"R": "&", "P": "*", "K": " const", "O": "&&"}[char]
            return self._add_substitution(self.type() + sign)
        if char == "N":
            return self.nested(is_function=False)
        if char == "S":
            return self._append_arguments(self._substitution())
        if char.isdigit():
            return self._append_arguments(self._add_substitution(self.source_name()))
        return _BUILTIN[self._take()]

    def nested(self, *, is_function: bool) -> str:
        """Parse `N ... E`, a qualified name. The name of the function itself is no substitution."""
        self._take()
        name = ""
        while self.peek() != "E":
            char = self.peek()
            if char == "K":
                self._take()
            elif self.peek(2) == "St":
                self._take(2)
                name = "std"
            elif char == "S":
                name = self._substitution()
            elif char == "I":
                name = self._add_substitution(name + self._template_arguments())
            else:
                part = self.source_name()
                name = f"{name}::{part}" if name else part
                # The ABI makes each prefix of a nested name a substitution, but not the whole name of a function.
                if not (is_function and self.peek() == "E"):
                    self._add_substitution(name)
        self._take()
        return name

    def source_name(self) -> str:
        """Parse a length and as many characters."""
        count = ""
        while self.peek().isdigit():
            count += self._take()
        name = self._take(int(count[:_MAX_DIGITS] or 0))
        if not name or len(name) != int(count):
            raise ValueError(self._text)
        return name

    def _append_arguments(self, name: str) -> str:
        """Return a name with its template arguments, if any follow."""
        return self._add_substitution(name + self._template_arguments()) if self.peek() == "I" else name

    def _template_arguments(self) -> str:
        """Parse `I ... E`, template arguments."""
        self._take()
        types: list[str] = []
        while self.peek() != "E":
            types.append(self.type())
        self._take()
        return f"<{', '.join(types)}>"

    def _substitution(self) -> str:
        """Parse `St`, an abbreviation of the standard library, or a reference to an earlier component."""
        code = self.peek(2)
        if code == "St":
            self._take(2)
            return self._add_substitution(f"std::{self.source_name()}")
        if code in _STANDARD:
            self._take(2)
            return _STANDARD[code]
        self._take()
        number, end, rest = self._text[self._at :].partition("_")
        if not end:
            raise ValueError(self._text)
        self._at = len(self._text) - len(rest)
        # S_ is the first component, S0_ the second: the number is in base 36 and starts behind S_.
        index = 0
        for digit in number[:_MAX_DIGITS]:
            index = index * len(_DIGITS) + _DIGITS.index(digit)
        return self._seen[index + 1 if number else 0]
