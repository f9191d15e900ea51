"""Verdicts on the custom ops, tensors and nodes of a TFLite model, as recorded with interpreters (see the comments)."""

from __future__ import annotations

import pytest

from opspec_lint.frameworks.tflite.saved import codes
from opspec_lint.models.audit import audit
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.sources import references
from opspec_lint.sources.reading import Reading
from opspec_lint.spec.model import Op, Provenance, Spec
from tests.support.models.tflite_models import (
    Table,
    code,
    model,
    operator,
    quantized,
    signature,
    subgraph,
    tensor,
    with_options,
)

ABS, IF = 101, 118
RANGES = dict.fromkeys(("ABS", "IF", "SQUEEZE", "GATHER", "PACK", "UNPACK"), 1)
CUSTOM_OPS = {
    "CUSTOM:Everywhere": {"reference_min_version": 1, "reference_max_version": 1},
    "CUSTOM:Default": {"reference_min_version": None, "reference_max_version": None},
    "CUSTOM:Alone": {},
}


def release(version="2.18.1", package="tensorflow", types=("float32", "int32", "int8"), custom=CUSTOM_OPS):
    ops = {name: Op(name=name, min_version=1, max_version=most) for name, most in RANGES.items()}
    ops |= {name: Op(name=name, min_version=1, max_version=1, own=own) for name, own in custom.items()}
    made_by = f"tflite-runtime of {package}"
    provenance = Provenance(framework="tflite", version=version, made_by=made_by)
    return Spec(file="spec", provenance=provenance, ops=ops, loading={"tensor_types": types})


def audited(tmp_path, data, spec=None):
    path = tmp_path / "m.tflite"
    path.write_bytes(data)
    tensorflow = Spec(file="s", provenance=Provenance(framework="tensorflow"), ops={"Add": Op(name="Add")})
    options = LoadOptions(released=dict.fromkeys(("tensorflow@2.18.1", "tensorflow@2.19.1"), tensorflow).get)
    (result,) = audit(str(path), [("spec", spec or release())], [LOADERS.load("tflite.Interpreter")], options)
    return result


def custom(name, version=1, graphs=None, signatures=()):
    """Return a model whose first op code is a custom op, and whose second one is IF."""
    return model([code(32, version, name), code(IF)], graphs or [subgraph(operators=[operator(0)])], signatures)


BRANCH = [
    subgraph(operators=[with_options(1, "IF", {0: ("int", 0), 1: ("int", 1)})]),
    subgraph(operators=[operator(0)]),
]
SECOND = [subgraph(operators=[]), subgraph(operators=[operator(0)])]
SIGNED = [Table({0: [], 1: [], 2: "second", 4: ("uint", 1)})]


@pytest.mark.parametrize(
    ("data", "verdict", "problem"),
    [
        (custom("Everywhere"), "loads", ""),
        (custom("Default"), "loads", "BuiltinOpResolver registers it, and BuiltinRefOpResolver does not"),
        (custom("Alone"), "loads", ""),  # the spec does not speak of the other resolver
        (custom("Everywhere", 2), "refused", "no resolver of the release registers it"),
        (custom("NotThere"), "refused", "no resolver of the release registers it"),
        (custom("edgetpu-custom-op"), "refused", "it is an op of the Edge TPU delegate"),
        (custom("DISPATCH_OP"), "refused", "it is an op of the dispatch delegate of LiteRT"),
        (custom("FlexAdd"), "loads", "the Flex delegate (select TensorFlow ops) runs it"),
        (custom("FlexNotThere"), "refused", "it is an op of the Flex delegate"),
        (custom("NotThere", graphs=[subgraph()]), "loads", ""),  # an unused op is never prepared
        (custom("NotThere", graphs=SECOND), "loads", ""),
        (custom("NotThere", graphs=SECOND, signatures=SIGNED), "fails_at_run", "no resolver"),
        (custom("NotThere", graphs=BRANCH), "refused", "no resolver"),  # the kernel of IF prepares its branches
    ],
)
def test_a_custom_op(tmp_path, data, verdict, problem):
    result = audited(tmp_path, data)
    assert result.verdict == verdict
    assert [problem in finding.message for finding in result.findings] == [True] * bool(problem)


def test_a_flex_op_is_refused_by_a_package_without_the_delegate(tmp_path):
    without = release(package="ai_edge_litert"), release("2.19.1")
    assert [audited(tmp_path, custom("FlexAdd"), spec).verdict for spec in without] == ["refused", "refused"]


