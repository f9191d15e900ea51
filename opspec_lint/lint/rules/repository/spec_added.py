"""A spec file is new.

Flags:
    A spec file that base does not have and that is not a renamed one; or a source that is checked directly, where
    base has neither a configuration nor any of its files.

Why it breaks:
    Nothing breaks: no model was saved with it yet. From now on changes are compared with it.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="note",
    directions=(),
    message="the {what} '{name}' is new, with {ops}",
    witness="no model was saved with it yet",
    advice="nothing to do",
    facts={"name": "specs/ops.json", "what": "spec file", "ops": "1 op"},
    flagged=(("README.md: no specs", "specs/ops.json: abs(X) -> (Out)"),),
    passes=(("specs/ops.json: abs(X) -> (Out)", "specs/renamed.json: abs(X) -> (Out)"),),
)
