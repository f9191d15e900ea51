"""A waiver names a value that has changed.

Flags:
    A waiver of a finding whose old value, new value or fingerprint differs from the one in the waiver.

Why it breaks:
    The waiver was given for another change. Nobody has reviewed the finding that it would waive now.

Instead:
    Review the finding again; `opspec-lint waive FINGERPRINT` writes a waiver for it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=(),
    message="the waiver of {what} was given for another change: {difference}",
    witness="the finding counts: it differs from the one that was waived",
    advice="review the finding again and waive {fingerprint}, or delete the waiver",
    facts={
        "op": "f",
        "name": "attr_default_changed f attr a",
        "what": "attr_default_changed f attr a",
        "difference": "its new value is 3, not 2",
        "fingerprint": "a29be897769c44a8",
    },
    flagged=(
        (
            "specs/ops.json: f(X) -> (Out) [a: INT = 1]",
            (
                "specs/ops.json: f(X) -> (Out) [a: INT = 3]\n"
                "opspec-waivers.yaml: {version: 1, waivers: [{rule: attr_default_changed, op: f, kind: "
                "attr, name: a, new: 2, reason: unused, owner: ann}]}"
            ),
        ),
    ),
    passes=(
        (
            "specs/ops.json: f(X) -> (Out) [a: INT = 1]",
            (
                "specs/ops.json: f(X) -> (Out) [a: INT = 3]\n"
                "opspec-waivers.yaml: {version: 1, waivers: [{rule: attr_default_changed, op: f, kind: "
                "attr, name: a, new: 3, reason: unused, owner: ann}]}"
            ),
        ),
    ),
)
