"""Programs checked against the PIR ops that they are translated to, and a whole release against another."""

from __future__ import annotations

import pytest

from opspec_lint.cpp.unresolved import UnresolvedError
from opspec_lint.frameworks.paddle.extract.dialect import special_names
from opspec_lint.frameworks.paddle.extract.dialect.legacy_names import LegacyNames
from opspec_lint.frameworks.paddle.saved.programs.messages import text, writable_message_class
from opspec_lint.kit.errors import InputError
from opspec_lint.lint.check import check
from opspec_lint.sources.recognise import read
from opspec_lint.spec.model import UNKNOWN, Attr, GraphVersions, Input, Op, Output, Provenance, Spec
from tests.support.models.paddle_programs import audited, node, program, release
from tests.support.paths import SPECS

BOOL, INT, LONG, DOUBLE = (f"pir::{name}Attribute" for name in ("Bool", "Int32", "Int64", "Double"))
X = Input(name="x", dispensable=False, duplicable=False, legacy_name="X")
OUT = Output(name="out", dispensable=False, legacy_name="Out")


def pir(*attrs, name="pd_op.f", legacy=("old_f",), version=1, **more):
    own = {} if legacy is UNKNOWN else {"legacy_names": legacy}
    result = {"inputs": (X,), "outputs": (OUT,), "own": own} | more
    op = Op(name=name, attrs=attrs, **result)
    return Spec(
        file="pir",
        provenance=Provenance(framework="paddle-pir", version="3.0.0"),
        ops={name: op},
        binding="position",
        graph_versions=GraphVersions(producer=version),
    )


def attr(name, kind, default=None, **own):
    return Attr(name=name, type=kind, default_value=default, **own)


def verdict(tmp_path, made, spec):
    report = audited(tmp_path, program(made), spec, "pir_translation")
    return report.verdict, [finding.rule for finding in report.findings]


@pytest.mark.parametrize(
    ("made", "spec", "rule"),
    [
        (node("old_f", ["X"]), pir(), None),
        (node("f", ["x"], ["out"]), pir(), None),
        (node("f", ["X"], ["out"]), pir(), "model_input_missing"),
        (node("g", ["X"]), pir(), "model_op_unknown"),
        (node("old_f"), pir(), "model_input_missing"),
        (node("old_f", {"X": ["x", "y"]}), pir(), "model_input_missing"),
        (node("old_f", {"X": ["nowhere"]}), pir(), "model_input_missing"),
        (node("old_f", ["X"], []), pir(), "model_output_missing"),
        (node("old_f", ["X"], []), pir(outputs=(OUT.replace(dispensable=True),)), None),
        (node("old_f"), pir(inputs=(X.replace(dispensable=True),)), None),
        (node("old_f", ["X"], b=("INT", 1)), pir(), None),
        (node("old_f", ["X"]), pir(attr("a", INT, 1)), "model_attr_missing"),
        (node("old_f", ["X"]), pir(attr("a", INT, 1, legacy_extra=True)), None),
        (node("old_f", ["X"]), pir(attr("a", BOOL, False)), None),
        (node("old_f", ["X"]), pir(attr("a", "paddle::dialect::PlaceAttribute")), None),
        (node("old_f", ["X"], a=("INT", 1)), pir(attr("a", INT)), None),
        (node("old_f", ["X"], a=("INT", 1)), pir(attr("a", LONG)), None),
        (node("old_f", ["X"], a=("LONG", 1)), pir(attr("a", INT)), "model_attr_type"),
        (node("old_f", ["X"], a=("FLOAT", 1.0)), pir(attr("a", DOUBLE)), "model_attr_type"),
        (node("old_f", ["X"], a=("FLOAT", 1.0)), pir(attr("a", DOUBLE), version=4), "model_attr_type"),
        (node("old_f", ["X"], a=("INTS", [])), pir(attr("a", f"pir::ArrayAttribute<{DOUBLE}>")), None),
        (node("old_f", ["X"], {"Out": []}), pir(outputs=(OUT.replace(duplicable=False),)), "model_output_missing"),
        (node("old_f", ["X"]), pir(attr("a", INT, 1), name="pd_op.f_grad"), None),
        (node("old_f", ["X"], use_mkldnn=("INT", 0)), pir(), "model_attr_type"),
        (node("old_f", ["X"], a=("INTS", [1])), pir(attr("a", f"pir::ArrayAttribute<{LONG}>")), None),
        (node("old_f", ["X"], A=("INT", 1)), pir(attr("a", INT, legacy_name="A")), None),
    ],
)
def test_what_a_node_is_refused_for(tmp_path, made, spec, rule):
    assert verdict(tmp_path, made, spec) == ("refused" if rule else "loads", [rule] if rule else [])


