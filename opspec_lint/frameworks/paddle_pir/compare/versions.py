"""Which programs of base count, which patches head applies to them, and where another one would have to stand."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.pir import patches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.spec.model import Op, Spec


_FOLDER = "paddle/fluid/pir/serialize_deserialize"


class Versions:
    """The versions of PIR of two specs.

    Args:
        base: the spec that existing programs were saved with.
        head: the spec that loads them.
    """

    def __init__(self, base: Spec, head: Spec) -> None:
        self._loader = patches.loader_of(head)
        self.base = patches.loader_of(base).writes
        self.is_release = base.provenance.version is not None
        self._is_of_trees = not self.is_release and head.provenance.version is None
        said = head.loading.get("patch_value")
        usual = patches.value_key(max(self.base, self._loader.writes))
        self.value_key = said if said in (patches.DATA, patches.DEFAULT) else usual

    def due(self, old: Op | None, new: Op) -> list[patches.Action]:
        """Return the actions that head applies to an op of a program of base, and whose effect base does not show.

        Args:
            old: what base declares: an op as it is once the patches for the next release of base have changed it. None
                where base has no such op.
            new: what head declares.
        """
        known = () if old is None else patches.actions_of(old)
        shown = [each for each in known if not each.version]
        every = patches.due(patches.actions_of(new), self.base, self._loader)
        return [each for each in every if each.replace(version=0) not in shown]

    def taken(self, old: Op, new: Op) -> int | None:
        """Return the file of a release whose entry for an op hides those of the next version; None where none does.

        Args:
            old: what base declares.
            new: what head declares. An entry that head alone has can still be changed, unless base is a release.
        """
        known = patches.actions_of(old if self._is_of_trees else new)
        found = (each.version for each in known if not each.pair and not each.of)
        return next((each for each in found if self.base <= each <= self._loader.release), None)

    @property
    def is_behind(self) -> bool:
        """Whether the loader has to apply a further file, as it has none for programs of base."""
        return bool(self._loader.develop) and not (self._is_of_trees and self._loader.develop > self.base)

    @property
    def file(self) -> int:
        """The number of the file of patches for an entry."""
        return 0 if self.is_behind else self._loader.develop

    def recipe(self, entry: str) -> str:
        """Return what to write, and where, so that head applies an entry to programs of base."""
        written = f"in {_FOLDER}/patch/{self.file}.yaml, under `op_patches:`, write `{entry}`"
        if not self.is_behind:
            return written
        following = self._loader.release + 1
        return (
            f"1. {written}; 2. in {_FOLDER}/CMakeLists.txt, write `add_definitions(-DDEVELOP_VERSION=0)`, "
            f"as the loader patches no program of its own version, {self._loader.develop} (to cut a release instead: "
            f"patch/{following}.yaml, and {following} for both versions)"
        )


def fresh(before: Sequence[patches.Action], after: Sequence[patches.Action]) -> list[patches.Action]:
    """Return the actions that are new; one that was of the version to come may be of a release now."""
    return [each for each in after if each not in before and each.replace(version=0) not in before]
