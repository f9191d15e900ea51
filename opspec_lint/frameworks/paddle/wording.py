"""The texts of general rules for Paddle, by the measured behaviour of its loaders with saved models.

Measured with Paddle 1.8.5, 2.6.2, 3.0.0 and 3.3.1. The executor and the predictor run a saved program by the ops that
it names, and agree on nearly everything. Paddle 3 can also translate a program to PIR while loading, by other rules.
"""

from __future__ import annotations

from opspec_lint.lint.wording import Wording

_CONVERSIONS = (
    "BOOLEAN takes INT and FLOAT, LONG takes INT and FLOAT, FLOAT takes INT and LONG, LONGS takes INTS and FLOATS"
)


def _optional_addition(kind: str) -> Wording:
    """Return the texts about an added argument that is optional."""
    return Wording(
        why=(
            f"No existing model breaks: the executor and the predictor do not require the {kind}. An older Paddle "
            f"ignores it in a new model, without a message."
        ),
        witness=(
            f"a new model that uses the {kind} '{{name}}' of '{{op}}' runs on the old framework, which ignores it; "
            "existing models do not use it and still load"
        ),
    )


def _renaming(kind: str, lost: str) -> Wording:
    """Return the texts about a renamed argument."""
    return Wording(
        is_ignored=kind == "attr",
        why=(
            f"Models refer to {kind}s by name. For a saved model, a new name is a removal and an addition: {lost} "
            "Where no model may leave the new name out, the model is refused."
        ),
    )


