"""Facts about types that patches replace in all older programs, where base and head differ."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.pir import patches
from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.spec.model import Origin, Spec


def retyping_changes(base: Spec, head: Spec) -> Iterator[Fact]:
    """Yield a fact for each type that the patches of only one of the specs replace."""
    before, after = patches.retypings_of(base), patches.retypings_of(head)
    for retyping in _missing(after, before):
        effect = f"become {retyping.new}" if retyping.new else "are lost"
        yield _fact(retyping, effect, head.field_origins.get(f"retyped {retyping.name}"))
    for retyping in _missing(before, after):
        yield _fact(retyping, f"no longer become {retyping.new}" if retyping.new else "are no longer lost", None)


def _missing(retypings: Sequence[patches.Retyping], others: Sequence[patches.Retyping]) -> list[patches.Retyping]:
    """Return the replacements among `retypings` that `others` lack.

    A replacement of the next version (number 0) is the same as one of a release: cutting a release moves it.
    """
    known = [retyping.replace(version=0) for retyping in others if not retyping.version]
    # In the other direction too: a replacement of the next version may be one that a release took over.
    moved = [retyping.replace(version=0) for retyping in others]
    return [
        retyping
        for retyping in retypings
        if retyping not in others
        and retyping.replace(version=0) not in known
        and (retyping.version or retyping not in moved)
    ]


def _fact(retyping: patches.Retyping, effect: str, place: Origin | None) -> Fact:
    """Return the fact that a type is replaced, or no longer replaced."""
    return Fact(
        event="patch_types_changed",
        kind="source",
        name=retyping.name,
        field=f"retyped.{retyping.version}.{retyping.kind}",
        facts={
            "file": f"patch/{retyping.version}.yaml",
            "of": "attrs" if retyping.kind == "attr" else "values",
            "effect": effect,
            "except": "" if retyping.kind == "attr" else ", but no elements of tensors",
        },
        origins=(None, place),
    )
