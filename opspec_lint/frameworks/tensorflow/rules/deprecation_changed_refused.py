"""An op is deprecated as of a graph version that saved graphs have.

Flags:
    An op that head refuses in graphs from some version on, where base writes graphs of that version or a later one.
    Only profiles for breaks of saved models enable it.

Why it breaks:
    TensorFlow refuses a graph with the op if its producer version is the version that the deprecation names, or above:
    "Op X is not available in GraphDef version P". Older graphs load, with a line in the log.

Instead:
    Deprecate from a version on that no release has written yet.
"""

from opspec_lint.lint.rule import Rule

RULE = Rule(
    on=("deprecation_changed",),
    when=lambda change: bool(change.after and change.after.get("deprecation_version")),
    level="off",
    directions=("backward",),
    message="the op '{op}' is refused in graphs that base writes, as its deprecation begins too early",
    witness="an existing graph with a node of '{op}' is refused: the op is not available in its GraphDef version",
    advice="let the deprecation of '{op}' begin with a graph version that no release has written yet",
    flagged=(("f(x: T) -> () deprecated null", 'f(x: T) -> () deprecated "use g" from 9'),),
    passes=(('f(x: T) -> () deprecated "use g" from 9', 'f(x: T) -> () deprecated "use g" from 9'),),
)
