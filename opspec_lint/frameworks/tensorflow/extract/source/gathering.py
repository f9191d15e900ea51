"""Merging of the ops of all files: each op in its forms, with the builds that have each form."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.source.builds import ALL, EVERY, PUBLIC, sort_builds
from opspec_lint.frameworks.tensorflow.extract.source.op_records import is_same_declaration, with_builds
from opspec_lint.spec.identity import build_variant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from opspec_lint.frameworks.tensorflow.extract.source.op_records import OpRecord

INTERNAL = "_"
"""First character of internal ops, which OpRegistry::Export, ops.pbtxt and the Python interface leave out."""


class GatheredOps:
    """The ops of a tree. A form is a declaration of an op, with the builds that have it.

    Two libraries of a tree may register an op of the same name, such as an example and the library that it became. In
    each build, the op that is added first counts, as in a process that loads one library after the other.
    """

    def __init__(self) -> None:
        self._forms: dict[str, list[tuple[OpRecord, set[str]]]] = {}

    def add(self, name: str, op: OpRecord, builds: Collection[str]) -> tuple[OpRecord, set[str]] | None:
        """Add an op that the given builds register.

        Returns:
            Another declaration that counts instead, and the builds in which it does; None if there is none.
        """
        forms = self._forms.setdefault(name, [])
        kept = next(
            (
                (known, taken.intersection(builds))
                for known, taken in forms
                if not taken.isdisjoint(builds) and not is_same_declaration(known, op)
            ),
            None,
        )
        # A build that has the op already keeps its first declaration.
        left = set(builds).difference(*(taken for _, taken in forms))
        same = next((taken for known, taken in forms if is_same_declaration(known, op)), None)
        if same is not None:
            same |= left
        elif left:
            forms.append((op, left))
        return kept

    def ops_of(self, build: str) -> dict[str, OpRecord]:
        """Return the ops of a build by name, or of all builds (`PUBLIC`, `ALL`)."""
        if build in (PUBLIC, ALL):
            return self._merge_builds(is_public=build == PUBLIC)
        return {name: op for name, forms in sorted(self._forms.items()) for op, builds in forms if build in builds}

    def _merge_builds(self, *, is_public: bool) -> dict[str, OpRecord]:
        """Return the ops of all builds; other forms of an op are variants by build. `is_public` omits internal ops."""
        ops: dict[str, OpRecord] = {}
        for name, forms in sorted(self._forms.items()):
            if is_public and name.startswith(INTERNAL):
                continue
            (first, builds), *others = forms
            ops[name] = first if builds == EVERY else with_builds(first, sort_builds(builds))
            for form, own in others:
                for build in sort_builds(own):
                    ops[build_variant(name, build)] = with_builds(form, (build,))
        return ops
