"""The builds that compile each source file, by Paddle's CMake files."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.extract.build.builds import ROOTS, special_build
from opspec_lint.frameworks.paddle.extract.build.cmake import CMake

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from opspec_lint.cpp.unresolved import UnresolvedError
    from opspec_lint.frameworks.paddle.extract.build.builds import Build
    from opspec_lint.frameworks.paddle.extract.build.cmake import CMakeLists


def compiling_builds(
    lists: CMakeLists, builds: Sequence[Build], *, with_options: bool
) -> tuple[dict[str, tuple[str, ...]], UnresolvedError | None]:
    """Return the names of the builds that compile each file, and the first problem in the CMake files.

    Args:
        lists: the CMake files of the tree.
        builds: the builds to follow.
        with_options: count each further option of CMake as one more build, so that no file is missed.
    """
    compiled, options, problem = _follow(lists, builds)
    if with_options:
        known_options = {option for build in builds for option in build.variables}
        option_builds = [special_build(option[len("WITH_") :]) for option in sorted(options - known_options)]
        compiled_by_option, _, option_problem = _follow(lists, option_builds)
        compiled |= compiled_by_option
        problem = problem or option_problem
    builds_by_path: dict[str, list[str]] = {}
    for name, paths in compiled.items():
        for path in paths:
            builds_by_path.setdefault(path, []).append(name)
    return {path: tuple(names) for path, names in builds_by_path.items()}, problem


def _follow(lists: CMakeLists, builds: Iterable[Build]) -> tuple[dict[str, set[str]], set[str], UnresolvedError | None]:
    """Return the files that each build compiles, the options that CMake tests, and the first problem."""
    compiled: dict[str, set[str]] = {}
    options: set[str] = set()
    problem = None
    for build in builds:
        cmake = CMake(lists, build.variables)
        for root in ROOTS:
            cmake.follow(root)
        compiled[build.name] = cmake.compiled
        options |= cmake.options
        problem = problem or cmake.problem
    return compiled, options, problem
