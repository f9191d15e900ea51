"""Files that a resolver includes: the resolver has the ops that they register."""

from __future__ import annotations

import posixpath

from opspec_lint.cpp.replaced_macros import ReplacedMacros
from opspec_lint.cpp.splices import Splices, declares, has_lists, included_paths, is_header
from opspec_lint.kit.pattern import pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from opspec_lint.git.source_tree import SourceTree

_REGISTERS = pattern(r"\bAdd(?:Builtin|Custom)\s*\(\s*(?:(?:\w*::)*BuiltinOperator_|\")")
"""A call, and no declaration of the method."""
_REPLACED = ReplacedMacros("Add", "AddBuiltin|AddCustom", ())


def splices(tree: SourceTree, resolvers: Collection[str], ids: Mapping[str, str], links: Collection[str]) -> Splices:
    """Return the resolvers with the registrations that they include, and the files that links lead to.

    Args:
        tree: the tree.
        resolvers: the paths of the resolvers.
        ids: the ids of the contents of files.
        links: the paths that may be symbolic links.
    """
    blobs: dict[str, str] = {}
    contents: dict[str, bytes] = {}
    new = {path: ids[path] for path in resolvers}
    while new:
        blobs |= new
        read = {path: data for path, data in tree.read(new).items() if data is not None}
        contents |= read
        named = {
            target for path, data in read.items() for target in _possible_includes(path, data, resolvers)
        } - blobs.keys()
        new = {path: blob for path, blob in tree.identify(sorted(named)).items() if blob} if named else {}
    declaring = [path for path, data in contents.items() if path not in ids and _may_register(path, data)]
    listing = [path for path in resolvers if has_lists(contents.get(path, b""))]
    return Splices(tree, blobs, declaring, listing, links)


def _may_register(path: str, data: bytes) -> bool:
    """Return whether an included file registers ops, or replaces the methods that do."""
    has_methods = b"AddBuiltin" in data or b"AddCustom" in data
    return has_methods and (declares(path, data, _REGISTERS) or _REPLACED.replaces(path, data))


def _possible_includes(path: str, data: bytes, resolvers: Collection[str]) -> Iterator[str]:
    """Yield the paths of included files that may register ops.

    They are headers in the folder of the file, lists, and all that a resolver itself includes.
    """
    folder = posixpath.dirname(path)
    for target in included_paths(path, data):
        if path in resolvers or posixpath.dirname(target) == folder or not is_header(target):
            yield target
