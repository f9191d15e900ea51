"""The identity of an op: the text that distinguishes it from all others, in specs, findings and waivers.

Most often it is the name. A framework that distinguishes ops of one name appends to it, in a form that only its own
code takes apart: a domain and a since_version (`ai.onnx.ml::Scaler@1`), a namespace and an overload
(`aten::add.Tensor`). This module knows only builds: if the builds of a framework declare an op differently, there is a
variant `NAME [BUILD]` beside `NAME`, and `NAME` is the op of all builds without a variant.
"""

from __future__ import annotations

NO_BUILD = "none"
"""The name of a build that stands for no build at all."""


def build_variant(identity: str, build: str) -> str:
    """Return the identity of the variant of an op in a build."""
    return f"{identity} [{build}]"


def build_of(identity: str) -> str | None:
    """Return the build of a variant, None for an op that is no variant."""
    if not identity.endswith("]"):
        return None
    _, _, build = identity[:-1].partition(" [")
    return build or None


def without_build(identity: str) -> str:
    """Return the identity of an op without its build."""
    return identity.partition(" [")[0]
