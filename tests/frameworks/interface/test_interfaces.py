"""The effect of a change of a model's interface, and the callers that it breaks: one line of declarations for each
side.
"""

from __future__ import annotations

import pytest

from opspec_lint.lint.check import check
from opspec_lint.lint.examples import parse
from opspec_lint.sources.formats import opspec
from opspec_lint.spec import canonical
from opspec_lint.spec.interface import shapes, types
from opspec_lint.spec.interface.rendering import show_declaration
from opspec_lint.spec.interface.traces import traces_of

SIGNATURE = 'signature s(x: float32[None, 4], n: int32[]) -> {"y": float32[None, 1], "k": int32[]}'
FUNCTION = "function f(x, t=False): (float32[None], False) -> float32[] | (float32[None], True) -> float32[]"
OLD = "from tensorflow 2.12.1\n"
NEW = "from tensorflow 2.18.1\n"


def judged(base, head):
    """The rules of what breaks, each with who does."""
    findings = check(parse(base), parse(head)).findings
    return {(finding.rule, finding.callers) for finding in findings if finding.level == "error"}


CHANGES = {
    "dtype": (SIGNATURE, SIGNATURE.replace("float32[None, 4]", "float64[None, 4]"), "dtype_changed", "signature"),
    "to a string": (SIGNATURE, SIGNATURE.replace("n: int32", "n: string"), "dtype_changed", "signature session"),
    "dtype under onnx": (
        "from onnx\ngraph model(x: float32[]) -> {}",
        "from onnx\ngraph model(x: float64[]) -> {}",
        "dtype_changed",
        "session",
    ),
    "narrowed, unchecked by keyword": (
        OLD + SIGNATURE,
        OLD + SIGNATURE.replace("[None, 4]", "[2, 4]"),
        "shape_narrowed",
        "session",
    ),
    "narrowed, checked by keyword": (
        NEW + SIGNATURE,
        NEW + SIGNATURE.replace("[None, 4]", "[2, 4]"),
        "shape_narrowed",
        "signature session",
    ),
    "tags": (f'{SIGNATURE} tags "serve"', f'{SIGNATURE} tags "serve,gpu"', "tags_changed", "signature session"),
    "method": (f'{SIGNATURE} method "a"', f'{SIGNATURE} method "b"', "method_changed", "session"),
    "gone": (f"{SIGNATURE}\n{FUNCTION}", SIGNATURE, "callable_removed", "function"),
    "trace": (FUNCTION, FUNCTION.partition(" |")[0], "trace_removed", "function"),
    "list for tuple": (
        NEW + "function f(x): ((int32[], int32[])) -> int32[]",
        NEW + "function f(x): ([int32[], int32[]]) -> int32[]",
        "structure_changed",
        "function",
    ),
    "key of a dict": (
        'function f(x): ({"a": int32[]}) -> int32[]',
        'function f(x): ({"a": int32[], "b": int32[]}) -> int32[]',
        "structure_changed",
        "function",
    ),
    "in a named tuple": (
        "function f(x): (P(a=int32[None])) -> int32[]",
        "function f(x): (P(a=int32[3])) -> int32[]",
        "shape_narrowed",
        "function",
    ),
    "composite": (
        "function f(x): (RaggedTensor(int32[None, None], 1)) -> int32[]",
        "function f(x): (RaggedTensor(int64[None, None], 1)) -> int32[]",
        "dtype_changed",
        "function",
    ),
    "default without its trace": (
        "function f(x, n=1): (int32[], 1) -> int32[]",
        "function f(x, n=2): (int32[], 1) -> int32[]",
        "parameter_default_changed",
        "function",
    ),
    "deep in a result": (
        'function f(x): (int32[]) -> {"a": (int32[], float32[])}',
        'function f(x): (int32[]) -> {"a": (int32[], float64[])}',
        "result_dtype_changed",
        "function",
    ),
    "shorter result": (
        "function f(x): (int32[]) -> (int32[], int32[])",
        "function f(x): (int32[]) -> (int32[],)",
        "result_structure_changed",
        "function",
    ),
}


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("float32[None, 4]", set()),
        ("float32[2, 3]", set()),
        ("float32[...]", set()),
        ("float32[None]", {("shape_changed", ("function",))}),
        ("int32[None, 3]", {("dtype_changed", ("function",))}),
    ],
)
def test_of_a_sparse_tensor_the_rank_is_looked_at(head, expected):
    base = "from tensorflow 2.18.1\nfunction f(x): (SparseTensor(float32[None, 3])) -> float32[]"
    assert judged(base, base.replace("float32[None, 3]", head)) == expected


