"""The files of a tree that a build compiles, as plain data for the cache."""

from __future__ import annotations

from opspec_lint.builds.build_files import BuildFiles
from opspec_lint.builds.build_files import candidates as build_candidates
from opspec_lint.builds.source_lists import PACKAGE_FILES
from opspec_lint.frameworks.tensorflow.extract.source import candidates, remarks
from opspec_lint.frameworks.tensorflow.extract.source.bazel import BuildRules
from opspec_lint.frameworks.tensorflow.extract.source.builds import BUILDS
from opspec_lint.spec.condition import ALWAYS, NEVER, show

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypedDict

    from opspec_lint.builds.starlark.lists import Place
    from opspec_lint.git.source_tree import SourceTree
    from opspec_lint.spec.records import RemarkRecord

    class CompiledFile(TypedDict):
        """A file that some builds compile.

        - `builds`: the names of the builds
        - `is_exported`: the ops of the file are in ops.pbtxt
        - `needs_api_defs`: the ops of the file need api_def files
        - `macros`: the macros that its rules define, by build
        - `doubt`: the remark that a binary may not contain the file; None for no doubt
        """

        builds: list[str]
        is_exported: bool
        needs_api_defs: bool
        macros: dict[str, dict[str, str]]
        doubt: RemarkRecord | None

    class CompiledFiles(TypedDict):
        """The files that some builds compile, by path.

        - `with_mkl`: the builds in which the tree turns oneDNN on
        - `with_onednn_3`: the builds in which the tree uses version 3 of oneDNN
        - `is_core_unknown`: the BUILD file of core is missing or cannot be read
        - `remarks`: the remarks on BUILD files that are missing or cannot be read
        - `build_files`: the build file that compiles a file, "" if the tree has none for it
        """

        files: dict[str, CompiledFile]
        with_mkl: list[str]
        with_onednn_3: list[str]
        is_core_unknown: bool
        remarks: list[RemarkRecord]
        build_files: dict[str, str]


CORE = "tensorflow/core"
MKL = "if_mkl"
_MACROS_FILE, _ONEDNN_3 = "tensorflow/tensorflow.bzl", "onednn_v3_define"
"""The file with the macros of BUILD files, and the function in it that returns `-DENABLE_ONEDNN_V3` (since 2.12)."""
_CORE_PACKAGES = (CORE, "tensorflow/core/ops/compat")
"""The packages whose rules decide which libraries of core are part of a release, and of ops.pbtxt."""
_CORE_BUILD_FILES = tuple(f"{CORE}/{name}" for name in PACKAGE_FILES)
_LEFT_OUT = "no BUILD file contains it, and the other build files {why}: every build counts as compiling it"
_MISSING = (
    "the tree has no such file, and other BUILD files depend on its package, so the builds of its source files that "
    "register ops ({count}) are unknown: every build counts as compiling them"
)

_UNDECIDED = (
    "it has an expression that is not understood, so `{path}`, which no other rule names, is taken for compiled"
)
_UNLINKED = (
    "no rule of its package depends on this library, or it lacks `alwayslink`, so that a binary may not contain "
    "`{path}`: it is taken to"
)


def find_compiled_files(paths: list[str], text_of: Callable[[str], str | None], tree: SourceTree) -> CompiledFiles:
    """Return the source files that some builds compile, by the rules of BUILD files.

    Args:
        paths: the source files that register ops.
        text_of: returns the text of a file of the tree, None for a missing file.
        tree: the tree.
    """
    has_core = any(path.startswith(f"{CORE}/") for path in paths)
    rules = BuildRules(paths, text_of, _CORE_PACKAGES if has_core else ())
    files: dict[str, CompiledFile] = {}
    for path in paths:
        builds = rules.builds(path)
        if builds:
            files[path] = {
                "builds": _in_order(builds),
                "is_exported": rules.is_exported(path) and not candidates.has_test_ops(path),
                "needs_api_defs": rules.needs_api_defs(path),
                "macros": rules.macros(path),
                "doubt": _doubt(path, rules.unlinked.get(path)),
            }
    unread = [
        remarks.unread_file(path, f"it is not Starlark that can be read: {reason}", line)
        for path, (reason, line) in rules.unread.items()
    ]
    unread += [
        remarks.unread_file(f"{folder}/BUILD", _MISSING.format(count=len(missing)))
        for folder, missing in rules.missing.items()
    ]
    unread += [
        remarks.unread_file(file, _UNDECIDED.format(path=path), line) for (file, line), path in rules.undecided.items()
    ]
    without_package = [path for path in paths if not rules.has_package(path)]
    unpackaged_builds = _unpackaged_builds(without_package, text_of, tree)
    unread += _left_out_remarks(without_package, unpackaged_builds)
    return {
        "files": files,
        "with_mkl": _in_order(rules.condition(CORE, MKL)),
        "with_onednn_3": _in_order(rules.builds_with(_MACROS_FILE, _ONEDNN_3)),
        "is_core_unknown": any(remark["name"] in _CORE_BUILD_FILES for remark in unread),
        "remarks": unread,
        "build_files": {path: build for path in files if (build := rules.build_file_of(path))}
        | unpackaged_builds.compiling,
    }


def _doubt(path: str, place: Place | None) -> RemarkRecord | None:
    """Return the remark on a file of a library that a binary may not contain."""
    return None if place is None else remarks.unread_file(place[0], _UNLINKED.format(path=path), place[1])


def _unpackaged_builds(paths: list[str], text_of: Callable[[str], str | None], tree: SourceTree) -> BuildFiles:
    """Return the build files, of any kind, around files of no package of Bazel."""
    builds = {build for path in paths for group in build_candidates(path) for build in group}
    texts = {build: text_of(build) for build in sorted(builds)}
    contents = {build: None if text is None else text.encode() for build, text in texts.items()}
    return BuildFiles(tree, contents=contents, sources=paths)


def _left_out_remarks(paths: list[str], files: BuildFiles) -> Iterator[RemarkRecord]:
    """Yield remarks on files of no package of Bazel that other build files do not certainly compile."""
    for path in paths:
        condition = files.compiles(path)
        if files.is_left_out(path) or condition == NEVER:
            yield remarks.unread_file(path, _LEFT_OUT.format(why="do not name it"))
        elif condition != ALWAYS:
            yield remarks.unread_file(path, _LEFT_OUT.format(why=f"compile it only under `{show(condition)}`"))


def _in_order(builds: frozenset[str]) -> list[str]:
    """Return builds in the order of `BUILDS`."""
    return [build for build in BUILDS if build in builds]
