"""Each file of a TFLite tree by itself: what is read of it, and what cannot be told."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.tflite.extract import (
    conversions,
    delegates,
    generated,
    resolvers,
    runtime_rows,
    schema,
    structs,
    written_versions,
)
from opspec_lint.frameworks.tflite.extract.layout import DEFAULT, DELEGATES
from tests.support import limited
from tests.support.trees import tflite_trees as trees

BY_NAME = {delegate.name: delegate for delegate in DELEGATES}


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("AddBuiltin(BuiltinOperator_A, Register_A());", (1, 1)),
        ("AddBuiltin(BuiltinOperator_A, Register_A(), 3);", (3, 3)),
        ("AddBuiltin(BuiltinOperator_A, Register_A(), 2, 5);", (2, 5)),
        ("AddBuiltin(BuiltinOperator_A, tflite::ops::Register_A(),\n /* min_version = */ 1,\n /* max = */ 4);", (1, 4)),
        ("AddBuiltin(BuiltinOperator_A, Register_A(), 1);\nAddBuiltin(BuiltinOperator_A, Register_B(), 2, 3);", (1, 3)),
        ("AddBuiltin(::tflite::BuiltinOperator_A, Register_A(), 1, 2);", (1, 2)),
    ],
)
def test_a_resolver_takes_the_versions_of_a_statement(statement, expected):
    ranges, odd = resolvers.read(f"\n{statement}\n")
    assert {op: span[:2] for op, span in ranges.items()} == {"A": expected}
    assert ranges["A"][2] == 2
    assert odd == []


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('AddCustom("Mfcc", Register_MFCC());', {"CUSTOM:Mfcc": (1, 1)}),
        ('AddCustom("aeq.rotation", tflite::ops::custom::Register_ROTATION(), 1, 2);', {"CUSTOM:aeq.rotation": (1, 2)}),
        ('AddCustom("ADD",\n          Register_MY_ADD());', {"CUSTOM:ADD": (1, 1)}),
        ('// AddCustom("Mfcc", Register_MFCC());', {}),
    ],
)
def test_a_custom_op_is_registered_by_its_name(statement, expected):
    ranges, odd = resolvers.read(statement)
    assert {op: versions[:2] for op, versions in ranges.items()} == expected
    assert odd == []


@pytest.mark.parametrize(
    "statement",
    ["AddBuiltin(BuiltinOperator_A, Register_A(), 1, kMax);", "AddBuiltin(BuiltinOperator_A, Register_A(), {1, 2});"],
)
def test_what_names_no_literal_versions_is_reported_and_not_guessed(statement):
    ranges, odd = resolvers.read(f"\n\n{statement}")
    assert ranges == {}
    assert [(op, line) for op, line, _ in odd] == [("A", 3)]


def test_a_custom_op_without_literal_versions_is_a_remark():
    ranges, odd = resolvers.read('AddCustom("Mfcc", Register_MFCC(), kFirst, 2);')
    assert ranges == {}
    assert [(op, line) for op, line, _ in odd] == [("CUSTOM:Mfcc", 1)]


def test_comments_and_declarations_are_no_statements():
    text = (
        "// AddBuiltin(BuiltinOperator_A, Register_A());\nvoid AddBuiltin(BuiltinOperator op, const R* r, int v = 1);\n"
    )
    assert resolvers.read(text) == ({}, [])


def body(*lines):
    inside = [f"    {line}" for line in lines]
    return "\n".join(
        ["int GetBuiltinOperatorVersion(const OpSignature& op_sig) {", "  switch (op_sig.op) {", *inside, "}"]
    )


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["case BuiltinOperator_A:", "return 3;", "}"], {"A": [3]}),
        (["case BuiltinOperator_A:", "case BuiltinOperator_B: {", "return 2;", "}", "}"], {"A": [2], "B": [2]}),
        (["case BuiltinOperator_A:", "if (x) {", "return 2;", "}", "return 1;", "}"], {"A": [1, 2]}),
        (["case BuiltinOperator_A:", "return x ? 3 : 4;", "}"], {"A": [3, 4]}),
        (["case BuiltinOperator_A:", "return x ? 3 : y ? 5 : 1;", "}"], {"A": [1, 3, 5]}),
        # a body that may end without a return goes on with the next
        (
            ["case BuiltinOperator_A:", "if (x) {", "return 2;", "}", "case BuiltinOperator_B:", "return 1;", "}"],
            {"A": [1, 2], "B": [1]},
        ),
        (
            ["case BuiltinOperator_A:", "if (x) return 2;", "case BuiltinOperator_B:", "return 1;", "}"],
            {"A": [1, 2], "B": [1]},
        ),
        (
            [
                "case BuiltinOperator_A:",
                "if (x) {",
                "return 2;",
                "} else {",
                "return 3;",
                "}",
                "case BuiltinOperator_B:",
                "return 1;",
                "}",
            ],
            {"A": [2, 3], "B": [1]},
        ),
        # a switch within a case has labels of its own
        (
            [
                "case BuiltinOperator_A: {",
                "switch (t) {",
                "case kInt: return 2;",
                "default: return 1;",
                "}",
                "}",
                "case BuiltinOperator_B:",
                "return 5;",
                "}",
            ],
            {"A": [1, 2, 5], "B": [5]},
        ),
        (
            ["case BuiltinOperator_A:", "break;", "case BuiltinOperator_B:", "return 2;", "}", "return 7;"],
            {"A": [7], "B": [2]},
        ),
        (
            ["case BuiltinOperator_A:", "// return 9;", "return 1;  /* return 8; */", "default:", "return 4;", "}"],
            {"A": [1], DEFAULT: [4]},
        ),
    ],
)
def test_the_converter_writes_what_the_cases_return(lines, expected):
    written, odd = written_versions.read(body(*lines))
    assert {op: sorted(versions) for op, versions in written.items()} == expected
    assert odd == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["if (x) return 2;", "return 1;"], {1: "", 2: "x"}),
        (["if (x ||", "    f(y || z) || w) {", "return 2;", "}", "return 1;"], {1: "", 2: "x || f(y || z) || w"}),
        (["if (x) {", "if (y && z) {", "return 3;", "}", "return 2;", "}"], {2: "x", 3: "y && z"}),
        (["if (x) {", "return 2;", "} else if (y) {", "return 2;", "} else {", "return 3;", "}"], {2: "x || y", 3: ""}),
        (["if (x) {", "return 2;", "}", "return 2;"], {2: ""}),
        (["auto t = f(x); if (t) return 2;", "return t ? 3 : 1;"], {1: "", 2: "t", 3: ""}),
    ],
)
def test_a_version_has_the_condition_that_its_return_is_in(lines, expected):
    written, _ = written_versions.read(body("case BuiltinOperator_A:", *lines, "}"))
    assert {version: condition for version, (_, condition) in written["A"].items()} == expected


def test_a_return_of_no_number_is_reported_with_its_line():
    written, odd = written_versions.read(body("case BuiltinOperator_A:", "return Version(op_sig);", "}"))
    assert written == {"A": {}}
    assert [(op, line) for op, line, _ in odd] == [("A", 4)]
    assert "'Version(op_sig)'" in odd[0][2]


def test_the_lines_of_returns_are_those_of_the_file():
    text = "\n\n" + body("case BuiltinOperator_A:", "return 3;", "}")
    assert written_versions.read(text)[0] == {"A": {3: (6, "")}}


def test_rows_are_literals_or_constants():
    text = (
        'const char kComing[] = "9.9.0";\n{{BuiltinOperator_A, 1}, "1.5.0"},\n{{BuiltinOperator_A, 2},\n "1.6.0"},\n'
        "{{BuiltinOperator_B, 1}, kComing},\n{{BuiltinOperator_B, n}, kElsewhere},\n"
        '// {{BuiltinOperator_C, 1}, "1.0"},\n'
    )
    rows, odd = runtime_rows.read(text)
    assert rows == {"A": {1: ("1.5.0", 2), 2: ("1.6.0", 3)}, "B": {1: ("9.9.0", 5)}}
    assert [(op, line) for op, line, _ in odd] == [("B", 6)]


def test_the_members_of_structs():
    actual = structs.read(trees.TREE[trees.STRUCTS])
    assert actual == {
        "TfLiteConvParams": (1, ["padding", "stride_width", "bias_type"]),
        "TfLiteAddParams": (8, ["keep"]),
    }
    nested = "typedef struct {\n  int shape[8];\n  union { int a; float b; } u;\n} TfLiteXParams;"
    assert structs.read(nested) == {"TfLiteXParams": (1, ["shape", "a", "b", "u"])}


def test_the_code_that_reads_options():
    result = conversions.read(trees.TREE[trees.CONVERSIONS])
    assert result["tables"] == {"ADD": ["AddOptions"], "CONV_2D": ["Conv2DOptions"], "RESHAPE": [], "CUSTOM": []}
    assert result["reads"] == {
        "Conv2DOptions": {"padding": ["padding"], "stride_w": ["stride_width"], "bias": ["bias_type"]},
        "AddOptions": {"keep": ["keep"]},
    }
    assert result["structs"] == {"Conv2DOptions": ["TfLiteConvParams"], "AddOptions": ["TfLiteAddParams"]}


def test_the_slots_and_numbers_of_generated_code():
    result = generated.read(trees.TREE[trees.GENERATED])
    assert result["tables"] == {
        "AddOptions": (27, {"KEEP": 0}),
        "Conv2DOptions": (33, {"PADDING": 0, "STRIDE_W": 1, "BIAS": 2}),
    }
    assert result["enums"]["BuiltinOptions"] == (18, {"NONE": 0, "Conv2DOptions": 1, "AddOptions": 2})
    assert result["enums"]["Padding"][1] == {"SAME": 0, "VALID": 1}


def test_the_schema_with_what_its_comments_state():
    result, is_whole = schema.read(trees.TREE[trees.SCHEMA].encode(), "schema.fbs", lambda _: None)
    assert is_whole
    assert result["ops"] == {"ADD": 4, "CONV_2D": 5, "RESHAPE": 6, "CUSTOM": 7}
    fields = result["tables"]["Conv2DOptions"][1]
    assert [(name, slot, default, line, since) for name, _, default, slot, _, _, line, since in fields] == [
        ("padding", 0, 0, 17, None),
        ("stride_w", 1, 1, 18, None),
        ("bias", 2, 0, 20, 2),
    ]
    assert result["numbers"]["BuiltinOptions"] == {"NONE": 0, "Conv2DOptions": 1, "AddOptions": 2}


def limits(name, text):
    return {op: limit for op, (limit, _) in delegates.read(text, BY_NAME[name]).items()}


def test_gpu_checks_in_the_class_of_the_parser():
    text = trees.TREE[trees.GPU]
    assert delegates.read(text, BY_NAME["gpu"]) == {"ADD": (2, 17), "CONV2D": (None, 19)}
    constant = text.replace("registration, 2", "registration, kMost").replace(
        "    RETURN", "    const int kMost =\n        type_ == OperationType::MUL ? 3 : 2;\n    RETURN"
    )
    assert limits("gpu", constant)["ADD"] == 3


def test_nnapi_checks_in_the_case():
    assert limits("nnapi", trees.TREE[trees.NNAPI]) == {"ADD": 2, "CONV2D": 2, "RESHAPE": None}


@pytest.mark.parametrize(
    ("check", "limit"),
    [
        ("ExpectMaxOpVersion(version, 4, &val_ctx);", 4),
        ("ExpectOpVersion(version, 1, &val_ctx);", 1),
        ('Expect(version == 1 || version == 3,\n             kFailure, "No.", &val_ctx);', 3),
        ("if (version == 8) {\n        Log(version);\n      }", None),
        ("ExpectMinAndroidSdkVersion(android_sdk_version, 9, &val_ctx);", None),
    ],
)
def test_the_ways_in_which_nnapi_checks(check, limit):
    text = trees.TREE[trees.NNAPI].replace("ExpectMaxOpVersion(version, 2, &val_ctx);", check)
    assert limits("nnapi", text)["ADD"] == limit


HEXAGON = """bool CheckOpVersion(const TfLiteRegistration* registration) {
  switch (registration->builtin_code) {
    case kTfLiteBuiltinAdd:
    case kTfLiteBuiltinPack:
      return registration->version <= 2;
    case kTfLiteBuiltinRelu:
      return registration->version == 3;
    default:
      return registration->version == 1;
  }
}

