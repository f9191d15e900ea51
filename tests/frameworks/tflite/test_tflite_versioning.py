"""The rules of op versioning on trees: what a change to one file owes the others, and what a range of commits owes."""

from __future__ import annotations

import re

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.frameworks.tflite.compare import releases
from opspec_lint.lint import profile
from opspec_lint.lint.check import check
from opspec_lint.sources import released
from opspec_lint.sources.reading import Reading
from opspec_lint.sources.source import SOURCES
from opspec_lint.spec.model import Op, Provenance, Spec
from tests.support.programs import run
from tests.support.trees import tflite_trees as trees

READING = Reading(caches=False)
RELEASES = releases._released_kernels
TREE = trees.TREE


@pytest.fixture(autouse=True)
def _nothing_is_released(monkeypatch):
    monkeypatch.setattr(releases, "_released_kernels", lambda: ())


@pytest.fixture
def spec_of(tmp_path):
    """Return the spec of a tree."""
    count = iter(range(100))
    return lambda tree: SOURCES.load("tflite-source").spec(str(trees.write(tmp_path / str(next(count)), tree)), READING)


@pytest.fixture
def findings(spec_of):
    """Return the findings between two trees, but for notes: the level, the rule, the op and the file of each."""

    def reported(base, head, *, notes=False):
        compared = check(spec_of(base), spec_of(head)).findings
        return sorted(
            (
                finding.level,
                finding.rule,
                finding.op,
                finding.head_origin and (finding.head_origin.file, finding.head_origin.line),
            )
            for finding in compared
            if notes or finding.level != "note"
        )

    return reported


def edited(*edits, tree=TREE):
    """A tree with a text of a file replaced, for each of some edits."""
    for path, old, new in edits:
        tree = trees.changed(path, (old, new), tree=tree)
    return tree


KERNEL = (trees.KERNELS, "Register_CONV_2D(), 1, 2)", "Register_CONV_2D(), 1, 3)")
REFERENCE = (trees.REFERENCE, "Register_CONV_REF(), 1, 2)", "Register_CONV_REF(), 1, 3)")
BRANCH = (
    trees.WRITTEN,
    "      return 1;\n    }\n",
    "      if (op_sig.wide) {\n        return 3;\n      }\n      return 1;\n    }\n",
)
ROW = (
    trees.RUNTIMES,
    '           "2.3.0"},\n',
    '           "2.3.0"},\n          {{BuiltinOperator_CONV_2D, 3}, "2.4.0"},\n',
)
OPTION = (trees.SCHEMA, "  bias:int;\n", "  bias:int;\n  // Parameters for Conv2D version 3 or above.\n  wide:bool;\n")
GENERATED = (trees.GENERATED, "VT_BIAS = 8", "VT_BIAS = 8,\n    VT_WIDE = 10")
READ = (
    trees.CONVERSIONS,
    "        params->padding =",
    "        params->wide = conv_params->wide();\n        params->padding =",
)
MEMBER = (trees.STRUCTS, "  TfLiteType bias_type;\n", "  TfLiteType bias_type;\n  bool wide;\n")
GPU = (
    trees.GPU,
    "    // CheckMaxSupportedOpVersion(registration, 9)\n",
    "    RETURN_IF_ERROR(CheckMaxSupportedOpVersion(registration, 2));\n",
)
BUMP = (KERNEL, REFERENCE, BRANCH, ROW)
WHOLE = (*BUMP, OPTION, GENERATED, READ, MEMBER)
"""All that a new option asks for: TensorFlow's page on operator versions."""


def test_a_whole_change_has_nothing_to_fix(findings):
    assert findings(edited(GPU), edited(GPU, *WHOLE)) == []
    assert findings(TREE, TREE, notes=True) == []
    notes = findings(edited(GPU), edited(GPU, *WHOLE), notes=True)
    assert {(rule, op) for _, rule, op, _ in notes} == {
        ("max_version_raised", "CONV_2D"),
        ("slot_added", "CONV_2D"),
        ("versioning_changed", "CONV_2D"),
    }