@pytest.mark.parametrize(
    ("made", "spec"),
    [
        (node("old_f"), pir(inputs=(X.replace(dispensable=UNKNOWN),))),
        (node("old_f"), pir(inputs=(X.replace(dispensable=UNKNOWN, duplicable=True),))),
        (node("old_f", ["X"], []), pir(outputs=(OUT.replace(dispensable=UNKNOWN),))),
    ],
)
def test_whether_what_a_node_lacks_is_optional_has_to_be_known(tmp_path, made, spec):
    assert verdict(tmp_path, made, spec) == ("cannot_tell", ["model_not_judged"])
    assert verdict(tmp_path, node("old_f", ["X"]), spec) == ("loads", [])


def test_a_boolean_that_is_true_by_default_becomes_false(tmp_path):
    assert verdict(tmp_path, node("old_f", ["X"]), pir(attr("a", BOOL, True))) == ("changed", ["model_attr_filled"])


def test_a_mutable_attr_is_given_as_a_tensor_or_as_an_attr(tmp_path):
    own = {"mutable_attr": True, "legacy_name": "axis", "legacy_tensors": ("AxisTensor",)}
    axis = Input(name="axis", type="paddle::dialect::ScalarAttribute<int>", dispensable=False, own=own)
    spec = pir(inputs=(X, axis))
    assert verdict(tmp_path, node("old_f", ["X"], axis=("INT", 1)), spec)[0] == "loads"
    assert verdict(tmp_path, node("old_f", {"X": ["x"], "AxisTensor": ["y"]}), spec)[0] == "loads"
    assert verdict(tmp_path, node("old_f", ["X"]), spec) == ("refused", ["model_attr_missing"])
    assert verdict(tmp_path, node("old_f", ["X"], axis=("INTS", [1])), spec) == ("fails_at_run", ["model_attr_type"])
    shape = pir(inputs=(X, axis.replace(type="paddle::dialect::IntArrayAttribute")))
    assert verdict(tmp_path, node("old_f", ["X"], axis=("LONGS", [1])), shape)[0] == "loads"
    assert verdict(tmp_path, node("old_f", ["X"], axis=("INT", 1)), shape) == ("refused", ["model_attr_type"])


def test_a_variable_that_is_read_and_written_requests_the_op_in_place(tmp_path):
    in_place = node("old_f", {"X": ["out"]})
    assert verdict(tmp_path, in_place, pir()) == ("refused", ["model_op_unknown"])
    assert verdict(tmp_path, in_place, pir(name="pd_op.f_"))[0] == "loads"


def test_translators_of_their_own(tmp_path):
    softmax = pir(attr("axis", INT, -1), attr("b", BOOL), name="pd_op.softmax", legacy=())
    softmax = softmax.replace(ops={"pd_op.softmax": softmax.ops["pd_op.softmax"].replace(inputs=(), outputs=())})
    assert verdict(tmp_path, node("softmax", [], []), softmax) == ("refused", ["model_attr_missing"])
    assert verdict(tmp_path, node("softmax", [], [], b=("BOOLEAN", True)), softmax) == ("loads", [])
    another = pir(attr("axis", INT, 1), name="pd_op.softmax", legacy=())
    assert verdict(tmp_path, node("softmax", ["X"]), another) == ("loads", [])  # the translator means its own value
    assert verdict(tmp_path, node("requantize", ["X"]), pir()) == ("cannot_tell", ["model_not_judged"])


ROWS, ARRAY, COO = 8, 13, 30
OPTIMIZER = {
    "inputs": {name: [name.lower()] for name in ("Param", "Grad", "Velocity", "LearningRate")},
    "outputs": {"ParamOut": ["param"], "VelocityOut": ["velocity"], "MasterParamOut": []},
}
MOMENTUM = {
    "mu": ("FLOAT", 0.9),
    "use_nesterov": ("BOOLEAN", False),
    "regularization_method": ("STRING", ""),
    "regularization_coeff": ("FLOAT", 0.0),
    "multi_precision": ("BOOLEAN", False),
    "rescale_grad": ("FLOAT", 1.0),
}
FLAT = {"x_num_col_dims": ("INT", 1), "y_num_col_dims": ("INT", 1)}


