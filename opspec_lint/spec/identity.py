"""What tells ops of one name apart: the identity of an op, the text under which specs, findings and waivers know it.

For most it is the name. A framework that tells ops apart by more writes that into the identity, and nothing else takes
it apart: a domain and the version of the op set since which a declaration holds (`ai.onnx.ml::Scaler@1`), a namespace
and an overload (`aten::add.Tensor`). Only the build is looked at here: where the builds of a framework declare an op
differently, `NAME [BUILD]` stands beside `NAME`, and a build without a variant of its own has the without_build one.
"""

from __future__ import annotations

NO_BUILD = "none"
"""Stands where builds are named for no build at all."""


def variant(identity: str, build: str) -> str:
    """Return the identity of a build's variant of an op."""
    return f"{identity} [{build}]"


def build_of(identity: str) -> str | None:
    """Return the build whose variant an op is, None where it is no variant."""
    return identity.partition(" [")[2][:-1] or None if identity[-1:] == "]" else None


def without_build(identity: str) -> str:
    """Return the identity of an op without the build that it is a variant of."""
    return identity.partition(" [")[0]
