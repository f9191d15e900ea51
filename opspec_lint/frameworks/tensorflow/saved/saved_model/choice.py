"""Choice of the meta graph of a SavedModel by its tags."""

from __future__ import annotations

from opspec_lint.models.fault import model_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.saved_model.folder import SavedModel
    from opspec_lint.spec.fact import Fact


def meta_graph_with_tags(saved: SavedModel, tags: Collection[str]) -> Any:
    """Return the meta graph with exactly these tags, or None."""
    tag_set = set(tags)
    return next((meta for meta in saved.meta_graphs if set(meta.meta_info_def.tags) == tag_set), None)


def tags_fault(saved: SavedModel, tags: Collection[str] | None) -> Fact:
    """Return the fault that no meta graph has these tags, or, for None, that there is no single meta graph."""
    known = "; ".join(",".join(sorted(meta.meta_info_def.tags)) or "none" for meta in saved.meta_graphs)
    given = "none were given" if tags is None else f"the given tags are {','.join(tags) or 'none'}"
    return model_fault(
        "model_tags",
        "" if tags is None else ",".join(tags),
        "refused",
        "tags",
        asked=given,
        known=known or "no meta graph",
    )