@pytest.mark.parametrize(
    ("missing", "expected"),
    [
        (
            (KERNEL,),
            [
                ("error", "converter_version_refused", trees.WRITTEN, 9),
                ("error", "parameter_unversioned", trees.SCHEMA, 22),
                ("warning", "parameter_version_untrue", trees.SCHEMA, 22),
                ("warning", "runtime_row_without_kernel", trees.RUNTIMES, 9),
            ],
        ),
        ((REFERENCE,), [("warning", "reference_kernel_behind", trees.REFERENCE, 3)]),
        ((BRANCH,), [("error", "kernel_version_unwritten", trees.KERNELS, 5)]),
        ((ROW,), [("error", "runtime_row_missing", trees.RUNTIMES, 7)]),
        ((READ,), [("error", "parameter_unread", trees.SCHEMA, 22)]),
        (
            (READ, MEMBER),
            [("error", "parameter_unread", trees.SCHEMA, 22), ("error", "parameter_unstored", trees.SCHEMA, 22)],
        ),
        ((MEMBER,), [("error", "parameter_unstored", trees.SCHEMA, 22)]),
        ((GENERATED,), [("warning", "generated_schema_stale", trees.GENERATED, 33)]),
    ],
    ids=lambda item: "" if isinstance(item, list) else "-".join(path.rpartition("/")[2] for path, *_ in item),
)
def test_every_file_that_is_left_out_is_named(findings, missing, expected):
    left = [item for item in WHOLE if item not in missing]
    result = findings(edited(GPU), edited(GPU, *left))
    assert [(level, rule, *place) for level, rule, _, place in result] == expected
    assert {op for _, rule, op, _ in result if rule != "generated_schema_stale"} <= {"CONV_2D"}


def test_a_new_option_without_a_new_version(findings):
    result = findings(TREE, edited(OPTION, GENERATED, READ, MEMBER))
    assert {rule for _, rule, *_ in result} == {"parameter_unversioned", "parameter_version_untrue"}
    assert {level for level, rule, *_ in result if rule == "parameter_unversioned"} == {"error"}


def test_a_new_option_is_versioned_by_any_op_with_the_table(findings):
    shared = (
        trees.CONVERSIONS,
        "    case BuiltinOperator_RESHAPE:\n",
        "    case BuiltinOperator_RESHAPE: {\n p = op->builtin_options_as_Conv2DOptions();\n return Ok;\n }\n",
    )
    base = edited(shared, GPU)
    assert "parameter_unversioned" not in {rule for _, rule, *_ in findings(base, edited(*WHOLE, tree=base))}
    unversioned = findings(base, edited(OPTION, GENERATED, READ, MEMBER, tree=base))
    assert {op for _, rule, op, _ in unversioned if rule == "parameter_unversioned"} == {"CONV_2D", "RESHAPE"}


def test_a_delegate_that_takes_any_version_of_an_op_whose_version_was_raised(findings):
    noted = ("note", "delegate_unchecked", "CONV_2D", (trees.GPU, 19))
    assert noted in findings(TREE, edited(*BUMP), notes=True)
    assert findings(TREE, edited(*BUMP)) == []
    assert findings(edited(GPU), edited(GPU, *BUMP)) == []


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (
            (trees.KERNELS, "Register_CONV_2D(), 1, 2)", "Register_CONV_2D(), 2, 2)"),
            {"min_version_raised", "converter_version_refused", "runtime_row_without_kernel"},
        ),
        (
            (trees.KERNELS, "Register_CONV_2D(), 1, 2)", "Register_CONV_2D(), 1, 1)"),
            {
                "max_version_lowered",
                "converter_version_refused",
                "runtime_row_without_kernel",
                "parameter_version_untrue",
            },
        ),
        (
            (trees.KERNELS, "  AddBuiltin(BuiltinOperator_CONV_2D, Register_CONV_2D(), 1, 2);\n", ""),
            {"kernel_removed", "converter_version_refused", "runtime_row_without_kernel"},
        ),
        (
            (trees.REFERENCE, "Register_CONV_REF(), 1, 2)", "Register_CONV_REF(), 1, 1)"),
            {"reference_kernel_lost", "reference_kernel_behind"},
        ),
        (
            (trees.REFERENCE, "  AddBuiltin(BuiltinOperator_CONV_2D, Register_CONV_REF(), 1, 2);\n", ""),
            {"reference_kernel_lost"},
        ),
        (
            (trees.WRITTEN, "        return 2;\n", "        return 1;\n"),
            {"converter_version_lost", "kernel_version_unwritten"},
        ),
        ((trees.RUNTIMES, '           "2.3.0"}', '           "2.4.0"}'), {"runtime_row_changed"}),
        (
            (trees.RUNTIMES, '          {{BuiltinOperator_RESHAPE, 1}, "1.5.0"},\n', ""),
            {"runtime_row_missing", "runtime_row_removed"},
        ),
        ((trees.SCHEMA, "  stride_w:int = 1;", "  stride_w:int = 2;"), {"slot_default_changed"}),
        (
            (trees.SCHEMA, "  keep:bool;\n", "  keep:bool;\n  tail:int;\n"),
            {"parameter_unversioned", "parameter_unread", "parameter_unstored", "generated_schema_stale"},
        ),
    ],
)
def test_what_was_there_stays(findings, edit, expected):
    result = findings(edited(GPU), edited(GPU, edit))
    assert {rule for _, rule, *_ in result} == expected


