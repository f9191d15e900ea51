from __future__ import annotations

import pytest

from opspec_lint.frameworks.paddle.saved.programs.messages import writable_message_class
from opspec_lint.models.recognise import read_model
from opspec_lint.spec.model import UNKNOWN
from tests.support.models.paddle_programs import audited, node, program, release

OP = (
    'scale(X, Bias?, Ids*) -> (Out, Mask~ {extra}) [axis: INT = -1, bias: FLOAT, mode: STRING = "a", '
    "big: BOOLEAN = false, size: INT = 1 {support_tensor}, sizes: INTS = [1] {support_tensor}]"
)
SPEC = release(OP.replace(", Ids*", ""))
EXECUTOR, PREDICTOR = "legacy_executor", "inference_predictor"
WHOLE = {"axis": ("INT", 1), "bias": ("FLOAT", 0.5), "mode": ("STRING", "a"), "big": ("BOOLEAN", True)}


def scale(inputs=("X",), outputs=("Out",), **attrs):
    given = {name: value for name, value in (WHOLE | attrs).items() if value is not None}
    return node("scale", inputs, outputs, **given)


CASES = {
    "whole": (scale(), "loads", None, []),
    "dispensable input": (scale(inputs=["X", "Bias"]), "stops", "input_missing", ["model_input_missing"]),
    "unknown op": (node("nothing", ["X"]), "stops", "unknown_op", ["model_op_unknown"]),
    "no required input": (scale(inputs=[]), "stops", "input_missing", ["model_input_missing"]),
    "empty required input": (scale(inputs={"X": []}), "stops", "input_missing", ["model_input_missing"]),
    "undeclared variable": (scale(inputs={"X": ["z"]}), "stops", "input_missing", ["model_input_missing"]),
    "unknown input": (scale(inputs=["X", "Y"]), "loads", None, ["model_input_unknown"]),
    "unknown empty input": (scale(inputs={"X": ["x"], "Y": []}), "loads", None, []),
    "no output": (scale(outputs=[]), "stops", "output_missing", ["model_output_missing"]),
    "unknown output": (scale(outputs=["Out", "More"]), "loads", None, []),
    "unknown attr": (scale(more=("INT", 1)), "loads", None, ["model_attr_unknown"]),
    "attr left to its default": (scale(axis=None), "loads", None, []),
    "attr without a default missing": (scale(bias=None), "stops", "missing_attr", ["model_attr_missing"]),
    "attr of another type": (scale(axis=("LONG", 1)), "stops", "attr_type", ["model_attr_type"]),
    "attr that names a variable": (scale(axis=("VAR", "x")), "stops", "attr_type", ["model_attr_type"]),
    "attr that may be a variable": (scale(size=("VAR", "n")), "loads", None, []),
    "attr that may be variables": (scale(sizes=("VARS", ["n", "n"])), "loads", None, []),
    "attr that is no declared variable": (scale(size=("VAR", "no")), "stops", "attr_value", ["model_attr_value"]),
    "attr of one value that is a matrix": (scale(size=("VAR", "x")), "stops", "attr_value", ["model_attr_value"]),
    "attr of several values that is a matrix": (scale(sizes=("VAR", "x")), "loads", None, []),
    "attr converted": (scale(bias=("INT", 2)), "loads", None, []),
    "attr converted from a flag's number": (scale(big=("INT", 1)), "loads", None, []),
    "attr converted with loss": (scale(big=("INT", 7)), "changed", None, ["model_attr_converted"]),
}


@pytest.mark.parametrize(("loader", "stops"), [(EXECUTOR, "fails_at_run"), (PREDICTOR, "refused")])
@pytest.mark.parametrize(("made", "verdict", "reason", "rules"), CASES.values(), ids=CASES)
def test_what_becomes_of_a_node(tmp_path, loader, stops, made, verdict, reason, rules):
    data = program(made, variables=["x", "y", "n", "out"], shapes=[("n", [1])])
    report = audited(tmp_path, data, SPEC, loader)
    expected = stops if verdict == "stops" else verdict
    assert (report.verdict, report.reason, [finding.rule for finding in report.findings]) == (expected, reason, rules)


