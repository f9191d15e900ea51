"""Entries of Paddle's YAML files of ops, as text: the items of `args` and `output`, with their offsets."""

from __future__ import annotations

import posixpath
import re

from opspec_lint.kit.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from opspec_lint.fixes.files import Files
    from opspec_lint.fixes.text_file import TextFile

ENTRY = re.compile(r"^- (?:op|backward_op|forward_op)\s*:\s*(\w+)", re.MULTILINE)
_SECTIONS = {
    "args": re.compile(r"^  args\s*:\s*\(", re.MULTILINE),
    "output": re.compile(r"^  output\s*:", re.MULTILINE),
}
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_ARGUMENT_NAME = re.compile(r"(\w+)\s*(?:=.*)?", re.DOTALL)
_OUTPUT_NAME = re.compile(r"[\w\[\]]+\s*\(\s*(\w+)\s*\)")


class Entry(Record):
    """An entry: the name of its op, and its span in the text of the file."""

    op: str
    start: int
    end: int


class Item(Record):
    """An item of `args` or `output`: its name, its text, and the span of the text without the blanks around it."""

    name: str
    text: str
    start: int
    end: int


def entry_at(text: str, offset: int) -> Entry | None:
    """Return the entry that contains an offset."""
    return next((entry for entry in reversed(entries(text)) if entry.start <= offset), None)


def entries(text: str) -> list[Entry]:
    """Return all entries of a file, in order."""
    matches = list(ENTRY.finditer(text))
    ends = [*(match.start() for match in matches[1:]), len(text)]
    # A file without entries has an end all the same.
    return [Entry(op=match[1], start=match.start(), end=end) for match, end in zip(matches, ends, strict=False)]


def items(text: str, entry: Entry, section: str) -> list[Item]:
    """Return the items of the `args` or the `output` of an entry; none if the section is missing or not closed."""
    begin = _SECTIONS[section].search(text, entry.start, entry.end)
    if begin is None:
        return []
    start = begin.end()
    spans: list[tuple[int, int]] = []
    # The closing brackets of the open ones, the innermost last.
    expected: list[str] = []
    for at in range(begin.end(), entry.end):
        sign = text[at]
        if sign in _PAIRS:
            expected.append(_PAIRS[sign])
        elif expected and sign == expected[-1]:
            expected.pop()
        elif not expected and sign in (")" if section == "args" else "\n#"):
            spans.append((start, at))
            break
        elif not expected and sign == ",":
            spans.append((start, at))
            start = at + 1
    else:
        return []
    parsed = (_item(text, *span, section) for span in spans)
    return [item for item in parsed if item is not None]


def argument_at(file: TextFile, at: int, name: str, files: Files) -> Item | None:
    """Return the item of `args` for an attr in the entry at an offset; specs name it as legacy programs do."""
    entry = entry_at(file.text, file.line_end(at) - 1)
    if entry is None:
        return None
    own = name_in_yaml(file.path, entry.op, name, files)
    return next((item for item in items(file.text, entry, "args") if item.name == own), None)


def name_in_yaml(path: str, op: str, name: str, files: Files) -> str:
    """Return the name of an argument in its entry, which differs where op_compat.yaml gives it a legacy name."""
    compat = files.text(posixpath.join(posixpath.dirname(path), "op_compat.yaml"))
    entry = None if compat is None else re.search(rf"^- op\s*:\s*{op}\b.*?(?=^- |\Z)", compat.text, re.M | re.S)
    renamed = [] if entry is None else re.findall(rf"\b(\w+)\s*:\s*{re.escape(name)}\b", entry[0])
    return renamed[0] if len(renamed) == 1 else name


def _item(text: str, start: int, end: int, section: str) -> Item | None:
    """Return the item of an argument or output list, None if it has no name."""
    content = text[start:end]
    start += len(content) - len(content.lstrip())
    content = content.strip()
    if section == "args":
        # The name ends the declaration, or comes before the default value: `float alpha = 1.0f`.
        match = _ARGUMENT_NAME.fullmatch(content[_start_of_name(content) :])
    else:
        match = _OUTPUT_NAME.match(content)
    return None if match is None else Item(name=match[1], text=content, start=start, end=start + len(content))


def _start_of_name(content: str) -> int:
    """Return the offset of the last word before the `=` of a default value."""
    declared = content.partition("=")[0].rstrip()
    return len(declared) - len(declared[max(declared.rfind(blank) for blank in " \t\n") + 1 :])
