"""What rules say of TensorFlow's ops: an input is optional by its attrs, and there are no dispensable ones."""

from __future__ import annotations

from opspec_lint.lint.wording import Words

_ALIKE = (
    "Two names that are alike enough to be one, of equal type: alike in their letters, or with nothing else to be "
    "confused with. The confidence says how sure that is."
)


def _added_as_optional(kind: str) -> Words:
    return Words(
        title=f"An optional {kind} was added",
        flags=(
            f"An {kind} that only head's op has, and that is empty by default: its type is a list(type) attr with the "
            "default value [], or its number is an int attr with the default value 0."
        ),
        instead=f"This is the allowed way to add an {kind}. Do the same as before where the list is empty.",
        message=f"the optional {kind} '{{name}}' was added",
    )


def _added_as_required(kind: str) -> Words:
    return Words(
        title=f"A required {kind} was added",
        flags=f"An {kind} that only head's op has, and that is not empty by the default values of new attrs.",
        why=f"A graph saved before has a node without the {kind}. TensorFlow refuses it, as the signatures differ.",
        instead=(
            f"Give the {kind} a new list(type) attr with the default value [], or a new int attr for its number with "
            "the default value 0; or make a new op, such as the next version of this one."
        ),
        message=f"the {kind} '{{name}}' was added and is required",
        advice="give '{name}' a new list(type) attr with the default value [], or make a new version of the op",
    )


def _removed(kind: str, why: str) -> Words:
    return Words(
        why=why,
        instead=f"Keep the {kind}, even if the kernel does not use it; or make a new version of the op without it.",
        advice=f"keep the {kind} '{{name}}', or make a new version of '{{op}}' without it",
    )


WORDS = {
    "attr_added_with_default": Words(
        why=(
            "Nothing that was saved breaks: a node without the attr gets the default value. An older release may "
            "refuse a graph that sets it."
        ),
        instead="This is the allowed way to add an attr. Let the default value mean what the op did before.",
    ),
    "attr_renamed": Words(flags=f"An attr of base that head does not have, and a new one of head. {_ALIKE}"),
    "output_renamed": Words(flags=f"An output of base that head does not have, and a new one of head. {_ALIKE}"),
    "input_added_dispensable": _added_as_optional("input"),
    "output_added_dispensable": _added_as_optional("output"),
    "input_added_not_dispensable": _added_as_required("input"),
    "output_added_not_dispensable": _added_as_required("output"),
    "input_removed": _removed(
        "input", "A graph saved before has a node with this input. TensorFlow refuses it, as the signatures differ."
    ),
    "output_removed": _removed(
        "output", "A node of a graph saved before may read this output, which no longer exists."
    ).but(witness="a graph saved before in which a node reads '{name}' of '{op}' does not load: the output is gone"),
}