@pytest.mark.parametrize(
    ("given", "is_taken"),
    [
        (("INTS", [1]), True),
        (("LONGS", [1]), True),
        (("FLOATS", [0.5]), True),
        (("FLOAT64S", [0.5]), True),
        (("BOOLEANS", [True]), True),
        (("STRINGS", ["a"]), False),
        (("INT", 1), False),
    ],
)
def test_the_predictor_makes_scalars_of_lists_of_numbers(tmp_path, given, is_taken):
    """As measured with 2.6.2, 3.0.0 and 3.3.1; the executor does not look for the scalars where they were put."""
    spec = release("set_value(X) -> (Out) [values: SCALARS = []]")
    data = program(node("set_value", ["X"], values=given))
    assert audited(tmp_path, data, spec, PREDICTOR).verdict == ("loads" if is_taken else "refused")
    assert audited(tmp_path, data, spec, EXECUTOR).verdict == "fails_at_run"


FEED, FETCH = node("feed"), node("fetch", {"X": ["out"]}, ())
SUB_BLOCK = node("scale", ["X"], ["Out"], **WHOLE, sub_block=("BLOCK", 0))
WITH_ENDS = release(OP.replace(", Ids*", ""), "feed() -> (Out)", "fetch(X) -> ()")


@pytest.mark.parametrize(
    ("nodes", "is_refused"),
    [
        ([scale(), FETCH], True),
        ([FEED, scale(), FETCH], False),
        ([scale()], False),
        ([scale(inputs={"X": ["out"]}), FETCH], False),
        ([SUB_BLOCK, FETCH], False),
    ],
    ids=["nothing fed", "fed", "nothing fetched", "written over", "block of its own"],
)
def test_the_predictor_takes_no_program_that_is_computed_in_advance(tmp_path, nodes, is_refused):
    report = audited(tmp_path, program(*nodes), WITH_ENDS, PREDICTOR)
    assert ("model_no_inputs" in [finding.rule for finding in report.findings]) is is_refused
    assert report.verdict == ("refused" if is_refused else "loads")
    assert audited(tmp_path, program(*nodes), WITH_ENDS, EXECUTOR).verdict == "loads"


@pytest.mark.parametrize("loader", [EXECUTOR, PREDICTOR])
@pytest.mark.parametrize("op", ["scale_grad", "scale_grad_grad", "scale_double_grad", "scale_triple_grad"])
def test_the_gradient_of_an_op_is_not_unknown_to_a_release_that_has_the_op(tmp_path, loader, op):
    """No spec has gradients; a program for training of 2.6.2 runs under 3.0.0 and 3.3.1."""
    report = audited(tmp_path, program(scale(), node(op, ["X"])), SPEC, loader)
    assert (report.verdict, report.findings) == ("loads", ())


@pytest.mark.parametrize("op", ["nothing_grad", "push_nothing"])
def test_the_gradient_of_an_op_that_a_release_lacks_cannot_be_determined(tmp_path, op):
    report = audited(tmp_path, program(node(op, ["X"])), SPEC)
    assert (report.verdict, [finding.rule for finding in report.findings]) == ("cannot_tell", ["model_not_judged"])


def test_a_finding_names_its_node(tmp_path):
    (finding,) = audited(tmp_path, program(scale(), node("nothing", ["X"])), SPEC).findings
    assert (finding.node, finding.op, finding.graph) == ("nothing#1", "nothing", "")


def test_control_flow_is_not_checked(tmp_path):
    spec = release("conditional_block(Cond, Input*) -> (Out, Scope) [sub_block: BLOCK]")
    made = node("conditional_block", [], [])
    assert [finding.rule for finding in audited(tmp_path, program(made), spec).findings] == ["model_attr_missing"]


def test_a_default_of_the_saver_that_differs_changes_the_meaning(tmp_path):
    saver, head = (release(f"f(X) -> (Out) [axis: INT = {value}]") for value in (0, -1))
    report = audited(tmp_path, program(node("f", ["X"])), head, saved_by=saver)
    assert (report.verdict, [finding.rule for finding in report.findings]) == (
        "changed",
        ["model_attr_default_differs"],
    )
    assert audited(tmp_path, program(node("f", ["X"], axis=("INT", 0))), head, saved_by=saver).verdict == "loads"


def known(*releases):
    """Return a function that returns one of some releases by name."""
    return {f"paddle@{release.provenance.version}": release for release in releases}.get


