"""The parser of C++ types as they are written for variables, parameters and casts."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol, TypeAlias

    CType: TypeAlias = "str | tuple[str, CType | None]"
    """A type of number as `numbers` names it, `string`, `chars` (a C string), `auto`, or a container and its items."""

    class TypeResolver(Protocol):
        """A resolver of other names of types."""

        def type_text(self, text: str) -> str:
            """Return a type with aliases and template parameters replaced."""


CONTAINERS = ("vector", "set", "unordered_set", "initializer_list", "array", "list", "deque")
"""The containers of the standard library that are represented by lists."""

_SIZED = {
    "int8_t": "signed char",
    "uint8_t": "unsigned char",
    "int16_t": "short",
    "uint16_t": "unsigned short",
    "int32_t": "int",
    "uint32_t": "unsigned int",
    "int64_t": "long",
    "uint64_t": "unsigned long",
    "size_t": "unsigned long",
    "ptrdiff_t": "long",
    "intptr_t": "long",
    "uintptr_t": "unsigned long",
}
_PLAIN = frozenset({"bool", "float", "double", "auto", "string"})
_INTEGER_KEYWORDS = frozenset({"signed", "unsigned", "short", "long", "int", "char"})
_IGNORED = pattern(
    r"\b(?:const|volatile|constexpr|static|inline|extern|typename|struct|class|enum|mutable|register|thread_local)\b"
)
_STANDARD = pattern(r"(?:::)?(?<!\s)\s*\bstd\s*::\s*")
_CONTAINER = pattern(rf"({'|'.join(CONTAINERS)})\s*<(.*)>", "s")


def c_type(text: str, types: TypeResolver | None = None) -> CType | None:
    """Return the type that a text names, None if it is unknown."""
    kind = _parse(text)
    if kind is None and types is not None:
        bound = types.type_text(text)
        kind = _parse(bound) if bound.strip() != text.strip() else None
    if isinstance(kind, tuple) and kind[1] is None:
        item = c_type(_CONTAINER.search(text)[2].split(",")[0], types) if _CONTAINER.search(text) else None  # type: ignore[index]
        return (kind[0], item)
    return kind


def _parse(text: str) -> CType | None:
    """Return the type that a text names without aliases, None if it is unknown."""
    plain = " ".join(_STANDARD.sub("", _IGNORED.sub(" ", text)).split()).removeprefix(":: ").removeprefix("::")
    pointer = plain.count("*")
    plain = plain.replace("&", "").strip()
    if pointer:
        return "chars" if pointer == 1 and plain.replace("*", "").strip() == "char" else None
    if plain in _PLAIN:
        return plain
    if plain in _SIZED:
        return _SIZED[plain]
    keywords = plain.split()
    if keywords and _INTEGER_KEYWORDS.issuperset(keywords):
        return _integer_type(keywords)
    container = _CONTAINER.fullmatch(plain)
    if container:
        parts = container[2].rsplit(",", 1) if container[1] == "array" else [container[2]]
        return (container[1], _parse(parts[0]))
    return None


def _integer_type(keywords: list[str]) -> str | None:
    """Return the integer type of keywords in any order: `long unsigned int` is `unsigned long`."""
    sign = "unsigned " if "unsigned" in keywords else ""
    if "char" in keywords:
        return f"{sign}char" if sign else "signed char" if "signed" in keywords else "char"
    for size in ("short", "long"):
        if size in keywords:
            return sign + size
    return f"{sign}int"