def test_a_version_that_is_skipped(findings):
    leap = [(path, old, new.replace("3", "4")) for path, old, new in (KERNEL, REFERENCE)]
    branch = (BRANCH[0], BRANCH[1], BRANCH[2].replace("return 3", "return 4"))
    rows = (trees.RUNTIMES, ROW[1], ROW[2] + '          {{BuiltinOperator_CONV_2D, 4}, "2.4.0"},\n')
    assert findings(edited(GPU), edited(GPU, *leap, branch, rows)) == [
        ("error", "version_skipped", "CONV_2D", (trees.KERNELS, 5))
    ]
    both = (branch[0], branch[1], branch[2].replace("return 4;", "return op_sig.two ? 3 : 4;"))
    assert findings(edited(GPU), edited(GPU, *leap, both, rows)) == [], "two versions may come in one range of commits"


def test_a_row_names_the_coming_release(findings):
    old = (ROW[0], ROW[1], ROW[2].replace("2.4.0", "2.2.4"))
    assert findings(edited(GPU), edited(GPU, KERNEL, REFERENCE, BRANCH, old)) == [
        ("error", "runtime_row_too_old", "CONV_2D", (trees.RUNTIMES, 9))
    ]
    late = edited(GPU, KERNEL, REFERENCE, BRANCH)
    assert findings(late, edited(old, tree=late)) == [], "a row for a version that base takes may name an old release"


@pytest.mark.parametrize("halves", [((KERNEL, REFERENCE), (BRANCH, ROW)), ((BRANCH, ROW), (KERNEL, REFERENCE))])
def test_two_halves_are_judged_as_a_whole(findings, halves):
    base = edited(GPU)
    middle = edited(*halves[0], tree=base)
    head = edited(*halves[1], tree=middle)
    assert findings(base, middle), "the first half leaves something to do"
    assert findings(middle, head) == [], "the second half does it"
    assert findings(base, head) == [], "the pair has no fault"


def test_a_fault_that_base_has_is_no_news_and_a_further_version_of_it_is(findings):
    behind = edited(GPU, KERNEL, BRANCH, ROW)
    comment = (trees.KERNELS, "  AddCustom", "  // nothing else\n  AddCustom")
    assert findings(behind, edited(comment, tree=behind)) == []
    further = edited(
        (trees.KERNELS, "Register_CONV_2D(), 1, 3)", "Register_CONV_2D(), 1, 4)"),
        (trees.WRITTEN, "        return 3;\n", "        return op_sig.two ? 3 : 4;\n"),
        (trees.RUNTIMES, '3}, "2.4.0"},\n', '3}, "2.4.0"},\n          {{BuiltinOperator_CONV_2D, 4}, "2.4.0"},\n'),
        tree=behind,
    )
    (finding,) = findings(behind, further)
    assert finding[:3] == ("warning", "reference_kernel_behind", "CONV_2D")


CONDITION = "      if (op_sig.inputs.at(0).type == kTfLiteInt8) {\n"
ANOTHER = "op_sig.inputs.at(0).type == kTfLiteBFloat16"


def test_a_version_that_is_written_for_a_further_feature(spec_of):
    wider = CONDITION.replace("kTfLiteInt8", f"kTfLiteInt8 ||\n          {ANOTHER}")
    (result,) = [
        finding
        for finding in check(spec_of(TREE), spec_of(edited((trees.WRITTEN, CONDITION, wider)))).findings
        if finding.rule == "version_widened"
    ]
    assert (result.level, result.directions, result.op, result.head_origin.line) == (
        "warning",
        ("forward",),
        "CONV_2D",
        7,
    )
    assert f"version 2 of 'CONV_2D' for a further feature: {ANOTHER}" in result.message