@pytest.mark.parametrize("listed", [{}, {"CUSTOM:Mine": {}}])
def test_a_spec_that_lists_no_custom_op_leaves_the_verdict_open(tmp_path, listed):
    result = audited(tmp_path, custom("NotThere"), release(custom=listed))
    assert result.verdict == ("refused" if listed else "cannot_tell")


def test_the_advice_names_the_resolver_that_has_the_op(tmp_path):
    own = {"reference_min_version": 1, "reference_max_version": 1}
    ops = {**release().ops, "CUSTOM:Ref": Op(name="CUSTOM:Ref", min_version=None, max_version=None, own=own)}
    (finding,) = audited(tmp_path, custom("Ref"), release().replace(ops=ops)).findings
    assert finding.advice == "create the interpreter with BuiltinRefOpResolver"


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("edgetpu-custom-op", "load it with the Edge TPU delegate"),
        ("FlexNotThere", "which TensorFlow's package has up to 2.18"),
        ("NotThere", "`custom_op_registerers`"),
    ],
)
def test_the_advice_on_a_custom_op_names_the_delegate_and_the_source(tmp_path, name, way):
    (finding,) = audited(tmp_path, custom(name)).findings
    assert way in finding.advice
    assert "convert the source of the model without it" in finding.advice or f"without '{name}'" in finding.advice


def of_tensor(shape=(2, 2), kind=0, size=None, **fields):
    """Return a model with a tensor, which has a buffer of `size` bytes unless that is None."""
    made = tensor("w", shape, kind, buffer=0 if size is None else 1)
    slots = {"variable": 5, "quantization": 4, "buffer": 2}
    made.fields |= {slots[name]: value for name, value in fields.items()}
    return model([code(ABS)], [subgraph([made])], buffers=[b"", bytes(size or 1)])


INT8 = 9


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (of_tensor(kind=1), "it has the type float16, which the release does not know"),
        (of_tensor(size=16), None),
        (of_tensor(size=12), "its buffer has 12 bytes, and its shape [2, 2] takes 16"),
        (of_tensor(size=20), None),
        (of_tensor(shape=(), size=3), "its buffer has 3 bytes, and its shape [] takes 4"),
        (of_tensor(buffer=("uint", 9)), "it names the buffer 9, and the model has 2 buffers"),
        (of_tensor(size=16, variable=("bool", True)), "it is a variable, and has a buffer with data"),
        (of_tensor(shape=(-1, 2)), "the size of its shape [-1, 2] overflows"),
        (of_tensor(shape=(65536,) * 5), "the size of its shape [65536, 65536, 65536, 65536, 65536] overflows"),
        (of_tensor(quantization=quantized()), None),
        (of_tensor(quantization=quantized(dimension=5)), "its `quantized_dimension` is 5, and its shape has 2 dim"),
        (of_tensor(quantization=quantized(dimension=-1)), "its `quantized_dimension` is -1"),
        (of_tensor(shape=(), quantization=quantized(dimension=5)), None),
        (of_tensor(quantization=quantized(None, None, 5)), None),
        (of_tensor(quantization=quantized((), (), 5)), None),
        (of_tensor(quantization=quantized((1, 1), (0, 0), 1)), None),
        (of_tensor(quantization=quantized((1, 1, 1), (0, 0, 0))), "3 scales for the 2 elements of dimension 0"),
        (of_tensor(quantization=quantized((1, 1), (0,))), "its quantization has 2 scales and 1 zero points"),
        (of_tensor(quantization=quantized((1,), None)), "its quantization has scales, but no zero points"),
    ],
)
def test_a_tensor(tmp_path, data, problem):  # each measured with TensorFlow 2.18.1
    result = audited(tmp_path, data)
    assert result.verdict == ("refused" if problem else "loads")
    assert [problem in finding.message for finding in result.findings] == [True] * bool(problem)


