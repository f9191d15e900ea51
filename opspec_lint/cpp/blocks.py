"""The namespaces, classes, enums and functions around a position in a C++ file, found by its braces."""

from __future__ import annotations

import re
from bisect import bisect_right

from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    Path = tuple[str, ...]

_BRACE = pattern(r"[{}]")
_NAMESPACE = pattern(r"\bnamespace\b\s*(?:\[\[[^\]]*\]\]\s*)?((?:\w+\s*::\s*)*\w*)\s*\Z")
_ENUM = pattern(r"\benum\b\s*(class\b|struct\b)?\s*(\w*)\s*(?::\s*([\w:\s]+?))?\s*\Z")
_CLASS = pattern(r"\b(?:class|struct|union)\b(?:\s+[A-Z_]+(?=\s+\w))?\s*(\w*)\s*(?:final\b\s*)?(?::(?!:)[^;{}]*)?\Z")
_CLASS_KEYS = ("class", "struct", "union")
_FUNCTION = pattern(r"(?<!\w)((?:\w+\s*(?:<[^<>;{}]*>)?\s*::\s*)*)~?\w+\s*\Z")
_CONTROLS = ("if", "for", "while", "switch", "catch")
_CONTROL = pattern(rf"\b(?:{'|'.join(_CONTROLS)})\s*\Z")
_TAIL = pattern(r"\)\s*(?:const\b|override\b|final\b|noexcept\b|&|\s)*(?:->[\s\w:<>*&]+)?\s*\Z")
_LAMBDA = pattern(r"(?:[=(,&|?:!{]|\breturn|\A)\s*\[[^\[\]]*\]\s*\Z")
"""The head of a lambda without parameters, which may lack the parentheses ([expr.prim.lambda])."""
_NAME_OF_FUNCTION = pattern(r"(~?\w+)\s*\(")
_BEFORE_NAME = pattern(
    r"\b(?:requires|__attribute__|__declspec|alignas|decltype|noexcept)\s*"
    r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
)
"""What has parentheses in the head of a function beside its name: a constraint, an attribute, or a type."""
_EXTERN = pattern(r'\bextern\s*"[^"]*"\s*\Z')
TEMPLATE_HEAD = pattern(r"\btemplate\s*<\s*[^\s>]")
"""The head of a template, and not that of a full specialization."""
_FAR = 3000
"""Characters before a brace in which its declaration is searched."""

NAMESPACE, CLASS, ENUM, FUNCTION, UNKNOWN = range(5)


def scope_names(text: str) -> Path:
    """Return the names that `::` separates, without the empty name of the global scope."""
    return tuple(name.strip() for name in text.split("::") if name.strip())


def name_of_function(head: str) -> str:
    """Return the name of a function by the text before its body, "" if it has none."""
    match = _NAME_OF_FUNCTION.search(_BEFORE_NAME.sub(" ", head))
    return "" if match is None else match[1]


class Block:
    """Two braces and the text between them.

    `names` qualify the names inside: the name of a namespace, class or enum, or of the class that a function is a
    member of. `is_scoped`: the enumerators of an enum must be qualified by its name. `underlying` is the text of the
    type of an enum, "" if none is written.
    """

    __slots__ = ("end", "is_scoped", "kind", "names", "outer", "start", "underlying")

    def __init__(self, kind: int, names: Path, start: int, outer: Block | None) -> None:
        self.kind = kind
        self.names = names
        self.start = start
        self.end = start
        self.outer = outer
        self.is_scoped = False
        self.underlying = ""

    def path(self) -> Path:
        """Return the names of the enclosing blocks and of this one, from the outermost on."""
        outwards = [block.names for block in self.around()]
        return tuple(name for names in reversed(outwards) for name in names)

    def around(self) -> Iterator[Block]:
        """Yield this block, then the enclosing blocks."""
        block: Block | None = self
        while block is not None:
            yield block
            block = block.outer