def momentum(**inputs):
    return node("momentum", {**OPTIMIZER["inputs"], **inputs}, OPTIMIZER["outputs"], **MOMENTUM)


@pytest.fixture(scope="module", params=["3.0.0", "3.3.1"])
def released(request):
    return read(str(SPECS / f"paddle-pir-{request.param}.json")).spec


@pytest.mark.parametrize(
    ("made", "kinds", "outcome"),
    [
        (node("reduce_all", ["X"], dim=("INTS", [0]), keep_dim=("BOOLEAN", False)), {}, "loads"),
        (node("reduce_all", ["X"], dim=("FLOATS", [0.0]), keep_dim=("BOOLEAN", False)), {}, "refused"),
        (node("reduce_all", ["X"], dim=("INTS", [0]), reduce_all=("INT", 0)), {}, "refused"),
        (node("cast", ["X"], in_dtype=("INT", 5), out_dtype=("INT", 3)), {}, "loads"),
        (node("cast", ["X"], in_dtype=("INT", 5), out_dtype=("LONG", 3)), {}, "refused"),
        (node("assign_value", shape=("INTS", [1]), dtype=("INT", 5), fp32_values=("FLOATS", [1.0])), {}, "loads"),
        (node("assign_value", shape=("INTS", [1]), dtype=("LONG", 5), fp32_values=("FLOATS", [1.0])), {}, "refused"),
        (node("assign_value", shape=("INTS", [1]), dtype=("INT", 5), fp32_values=("FLOATS", [])), {}, "refused"),
        (node("assign_value", shape=("INTS", [1]), dtype=("INT", 5), fp32_values=("INTS", [1])), {}, "loads"),
        (node("assign_value", shape=("INTS", [1]), dtype=("INT", 5), values=("INT", 1)), {}, "refused"),
        (node("elementwise_add", ["X", "Y"], axis=("INT", -1)), {}, "loads"),
        (node("elementwise_add", ["X", "Y"], axis=("LONG", -1)), {}, "refused"),
        (node("elementwise_add", ["X", "Y"]), {}, "refused"),
        (node("matmul", ["X", "Y"], alpha=("FLOAT", 1.0)), {}, "loads"),
        (node("matmul", ["X", "Y"]), {}, "refused"),
        (node("matmul", ["X", "Y"], alpha=("FLOAT", 1.0), Scale_x=("FLOAT", 2.0)), {}, "refused"),
        (node("mul", ["X", "Y"], **FLAT), {}, "loads"),
        (node("mul", ["X", "Y"], x_num_col_dims=("INT", 1)), {}, "refused"),
        (momentum(MasterParam=[]), {}, "loads"),
        (momentum(), {}, "refused"),
        (momentum(MasterParam=[]), {"grad": ROWS}, "refused"),
        (momentum(MasterParam=[]), {"param": ROWS}, "refused"),
        (momentum(MasterParam=[]), {"grad": ARRAY}, "refused"),
        (node("c_comm_init_all", [], []), {}, "refused"),
        (node("relu", ["X"]), {}, "loads"),
        (node("relu", ["X"]), {"x": ROWS}, "refused"),
        (node("relu", ["X"]), {"out": ARRAY}, "refused"),
        (node("merge_selected_rows", ["X"]), {}, "refused"),
        (node("merge_selected_rows", ["X"]), {"x": ROWS, "out": ROWS}, "loads"),
        (node("lod_array_length", ["X"]), {"x": ARRAY}, "loads"),
        (node("lod_array_length", ["X"]), {}, "refused"),
        (node("tril_triu", ["X"], lower=("BOOLEAN", True), diagonal=("INT", 0)), {}, "loads"),
        (node("tril_triu", ["X"], diagonal=("INT", 0)), {}, "refused"),
        (node("matrix_rank", ["X", "TolTensor"], use_default_tol=("BOOLEAN", False)), {}, "loads"),
        (node("mp_allreduce_sum", ["X"], ring_id=("INT", 0), use_calc_stream=("BOOLEAN", True)), {}, "loads"),
        (node("sparse_relu", ["x"], ["out"]), {"x": COO, "out": COO}, "loads"),
        (node("sparse_relu", ["x"], ["out"]), {}, "refused"),
        (node("mul_grad", ["X", "Y", "Out@GRAD"], ["X@GRAD", "Y@GRAD"], **FLAT), {}, "loads"),
        (node("mul_grad", ["X", "Y", "Out@GRAD"], ["X@GRAD", "Y@GRAD"]), {}, "refused"),
        (node("select_input", {"X": ["x", "y"], "Mask": ["mask"]}), {}, "loads"),
        (node("select_input", {"X": ["x"], "Mask": ["mask"]}), {}, "refused"),
        (node("while_grad", ["X"]), {}, "refused"),
    ],
)
def test_released_pir_ops(tmp_path, released, made, kinds, outcome):
    """Return the results of the two releases for these programs."""
    names = {
        text(argument) for section in (made.inputs, made.outputs) for every in section for argument in every.arguments
    }
    data = program(made, variables=sorted(names), kinds=kinds)
    assert audited(tmp_path, data, released, "pir_translation").verdict == outcome