@pytest.mark.parametrize(
    ("data", "version", "package", "verdict"),
    [
        (of_tensor(size=20), "2.16.2", "tensorflow", "refused"),
        (of_tensor(size=20), "2.17.1", "tensorflow", "loads"),
        (of_tensor(size=20), "1.2.0", "ai_edge_litert", "loads"),
        (of_tensor(size=20), None, "tensorflow", "cannot_tell"),
        (of_tensor(shape=(-1, 2)), "2.1.4", "tensorflow", "loads"),
        (of_tensor(shape=(-1, 2)), "2.2.3", "tensorflow", "refused"),
    ],
)
def test_a_tensor_that_some_releases_refuse(tmp_path, data, version, package, verdict):
    assert audited(tmp_path, data, release(version, package)).verdict == verdict


PAIR = [tensor("x", (2, 2)), tensor("y", (2, 2))]


@pytest.mark.parametrize(
    ("graph", "verdict"),
    [
        (subgraph(PAIR, [0], [1], [operator(0, [0], [1])]), "loads"),
        (subgraph(PAIR, [-1], [1], [operator(0, [0], [1])]), "loads"),
        (subgraph(PAIR, [7], [1]), "refused"),
        (subgraph(PAIR, [0], [7]), "refused"),
        (subgraph(PAIR, [0], [1], [operator(0, [7], [1])]), "refused"),
        (subgraph(PAIR, [0], [1], [operator(0, [0], [-2])]), "refused"),
        (subgraph(PAIR, [0], [1], [operator(3, [0], [1])]), "refused"),
    ],
)
def test_indices(tmp_path, graph, verdict):
    assert audited(tmp_path, model([code(ABS)], [graph])).verdict == verdict


def test_what_a_model_has_to_have(tmp_path):
    assert audited(tmp_path, model([code(ABS)], [])).reason == "parse"
    assert audited(tmp_path, model([code(ABS)], signatures=[signature("", {}, {})])).reason == "signature"
    early = release("2.4.4")
    assert audited(tmp_path, model([code(ABS)], signatures=[signature("", {}, {})]), early).verdict == "loads"


def of_node(op, options, *shapes, outputs=1, is_computed=False):
    """Return a model with a node that takes inputs of some shapes; `is_computed` puts ABS in front of the first."""
    kinds = [0, 2] if op == "GATHER" else [0] * len(shapes)  # indices are int32
    tensors = [tensor(f"x{at}", shape, kind) for at, (shape, kind) in enumerate(zip(shapes, kinds, strict=True))]
    results = range(len(tensors), len(tensors) + outputs)
    tensors += [tensor(f"y{at}", (2,)) for at in results]
    inputs = list(range(len(shapes)))
    nodes = [with_options(1, op, options, inputs, list(results))]
    if is_computed:
        tensors.append(tensor("before", (2, 2)))
        nodes.insert(0, operator(0, [len(tensors) - 1], [0]))
        return model(
            [code(ABS), code(codes.BUILTINS.index(op))], [subgraph(tensors, [len(tensors) - 1, *inputs[1:]], [], nodes)]
        )
    return model([code(ABS), code(codes.BUILTINS.index(op))], [subgraph(tensors, inputs, [], nodes)])


@pytest.mark.parametrize(
    ("data", "verdict"),
    [
        (of_node("SQUEEZE", {0: [0]}, (1, 2)), "loads"),
        (of_node("SQUEEZE", {0: [-2]}, (1, 2)), "loads"),
        (of_node("SQUEEZE", {0: []}, (1, 2)), "loads"),
        (of_node("SQUEEZE", {0: [1]}, (1, 2)), "refused"),
        (of_node("SQUEEZE", {0: [5]}, (1, 2)), "refused"),
        (of_node("SQUEEZE", {0: [0]}, ()), "refused"),
        (of_node("SQUEEZE", {0: [0]}, (1,) * 9), "refused"),
        (of_node("SQUEEZE", {0: [0]}, (3, 2), is_computed=True), "cannot_tell"),
        (of_node("PACK", {0: ("int", 2), 1: ("int", 2)}, (2, 2), (2, 2)), "loads"),
        (of_node("PACK", {0: ("int", 3), 1: ("int", 0)}, (2, 2), (2, 2)), "refused"),
        (of_node("PACK", {0: ("int", 2), 1: ("int", 3)}, (2, 2), (2, 2)), "refused"),
        (of_node("PACK", {0: ("int", 2), 1: ("int", 0)}, (2, 2), (2, 3)), "refused"),
        (of_node("UNPACK", {0: ("int", 2), 1: ("int", 1)}, (3, 2), outputs=2), "loads"),
        (of_node("UNPACK", {0: ("int", 2), 1: ("int", 0)}, (3, 2), outputs=2), "refused"),
        (of_node("UNPACK", {0: ("int", 2), 1: ("int", 2)}, (3, 2), outputs=2), "refused"),
        (of_node("GATHER", {0: ("int", 1)}, (3, 2), (1,)), "loads"),
        (of_node("GATHER", {0: ("int", 2)}, (3, 2), (1,)), "refused"),
    ],
)
def test_options_against_shapes(tmp_path, data, verdict):
    assert audited(tmp_path, data).verdict == verdict


