"""The texts of general rules for PIR, whose programs store all attrs, and no names of inputs and outputs.

`why` stands below the heading "Why it breaks".
"""

from __future__ import annotations

from opspec_lint.lint.wording import Wording


def _argument_renamed(kind: str) -> Wording:
    """Return the texts about a renamed input or output."""
    return Wording(
        why="It does not: a program stores no names of inputs and outputs: they are bound by position.",
        instead="Nothing to do for existing programs. Change code that names the argument.",
        witness=f"programs with '{{op}}' bind the {kind} '{{name}}' by position, and still run",
        advice="nothing to do for existing programs",
        directions=(),
    )


def _default_changed(ending: str) -> Wording:
    """Return the texts about a changed default value; `ending` ends "they still mean the same"."""
    return Wording(
        why=(
            "It does not: a program stores every attr, and the loader fills in no default values. New programs are "
            "saved with the new value."
        ),
        instead="Nothing to do for existing programs.",
        witness=f"programs with '{{op}}' store a value of '{{name}}', and still mean the same {ending}",
        advice="nothing to do for existing programs",
        directions=(),
    )


WORDING = {
    "attr_removed": Wording(
        why="It does not: the loader ignores an attr that the op does not declare (measured: 30 of 30).",
        instead="Make sure that the op behaves as the default of the attr did, as existing programs still have it.",
        witness="programs that have '{name}' of '{op}' still run, and its value is ignored",
        advice="check that ignoring '{name}' is right for every value that programs were saved with",
        directions=(),
    ),
    "attr_default_added": _default_changed("with it"),
    "attr_default_changed": _default_changed("as before"),
    "attr_default_removed": _default_changed("without it"),
    "input_renamed": _argument_renamed("input"),
    "output_renamed": _argument_renamed("output"),
    "op_added": Wording(
        why="Existing programs do not have it. Base refuses programs of head when they first run.",
        witness="a program with '{op}' loads on base, and stops when it first runs",
        advice="nothing to do for existing programs",
    ),
    "op_removed": Wording(
        why="A program with the op loads, and is refused when it first runs, with an error that does not name the op.",
        instead=(
            "Keep the op declared. Where another op takes the same arguments, a patch can rename it in existing "
            "programs: `- {op_name: pd_op.old, actions: [{action: modify_name, data: pd_op.new}]}`."
        ),
        witness="a program that was saved with '{op}' loads, and stops when it first runs",
        advice="keep '{op}'; where the loader reads patches (patch_util.cc), one with `modify_name` can make it an op "
        "with the same arguments",
    ),
    "dispensable_cleared": Wording(
        why="A program may give no value there. It loads, and is refused when it first runs, or crashes the process.",
        witness="a program that was saved with '{op}' and gives no '{name}' stops when it first runs",
        advice="keep '{name}' optional",
    ),
}
"""The texts, by the id of the rule."""
