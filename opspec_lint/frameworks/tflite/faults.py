"""The facts about op versions on which the files of a TFLite tree disagree."""

from __future__ import annotations

from opspec_lint.diff.changes.change import StatedChange

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from opspec_lint.spec.model import Op, Origin


class Disagreement(StatedChange):
    """Something that the files of a tree do not agree on, for an op or one of its options.

    `field` says which field of the op, or of a delegate or an option, says otherwise than the others. `versions` are
    those of the op that it is about. `needs` are the fields that have to be known to tell.
    """

    field: str
    versions: tuple[int, ...] = ()
    needs: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from other faults of the op; those of one key may be about other versions."""
        return self.event, self.name, self.field

    def words(self) -> dict[str, object]:
        """Return the facts, with the versions."""
        return {**super().words(), "versions": spelt(self.versions), **self.facts}


def of_op(  # noqa: PLR0913 - a fact is what it says
    op: Op,
    event: str,
    versions: tuple[int, ...],
    field: str,
    *,
    place: Origin | None = None,
    base_place: Origin | None = None,
    **more: Any,
) -> Disagreement:
    """Return the fact that files disagree on versions of an op.

    Args:
        op: the op.
        event: the name of the event.
        versions: the versions.
        field: the field whose value differs.
        place: the place in head.
        base_place: the place in base.
        more: further fields of the fact.
    """
    places = base_place, place
    return Disagreement(
        op=op.name, kind="op", name=op.name, event=event, versions=versions, field=field, places=places, **more
    )


def spelt(versions: tuple[int, ...]) -> str:
    """Return versions in words: `version 5`, `versions 3 to 5`, `versions 1, 3`."""
    if len(versions) == 1:
        return f"version {versions[0]}"
    if versions and list(versions) == list(range(versions[0], versions[-1] + 1)) and len(versions) > 2:
        return f"versions {versions[0]} to {versions[-1]}"
    return f"versions {', '.join(map(str, versions))}"
