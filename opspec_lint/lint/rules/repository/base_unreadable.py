"""A spec of base cannot be read, and the change repairs it.

Flags:
    A spec file or a source tree that cannot be read at base and can be read at head.

Why it breaks:
    No op of head can be compared with what base meant. If the file can be read at the tip of base's branch, head is
    compared with that; otherwise only with the configured releases.

Instead:
    Merge the repair on its own, with a waiver of this finding. Every later change is compared with it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=(),
    message="'{name}' of base cannot be read, {instead}: {problem}",
    witness="no change of an op of '{name}' since the last version that could be read is reported",
    advice="review the ops that the repair declares, and merge it on its own with a waiver of this finding",
    facts={
        "name": "specs/ops.yaml",
        "instead": "so no version before is compared",
        "problem": "line 2, column 1: is not valid YAML: did not find expected node content",
    },
    flagged=(
        (
            "specs/ops.yaml: {opspec: 1, provenance: {framework: paddle}, knows: {}, ops: {",
            "specs/ops.yaml: {opspec: 1, provenance: {framework: paddle}, knows: {}, ops: {abs: {}}}",
        ),
    ),
    passes=(
        (
            "specs/ops.yaml: {opspec: 1, provenance: {framework: paddle}, knows: {}, ops: {cos: {}, abs: {}}}",
            "specs/ops.yaml: {opspec: 1, provenance: {framework: paddle}, knows: {}, ops: {abs: {}, cos: {}}}",
        ),
    ),
)
