"""Advice for nodes with an op or attr that the release lacks, by its value and by the releases that have it.

Each advice was tried with TensorFlow 2.18.1 as the exporter and 2.4.4 as the release that loads.
"""

from __future__ import annotations

TYPE_CHECKING = False

_OF_VARIABLES = ("DisableCopyOnRead", "ReadVariableOp", "VarHandleOp")
"""Ops that the exporter adds for variables: freezing a graph removes them."""
_FREEZE = (
    "freeze its variables to constants (convert_variables_to_constants_v2) and save the function with "
    "tf.saved_model.save, which leaves out attrs at their defaults"
)
_STRIP = (
    "save the model without attrs at their defaults (tf.saved_model.save does so, and export_meta_graph with "
    "strip_default_attrs=True)"
)


def for_attr(op: str, attr: str, since: str | None, *, is_default: bool | None) -> str:
    """Return the advice for an attr that the op of the release lacks.

    Args:
        op: the op of the node.
        attr: the attr of the node.
        since: the oldest known release whose op has the attr, None if there is none.
        is_default: the node has the default value of the attr; None if the default is unknown.
    """
    if is_default:
        return _STRIP
    if is_default is None and since is None:
        return f"save the model without attrs at their defaults, or load it with a release whose '{op}' has '{attr}'"
    return _with_releases(f"'{op}' has '{attr}'", since, frozen=op in _OF_VARIABLES, variant=f"without '{attr}'")


def for_op(op: str, since: str | None) -> str:
    """Return the advice for an op that the release lacks; `since` is the oldest known release with it, or None."""
    return _with_releases(f"there is '{op}'", since, frozen=op in _OF_VARIABLES, variant=f"without '{op}'")


def _with_releases(what: str, since: str | None, *, frozen: bool, variant: str) -> str:
    """Return the advice to load with a release in which `what` is true, or to export a `variant` without it."""
    if since is None:
        return f"load it with a release in which {what}, or export the model {variant}"
    ways = f"load it with TensorFlow {since} or later, where {what}, or export the model with an older TensorFlow"
    return f"{ways}, or {_FREEZE}" if frozen else ways


def for_library(op: str, module: str | None) -> tuple[str, str]:
    """Return problem and remedy for an op that no release has: a library may register it; `module` if known."""
    owner = "a library or another build registers it" if module is None else f"{module} registers it"
    load = "load the library (tf.load_op_library)" if module is None else f"import {module}"
    where = " in TensorFlow 1" if module is not None and ".contrib" in module else ""
    return (
        f"no release of TensorFlow has the op '{op}': {owner}",
        f"{load}{where} before the model, and name a list of its ops with --library",
    )