def test_floats_become_doubles_by_translators_of_their_own(tmp_path):
    """3.3.1 has doubles where 3.0.0 has floats; it takes a float for those of some ops only, and no double for most."""
    older, newer = (read(str(SPECS / f"paddle-pir-{version}.json")).spec for version in ("3.0.0", "3.3.1"))
    for kind, of_older, of_newer in (("FLOAT", "loads", "loads"), ("FLOAT64", "refused", "refused")):
        leaky = node("leaky_relu", ["X"], alpha=(kind, 0.5))
        assert [verdict(tmp_path, leaky, spec)[0] for spec in (older, newer)] == [of_older, of_newer]
    gradient = node("leaky_relu_grad", {"X": ["x"], "Out@GRAD": ["y"]}, {"X@GRAD": ["out"]}, alpha=("FLOAT64", 0.5))
    assert [verdict(tmp_path, gradient, spec)[0] for spec in (older, newer)] == ["loads", "refused"]


def test_a_reduction_of_all_axes_reduces_those_of_dim(tmp_path, released):
    """The layers of Paddle 1 save `dim` as [0] beside `reduce_all`."""
    result = [
        audited(tmp_path, program(made, shapes=shapes), released, "pir_translation")
        for made, shapes in (
            (node("reduce_mean", ["X"], dim=("INTS", [0]), reduce_all=("BOOLEAN", True)), {}),
            (node("reduce_mean", ["X"], dim=("INTS", [0]), reduce_all=("BOOLEAN", True)), {"x": [7]}),
            (node("reduce_mean", ["X"], dim=("INTS", []), reduce_all=("BOOLEAN", True)), {}),
            (node("reduce_mean", ["X"], dim=("INTS", [0]), reduce_all=("BOOLEAN", False)), {}),
            (node("reduce_prod", ["X"], dim=("INTS", [0]), reduce_all=("BOOLEAN", True)), {}),
        )
    ]
    assert [row.verdict for row in result] == ["changed", *["loads"] * 4]
    assert [finding.rule for finding in result[0].findings] == ["model_attr_ignored"]


def test_a_spec_without_legacy_names_shows_nothing(tmp_path):
    """A wheel has no op_compat.yaml: which PIR op a node becomes is unknown, and nothing is refused."""
    spec = pir(legacy=UNKNOWN)
    for made in (node("old_f", ["X"]), node("f", ["x"], ["out"])):
        report = audited(tmp_path, program(made), spec, "pir_translation")
        assert (report.verdict, len(report.findings)) == ("cannot_tell", 1)
        assert "does not say what a program calls the PIR ops" in report.findings[0].message


def test_a_list_without_tensors_fails_when_it_runs(tmp_path):
    spec = pir(inputs=(X.replace(duplicable=True),))
    assert verdict(tmp_path, node("old_f", {"X": []}), spec) == ("fails_at_run", ["model_input_missing"])


