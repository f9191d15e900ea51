"""What tests of all frameworks need to know of PIR (`tests/support/per_framework.py`)."""

from __future__ import annotations

from opspec_lint.frameworks.paddle_pir.facts import ProgramFact
from tests.support.released_specs import released

FOREIGN = "OpProto|GraphDef|OpDef|SavedModel|list\\(type\\)|Ref|is_stateful|strip"
OF_TREES = {"patches"}
MIRRORS = {
    "attr_renamed_unpatched": {"attr_renamed_unpatched"},
    "attr_type_unpatched": {"attr_type_unpatched"},
    "input_added_unpatched": {"input_removed_unpatched"},
    "input_kind_unpatched": {"input_kind_unpatched"},
    "input_removed_unpatched": {"input_added_unpatched"},
    "legacy_names_lost": {"legacy_names_gained", "legacy_names_lost"},
    "op_renamed_unpatched": {"op_renamed_unpatched"},
    "order_unpatched": {"order_unpatched"},
    "output_added_unpatched": {"output_removed_unpatched"},
    "output_removed_unpatched": {"output_added_unpatched"},
    "patch_of_release_changed": {"patch_of_release_changed"},
    "patch_types_changed": {"patch_types_changed"},
}
HOLES = {
    "attr_added_unpatched": "a loader does not look at an attr that is gone",
    "change_maybe_patched": "it is known what the patches of base do to programs of head: nothing",
    "change_patched": "patches that only base has are applied to programs of neither",
    "head_program_refused": "a loader does not look at what a program has besides",
    **dict.fromkeys(
        ("patch_breaks_op", "patch_not_judged", "patch_rewrites_op", "patch_without_effect"),
        "a patch that only base has is no fault of head",
    ),
    "patch_dropped": "an action that is new is judged by what it does",
}
NO_OP = ("patch_types_changed",)
WRONG = [
    ({"patches": [{}]}, "patches[0]: the key 'version' is missing"),
    ({"patches": ["x"]}, 'patches[0]: expected a mapping, found the string "x"'),
    ({"patches": [{"version": "1", "kind": "k"}]}, "patches[0].version: expected an integer, found"),
    ({"patches": [{"version": 1, "kind": "k", "pair": 5}]}, "patches[0].pair: expected a list, found 5"),
    ({"patches": "x"}, "patches: expected a list or null, found"),
]


def name_in_head(change):
    if not isinstance(change, ProgramFact):
        return None
    return change.new.partition(", ")[0] if change.field == "order" else change.new_name or change.name


def kinds():
    return {"paddle-pir": (released("paddle-pir-3.0.0"), released("paddle-pir-3.3.1"))}