class Blocks:
    """The blocks of `bare`, a text without comments, strings and code that is not compiled."""

    def __init__(self, bare: str) -> None:
        self._bare = bare
        self.all: list[Block] = []
        self._edges: list[int] = []
        self._inside: list[Block | None] = []
        self._find_blocks()

    def at(self, offset: int) -> Block | None:
        """Return the innermost block around an offset; None outside of all."""
        index = bisect_right(self._edges, offset) - 1
        return self._inside[index] if index >= 0 else None

    def statement_start(self, offset: int) -> int:
        """Return the start of the statement at an offset: after the last brace or semicolon before it."""
        # The braces are indexed: to search each one backwards would read a file without any as often as it declares.
        index = bisect_right(self._edges, offset) - 1
        brace = self._edges[index] if index >= 0 else 0
        return max(self._bare.rfind(";", brace, offset) + 1, brace)

    def function_around(self, offset: int) -> Block | None:
        """Return the outermost function or lambda around an offset, None outside of functions."""
        block = self.at(offset)
        around = [] if block is None else [outer for outer in block.around() if outer.kind == FUNCTION]
        return around[-1] if around else None

    def head_start(self, block: Block) -> int:
        """Return the start of the statement that a block belongs to."""
        return self.statement_start(block.start - 1)

    def head(self, block: Block) -> str:
        """Return the text before the brace of a block, from the start of its statement on."""
        return self._bare[self.head_start(block) : block.start]

    def _find_blocks(self) -> None:
        """Pair the braces, and index the innermost block behind each one for `at`."""
        stack: list[Block] = []
        since = 0
        bare = self._bare
        for match in _BRACE.finditer(bare):
            at = match.start()
            if bare[at] == "{":
                since = max(since, at - _FAR, bare.rfind(";", since, at) + 1)
                block = _classify_block(bare[since:at], at, stack[-1] if stack else None)
                stack.append(block)
                self.all.append(block)
            elif stack:
                stack.pop().end = at
            since = at + 1
            self._edges.append(since)
            self._inside.append(stack[-1] if stack else None)
        for block in stack:
            block.end = len(self._bare)


def _classify_block(head: str, start: int, outer: Block | None) -> Block:
    """Return the block that an opening brace begins, by the text before the brace."""
    head = head.rstrip()
    if outer is not None and outer.kind == FUNCTION:
        # A block of any kind in a function counts as a part of it: code outside cannot name its declarations.
        return Block(FUNCTION, (), start, outer)
    match = _NAMESPACE.search(head) if "namespace" in head else None
    if match:
        # The names of an inline namespace belong to the enclosing one ([namespace.def.general]).
        is_inline = head[: match.start()].endswith("inline ")
        return Block(NAMESPACE, () if is_inline else scope_names(match[1]), start, outer)
    # `extern "C" {` opens no scope: its names belong to the enclosing namespace ([dcl.link]).
    if "extern" in head and _EXTERN.search(head):
        return Block(NAMESPACE, (), start, outer)
    match = _ENUM.search(head) if "enum" in head else None
    if match:
        block = Block(ENUM, (match[2],) if match[2] else (), start, outer)
        block.is_scoped = bool(match[1])
        block.underlying = match[3] or ""
        return block
    match = _CLASS.search(head) if any(key in head for key in _CLASS_KEYS) else None
    if match:
        return Block(CLASS, (match[1],) if match[1] else (), start, outer)
    return _function_block(head, start, outer)


def _function_block(head: str, start: int, outer: Block | None) -> Block:
    """Return the block of a function, with the classes that qualify its name; otherwise an UNKNOWN block."""
    opening = head.find("(")
    if opening < 0 or not (_TAIL.search(head) or re.search(r"\)\s*:(?!:)", head)):
        is_function = head.endswith(")") or (head.endswith("]") and _LAMBDA.search(head) is not None)
        return Block(FUNCTION if is_function else UNKNOWN, (), start, outer)
    before = head[:opening]
    # The patterns end with `\Z`, and would be tried at every word of a long head.
    if before.rstrip().endswith(_CONTROLS) and _CONTROL.search(before):
        return Block(FUNCTION, (), start, outer)
    match = _FUNCTION.search(before) if "::" in before else None
    owners = re.sub(r"<[^<>]*>", "", match[1]) if match else ""
    return Block(FUNCTION, scope_names(owners), start, outer)
