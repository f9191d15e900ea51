"""A waiver has no reason, no owner or no file.

Flags:
    A waiver without a reason, or without an owner; and where a repository has several spec files, one that names none
    of them and does not say with `covers` that it is for all. A waiver of a break of an op that base promises to keep,
    such as one with the tag `core` of PyTorch, that does not name the promise.

Why it breaks:
    Nobody can tell later whether the waiver still holds, or whom to ask; or it would let the same change pass in a file
    that nobody has looked at. It waives nothing.

Instead:
    Add the reason why the finding does not count, the person or team that answers for it, and the spec file that it is
    for.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=(),
    message="the waiver of {what} lacks {lacking}",
    witness="the waiver has no effect: nobody could tell why it exists, whom to ask, or which file it is for",
    advice="add {lacking} to the waiver",
    facts={"op": "relu", "name": "op_removed relu", "what": "op_removed relu", "lacking": "owner"},
    flagged=(
        (
            "specs/ops.json:\n  abs(X) -> (Out)\n  relu(X) -> (Out)",
            (
                "specs/ops.json: abs(X) -> (Out)\n"
                "opspec-waivers.yaml: {version: 1, waivers: [{rule: op_removed, op: relu, reason: never released}]}"
            ),
        ),
    ),
    passes=(
        (
            "specs/ops.json:\n  abs(X) -> (Out)\n  relu(X) -> (Out)",
            (
                "specs/ops.json: abs(X) -> (Out)\n"
                "opspec-waivers.yaml: {version: 1, waivers: [{rule: op_removed, op: relu, reason: never "
                "released, owner: ann}]}"
            ),
        ),
    ),
)
