"""Base and head are the same commit.

Flags:
    A check of a commit whose base is the same commit: in CI (the GitHub Action, or where the variable `CI` is set), and
    in a detached checkout, as CI systems make it.

Why it breaks:
    Nothing was compared, so nothing was found, and a reader of the verdict takes that for a pass.

Instead:
    Name the branch that the change will be merged into, with `base` in the configuration or with `--base`. Where a job
    has nothing to compare, as on the base branch itself, do not run it, or lower the level in the `levels` of base.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=(),
    message="nothing was compared: base and head are the same commit, {base}",
    witness="this check does not see any change",
    advice="name the branch that the change will be merged into: --base BRANCH, or `base` in the configuration",
    facts={"name": "base", "base": "HEAD (86a2ddd49b), a commit of main"},
    flagged=(("specs/ops.json: abs(X) -> (Out)", "$ git checkout --detach"),),
    passes=(
        (
            "specs/ops.json: abs(X) -> (Out)",
            (
                "$ git checkout --detach\n"
                "specs/ops.json:\n"
                "  abs(X) -> (Out)\n"
                "  relu(X) -> (Out)\n"
                "$ git commit --message change"
            ),
        ),
    ),
)