@pytest.mark.parametrize("name", CHANGES)
def test_a_break_names_its_callers(name):
    base, head, rule, callers = CHANGES[name]
    assert judged(base, head) == {(rule, tuple(callers.split()))}
    assert judged(base, base) == judged(head, head) == set()


FINE = {
    "a shape that takes more": (SIGNATURE, SIGNATURE.replace("[None, 4]", "[None, None]")),
    "inputs in another order": (
        SIGNATURE,
        SIGNATURE.replace("x: float32[None, 4], n: int32[]", "n: int32[], x: float32[None, 4]"),
    ),
    "an output more": (SIGNATURE, SIGNATURE.replace('"k"', '"l": int32[], "k"')),
    "a trace more": (FUNCTION.partition(" |")[0], FUNCTION),
    "a tensor for a value": (FUNCTION, "function f(x, t=False): (float32[None], bool[]) -> float32[]"),
    "1 for True": (
        "function f(x, t): (int32[], True) -> int32[]",
        "function f(x, t): (int32[], 1) -> int32[]",
    ),
    "an optional parameter": (
        "function f(x): (int32[]) -> int32[]",
        "function f(x, *, n=1): (int32[], n=1) -> int32[]",
    ),
    "a parameter that was never given but by default": (
        "function f(x, n=1): (int32[], 1) -> int32[]",
        "function f(x, n=1): (int32[], 1) -> int32[] | (int32[], 2) -> int32[]",
    ),
    "a trace that another one covers": (
        "function f(x): (int32[3]) -> int32[] | (int32[None]) -> int32[]",
        "function f(x): (int32[None]) -> int32[]",
    ),
    "list for tuple, where nobody looks": (
        OLD + "function f(x): ((int32[], int32[])) -> int32[]",
        OLD + "function f(x): ([int32[], int32[]]) -> int32[]",
    ),
    "the order of ONNX's inputs": (
        "from onnx\ngraph model(x: int32[], n: int64[]) -> {}",
        "from onnx\ngraph model(n: int64[], x: int32[]) -> {}",
    ),
}


@pytest.mark.parametrize("name", FINE)
def test_what_old_callers_do_not_notice_breaks_nobody(name):
    assert judged(*FINE[name]) == set()


def test_the_order_of_inputs_that_are_numbered_counts():
    base = "from tflite 2.12.1\ngraph model(x: int32[], n: int64[]) -> {}"
    assert judged(base, base.replace("x: int32[], n: int64[]", "n: int64[], x: int32[]")) == {
        ("parameter_order_changed", ("session",))
    }


def test_a_trace_that_is_narrowed_to_one_that_was_there_is_not_passed_over():
    base = "function f(x): (int32[None]) -> int32[] | (int32[3]) -> int32[]"
    assert judged(base, "function f(x): (int32[3]) -> int32[]") == {("shape_narrowed", ("function",))}


def test_findings_show_the_declaration_before_and_after():
    (result,) = [
        finding for finding in check(parse(FUNCTION), parse(FUNCTION.partition(" |")[0])).findings if finding.callers
    ]
    assert result.declared[0] == "f(x: float32[None], t: Literal[True] = False) -> float32[]"
    assert result.declared[1] == "f(x: float32[None], t: bool = False) -> float32[]"


@pytest.mark.parametrize("line", [line for name in (*CHANGES, *FINE) for line in (CHANGES | FINE)[name][:2]])
def test_the_canonical_text_reads_back_the_same(line):
    import json

    spec = parse(line)
    text = canonical.dumps(spec)
    again = opspec.load(json.loads(text), spec.file)
    assert canonical.dumps(again) == text
    assert [show_declaration(op) for op in again.ops.values()] == [
        show_declaration(spec.ops[name]) for name in again.ops
    ]
    assert [traces_of(op) for op in again.ops.values()] == [traces_of(spec.ops[name]) for name in again.ops]


TYPES = (
    *("float32[None, 4]", "float32[]", "float32[...]", "(float32[None], False, 'sum')", "(int32[1],)", "()", "[]"),
    *('{"k": float32[2], "b": [int32[], (int32[1], 1.5)]}', "Point(x=float32[], y=None)", "{}", "?"),
    *("RaggedTensor(float32[None, None], 1, int64[])", "Dataset()", "-1", "['a\\'b', -inf]", "my.module.Type()"),
)


