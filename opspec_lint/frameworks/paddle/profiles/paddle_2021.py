"""The policy of Paddle's published table with the registrations and reviews of pull request 37600 (2021).

Every change of an argument that is not extra has to be registered as an op version. An addition, and a changed default
value, needs the approval of a team: inference for the native definition, slim for the quantized part. Additions that
are extra need neither; but an added attr needs a default value, and an added input or output has to be dispensable.
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
