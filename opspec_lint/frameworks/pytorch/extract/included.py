"""Registrations in files that a C++ source of an extension includes: they are read as a part of the source.

A header may contain registrations itself. It may also include a list: a file, such as `ops.inc`, whose lines are
arguments or calls of a macro of the file that includes it.
"""

from __future__ import annotations

from opspec_lint.cpp.replaced_macros import ReplacedMacros
from opspec_lint.cpp.splices import UNITS, Splices, declares, has_lists
from opspec_lint.frameworks.pytorch.extract.library_blocks import LibraryBlock
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.pattern import pattern
from opspec_lint.spec.model import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from opspec_lint.cpp.splices import Splice
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.spec.model import Remark

    Definition = Line | Remark | LibraryBlock

_MARKS = (b"Library", b"TORCH_LIBRARY", b"RegisterOperators")
"""Texts of which each file with registrations contains one."""
_REGISTERING_BYTES = pattern(rb"TORCH_LIBRARY|RegisterOperators|\bLibrary\s*(?:&|::\s*(?:DEF|FRAGMENT)\b)")
_REPLACED = ReplacedMacros(
    "TORCH_LIBRARY", "(?:[A-Z]+_)?TORCH_LIBRARY(?:_FRAGMENT)?", ("torch/library.h", "torch/csrc/stable/library.h")
)
_REGISTERS = pattern(
    r"TORCH_LIBRARY(?:_FRAGMENT)?(?:_EXPAND)?\s*\(|\bRegisterOperators\b|\bLibrary\s*::\s*(?:FRAGMENT|DEF)\b"
)


def splices(tree: SourceTree, ids: Mapping[str, str], files: Mapping[str, bytes], links: Collection[str]) -> Splices:
    """Return the sources as they are after their includes that matter for registrations.

    Args:
        tree: the tree.
        ids: the ids of its C++ files.
        files: the contents of the files that were read.
        links: the symbolic links in the place of C++ files.
    """
    registering = [path for path in ids if (data := files.get(path)) and may_register(data)]
    headers = [path for path in registering if not path.endswith(UNITS)]
    declaring = [path for path in headers if _is_declaring(path, files[path])]
    listing = [path for path in registering if _may_have_lists(files[path])]
    return Splices(tree, ids, declaring, listing, links, lambda paths: {path: files.get(path) for path in paths})


def _is_declaring(path: str, data: bytes) -> bool:
    """Return whether a header registers ops, or replaces a macro that does."""
    return declares(path, data, _REGISTERS) or _REPLACED.replaces(path, data)


def may_register(data: bytes) -> bool:
    """Return whether a file may register ops, or have a function with a library as a parameter."""
    return any(mark in data for mark in _MARKS)


def _may_have_lists(data: bytes) -> bool:
    """Return whether a file includes lists by their names, or any file behind its first registration."""
    first = min((at for mark in _MARKS if (at := data.find(mark)) >= 0), default=0)
    return (data.find(b"include", first) >= 0 or has_lists(data)) and _REGISTERING_BYTES.search(data) is not None


def located(files: Mapping[str, Splice], item: Definition) -> Definition:
    """Return a schema, block or remark of a spliced file with the place that its text comes from."""
    if isinstance(item, LibraryBlock):
        return item.replace(place=_located_line(files, item.place))
    if isinstance(item, Line):
        return _located_line(files, item)
    if item.origin is None or item.origin.file not in files:
        return item
    file, line = files[item.origin.file].place(item.origin.line or 1)
    name = f"{file}:{line}" if item.name == item.origin.place else item.name
    return item.replace(name=name, origin=Origin(file=file, line=line))


def _located_line(files: Mapping[str, Splice], item: Line) -> Line:
    """Return a schema or the place of a block with the place that its text comes from."""
    if item.file not in files or item.file is None:
        return item
    splice = files[item.file]
    file, line = splice.place(item.line or 1)
    cause_line = None
    if item.condition_line is not None:
        cause_file, cause_line = splice.place(item.condition_line)
        # A condition around the include is in another file than the schema.
        cause_line = cause_line if cause_file == file else line
    return Line(item.text, file, line, item.more, item.condition, cause_line)
