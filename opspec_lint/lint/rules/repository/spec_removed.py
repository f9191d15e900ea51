"""A spec file was deleted.

Flags:
    A spec file of base that head does not have under any name, if it has an op that no new or changed file declares
    instead. A file that git detects as renamed is compared, and so are ops that have moved to other files.

Why it breaks:
    Without the file there is no contract: later changes of its ops are not compared with the spec that existing
    models were saved with.

Instead:
    Keep the file. If the framework no longer has to be checked, delete the file and add a waiver that says so.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    level="error",
    directions=("backward",),
    message="the spec file '{name}' was deleted{lost}",
    witness="models saved with the ops of '{name}' lose their check: no later change of these ops is detected",
    advice="keep the file; if you renamed and changed it, commit the rename on its own",
    facts={"name": "specs/ops.json", "lost": ""},
    flagged=(("specs/ops.json: abs(X) -> (Out)", "README.md: no specs"),),
    passes=(("specs/ops.json: abs(X) -> (Out)", "specs/renamed.json: abs(X) -> (Out)"),),
)
