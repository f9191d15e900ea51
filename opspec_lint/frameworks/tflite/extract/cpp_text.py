"""C++ as far as the files of TFLite need it: comments blanked, bodies of functions, cases of a switch, lines."""

from __future__ import annotations

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator

_COMMENT = pattern(r'//[^\n]*|/\*.*?(?:\*/|\Z)|(?<!\\)"(?:\\.|[^"\\\n])*"', "s")
_PLAIN_COMMENT = pattern(r"/(?:/[^\n]*|\*.*?(?:\*/|\Z))", "s")
_HEAD = pattern(r"([ ]*)(?!return\b|else\b|case\b)\w[\w:<>&*, ]*[ &*]")
"""What stands before the name of a function that is defined: where its line begins, and its type."""
_NO_BREAK = pattern(r"[^\n]")


def without_comments(text: str) -> str:
    """Return a text in which every comment is blank; lines and columns stay as they are."""
    if '"' not in text:  # then a slash begins a comment or nothing, which is much faster to look for
        return _PLAIN_COMMENT.sub(_blank, text) if "//" in text or "/*" in text else text
    return _COMMENT.sub(_blank, text)


def _blank(found: re.Match[str]) -> str:
    matched = found.group()
    if matched[0] == '"':
        return matched
    return " " * len(matched) if matched[1] == "/" else _NO_BREAK.sub(" ", matched)


def numbered(text: str, found: Iterable[re.Match[str]]) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield matches, which come in their order in a text, each with the line that it begins in."""
    line, at = 1, 0
    for each in found:
        line += text.count("\n", at, each.start())
        at = each.start()
        yield line, each


def line_of(text: str, offset: int) -> int:
    """Return the line of a place in a text."""
    return text.count("\n", 0, offset) + 1


def function(text: str, name: str) -> tuple[int, str] | None:
    """Return the definition of a function: where it begins in the text, and the function without comments.

    It ends with the first brace that stands where its line begins, as all of these files are formatted.
    """
    at = text.find(f"{name}(")
    while at >= 0:
        begin = text.rfind("\n", 0, at) + 1
        head = _HEAD.fullmatch(text, begin, at)
        opening = text.find("{", at)
        if head is not None and opening >= 0 and ";" not in text[at:opening]:
            end = text.find(f"\n{head[1]}}}", opening)
            return begin, without_comments(text[begin : len(text) if end < 0 else end + len(head[1]) + 2])
        at = text.find(f"{name}(", at + 1)
    return None


def statement_end(text: str, at: int) -> int:
    """Return where the block ends that begins with the brace at a place, behind its closing brace."""
    depth = 0
    for found in _BRACE.finditer(text, at):
        depth += 1 if found.group() == "{" else -1
        if depth == 0:
            return found.end()
    return len(text)


_BRACE = pattern(r"[{}]")