def test_a_delegate_that_takes_older_versions(tmp_path):
    ops = {"ABS": Op(name="ABS", min_version=1, max_version=12, own={"delegates": {"gpu": 9, "nnapi": None}})}
    spec = release().replace(ops=ops)
    (finding,) = audited(tmp_path, model([code(ABS, 12)]), spec).findings
    assert (finding.level, finding.rule) == ("note", "model_delegate_limit")
    assert finding.message == "the delegate gpu takes 'ABS' up to version 9: version 12 runs on the CPU"
    assert audited(tmp_path, model([code(ABS, 9)]), spec).findings == ()


def test_a_code_that_no_release_has_is_refused_by_a_release_with_custom_ops(tmp_path):
    assert audited(tmp_path, model([code(9999)])).reason == "unknown_op"


def test_the_included_specs_list_custom_ops(tmp_path):
    for name in ("tflite@2.0.4", "tflite@2.19.1", "litert@2.3.0"):
        spec = references.resolve(name, Reading()).spec
        assert audited(tmp_path, custom("TFLite_Detection_PostProcess"), spec).verdict == "loads"
        assert audited(tmp_path, custom("edgetpu-custom-op"), spec).verdict == "refused"


BATCH_MATMUL, FULLY_CONNECTED, ADD = 126, 9, 0
OF_KERNELS = dict.fromkeys(("BATCH_MATMUL", "FULLY_CONNECTED", "ADD"), 9)


def kernel_release(version, package="tensorflow"):
    spec = release(version, package, types=("float32", "int32", "int8", "int16"))
    ops = {name: Op(name=name, min_version=1, max_version=most) for name, most in OF_KERNELS.items()}
    return spec.replace(ops={**spec.ops, **ops})


# Measured with TensorFlow 2.10.1 to 2.21.0 and LiteRT 1.2.0 to 2.3.0.
@pytest.mark.parametrize(
    ("version", "package", "verdict"),
    [
        ("2.21.0", "tensorflow", "refused"),
        ("2.1.2", "ai_edge_litert", "refused"),
        ("2.2.0", "ai_edge_litert", "loads"),
        (None, "ai_edge_litert", "loads"),
    ],
)
def test_types_that_a_kernel_multiplies_in_newer_releases(tmp_path, version, package, verdict):
    int16, spec = 7, kernel_release(version, package)
    models = [
        model([code(BATCH_MATMUL)], [subgraph([tensor("a", (2, 2), left), tensor("b", (2, 2), INT8)], [0, 1], (), [
            operator(0, [0, 1])
        ])])
        for left in (int16, INT8)
    ]  # fmt: skip
    assert [audited(tmp_path, data, spec).verdict for data in models] == [verdict, "loads"]


@pytest.mark.parametrize(
    ("op", "details", "version", "package", "verdict"),
    [
        (FULLY_CONNECTED, 2, "2.19.1", "tensorflow", "cannot_tell"),
        (FULLY_CONNECTED, 2, "2.20.0", "tensorflow", "loads"),
        (FULLY_CONNECTED, 2, "1.2.0", "ai_edge_litert", "cannot_tell"),
        (FULLY_CONNECTED, 2, "1.4.0", "ai_edge_litert", "loads"),
        (FULLY_CONNECTED, 1, "2.19.1", "tensorflow", "loads"),
        (ADD, 2, "2.3.0", "ai_edge_litert", "cannot_tell"),
    ],
)
def test_block_wise_quantization(tmp_path, op, details, version, package, verdict):
    weights = tensor("w", (2, 2), INT8)
    weights.fields[4] = Table({4: ("ubyte", details), 5: Table({2: ("int", 32)})})
    data = model([code(op)], [subgraph([tensor("x", (2, 2)), weights], [0], (), [operator(0, [0, 1])])])
    assert audited(tmp_path, data, kernel_release(version, package)).verdict == verdict