def test_a_variable_that_no_pir_op_gives_cannot_be_read(tmp_path):
    """The translation goes by the outputs of the PIR op: another output of the node gets no value."""
    spec = pir(inputs=(X.replace(dispensable=True),))
    first = node("old_f", ["X"], {"Out": ["out"], "More": ["y"]})
    assert verdict(tmp_path, first, spec)[0] == "loads"
    for second, expected in (({"X": ["out"]}, "loads"), ({"X": ["y"]}, "refused")):
        made = program(first, node("old_f", second, {"Out": ["z"]}), variables=("x", "y", "out", "z"))
        assert audited(tmp_path, made, spec, "pir_translation").verdict == expected


def test_conditions_are_tensors_of_truth_values(tmp_path):
    made = node("while", {"Condition": ["x"]}, {"Out": []})
    result = [audited(tmp_path, program(made, dtype=number), pir(), "pir_translation") for number in (0, 5)]
    assert [row.verdict for row in result] == ["loads", "refused"]
    assert "elements of the type float32, and has to have bool" in result[1].findings[0].message


def test_an_op_of_pir_that_does_not_describe_itself_is_made_by_a_translator_of_its_own_alone(tmp_path):
    """The common way asks the class what it takes; without an answer it crashes: pylayer, with 3.0.0 to 3.3.1."""
    made = node("old_f", ["X"])
    assert verdict(tmp_path, made, pir())[0] == "loads"
    spec = pir()
    ops = {name: op.replace(own={**op.own, "variadic": True}) for name, op in spec.ops.items()}
    assert verdict(tmp_path, made, spec.replace(ops=ops)) == ("refused", ["model_op_unknown"])


def test_blocks_are_visited_from_the_first(tmp_path):
    """A block that no op of control flow names is never translated."""
    made = writable_message_class("ProgramDesc")()
    made.ParseFromString(program(node("old_f", ["X"]), dtype=0))
    made.blocks.add(idx=1, parent_idx=0, ops=[node("g", ["X"])])
    assert audited(tmp_path, made.SerializeToString(), pir(), "pir_translation").verdict == "loads"
    made.blocks[0].ops.append(node("while", {"Condition": ["x"]}, {"Out": []}, sub_block=("BLOCK", 1)))
    report = audited(tmp_path, made.SerializeToString(), pir(), "pir_translation")
    assert [finding.rule for finding in report.findings] == ["model_op_unknown"]
    assert list(report.nodes.values()) == [(("block 1", "g#0"),)]


def test_a_node_of_an_old_version_is_rewritten_before_it_is_translated(tmp_path):
    """The release's own legacy spec says which versions its ops have."""
    legacy = release("set_value(Input) -> (Out) [values: SCALARS = []] @ +attr values | ~attr values")
    spec = pir(name="pd_op.set_value", legacy=())
    made = node("set_value", ["X"], values=("INTS", [1]))
    result = [
        audited(tmp_path, program(made, versions=versions), spec, "pir_translation", released=item)
        for versions, item in (
            ((("set_value", 0),), {"paddle@3.0.0": legacy}.get),
            ((("set_value", 2),), {"paddle@3.0.0": legacy}.get),
            ((("set_value", 0),), {}.get),
        )
    ]
    assert [row.verdict for row in result] == ["changed", "loads", "loads"]
    assert [finding.rule for finding in result[0].findings] == ["model_op_rewritten"]


@pytest.mark.parametrize("given", [{}, {"fp32_values": ("FLOATS", [1.5])}])
def test_an_old_node_has_its_values_in_a_single_attr_a_type(tmp_path, given):
    """A node without `values` gets them as it is read; one of a version that has them does not."""
    legacy = release("set_value(Input) -> (Out) [values: SCALARS = []] @ +attr values | ~attr values")
    values = Attr(name="values", type="pir::ArrayAttribute<paddle::dialect::ScalarAttribute>")
    spec = pir(values, name="pd_op.set_value", legacy=())
    made = node("set_value", ["X"], **given)
    result = [
        audited(
            tmp_path, program(made, versions=versions), spec, "pir_translation", released={"paddle@3.0.0": legacy}.get
        )
        for versions in ((("set_value", 0),), (("set_value", 2),))
    ]
    assert [row.verdict for row in result] == ["loads", "refused"]


