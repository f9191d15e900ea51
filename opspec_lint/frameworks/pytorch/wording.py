"""The texts of general rules in the terms of PyTorch."""

from __future__ import annotations

from opspec_lint.lint.wording import Wording

WORDING = {
    "op_added": Wording(
        flags="An op, or an overload of one, that head has and base does not have.",
        why="No existing program breaks. A program of head that calls it does not run on base.",
        witness="a program that calls '{op}' does not run on the old release",
        advice="nothing to do for existing programs",
    ),
    "op_removed": Wording(
        flags="An op, or an overload of one, that base has and head does not have.",
        why="A saved program names its ops and overloads, and a release that does not have one refuses the program.",
        instead="Keep the op for as long as programs that use it may be loaded.",
        witness="a program saved with '{op}' is refused: the new release does not have it",
        advice="keep '{op}' registered, and let new code use its replacement",
    ),
}
"""The texts, by the id of the rule."""
