"""The policy of the profile `pytorch`, with the breaks that PyTorch's predicates overlook.

These are: a required argument that was removed at the end, and a changed return, break new calls on an old release; a
required keyword-only argument behind an out argument breaks old calls.
"""

from __future__ import annotations

from opspec_lint.frameworks.pytorch.compare.verdicts import at_most, broken
from opspec_lint.frameworks.pytorch.profiles.pytorch import PROFILE as PYTORCH

PROFILE = PYTORCH.replace(
    summary="what breaks calls of PyTorch's ops, with the holes of its check closed",
    breaks=broken,
    at_most=at_most(broken),
    default_for=(),
)