@pytest.mark.parametrize(("values", "verdict"), [([1.5], "loads"), ([], "refused")])
def test_an_old_node_keeps_its_values_in_the_new_attr(tmp_path, values, verdict):
    """The translator of assign_value looks for an attr with values; the old ones are gone by then."""
    legacy = release("assign_value() -> (Out) [values: SCALARS = []] @ +attr values | ~attr values")
    made = node("assign_value", dtype=("INT", 5), fp32_values=("FLOATS", values))
    spec = pir(name="pd_op.assign_value", legacy=(), inputs=())
    result = audited(tmp_path, program(made), spec, "pir_translation", released={"paddle@3.0.0": legacy}.get)
    assert result.verdict == verdict


SCRIPT = """
def make(a, b):
    op_name_mappings[legacy_name] = normalized_name
    op_name_mappings["old_v1"] = "old"
    op_arg_name_mappings["old_v1"] = {"x": "Input"}
    op_arg_name_mappings["other"]["out_grad"] = "Out@GRAD"
    op_arg_name_mappings['more'].update({"x": "First", "y": "Second"})
    sparse_op_yaml_files = sparse_op_yaml_file.split(",")
"""


def test_names_that_the_script_adds():
    special = special_names.read(SCRIPT, "op_compat_gen.py")
    entries = [{"op": "more", "inputs": {"x": "X", "z": "Z"}}, {"op": "old_v1", "inputs": {"y": "Y"}}]
    names = LegacyNames(entries, special, ["relu", "batch_norm_"])
    assert [names.ops_translated_to(text) for text in ("old", "relu_sp", "batch_norm_sp")] == [
        ("old_v1",),
        ("sparse_relu",),
        ("sparse_batch_norm",),
    ]
    assert [names.argument("old_v1", text) for text in ("x", "y")] == ["Input", "y"]
    assert [names.argument("more", text) for text in ("x", "y", "z")] == ["First", "Second", "Z"]
    assert names.argument("other", "out_grad") == "Out@GRAD"
    with pytest.raises(UnresolvedError, match="no Python"):
        special_names.read("def", "op_compat_gen.py")


def test_names_of_op_compat():
    names = LegacyNames(
        [
            {
                "op": "sum (reduce_sum)",
                "backward": "sum_grad (reduce_sum_grad)",
                "inputs": {"x": "X"},
                "outputs": {"out": "Out"},
                "attrs": {"axis": "dim"},
                "int_array": {"axis": {"data_type": "int", "tensors_name": "AxisTensors", "tensor_name": "Axis"}},
                "extra": {"attrs": ["bool use_mkldnn = false", "int seed=0"]},
            },
            {"op": "adam_ (adam)"},
        ]
    )
    assert (names.ops_translated_to("sum"), names.ops_translated_to("adam"), names.ops_translated_to("abs")) == (
        ("reduce_sum",),
        ("adam",),
        (),
    )
    assert (names.argument("reduce_sum", "x"), names.argument("reduce_sum", "y")) == ("X", "y")
    assert names.argument("reduce_sum_grad", "out_grad") == "Out@GRAD"
    assert names.attr("reduce_sum_grad", "axis") == "dim"
    assert names.tensors("reduce_sum", "axis") == ("Axis", "AxisTensors")
    assert names.is_extra("reduce_sum", "seed")
    assert not names.is_extra("reduce_sum", "dim")


@pytest.mark.parametrize(
    ("op", "spec", "rule"),
    [
        ("old_f(X) -> (Out)", pir(), None),
        ("g(X) -> (Out)", pir(), "translation_op_missing"),
        ("old_f(X) -> (Out)", pir(attr("a", INT, 1)), "translation_attr_absent"),
        ("old_f(X) -> (Out)", pir(attr("a", BOOL, True)), "translation_attr_filled"),
        ("old_f(X) -> (Out) [a: LONG]", pir(attr("a", INT)), "translation_attr_type"),
        ("old_f(X?) -> (Out)", pir(), "translation_input_absent"),
        ("old_f(X) -> (Out?)", pir(), "translation_output_absent"),
        ("requantize(X) -> (Out)", pir(), "translation_not_told"),
        ("g_grad(X) -> (Out)", pir(), None),
    ],
)
def test_a_release_against_the_pir_ops_of_another(op, spec, rule):
    report = check(release(op), spec)
    assert report.profile == "paddle-translation"
    assert [finding.rule for finding in report.findings] == ([rule] if rule else [])


def test_no_way_leads_back():
    with pytest.raises(InputError, match="is a spec of paddle, but base"):
        check(pir(), release("f(X) -> (Out)"))
