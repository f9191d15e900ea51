"""The types that patches replace in all older programs, where those of base and head differ."""

from __future__ import annotations

from opspec_lint.frameworks.paddle.saved.pir import patches
from opspec_lint.spec.fact import Fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from opspec_lint.spec.model import Origin, Spec


def retyped(base: Spec, head: Spec) -> Iterator[Fact]:
    """Yield each type that the patches of one spec alone replace."""
    before, after = patches.retyped(base), patches.retyped(head)
    for each in _missing(after, before):
        effect = f"become {each.new}" if each.new else "are lost"
        yield _fact(each, effect, head.field_origins.get(f"retyped {each.name}"))
    for each in _missing(before, after):
        yield _fact(each, f"no longer become {each.new}" if each.new else "are no longer lost", None)


def _missing(some: Sequence[patches.Retyping], others: Sequence[patches.Retyping]) -> list[patches.Retyping]:
    """Return those that the others lack; one of the version to come may be one of a release later."""
    known = [each.replace(version=0) for each in others if not each.version]
    moved = [each.replace(version=0) for each in others]
    return [
        each
        for each in some
        if each not in others and each.replace(version=0) not in known and (each.version or each not in moved)
    ]


def _fact(each: patches.Retyping, effect: str, place: Origin | None) -> Fact:
    return Fact(
        event="patch_types_changed",
        kind="source",
        name=each.name,
        field=f"retyped.{each.version}.{each.kind}",
        facts={
            "file": f"patch/{each.version}.yaml",
            "of": "attrs" if each.kind == "attr" else "values",
            "effect": effect,
            "except": "" if each.kind == "attr" else ", but no elements of tensors",
        },
        origins=(None, place),
    )
