"""The reading of TFLite models, and their verdicts under the interpreter of a release."""

from __future__ import annotations

import struct

import pytest

from opspec_lint.kit.errors import InputError
from opspec_lint.models.audit import audit, audit_model
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.models.reach import compute_reaches
from opspec_lint.models.recognise import read_model
from opspec_lint.sources import released
from opspec_lint.spec.model import Op, Provenance, Spec
from tests.support.models.tflite_models import Repeated, Table, build, code, model, operator, subgraph, tensor, whole
from tests.support.programs import run

RANGES = {"ADD": (1, 4), "BROADCAST_TO": (2, 3), "ABS": (None, None), "GELU": (1, 2), "LOGISTIC": (1, 3)}


def release(**ranges):
    """The spec of a release: of each op, the least and the greatest version."""
    ops = {name: Op(name=name, min_version=least, max_version=greatest) for name, (least, greatest) in ranges.items()}
    return Spec(file="spec", provenance=Provenance(framework="tflite", version="2.12.1"), ops=ops)


def read(tmp_path, data):
    path = tmp_path / "m.tflite"
    path.write_bytes(data)
    return read_model(str(path))


def audited(tmp_path, data, spec=None):
    path = tmp_path / "m.tflite"
    path.write_bytes(data)
    (result,) = audit(
        str(path), [("spec", spec or release(**RANGES))], [LOADERS.load("tflite.Interpreter")], LoadOptions()
    )
    return result


def reached(tmp_path, *codes, **known):
    """Return the oldest release of a model, whether it is claimed, and the releases that refuse it.

    `known` are releases of TensorFlow and what they accept; that of LiteRT has the rows.
    """
    rows = {"ABS": {"1": "1.13.0", "4": "2.6.0"}, "ADD": {"1": "1.5.0", "3": "2.4.0", "4": "2.6.0"}}
    newest = release(ABS=(1, 4), ADD=(1, 4), GELU=(1, 2))
    ops = {name: op.replace(own={"oldest_runtimes": rows.get(name)}) for name, op in newest.ops.items()}
    specs = {f"tflite@{name[1:].replace('_', '.')}": release(**ranges) for name, ranges in known.items()}
    specs["litert@2.1.2"] = newest.replace(ops=ops)
    path = tmp_path / "m.tflite"
    path.write_bytes(model([code(*item) for item in codes]))
    made, loaders = read_model(str(path)), [LOADERS.load("tflite.Interpreter")]
    (result,) = compute_reaches(made, list(audit_model(made, list(specs.items()), loaders, LoadOptions())))
    assert result.newest == "litert@2.1.2"
    return result.oldest, result.is_claimed, [refusal.release for refusal in result.refusals]


ABS, ADD, GELU = 101, 0, 150
OLD, NEW = {"ABS": (1, 1), "ADD": (1, 3)}, {"ABS": (1, 4), "ADD": (1, 4), "GELU": (1, 1)}


@pytest.mark.parametrize(
    ("codes", "known", "expected"),
    [
        ([(ABS, 4)], {"v2_4_4": OLD, "v2_12_1": NEW}, ("tflite@2.6.0", True, ["tflite@2.4.4"])),
        ([(ABS, 4), (ADD, 3)], {"v2_4_4": OLD, "v2_12_1": NEW}, ("tflite@2.6.0", True, ["tflite@2.4.4"])),
        ([(ABS, 1), (ADD, 3)], {"v2_4_4": OLD, "v2_12_1": NEW}, ("tflite@2.4.0", True, [])),
        # no row of a version
        ([(GELU, 1)], {"v2_4_4": OLD, "v2_12_1": NEW}, ("tflite@2.12.1", False, ["tflite@2.4.4"])),
        # a known release takes it before the row says so
        ([(ABS, 4)], {"v2_4_4": NEW}, ("tflite@2.4.4", False, [])),
        # a known release refuses it though the row says otherwise, and one between two that take it
        ([(ABS, 4)], {"v2_7_0": OLD, "v2_12_1": NEW}, ("tflite@2.12.1", False, ["tflite@2.7.0"])),
        ([(ABS, 4)], {"v2_7_0": NEW, "v2_12_1": OLD}, ("tflite@2.7.0", False, ["tflite@2.12.1"])),
    ],
)
def test_the_oldest_release_is_what_the_rows_name(tmp_path, codes, known, expected):
    assert reached(tmp_path, *codes, **known) == expected


def test_the_rows_of_a_released_spec(tmp_path):
    path = tmp_path / "m.tflite"
    path.write_bytes(model([code(ABS, 4)]))
    text = " ".join(run("audit", path).out.split())
    newest = released.names({"litert"})[-1].replace("@", " ")
    assert f"{path}: loads in tflite 2.6.0, as its op versions say, to {newest} (tflite.Interpreter)" in text
    assert "not in tflite 2.5.3 (tflite.Interpreter): the model has version 4 of 'ABS', but the release acc" in text