@pytest.mark.parametrize("text", TYPES)
def test_a_type_reads_back_as_it_is_written(text):
    assert str(types.parse(text)) == text


@pytest.mark.parametrize(
    "text", ["", "float32", "float32[x]", "(int32[]", "{1: int32[]}", "P(x=)", "int32[] int32[]", "(" * 200]
)
def test_what_is_no_type_is_refused(text):
    with pytest.raises(types.TypeTextError):
        types.parse(text)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (None, None, "same"),
        ((2, None), (2, None), "same"),
        ((2, 3), None, "widened"),
        ((2, 3), (None, 3), "widened"),
        (None, (2, 3), "narrowed"),
        ((None, 3), (2, 3), "narrowed"),
        ((None, 3), (2, None), "incomparable"),
        ((2, 3), (2, 4), "incomparable"),
        ((2, 3), (2, 3, 1), "incomparable"),
        ((), (1,), "incomparable"),
    ],
)
def test_how_two_shapes_are_to_one_another(old, new, expected):
    assert shapes.compare_shapes(old, new) == expected
    mirrored = {"widened": "narrowed", "narrowed": "widened"}.get(expected, expected)
    assert shapes.compare_shapes(new, old) == mirrored


@pytest.mark.parametrize(
    ("default", "breaks"),
    [("constant(float32[], 1.0)", set()), ("constant(float64[], 1.0)", {("dtype_changed", ("function",))})],
)
def test_a_call_that_omits_a_parameter_passes_the_tensor_that_is_its_default_value(default, breaks):
    head = f"function f(x, n={default}): (int32[], float32[]) -> float32[]"
    assert judged("function f(x): (int32[]) -> float32[]", head) == breaks
    assert judged(head, head.replace("1.0", "2.0")) == {("parameter_default_changed", ("function",))}


SCALED = 'signature s(x: float32[], n: float32[]) -> {"y": float32[]}'
WITH_SINGLE, WITH_TWO = (SCALED.replace("n: float32[]", f"n: float32[] = {value}") for value in (1.0, 2.0))
WITHOUT = SCALED.replace(", n: float32[]", "")


@pytest.mark.parametrize(
    ("base", "head", "rules"),
    [
        (WITH_SINGLE, WITH_TWO, {("parameter_default_changed", ("session",))}),
        (WITH_SINGLE, SCALED, {("parameter_default_removed", ("session",))}),
        (SCALED, WITH_SINGLE, set()),
        (WITHOUT, WITH_SINGLE, {("parameter_added", ("signature",))}),
        (WITHOUT.replace("signature", "graph"), WITH_SINGLE.replace("signature", "graph"), set()),
        (WITH_SINGLE, WITHOUT, {("parameter_removed", ("signature", "session"))}),
    ],
)
def test_sessions_use_the_default_value_of_an_input_and_calls_by_keyword_do_not(base, head, rules):
    assert judged(base, head) == rules


def test_a_trace_beyond_those_that_are_compared_in_turn():
    texts = [f"(int32[{at}]) -> int32[{at}]" for at in range(1, 402)]
    changed = [*texts[:-1], "(int32[401]) -> float32[401]"]
    base, head = (f"function f(x): {' | '.join(item)}" for item in (texts, changed))
    assert ("trace_removed", ("function",)) in judged(base, head)
    assert judged(base, base) == set()


NARROWED = SIGNATURE, SIGNATURE.replace("[None, 4]", "[2, 4]")


@pytest.mark.parametrize("saver", ["paddle 3.0.0", "tensorflow 2.8.4"])
def test_head_does_not_choose_whose_loader_counts(saver):
    """Paddle's predictor, and TensorFlow up to 2.12, look at no shape of what a signature is given."""
    base, head = NEW + NARROWED[0], f"from {saver}\n{NARROWED[1]}"
    assert ("shape_narrowed", ("signature", "session")) in judged(base, head)
    of_origin = "source_kind_changed" if saver.startswith("paddle") else "loader_checks_less"
    findings = check(parse(base), parse(head), at_base=True).findings
    assert {finding.rule for finding in findings if finding.level == "error"} >= {"shape_narrowed", of_origin}


def test_a_declaration_that_is_called_otherwise_breaks_its_callers():
    graph = SIGNATURE.replace("signature ", "graph ", 1)
    assert ("called_as_changed", ("signature", "session")) in judged(SIGNATURE, graph)
    assert ("called_as_changed", ("session",)) in judged(graph, SIGNATURE)
