"""The ops that a source tree declares: native_functions.yaml of PyTorch, or the registrations of an extension."""

from __future__ import annotations

from functools import partial

from opspec_lint.builds.build_files import BuildFiles
from opspec_lint.cpp.splices import UNITS
from opspec_lint.frameworks.pytorch.extract import cpp, cpp_conditions, native
from opspec_lint.frameworks.pytorch.extract.cpp_source import Tree
from opspec_lint.frameworks.pytorch.extract.included import located, splices
from opspec_lint.frameworks.pytorch.extract.library_blocks import LibraryBlock
from opspec_lint.frameworks.pytorch.extract.python.installed_packages import InstalledPackages
from opspec_lint.frameworks.pytorch.extract.python.program import Program
from opspec_lint.frameworks.pytorch.schemas.table import Line
from opspec_lint.kit.bounded_cache import BoundedCache
from opspec_lint.kit.record import Record
from opspec_lint.kit.text import source_text
from opspec_lint.sources.cache import digest
from opspec_lint.spec.condition import ALWAYS, conjunction
from opspec_lint.spec.model import Remark

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from opspec_lint.cpp.splices import Splices
    from opspec_lint.frameworks.pytorch.extract.included import Definition
    from opspec_lint.frameworks.pytorch.schemas.table import CompiledTogether
    from opspec_lint.git.source_tree import SourceTree


_CPP = (".cpp", ".cc", ".cxx", ".cu", ".mm", ".hip", ".h", ".hpp", ".cuh", ".inc", ".def")
_EXCLUDED_FOLDERS = ("third_party/", "3rdparty/", "external/", "third-party/", "build/", "test/", "tests/")
"""Folders whose ops belong to other projects, or are built or tested only."""
_CACHE = BoundedCache()
"""The definitions of files that depend on no other file, by path and content: revisions in a row share most files."""


class Definitions(Record):
    """The schemas that a tree declares, and remarks about schemas that cannot be evaluated.

    `compiled_together` returns whether a build certainly compiles two files into one extension. `has_marks` is whether
    a C++ file has the text of a registration, also where no build compiles it. `build_files` maps a file to the build
    file that compiles it, "" for none.
    """

    lines: list[Line]
    remarks: list[Remark]
    compiled_together: CompiledTogether
    has_marks: bool = False
    build_files: Mapping[str, str] = {}


def read_definitions(tree: SourceTree, suffixes: tuple[str, ...]) -> Definitions:
    """Return the definitions in the files of a tree that end with one of `suffixes`."""
    own = tree.read([native.PATH])[native.PATH]
    if own is not None:
        return _definitions(native.read(source_text(own), native.PATH), lambda *_: True)
    blobs = {path: blob for path, blob in sorted(tree.blobs(("",)).items()) if _is_source(path, suffixes)}
    files = {path: data for path, data in tree.read(blobs).items() if data is not None}
    links = [path for path in tree.links if _is_source(path, UNITS)]
    spliced = splices(tree, {path: blob for path, blob in blobs.items() if path.endswith(_CPP)}, files, links)
    files |= {path: splice.data for path, splice in spliced.files.items()}
    builds = BuildFiles(tree, contents=files, sources=files)
    packages = InstalledPackages(tree, files)
    items = _extension_definitions(files, builds, packages, spliced)
    definitions = _definitions(items, builds.compiles_together)
    has_marks = not definitions.lines and any(
        cpp.has_library(source_text(data)) for path, data in files.items() if path.endswith(_CPP)
    )
    return definitions.replace(has_marks=has_marks, build_files={**builds.compiling, **packages.listing})


def _definitions(items: Iterable[Definition], compiled_together: CompiledTogether) -> Definitions:
    """Return the schemas and the remarks in a mixed sequence, apart."""
    lines: list[Line] = []
    remarks: list[Remark] = []
    blocks: list[Line] = []
    for item in items:
        if isinstance(item, Line):
            lines.append(item)
        elif isinstance(item, LibraryBlock):
            block = item.place
            # A file that is read as a part of two others has one block.
            earlier = (first for first in blocks if first.text == block.text and first.origin != block.origin)
            remarks += (
                _repeated_block(block, first) for first in earlier if first.is_compiled_with(block, compiled_together)
            )
            blocks.append(block)
        else:
            remarks.append(item)
    return Definitions(lines=lines, remarks=remarks, compiled_together=compiled_together)


def _extension_definitions(
    files: Mapping[str, bytes], builds: BuildFiles, packages: InstalledPackages, spliced: Splices
) -> Iterator[Definition]:
    """Yield the schemas that the files of an extension declare, and remarks."""
    texts = {path: source_text(data) for path, data in files.items() if path.endswith(_CPP)}
    tree = Tree(texts, partial(cpp_conditions.may_define, builds))
    for path, data in files.items():
        is_part = path in spliced.included and not path.endswith(UNITS)
        if path in texts and not is_part and any(mark in data for mark in cpp.MARKS):
            definitions = _file_definitions(path, data, tree, builds)
            yield from (located(spliced.files, item) for item in definitions) if spliced.files else definitions
    yield from (cpp.unread_include(*unread) for unread in spliced.unread)
    yield from builds.remarks()
    program = Program({path: data for path, data in files.items() if path.endswith(".py")})
    yield from program.definitions(packages.condition_of)
    yield from packages.remarks()


def _file_definitions(path: str, data: bytes, tree: Tree, builds: BuildFiles) -> list[Definition]:
    """Return the definitions of a C++ file, from the cache if they depend on its content only."""
    # With the path, as the definitions contain it: equal files in two folders have different results.
    key = path, digest(data)
    lines: list[Definition] | None = _CACHE.get(key)
    if lines is None:
        # Both record whether the result depends on other files, which the key of the cache does not contain.
        builds.was_asked = tree.was_searched = False
        registrations = cpp.Registrations(source_text(data), path, tree)
        lines = [*registrations.read(), *registrations.library_blocks()]
        if not tree.was_searched and not builds.was_asked:
            _CACHE[key] = lines
    # Not cached with the lines, as the build files of each revision decide it.
    compile_condition = cpp_conditions.compile_condition(builds, path) if lines else ALWAYS
    if compile_condition == ALWAYS:
        return lines
    return [
        line.under(conjunction(line.condition or ALWAYS, compile_condition), line.condition_line or line.line or 1)
        if isinstance(line, Line)
        else line
        for line in lines
        if not isinstance(line, LibraryBlock)  # a build may lack the file, and so have no second block
    ]


def _repeated_block(block: Line, first: Line) -> Remark:
    """Return the remark that PyTorch refuses to load a second block of a namespace."""
    place = first.origin.place if first.origin else "it"
    reason = f"{place} has a TORCH_LIBRARY of '{block.text}' as well, and PyTorch refuses to load a second one"
    digest_of_both = f"{block.text} {first.file}"
    return Remark(
        event="op_unresolved", name=block.text, digest=digest_of_both, facts={"reason": reason}, origin=block.origin
    )


def _is_source(path: str, suffixes: tuple[str, ...]) -> bool:
    """Return whether a file may declare ops of the extension: by its suffix, and not in an excluded folder."""
    return path.endswith(suffixes) and not any(f"/{path}".find(f"/{folder}") >= 0 for folder in _EXCLUDED_FOLDERS)
