"""The strings of a schema: their syntax in quotes, and their content."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re


STRING = r"""(?<!\\)"[^"\\\n]*(?:\\.[^"\\\n]*)*"|(?<!\\)'[^'\\\n]*(?:\\.[^'\\\n]*)*'"""
"""Text in double or single quotes, whatever it escapes. A quote behind a backslash begins none: where a string does not
end, each quote that it escapes would be tried as the beginning of another one."""

_ESCAPE = pattern(
    r"""\\(?:([ntrbf"'\\/])|x([0-9a-fA-F]{2})"""
    r"""|u((?![dD][89a-fA-F])[0-9a-fA-F]{4})|u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2}))"""
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_CONTROL = pattern(r"[\x00-\x1f]")


def is_string(text: str) -> bool:
    """Return whether a value is in quotes."""
    return text[:1] in ('"', "'")


def remove_quotes(text: str) -> str:
    """Return the content of a string in quotes; anything else as it is.

    Raises:
        ValueError: the string contains what `flatc` does not take: a control character, or an unknown escape.
    """
    if not is_string(text):
        return text
    inside = text[1:-1]
    if _CONTROL.search(inside):
        raise ValueError("expected a string without control characters")
    if "\\" not in inside:
        return inside
    if "\\" in _ESCAPE.sub("", inside):
        raise ValueError("expected an escape that flatc knows, such as \\n or \\u00e9")
    return _ESCAPE.sub(_unescape, inside)


def _unescape(match: re.Match[str]) -> str:
    letter, byte, code, high, low = match.groups()
    if letter is not None:
        return _ESCAPES.get(letter, letter)
    if high is not None:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
    return chr(int(byte or code, 16))
