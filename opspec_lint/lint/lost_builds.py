"""The build files of base that head lacks, as facts: nothing in head decides whether their sources are compiled."""

from __future__ import annotations

from opspec_lint.lint.circumstances import circumstance
from opspec_lint.spec.model import Origin

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.spec.fact import Fact
    from opspec_lint.spec.model import Spec

_REASON = "it is missing or lists no sources, and no other build file names {sources} taken to be built"


def lost_builds(base: Spec, head: Spec) -> Iterator[Fact]:
    """Yield a fact for each build file of base whose sources head still has, without any build file for them.

    A source that base has not may have been moved: it counts if head has no build file at all.
    """
    named = {path: build for path, build in base.build_files.items() if build}
    if not named:
        return
    without = [path for path, build in head.build_files.items() if not build]
    moved = next(iter(named.values())) if len(without) == len(head.build_files) else ""
    lost: dict[str, list[str]] = {}
    for path in without:
        build = named.get(path) or (moved if path not in base.build_files else "")
        if build:
            lost.setdefault(build, []).append(path)
    for build, paths in lost.items():
        more = f" and {len(paths) - 1} more, so they are" if len(paths) > 1 else ", so it is"
        reason = _REASON.format(sources=f"`{min(paths)}`{more}")
        yield circumstance("op_unresolved", "source", build, {"reason": reason}, origins=(Origin(file=build), None))
