"""The PIR versions of two specs: which patches head applies to programs of base, and where a new patch belongs."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.pir import patches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from opspec_lint.spec.model import Op, Spec


_FOLDER = "paddle/fluid/pir/serialize_deserialize"


class Versions:
    """The PIR versions of the spec that saved programs and of the spec that loads them.

    Args:
        base: the spec that existing programs were saved with.
        head: the spec that loads them.
    """

    def __init__(self, base: Spec, head: Spec) -> None:
        self._loader = patches.loader_of(head)
        self.base = patches.loader_of(base).writes
        self.is_release = base.provenance.version is not None
        self._is_of_trees = not self.is_release and head.provenance.version is None
        self.reads_patches = head.loading.get(patches.READS_PATCHES) is not False
        stated_key = head.loading.get("patch_value")
        # Spec files that do not state the key get the one that the loader of their version reads.
        usual = patches.value_key(max(self.base, self._loader.writes))
        self.value_key = stated_key if stated_key in (patches.DATA, patches.DEFAULT) else usual

    def applied_actions(self, old: Op | None, new: Op) -> list[patches.Action]:
        """Return the actions of patches that head applies to an op in programs of base.

        Actions for the next release that base has itself are left out: base declares the op as these leave it.

        Args:
            old: the op in base, None if base lacks it.
            new: the op in head.
        """
        base_actions = () if old is None else patches.actions_of(old)
        of_next_release = [action for action in base_actions if not action.version]
        due = patches.due_actions(patches.actions_of(new), self.base, self._loader)
        return [action for action in due if action.replace(version=0) not in of_next_release]

    def occupied_file(self, old: Op, new: Op) -> int | None:
        """Return the number of a released patch file whose entry for an op hides entries of the next version, or None.

        The loader applies one entry per op. If both specs are source trees, an entry that only head has does not count,
        as it can still be changed.
        """
        known = patches.actions_of(old if self._is_of_trees else new)
        numbers = (action.version for action in known if not action.pair and not action.former_op)
        return next((number for number in numbers if self.base <= number <= self._loader.release), None)

    @property
    def needs_new_file(self) -> bool:
        """True if no patch file applies to programs of base yet, so that a patch needs a new version too."""
        return bool(self._loader.develop) and not (self._is_of_trees and self._loader.develop > self.base)

    @property
    def file_number(self) -> int:
        """The number of the patch file for a new entry."""
        return 0 if self.needs_new_file else self._loader.develop

    def instructions(self, entry: str) -> str:
        """Return the edits that make head apply a patch entry to programs of base, as text."""
        written = f"in {_FOLDER}/patch/{self.file_number}.yaml, under `op_patches:`, write `{entry}`"
        if not self.needs_new_file:
            return written
        following = self._loader.release + 1
        return (
            f"1. {written}; 2. in {_FOLDER}/CMakeLists.txt, write `add_definitions(-DDEVELOP_VERSION=0)`, "
            f"as the loader patches no program of its own version, {self._loader.develop} (to cut a release instead: "
            f"patch/{following}.yaml, and {following} for both versions)"
        )


def new_actions(before: Sequence[patches.Action], after: Sequence[patches.Action]) -> list[patches.Action]:
    """Return the actions that only `after` has; one that moved from the next version to a release is not new."""
    return [action for action in after if action not in before and action.replace(version=0) not in before]