WORDING = {
    "attr_default_changed": Wording(
        why=(
            "Savers write every attr that is not extra with its value, its default value too, so that a model keeps "
            "what it was saved with. A model that is older than the attr, and any model where the attr is extra, is "
            "given the default value of the release that loads, without an error. Translation to PIR ignores default "
            "values."
        ),
        witness=("a model that does not hold '{name}' computed '{op}' with {old} and now uses {new}, without an error"),
    ),
    "attr_default_removed": Wording(
        why=(
            "A model that is older than the attr omits it, and the new framework refuses to run it: the attr is "
            "not set. Models that were saved since hold its value, as savers write default values too."
        ),
        witness="a model that is older than '{name}' relied on {old}; the new framework refuses to run its '{op}'",
    ),
    "attr_default_added": Wording(
        why=(
            "Existing models set the attr and still load. Savers write default values too, so a new model holds it "
            "as well; only one that was made by hand may omit it, and an older framework refuses to run that."
        ),
        witness=(
            "existing models set '{name}' of '{op}' and still load; a model made by hand that omits it does "
            "not run on the old framework"
        ),
    ),
    "attr_added_with_default": Wording(
        why=(
            "No existing model breaks in the executor and the predictor: a model without the attr gets its "
            "default value. Translation to PIR fills in no default value: a BOOLEAN becomes false, and a model "
            "without an attr of most other types is refused. An older Paddle ignores the attr of a new model, "
            "without a message."
        ),
        witness=(
            "a new model that sets '{name}' of '{op}' loads on the old framework, which ignores its value; "
            "existing models get the default value"
        ),
    ),
    "attr_added_without_default": Wording(
        why=(
            "An existing model does not set it, and there is no value to put in its place: the executor and the "
            "predictor refuse it, as the attribute is not set correctly."
        ),
    ),
    "attr_removed": Wording(
        why=(
            "An existing model sets it, as savers write default values too. Executor, predictor and translation "
            "ignore an attr that the op does not have, without a message: the model loads, and computes something else "
            "where the value mattered."
        ),
        witness=("an existing model sets '{name}' of '{op}'; the new framework ignores the value, without a message"),
        is_ignored=True,
    ),
    "attr_renamed": _renaming("attr", "what it says under the old name is ignored, without a message."),
    "attr_type_changed": Wording(
        why=(
            "A saved model holds a value of the old type. The executor and the predictor convert some types, with loss "
            f"where the value does not fit: {_CONVERSIONS}. The predictor also makes SCALARS of lists of numbers and "
            "BOOLEANS. They refuse all else, also an equal value. Translation to PIR converts INT and LONG to BOOLEAN, "
            "and lists of INT and LONG, and refuses the rest."
        ),
    ),
    "allowed_values_narrowed": Wording(
        why=(
            "A saved model may hold a value that is no longer allowed, and the op's checker refuses it. Translation to "
            "PIR has no checkers; there the kernel decides."
        ),
    ),
    "minimum_raised": Wording(
        why=(
            "A saved model may hold a value below it, and the op's checker refuses it. Translation to PIR has no "
            "checkers; there the kernel decides."
        ),
    ),
    "maximum_lowered": Wording(
        why=(
            "A saved model may hold a value above it, and the op's checker refuses it. Translation to PIR has no "
            "checkers; there the kernel decides."
        ),
    ),
    "input_added_dispensable": _optional_addition("input"),
    "output_added_dispensable": _optional_addition("output"),
    "input_added_not_dispensable": Wording(
        why=(
            "An existing model feeds no such input, and the new framework refuses to run the op without it. Inputs of "
            "control-flow ops, such as while, are not required."
        ),
    ),
    "output_added_not_dispensable": Wording(
        why=(
            "An existing model names no variable for the new output, and the new framework refuses to run the op. "
            "An intermediate output is not required; the kernel decides whether it can do without it."
        ),
    ),
    "input_removed": Wording(
        why=(
            "An existing model feeds it. Executor, predictor and translation ignore an input that the op does not "
            "have, without a message: the model loads, and computes as if it did not feed it."
        ),
        witness=(
            "an existing model that feeds '{name}' to '{op}' loads; the new framework ignores the input, without a "
            "message"
        ),
        is_ignored=True,
    ),
    "output_removed": Wording(
        why=(
            "An existing model names a variable for it. The new framework ignores an output that the op does not "
            "have, and an op that reads the variable finds nothing in it."
        ),
    ),
    "input_renamed": _renaming("input", "what it feeds under the old name is ignored, without a message."),
    "output_renamed": _renaming("output", "nothing is written to the variable that it names under the old name."),
    "dispensable_cleared": Wording(
        why=(
            "An existing model may omit it, and the executor and the predictor refuse it then. They require neither "
            "intermediate outputs nor the inputs of control flow."
        ),
    ),
    "duplicable_cleared": Wording(
        why=(
            "An existing model may name several variables. The executor and the predictor do not check how many "
            "there are: the first is used, without a message, or the kernel fails. Translation to PIR refuses "
            "the model."
        ),
        witness=(
            "an existing model may name several variables for '{name}' of '{op}', where the new framework uses the "
            "first, without a message"
        ),
    ),
    "duplicable_set": Wording(
        why=(
            "Existing models name one variable, which still counts. A new model may name several, of which an "
            "older framework uses the first, without a message. Kernels and converters that expect one must be adapted."
        ),
        witness=(
            "existing models name one variable for '{name}' of '{op}' and still load; if a new model names several, "
            "the old framework uses the first"
        ),
    ),
    "extra_cleared": Wording(
        why=(
            "No existing model breaks: savers cut extra arguments, and the framework fills in the default value "
            "where a model has no value. A new model holds the argument, and an older framework takes it as well."
        ),
        witness=(
            "existing models have no '{name}' for '{op}' and still load; new models contain it, and the old framework "
            "treats it as an extra argument"
        ),
    ),
    "extra_cleared_not_optional": Wording(
        why=(
            "Savers cut extra arguments, so that no existing model holds it, and the new framework refuses to run "
            "the op without it. It does not check an intermediate output, but the kernel may need it: flatten2 of "
            "Paddle 3.0.0 crashes without XShape, which programs of 2.6.2 do not have."
        ),
    ),
    "extra_set": Wording(
        why=(
            "Savers cut extra arguments. Existing models still load, with their values; if they are saved again, the "
            "argument is lost, and older frameworks refuse them or use their own default value."
        ),
    ),
    "op_version_extended": Wording(
        why=(
            "Nothing breaks: this is how a change is made known to converters and inference engines. Paddle's own "
            "loaders check only the versions of set_value and assign_value, whose old nodes they rewrite."
        ),
    ),
    "op_version_lost": Wording(
        why=(
            "Versions are counted, and converters that read a model may take a version above the end of the history "
            "for an older one. Paddle's own loaders check only the versions of set_value and assign_value; an op "
            "whose history they lost is no longer rewritten."
        ),
    ),
    "op_version_rewritten": Wording(
        why=(
            "A version number that models already carry now means another state of the op to converters that read it. "
            "Paddle's own loaders check only the versions of set_value and assign_value."
        ),
    ),
}
