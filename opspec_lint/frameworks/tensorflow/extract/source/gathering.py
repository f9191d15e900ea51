"""The ops of all files together: each op with the builds that have it in this form."""

from __future__ import annotations

from opspec_lint.frameworks.tensorflow.extract.source.builds import EVERY, in_order
from opspec_lint.frameworks.tensorflow.extract.source.places import in_builds, is_same
from opspec_lint.spec.identity import variant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from opspec_lint.frameworks.tensorflow.extract.source.places import OpRecord

INTERNAL = "_"
"""Begins the names of ops that OpRegistry::Export leaves out, and with it ops.pbtxt and the Python interface."""


class GatheredOps:
    """The ops of the files of a tree, which are added one after the form.

    Two libraries of a tree may register ops of one name, as an example and a library that it became do: the first one
    that is added is the op of a build.
    """

    def __init__(self) -> None:
        self._forms: dict[str, list[tuple[OpRecord, set[str]]]] = {}

    def add(self, name: str, op: OpRecord, builds: Collection[str]) -> None:
        """Add an op that some builds register."""
        forms = self._forms.setdefault(name, [])
        left = set(builds).difference(*(taken for _, taken in forms))
        same = next((taken for known, taken in forms if is_same(known, op)), None)
        if same is not None:
            same |= left
        elif left:
            forms.append((op, left))

    def of_all_builds(self, *, is_public: bool) -> dict[str, OpRecord]:
        """Return the ops by name; where builds declare an op differently, with a variant for each of the others.

        Args:
            is_public: whether internal ops are left out.
        """
        ops: dict[str, OpRecord] = {}
        for name, forms in sorted(self._forms.items()):
            if is_public and name.startswith(INTERNAL):
                continue
            (first, builds), *others = forms
            ops[name] = first if builds == EVERY else in_builds(first, in_order(builds))
            for form, own in others:
                for build in in_order(own):
                    ops[variant(name, build)] = in_builds(form, (build,))
        return ops

    def of_build(self, build: str) -> dict[str, OpRecord]:
        """Return the ops of one build, by name."""
        return {name: op for name, forms in sorted(self._forms.items()) for op, builds in forms if build in builds}