def test_all_that_a_model_states(tmp_path):
    made = read(tmp_path, whole())
    (meta,) = made.meta_graphs
    assert (made.framework, made.format, meta.written_by, meta.producer) == ("tflite", "tflite", "made", 3)
    assert [(graph.name, graph.ops()) for graph in meta.graphs] == [
        ("", ("ADD", "GELU", "CUSTOM:Mine")),
        ("branch", ("ADD",)),
    ]
    assert meta.op_versions == {"ADD": 2, "GELU": 1, "CUSTOM:Mine": 1, "LOGISTIC": 4}
    add, gelu, _ = meta.graphs[0].nodes
    assert (add.name, add.inputs, add.outputs) == ("ADD#0", (("lhs", ("x",)), ("rhs", ("w",))), (("", ("y",)),))
    assert gelu.inputs == (("input", ("y", "")),)
    (signature,) = meta.signatures
    assert signature.key == "serving_default"
    assert {key: (argument.name, argument.dtype, argument.shape) for key, argument in signature.inputs.items()} == {
        "in": ("x", "float32", (-1, 4))
    }
    assert [(variable.name, variable.shape) for variable in meta.variables] == [("w", (4,))]
    assert made.sizes() == {"graph": len(whole()) - 24, "weights_in_graph": 24}
    assert made.remarks == (
        "the converter says that the model needs the runtime 1.14.0",
        "no node uses these ops, but a runtime requires them: LOGISTIC 4",
    )


def test_a_model_without_signatures_has_that_of_its_first_subgraph(tmp_path):
    graph = subgraph([tensor("x", (2,)), tensor("", (), 2)], [0], [1], [operator(0, [0], [1])])
    (meta,) = read(tmp_path, model([code(0)], [graph])).meta_graphs
    (signature,) = meta.signatures
    assert (signature.key, list(signature.inputs), list(signature.outputs)) == ("", ["x"], ["%1"])


def test_two_versions_of_an_op_are_both_named(tmp_path):
    graph = subgraph(operators=[operator(0), operator(1)])
    assert read(tmp_path, model([code(0, 1), code(0, 3)], [graph])).remarks == ("ADD is used in the versions 1, 3",)


@pytest.mark.parametrize(
    ("made", "verdict", "reason"),
    [
        (code(0, 1), "loads", None),
        (code(0, 4), "loads", None),
        (code(0, 5), "refused", "op_version"),
        (code(0, 0), "refused", "op_version"),
        (code(0, -1), "refused", "op_version"),
        (code(130, 1), "refused", "op_version"),
        (code(130, 2), "loads", None),
        (code(101, 1), "refused", "unknown_op"),  # the release has no kernel
        (code(1, 1), "refused", "unknown_op"),
        (code(150, 2), "loads", None),  # a code above 127
        (code(9999), "refused", "unknown_op"),
        (code(32, 1, "Mine"), "loads", None),  # no node uses it
        (code(32, 1), "refused", "unknown_op"),
    ],
)
def test_what_becomes_of_an_op_code(tmp_path, made, verdict, reason):
    result = audited(tmp_path, model([made]))
    assert (result.verdict, result.reason) == (verdict, reason)


def test_a_version_is_named_with_those_that_are_taken(tmp_path):
    (finding,) = audited(tmp_path, model([code(0, 5)])).findings
    assert finding.rule == "model_op_version"
    assert finding.message == "the model has version 5 of 'ADD', but the release accepts 1 to 4"


def test_the_older_field_of_a_code_counts_where_it_is_greater(tmp_path):
    newer = code(0, 2)
    newer.fields |= {0: ("byte", 14), 3: ("int", 0)}
    assert list(read(tmp_path, model([newer])).meta_graphs[0].op_versions) == ["LOGISTIC"]


@pytest.mark.parametrize("version", [2, 4])
def test_a_version_of_the_schema_that_no_runtime_takes(tmp_path, version):
    report = audited(tmp_path, model([code(0)], version=version))
    assert (report.verdict, report.findings[0].rule) == ("refused", "model_header")


def test_a_spec_that_does_not_state_which_versions_are_taken(tmp_path):
    spec = Spec(file="s", provenance=Provenance(framework="tflite"), ops={"ADD": Op(name="ADD")})
    assert audited(tmp_path, model([code(0)]), spec).verdict == "cannot_tell"


def test_an_op_that_is_newer_than_our_names(tmp_path):
    newer = release(**RANGES, NOT_YET_NAMED=(1, 1))
    assert audited(tmp_path, model([code(9999)]), newer).verdict == "cannot_tell"


def test_bytes_behind_a_model_do_not_count(tmp_path):
    made = read(tmp_path, whole() + b"tail")
    assert made.meta_graphs[0].graphs[0].ops() == ("ADD", "GELU", "CUSTOM:Mine")


def damaged(at, form, value):
    data = bytearray(whole())
    struct.pack_into(form, data, at, value)
    return bytes(data)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (damaged(0, "<I", 0xFFFFFFFF), "points outside the file"),
        (damaged(0, "<I", 3), "is damaged"),
        (whole()[:40], "is damaged"),
        (whole()[:200], "outside the file|nothing|damaged|longer"),
    ],
    ids=["out", "in the middle", "cut early", "cut late"],
)
def test_offsets_that_lie(tmp_path, data, problem):
    with pytest.raises(InputError, match=f"is not a TFLite model: .*{problem}"):
        read(tmp_path, data)


def test_parts_that_lie_over_others(tmp_path):
    graph = subgraph([tensor(f"t{at}") for at in range(50)])
    graphs = Repeated(graph, 10_000)
    with pytest.raises(InputError, match="overlap"):
        read(tmp_path, build(Table({0: ("uint", 3), 2: graphs})))
