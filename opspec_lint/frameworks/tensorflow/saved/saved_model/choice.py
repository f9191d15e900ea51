"""Which of the meta graphs of a SavedModel a caller gets."""

from __future__ import annotations

from opspec_lint.models.fault import model_fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from opspec_lint.frameworks.tensorflow.saved.saved_model.folder import SavedModel
    from opspec_lint.spec.fact import Fact


def tagged(saved: SavedModel, tags: Iterable[str]) -> Any:
    """Return the meta graph of exactly these tags, None where there is none."""
    wanted = set(tags)
    return next((each for each in saved.meta_graphs if set(each.meta_info_def.tags) == wanted), None)


def fault(saved: SavedModel, tags: Iterable[str] | None) -> Fact:
    """Return the fault that there is no such meta graph, or that there are several to choose from."""
    known = "; ".join(",".join(sorted(each.meta_info_def.tags)) or "none" for each in saved.meta_graphs)
    said = "none were given" if tags is None else f"the given tags are {','.join(tags) or 'none'}"
    return model_fault(
        "model_tags",
        "" if tags is None else ",".join(tags),
        "refused",
        "tags",
        asked=said,
        known=known or "no meta graph",
    )
