"""Paddle's published table with the registrations and reviews that pull request 37600 put on top of it in 2021.

Every change of an argument that is not extra has to be registered as an op version. An addition, and a changed default
value, names the team that has to approve it: inference for the native definition, slim for the quantized part. What is
added as extra needs neither; but an attr needs a default value, and an input or output has to be dispensable, as all
that is added.
"""

from opspec_lint.frameworks.paddle.profiles.paddle import PROFILE as PADDLE

PROFILE = PADDLE.replace(
    summary="Paddle's table, with registered op versions and reviews (pull request 37600)",
    levels={
        **PADDLE.levels,
        "attr_added_with_default": "warning",
        "input_added_dispensable": "warning",
        "output_added_dispensable": "warning",
        "extra_cleared": "warning",
        "op_version_unknown": "warning",
        "op_version_unregistered": "error",
    },
    not_exempt=frozenset({"attr_added_without_default", "input_added_not_dispensable", "output_added_not_dispensable"}),
    reviewers={"def": "inference", "quant": "slim"},
    default_for=(),
)