@pytest.mark.parametrize("loader", [EXECUTOR, PREDICTOR])
@pytest.mark.parametrize(
    ("declared", "rule"),
    [
        ("axis: INT = -1", "model_attr_unsaid"),
        ("axis: INT = 0", "model_attr_default_differs"),
        ("axis: INT = -1 {extra}", None),
        ("axis: INT = -1 {extra?}", None),
        ("other: INT = -1", None),
    ],
    ids=["written by its saver", "of another default", "extra", "maybe extra", "newer than its saver"],
)
def test_an_attr_that_a_program_lacks_is_reported_by_the_release_that_saved_it(tmp_path, loader, declared, rule):
    """The program says 2.6.2; 15 of 27 programs that lack an attr which 2.6.2 writes compute something else."""
    saver = release(f"elu(X) -> (Out) [{declared}]", version="2.6.2")
    head = release("elu(X) -> (Out) [axis: INT = -1]", version="3.0.0")
    report = audited(tmp_path, program(node("elu", ["X"])), head, loader, released=known(saver))
    assert [finding.rule for finding in report.findings if finding.level == "error"] == ([] if rule is None else [rule])
    assert report.verdict == ("loads" if rule is None else "changed")
    assert audited(tmp_path, program(node("elu", ["X"])), head, loader).verdict == "loads"


@pytest.mark.parametrize(("default", "verdict"), [("false", "loads"), ("true", "changed")])
def test_savers_leave_out_flags_that_are_off(tmp_path, default, verdict):
    """As 2.6.2 does with `use_quantizer` of reshape2, and 3.0.0 with `is_test` of sequence_pool."""
    saver = release(f"f(X) -> (Out) [flag: BOOLEAN = {default}]", version="2.6.2")
    result = audited(tmp_path, program(node("f", ["X"])), saver, released=known(saver))
    assert result.verdict == verdict


@pytest.mark.parametrize(
    ("declared", "value", "verdict"),
    [
        ("axis: INT = 0", 1, "changed"),
        ("axis: INT = 0", 0, "loads"),
        ("axis: INT", 1, "loads"),
        ("axis: INT = 0 {extra}", 1, "loads"),
        ("other: INT = 0", 1, "loads"),
    ],
    ids=["set", "at its default", "without a default", "extra", "unknown to its saver"],
)
def test_an_attr_that_a_release_ignores_is_reported_where_it_is_set(tmp_path, declared, value, verdict):
    """gather with axis = 1, saved by 2.6.2, gathers along axis 0 under 1.8.5."""
    saver = release(f"gather(X) -> (Out) [{declared}]", version="2.6.2")
    head = release("gather(X) -> (Out)", version="1.8.5")
    data = program(node("gather", ["X"], axis=("INT", value)))
    report = audited(tmp_path, data, head, released=known(saver))
    assert report.verdict == verdict
    assert ("model_attr_ignored" in [finding.rule for finding in report.findings]) is (verdict == "changed")


def test_the_saver_that_was_named_comes_before_that_of_the_model(tmp_path):
    saver, named = (release(f"f(X) -> (Out) [a: INT = {value}]", version="2.6.2") for value in (1, 2))
    report = audited(tmp_path, program(node("f", ["X"])), saver, released=known(saver), saved_by=named)
    assert [finding.rule for finding in report.findings] == ["model_attr_default_differs"]


OLD = release(
    'scale(X) -> (Out, Mask~) [axis: INT = -1, bias: FLOAT, mode: STRING = "a", big: BOOLEAN = false]',
    version="1.8.5",
)


def test_a_spec_that_does_not_state_whether_an_attr_may_be_a_variable(tmp_path):
    attr = next(attr for attr in SPEC.ops["scale"].attrs if attr.name == "size").replace(support_tensor=UNKNOWN)
    spec = SPEC.replace(ops={"scale": SPEC.ops["scale"].replace(attrs=(attr,))})
    report = audited(tmp_path, program(node("scale", ["X"], size=("VAR", "n")), variables=["x", "n", "out"]), spec)
    assert (report.verdict, [finding.rule for finding in report.findings]) == ("cannot_tell", ["model_not_judged"])
    assert "the spec does not say" in report.findings[0].message


def test_a_type_of_a_later_release_keeps_the_file_from_being_parsed(tmp_path):
    data = program(node("scale", ["X"], **(WHOLE | {"more": ("VAR", "x")})))
    for loader in (EXECUTOR, PREDICTOR):
        result = audited(tmp_path, data, OLD, loader)
        assert (result.verdict, result.reason, result.cause.rule) == ("refused", "parse", "model_type_unknown")


def test_a_file_that_cannot_be_parsed_fails_before_any_node(tmp_path):
    """All loaders parse first, so that this is the first reason of each."""
    data = program(node("no_such_op", ["X"]), node("scale", ["X"], **(WHOLE | {"more": ("VAR", "x")})))
    for loader in (EXECUTOR, PREDICTOR):
        first = audited(tmp_path, data, OLD, loader).findings[0]
        assert (first.rule, first.node) == ("model_type_unknown", "scale#1")


