"""A spec file was deleted.

Flags:
    A spec file of base that head does not have under any name; a file that git takes for renamed is compared
    instead.

Why it breaks:
    With the file goes the contract: whatever its ops do from now on, nothing compares it with what models were
    saved under.

Instead:
    Keep the file. If the framework is no longer to be checked, delete it under a waiver that says so.
"""

from opspec_lint.rule import rule

RULE = rule(
    __name__,
    __doc__,
    level="error",
    directions=("backward",),
    since="0.1.0",
    message="the spec file '{name}' was deleted",
    witness="every model saved under '{name}' loses its check: no change of its ops would be noticed",
    advice="keep the file; if it was renamed and changed at once, rename it in a commit of its own",
)