bool IsNodeSupportedByHexagon(const TfLiteRegistration* registration) {
  switch (registration->builtin_code) {
    case kTfLiteBuiltinAdd: {
      return true;
    }
    case kTfLiteBuiltinRelu:
    case kTfLiteBuiltinTanh:
      return true;
    default:
      return false;
  }
}
"""
COREML = """bool IsNodeSupportedByDelegate(const TfLiteRegistration* registration) {
  if (registration->version > 1) {
    switch (registration->builtin_code) {
      case kTfLiteBuiltinDepthwiseConv2d:
        if (registration->version > 2) return false;
        break;
      default:
        return false;
    }
  }
  switch (registration->builtin_code) {
    case kTfLiteBuiltinAdd:
      return true;
    case kTfLiteBuiltinDepthwiseConv2d: {
      return true;
    }
    default:
      return false;
  }
}
"""
XNNPACK = """class Subgraph {
  static TfLiteStatus VisitNode(const TfLiteRegistration* registration, int node_index) {
    switch (registration->builtin_code) {
      case kTfLiteBuiltinAdd:
        return VisitAddNode(node_index);
      default:
        return kTfLiteError;
    }
  }

  static TfLiteStatus VisitOther(int code) {
    switch (code) {
      case kTfLiteBuiltinPack:
        return kTfLiteOk;
    }
  }
};
"""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("hexagon", HEXAGON, {"ADD": 2, "RELU": 3, "TANH": 1}),
        ("coreml", COREML, {"ADD": 1, "DEPTHWISECONV2D": 2}),
        ("xnnpack", XNNPACK, {"ADD": None}),
    ],
)
def test_the_other_delegates(name, text, expected):
    assert limits(name, text) == expected


@pytest.mark.parametrize(
    "text", ["", "{", "}", "case BuiltinOperator_A:", "/* never closed", '"', "}" * 500, "{" * 500]
)
@pytest.mark.parametrize("before", ["", "int GetBuiltinOperatorVersion(x) { switch (y) {\n"])
def test_damaged_files_yield_nothing_and_no_error(before, text):
    damaged = before + text
    assert (resolvers.read(damaged), runtime_rows.read(damaged), structs.read(damaged)) == (({}, []), ({}, []), {})
    assert generated.read(damaged) == {"tables": {}, "enums": {}}
    assert conversions.read(damaged) == {"tables": {}, "reads": {}, "structs": {}, "line": 1}
    assert not any(written_versions.read(damaged)[0].values())


@pytest.mark.parametrize("item", DELEGATES, ids=lambda item: item.name)
@pytest.mark.parametrize("text", ["", "{", "}", "/* never closed", '"', "}" * 500, "{" * 500])
def test_a_damaged_delegate_takes_no_version(item, text):
    assert delegates.read(f"bool {item.functions[0]}(x) {{\n{text}", item) == {}


HOSTILE = (
    *("AddBuiltin(", "{", "/* ", "return ", "typedef struct {", "{{BuiltinOperator_A, 1}, ", "builtin_options_as_"),
    *("\nTfLiteStatus ParseA(", "\nenum A : int {", "enum FlatBuffersVTableOffset {", "case BuiltinOperator_A:"),
    *("case kTfLiteBuiltinAdd:", "return std::make_unique<A>();", '"', "a->b()"),
)


@pytest.mark.parametrize("piece", HOSTILE)
def test_a_hostile_file_is_read_in_a_time_that_grows_with_its_size(piece):
    """No pattern starts again at each of many places and reads to the end of the file from there."""
    text = piece * (200_000 // len(piece))
    head = "int GetBuiltinOperatorVersion(x) {\n  switch (y) {\nTfLiteStatus ParseOpDataTfLite(x) {\n  switch (y) {\n"
    with limited.processor_time(20):
        for module in (resolvers, written_versions, runtime_rows, structs, conversions, generated):
            module.read(head + text)
        for delegate in DELEGATES:
            delegates.read(f"bool {delegate.functions[0]}(x) {{\n  switch (y) {{\n{text}", delegate)