VERSIONED = (
    "set_value(Input) -> (Out) [axes: LONGS, values: FLOATS = []] @ +attr values | ~attr values",
    "assign_value() -> (Out) [values: FLOATS] @ +attr values",
)


@pytest.mark.parametrize(
    ("versions", "lines", "verdict"),
    [
        ([("set_value", 2)], VERSIONED, "loads"),
        ([("set_value", 0)], VERSIONED, "changed"),
        ([("set_value", -1)], VERSIONED, "loads"),
        ([("set_value", 99)], VERSIONED, "loads"),
        ([], VERSIONED, "changed"),
        ([], VERSIONED[:1], "loads"),
        ([("scale", 0)], VERSIONED[:1], "loads"),
    ],
)
def test_a_node_that_states_an_old_version_is_rewritten(tmp_path, versions, lines, verdict):
    made = node("set_value", {"Input": ["x"]}, axes=("LONGS", [0]), values=("FLOATS", [1.0]))
    assert audited(tmp_path, program(made, versions=versions), release(*lines)).verdict == verdict


def test_an_old_node_is_rewritten_to_what_the_release_declares(tmp_path):
    made = node("assign_value", fp32_values=("FLOATS", [1.0]))
    assert audited(tmp_path, program(made), release(*VERSIONED)).verdict != "loads"
    assert audited(tmp_path, program(made, versions=[("assign_value", 100)]), release(*VERSIONED)).reason == (
        "missing_attr"
    )


ASSIGN_3 = "assign_value() -> (Out) [dtype: INT, shape: INTS, values: SCALARS = []] @ +attr values"
ASSIGN_2 = "assign_value() -> (Out) [dtype: INT, shape: INTS, fp32_values: FLOATS = [], int64_values: LONGS = []]"


@pytest.mark.parametrize(
    ("line", "attrs", "version", "expected"),
    [
        (ASSIGN_3, {"values": ("SCALARS", [1.0])}, 0, ("loads", None)),
        (ASSIGN_3, {"values": ("SCALARS", [])}, 0, ("fails_at_run", "missing_attr")),
        (ASSIGN_3, {"values": ("FLOATS", [1.0])}, 0, ("fails_at_run", "attr_type")),
        (ASSIGN_3, {"fp32_values": ("FLOATS", [1.0])}, 0, ("loads", None)),
        (ASSIGN_3, {"fp32_values": ("FLOATS", [])}, 0, ("fails_at_run", "missing_attr")),
        (ASSIGN_3, {"fp32_values": ("INTS", [1])}, 0, ("refused", "attr_type")),
        (ASSIGN_3, {"fp32_values": ("INTS", [1])}, 1, ("fails_at_run", "missing_attr")),
        (ASSIGN_3, {"fp32_values": ("FLOATS", []), "values": ("SCALARS", [1.0])}, 0, ("loads", None)),
        (ASSIGN_2, {"fp32_values": ("FLOATS", [1.0])}, 0, ("loads", None)),
        (ASSIGN_2, {"values": ("SCALARS", [1.0])}, 0, ("fails_at_run", "missing_attr")),
        (ASSIGN_2, {"int64_values": ("LONGS", [1])}, 0, ("fails_at_run", "missing_attr")),  # of another dtype
    ],
)
def test_the_values_of_assign_value(tmp_path, line, attrs, version, expected):
    made = node("assign_value", {}, shape=("INTS", [1]), dtype=("INT", 5), **attrs)
    audit = audited(tmp_path, program(made, versions=[("assign_value", version)]), release(line))
    assert (audit.verdict, audit.reason) == expected


@pytest.mark.parametrize("versions", [[("scale", 1)], [("assign_value", 0)], [("assign_value", 1)]])
@pytest.mark.parametrize(("line", "attr"), [(ASSIGN_2, "fp32_values"), (ASSIGN_3, "values")])
def test_the_attr_that_the_release_reads_is_named(tmp_path, line, attr, versions):
    """Paddle 2.6.2 loads each of these programs, and fails when the tensor is fetched."""
    given = {"values": ("SCALARS", [1.0])} if attr == "fp32_values" else {}
    made = node("assign_value", {}, shape=("INTS", [1]), dtype=("INT", 5), **given)
    audit = audited(tmp_path, program(made, versions=versions), release(line))
    missing = [finding.name for finding in audit.findings if finding.rule == "model_attr_missing"]
    assert (audit.verdict, missing) == ("fails_at_run", [attr])


@pytest.mark.parametrize("data", [b"", b"\xff\xff\xff", program(scale())[:-4]])
def test_what_is_no_program_is_unreadable(tmp_path, data):
    assert audited(tmp_path, data, SPEC).verdict == "unreadable"


