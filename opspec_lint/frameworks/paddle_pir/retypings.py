"""The types that the patches of head replace in all older programs, where those of base do not."""

from __future__ import annotations

from opspec_lint.frameworks.paddle_pir.facts import ProgramFact
from opspec_lint.spec import patches

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from opspec_lint.spec.model import Spec


def retyped(base: Spec, head: Spec) -> Iterator[ProgramFact]:
    """Yield each type that is replaced by a new patch; one that was of the version to come may be of a release now."""
    before = patches.retyped(base)
    known = [*before, *(each.but(version=0) for each in before)]
    for each in patches.retyped(head):
        if each not in known and each.but(version=0) not in before:
            yield ProgramFact(
                op="",
                kind="source",
                name=each.name,
                what="patch_replaces_type",
                field=f"retyped.{each.version}.{each.kind}",
                facts={
                    "file": f"patch/{each.version}.yaml",
                    "of": "attrs" if each.kind == "attr" else "values",
                    "effect": f"become {each.new}" if each.new else "are lost",
                    "except": "" if each.kind == "attr" else ", but no elements of tensors",
                },
                place=head.field_origins.get(f"retyped {each.name}"),
            )
