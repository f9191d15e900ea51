"""The patches that convert a type in all existing programs changed.

Flags:
    An entry of `attr_patches` or `type_patches`, which convert all attrs or values of a type, that only head has, or
    only base.

Why it breaks:
    The loader applies the entry to every program of an older version without a message: to every attr of the type,
    whatever type the op declares, or to every value. 3.3.1 crashes after Int32Attribute became Int64Attribute. The
    types of the elements of tensors and lists are not converted (measured: Float32Type in a DenseTensorType).

Instead:
    Keep the entries of base. Change the attr of each op that needs it by `modify_attr`. Waive the finding if all ops of
    head take the new type.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="{file}: in all programs of older versions {of} of type {name} {effect}{except}",
    witness="every program of an older version with {of} of type {name} may crash the process",
    advice=(
        "keep the entries of base, and patch each op that needs it by modify_attr; waive this if all ops take the type"
    ),
    flagged=(
        (
            "pd_op.f(x, y) -> (out)",
            (
                'loading {"develop_version": 0, "release_version": 1, "retyped": [[0, "attr", '
                '"pir::Int32Attribute", "pir::Int64Attribute"]]}\nversions {"producer": 1}\npd_op.f(x, y) -> (out)'
            ),
        ),
    ),
    passes=(
        (
            "pd_op.f(x, y) -> (out)",
            "pd_op.f(x, y) -> (out)",
        ),
    ),
)