def test_what_a_program_states(tmp_path):
    (tmp_path / "__model__").write_bytes(program(scale(), versions=[("scale", 1)]))
    model = read_model(str(tmp_path))
    (meta,) = model.meta_graphs
    assert (model.format, meta.written_by, meta.op_versions) == ("paddle_program", "2.6.2", {"scale": 1})
    (node,) = meta.graphs[0].nodes
    assert (node.op, node.inputs, node.attrs["axis"]) == ("scale", (("X", ("x",)),), 1)


FLATTEN = "flatten2(X) -> (Out, XShape~{}) [axis: INT = 1]"
FLATTENED = node("flatten2", ["X"], axis=("INT", 1))


@pytest.mark.parametrize("loader", [EXECUTOR, PREDICTOR])
def test_an_output_that_the_op_cannot_do_without(tmp_path, loader):
    """flatten2 as 2.6.2 saves it crashes 3.0.0 and 3.3.1, where `XShape` is no longer extra, and runs in 2.6.2."""
    head, own = release(FLATTEN.format(""), version="3.0.0"), release(FLATTEN.format(" {extra}"))
    result = audited(tmp_path, program(FLATTENED), head, loader)
    assert (result.verdict, result.reason) == ("fails_at_run" if loader == EXECUTOR else "refused", "output_missing")
    assert audited(tmp_path, program(FLATTENED), own, loader).verdict == "loads"


@pytest.mark.parametrize(
    ("declared", "verdict"),
    [("XShape~", "loads"), ("XShape~ {extra}", "loads"), ("XShape", "fails_at_run")],
)
def test_outputs_that_the_op_does_without(tmp_path, declared, verdict):
    """reshape2 without its intermediate `XShape` runs in 2.6.2, 3.0.0 and 3.3.1."""
    head = release(f"reshape2(X) -> (Out, {declared})", version="3.0.0")
    assert audited(tmp_path, program(node("reshape2", ["X"])), head).verdict == verdict


def test_an_output_that_its_saver_left_out_and_the_release_does_not(tmp_path):
    saver, head = release("f(X) -> (Out, Mask~ {extra})"), release("f(X) -> (Out, Mask~)", version="3.0.0")
    report = audited(tmp_path, program(node("f", ["X"])), head, released=known(saver))
    assert (report.verdict, [finding.rule for finding in report.findings]) == ("cannot_tell", ["model_not_judged"])


@pytest.mark.parametrize("version", ["2.6.2", "3.0.0", "3.3.1", None])
def test_an_intermediate_output_of_which_nothing_is_known(tmp_path, version):
    report = audited(tmp_path, program(node("f", ["X"])), release("f(X) -> (Out, Mask~)", version=version))
    assert (report.verdict, [finding.rule for finding in report.findings]) == ("cannot_tell", ["model_not_judged"])
    extra = audited(tmp_path, program(node("f", ["X"])), release("f(X) -> (Out, Mask~ {extra})", version=version))
    assert extra.verdict == "loads"


@pytest.mark.parametrize("version", ["2.6.2", "3.0.0", "3.3.1"])
def test_an_extra_output_that_the_op_cannot_do_without(tmp_path, version):
    """rrelu as 2.6.2 saves it for inference is refused by 2.6.2, 3.0.0 and 3.3.1."""
    spec = release("rrelu(X) -> (Out, Noise~ {extra}) [is_test: BOOLEAN = false]", version=version)
    report = audited(tmp_path, program(node("rrelu", ["X"], is_test=("BOOLEAN", True))), spec)
    assert (report.verdict, report.reason) == ("fails_at_run", "output_missing")
    assert "clip_extra=False" in report.findings[0].advice


def test_a_written_program_has_the_fields_that_paddle_requires():
    """Numbers that are 0 are in the bytes, as no release of Paddle parses a file without them."""
    made = node("f", a=("INT", 0), b=("SCALARS", [0.0]))
    data = program(made, variables=["x"], versions=[("f", 0)], dtype=0)
    read = writable_message_class("ProgramDesc").FromString(data)
    block = read.blocks[0]
    attrs = [writable_message_class("Attr").FromString(attr) for attr in block.ops[0].attrs]
    required = [
        *((block, name) for name in ("idx", "parent_idx")),
        (block.vars[0].type.lod_tensor.tensor, "data_type"),
        *((attr, "type") for attr in attrs),
        (attrs[1].scalars[0], "type"),
        (read.op_version_map.pair[0].op_version, "version"),
    ]
    assert [name for message, name in required if not message.HasField(name)] == []
