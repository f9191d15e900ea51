"""The texts of general rules in TensorFlow's terms: an input is optional by its attrs, none is dispensable.

The behavior of the importer was measured with 1.15.0, 2.4.4, 2.8.4, 2.12.1 and 2.18.1. Where TensorFlow's own check of
a change (OpDefCompatible) differs from it, the text says so.
"""

from __future__ import annotations

from opspec_lint.lint.wording import Wording

_ALIKE = (
    "The names are similar and the types equal, or each is the only candidate for the other. The confidence states how "
    "certain the match is."
)


def _added_as_optional(kind: str) -> Wording:
    """Return the texts for an input or output that was added and may be empty."""
    return Wording(
        title=f"An optional {kind} was added",
        flags=(
            f"An {kind} that only head's op has, and that is empty by default: its type is a list(type) attr with the "
            "default value [], or its number is an int attr with the default value 0."
        ),
        instead=f"This is the allowed way to add an {kind}. Do the same as before where the list is empty.",
        message=f"the optional {kind} '{{name}}' was added",
    )


def _added_as_required(kind: str, why: str) -> Wording:
    """Return the texts for an input or output that was added and is required, since `why`."""
    return Wording(
        title=f"A required {kind} was added",
        flags=f"An {kind} that only head's op has, and that is not empty by the default values of new attrs.",
        why=why,
        instead=(
            f"Give the {kind} a new list(type) attr with the default value [], or a new int attr for its number with "
            "the default value 0; or make a new op, such as the next version of this one."
        ),
        message=f"the {kind} '{{name}}' was added and is required",
        advice="give '{name}' a new list(type) attr with the default value [], or make a new version of the op",
    )


def _argument_removed(kind: str, why: str) -> Wording:
    return Wording(
        why=why,
        instead=f"Keep the {kind}, even if the kernel does not use it; or make a new version of the op without it.",
        advice=f"keep the {kind} '{{name}}', or make a new version of '{{op}}' without it",
    )


WORDING = {
    "attr_removed": Wording(
        why=(
            "An existing graph may set it. TensorFlow up to 2.4 refuses the graph, unless the value is the default "
            "by the model's own list of ops; from 2.5 on the attr is ignored, with a line "
            "in the log, and the graph computes something else where the value mattered."
        ),
        witness=(
            "an existing graph that sets '{name}' of '{op}' is refused by TensorFlow up to 2.4; later releases "
            "ignore the value, with a line in the log"
        ),
        is_ignored=True,
    ),
    "attr_default_changed": Wording(
        why=(
            "A SavedModel of TensorFlow 2 holds no attr that has its default value, and TF1 builders strip them if "
            "they are told to. The import fills in the default value of the release that loads, and no loader looks "
            "whether it is another: the graph loads, and computes something else."
        ),
        witness="a graph exported without '{name}' computed '{op}' with {old} and now uses {new}, without an error",
    ),
    "attr_default_removed": Wording(
        why=(
            "An existing graph omits the attr if it has its default value, as SavedModels of TensorFlow 2 "
            "always do. The import refuses it: the node lacks the attr."
        ),
        witness="a graph exported without '{name}' relied on {old}; the import refuses its '{op}'",
    ),
    "attr_default_added": Wording(
        why=(
            "Existing graphs set the attr and still load. A new graph omits it where it has its default "
            "value, and an older TensorFlow refuses that: the node lacks the attr."
        ),
        witness=(
            "existing graphs set '{name}' of '{op}' and still load; a new graph omits it where it is {new}, "
            "and the old TensorFlow refuses it"
        ),
    ),
    "attr_default_added_late": Wording(
        why=(
            "TensorFlow's own check of default values refuses it. Graphs older than the attr stopped loading when it "
            "was added; the import accepts them again, with a meaning that nobody has checked."
        ),
    ),
    "model_attr_unknown": Wording(advice="{remedy}"),
    "model_op_unknown": Wording(advice="{remedy}"),
    "attr_added_without_default": Wording(
        why="An existing graph does not set it. The import refuses the graph: the node lacks the attr.",
        witness="an existing graph has a node of '{op}' that does not set '{name}'; the import refuses it",
    ),
    "attr_type_changed": Wording(
        why=(
            "A saved graph holds a value of the old type. The import converts nothing, and refuses any other type, a "
            "list in place of one value too."
        ),
    ),
    "allowed_values_narrowed": Wording(
        why=(
            "A saved graph may hold a value that is no longer allowed, and the import refuses it, whether or not a "
            "kernel for it ever existed."
        ),
    ),
    "deprecation_changed": Wording(
        why=(
            "The import refuses the op in graphs of the version that the deprecation names, or a later one. Older "
            "graphs load, with a line in the log."
        ),
        witness="a graph with '{op}' is refused if its producer version is the named one or later; others load",
    ),
    "graph_version_lowered": Wording(
        why=(
            "A graph of a newer producer loads: its version alone stops nothing. Only the version that it "
            "requires of its readers does, and that is compared by itself."
        ),
        witness=(
            "graphs of base have version {old}, above that of the new release; they load unless their min_consumer is "
            "above it"
        ),
    ),
    "argument_name_changed": Wording(
        why=(
            "No existing model breaks: a node lists its inputs and does not name them, also in the body of a "
            "function. Code that passes the input by keyword does."
        ),
    ),
    "attr_added_with_default": Wording(
        why=(
            "No existing model breaks: a node without the attr gets the default value. An older release may "
            "refuse a graph that sets it."
        ),
        instead="This is the allowed way to add an attr. Let the default value mean what the op did before.",
    ),
    "attr_renamed": Wording(flags=f"An attr of base that head does not have, and a new one of head. {_ALIKE}"),
    "output_renamed": Wording(flags=f"An output of base that head does not have, and a new one of head. {_ALIKE}"),
    "input_added_dispensable": _added_as_optional("input"),
    "output_added_dispensable": _added_as_optional("output"),
    "input_added_not_dispensable": _added_as_required(
        "input",
        "An existing graph has a node without the input. The import refuses it: the node has too few inputs.",
    ),
    "output_added_not_dispensable": _added_as_required(
        "output",
        "TensorFlow's own check refuses it, as the signatures differ. The importer accepts existing graphs, as long "
        "as the new output is the last: an output before another one gives that another number.",
    ).replace(
        witness=(
            "an existing graph reads the outputs of '{op}' by number; it reads another output if '{name}' comes before"
        )
    ),
    "input_removed": _argument_removed(
        "input", "An existing graph has a node with this input. The import refuses it: the node has too many inputs."
    ),
    "output_removed": _argument_removed(
        "output", "A node of an existing graph may read this output, which no longer exists."
    ).replace(witness="an existing graph in which a node reads '{name}' of '{op}' does not load: the output is gone"),
}