@pytest.mark.parametrize(
    "head",
    [
        CONDITION.replace("type == kTfLiteInt8", "type == kTfLiteInt8 && op_sig.wide"),
        CONDITION.replace("op_sig.inputs.at(0).type", "type"),
        f"      if ({ANOTHER}) {{\n        return 3;\n      }}\n{CONDITION}",
    ],
)
def test_another_condition_is_no_further_feature(findings, head):
    rules = {rule for _, rule, *_ in findings(TREE, edited((trees.WRITTEN, CONDITION, head)), notes=True)}
    assert "version_widened" not in rules
    assert "versioning_changed" in rules


def rows(*, add, conv):
    """Edits that give ADD and CONV_2D a new version each, with its row, reference kernel and branch."""
    row = '          {{{{BuiltinOperator_{}, 3}}, "{}"}},\n'
    return (
        *(KERNEL, REFERENCE, BRANCH),
        (trees.KERNELS, "/* max_version = */ 2", "3"),
        (trees.WRITTEN, "wide ? 2 : 1", "wide ? 3 : op_sig.x ? 2 : 1"),
        (trees.RUNTIMES, "      });", f"{row.format('ADD', add)}{row.format('CONV_2D', conv)}      }});"),
    )


@pytest.mark.parametrize(
    ("releases", "expected"),
    [({"add": "2.4.0", "conv": "2.4.0"}, []), ({"add": "2.5.0", "conv": "2.4.0"}, ["CONV_2D"])],
)
def test_rows_of_the_same_change_name_a_single_release(findings, releases, expected):
    result = findings(TREE, edited(*rows(**releases)), notes=True)
    assert [op for _, rule, op, _ in result if rule == "runtime_rows_apart"] == expected


def test_no_reference_kernel_of_a_new_version_breaks_no_model(spec_of):
    from opspec_lint.lint.check import report
    from opspec_lint.report.release import verdict

    compared = check(spec_of(edited(GPU)), spec_of(edited(GPU, *(item for item in WHOLE if item is not REFERENCE))))
    (result,) = [finding for finding in compared.findings if finding.level != "note"]
    assert (result.level, result.rule, result.directions) == ("warning", "reference_kernel_behind", ())
    assert verdict(report(compared)).part == "minor"


def test_a_new_op_is_held_to_the_same(findings):
    op = (trees.SCHEMA, "  CUSTOM = 32,\n", "  CUSTOM = 32,\n  NEW = 33,\n")
    generated = (trees.GENERATED, "CUSTOM = 32,\n", "CUSTOM = 32,\n  BuiltinOperator_NEW = 33,\n")
    kernel = (trees.KERNELS, "  AddCustom", "  AddBuiltin(BuiltinOperator_NEW, Register_NEW());\n  AddCustom")
    row = (trees.RUNTIMES, "      });", '          {{BuiltinOperator_NEW, 1}, "2.4.0"},\n      });')
    assert findings(TREE, edited(op, generated)) == []
    assert findings(TREE, edited(op, generated, kernel, row)) == []
    assert [rule for _, rule, *_ in findings(TREE, edited(op, generated, kernel))] == ["runtime_row_missing"]


def test_moved_lines_are_no_change(findings):
    assert findings(TREE, {path: f"// one more line\n{text}" for path, text in TREE.items()}, notes=True) == []


RELEASED = (
    releases.ReleasedRuntime("tflite@1.0.0", (1, 0, 0), {"CONV_2D": (1,)}),
    releases.ReleasedRuntime("tflite@2.5.0", (2, 5, 0), {"CONV_2D": (1,), "ADD": (1, 2)}),
)


def test_a_row_that_a_released_runtime_refutes(spec_of, monkeypatch, tmp_path):
    monkeypatch.setattr(releases, "_released_kernels", lambda: RELEASED)
    rows = [(fault.op, fault.facts["versions"], fault.facts["release"]) for fault in releases_of(spec_of(TREE))]
    assert rows == [("CONV_2D", "version 2", "tflite@2.5.0"), ("RESHAPE", "version 1", "tflite@2.5.0")]
    trees.write(tmp_path / "v", TREE)
    checked = run("validate", f"tflite-source:{tmp_path}/v", "--no-cache")
    assert checked.code == 0
    assert (
        f"{trees.RUNTIMES}:7: 2.3.0 is named as the oldest runtime for version 2 of 'CONV_2D', and tflite@2.5.0 takes "
        "version 1 [runtime_row_refuted]"
    ) in checked.out


def releases_of(spec):
    from opspec_lint.frameworks.tflite.compare.disagreements import rows

    return [fault for _, op in sorted(spec.ops.items()) for fault in releases.refuted_rows(op, rows(op))]


def test_the_released_runtimes_are_those_that_rows_name():
    names = [name for name, *_ in RELEASES()]
    assert names == released.names({"tflite"})
    assert {"tflite@2.4.4", "tflite@2.12.1", "tflite@2.17.1"} <= {*names}
    assert all(kernels["CONV_2D"] for *_, kernels in RELEASES())


def test_validate_lists_what_is_with_file_and_line(tmp_path):
    tree = edited(KERNEL, (trees.RUNTIMES, "      });", '          {{BuiltinOperator_CUSTOM, 1}, "2.4.0"},\n      });'))
    trees.write(tmp_path, tree)
    reference = f"tflite-source:{tmp_path}"
    checked = run("validate", reference, "--no-cache")
    assert checked.code == 0
    matches = [
        re.fullmatch(r"warning: (.+)?: (\S+):(\d+): (.+) \[(\w+)\]", line) for line in checked.out.splitlines()[:-1]
    ]
    assert all(match[1] == reference for match in matches)
    assert [(match[2], int(match[3]), match[5], match[4]) for match in matches] == [
        (
            trees.REFERENCE,
            3,
            "reference_kernel_behind",
            f"the reference kernels of 'CONV_2D' take {TWO}, and not {THREE}",
        ),
        (
            trees.KERNELS,
            5,
            "kernel_version_unwritten",
            f"the kernels take {THREE} of 'CONV_2D', and {WRITES} {TWO} only",
        ),
        (trees.RUNTIMES, 7, "runtime_row_missing", f"no oldest runtime is named for {THREE} of 'CONV_2D'"),
        (
            trees.GPU,
            19,
            "delegate_unchecked",
            f"the delegate gpu takes 'CONV_2D' {ANY}; the kernels take versions 1 to 3",
        ),
        (trees.RUNTIMES, 10, "runtime_row_without_kernel", f"{NAMED} for version 1 of 'CUSTOM', and {NO_KERNELS}"),
    ]


TWO, THREE, ANY = "versions 1, 2", "version 3", "without a greatest version"
WRITES, NAMED, NO_KERNELS = "the converter writes", "an oldest runtime is named", "the kernels do not exist"


def test_validate_states_what_keeps_a_source_from_being_read(tmp_path):
    checked = run("validate", f"tflite-source:{tmp_path}/none", "tflite@0.1")
    assert checked.code == 3
    assert "there is no folder" in checked.out
    assert "no released spec has this name" in checked.out


def test_the_profile_is_the_default_and_names_rules_that_there_are(spec_of):
    assert profile.default_for("tflite").name == "tflite"
    assert check(spec_of(TREE), spec_of(TREE)).profile == "tflite"


@pytest.mark.parametrize(
    ("kind", "ranges", "silent"),
    [
        ("tflite-source", {"ADD": (1, 2)}, False),
        ("tflite-source", {"ADD": (1, 2), "CUSTOM:Mine": (1, 1)}, False),
        ("tflite-source", {}, True),  # a tree without register.cc
        ("tflite-runtime of tensorflow", {"ADD": (1, 2)}, True),  # an older extraction
        ("tflite-runtime of tensorflow", {"ADD": (1, 2), "CUSTOM:Mine": (1, 1)}, False),
    ],
)
def test_a_custom_op_that_a_spec_does_not_list(kind, ranges, silent):
    def spec(made_by, kernels):
        ops = {name: Op(name=name, min_version=least, max_version=most) for name, (least, most) in kernels.items()}
        ops.setdefault("ADD", Op(name="ADD"))
        return Spec(file="s", provenance=Provenance(framework="tflite", made_by=made_by), ops=ops, binding="op_version")

    whole, partial = spec("tflite-source", {"ADD": (1, 2), "CUSTOM:Other": (1, 1)}), spec(kind, ranges)
    for base, head, expected in (
        (whole, partial, "knowledge_lost" if silent else "op_removed"),
        (partial, whole, "knowledge_gained" if silent else "op_added"),
    ):
        events = {fact.event for fact in diff(base, head) if "CUSTOM:Other" in (fact.op, *dict(fact.things))}
        assert events == {expected}
