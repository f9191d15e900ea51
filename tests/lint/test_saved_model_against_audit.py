"""The profile `saved-model` has an error for each change from base to head by which an audit stops a model of base."""

from __future__ import annotations

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from opspec_lint.lint.check import check
from opspec_lint.lint.examples import parse
from opspec_lint.lint.profile import PROFILES
from opspec_lint.models.audit import audit
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.proof import draw
from opspec_lint.proof.sample import UnwritableError
from opspec_lint.proof.writer import WRITERS
from opspec_lint.spec.model import GraphVersions

SHARED = PROFILES.load("saved-model")
STOPS = ("refused", "fails_at_run", "unreadable")
MAY_DIFFER = ("error", "warning")
CHANGED = ("model_attr_converted", "model_attr_default_differs", "model_op_rewritten")
"""The faults of a model that loads and means something else: it depends on its values."""

NAMES = st.sampled_from(["X", "Y", "Out", "axis", "dims"])
MARKS = st.sampled_from(["", "?", "*", "~", "?~", " {extra}", "? {extra}", "~ {extra}", "~ {extra?}"])
VARIABLES = st.lists(st.tuples(NAMES, MARKS), max_size=3, unique_by=lambda item: item[0])
KINDS = st.sampled_from(["INT", "LONG", "FLOAT", "BOOLEAN"])
TAILS = st.sampled_from(["", " = 1", " = 2", " = 1 {extra}", " = 2 {extra}", " = 1 {extra?}"])
BOUNDS = st.sampled_from([" >= null", " >= 1", " >= 2"])


@st.composite
def paddle_ops(draw_single):
    inputs, outputs = (", ".join(name + mark for name, mark in draw_single(VARIABLES)) for _ in range(2))
    attrs = []
    for name in draw_single(st.lists(NAMES, max_size=3, unique=True)):
        kind, tail = draw_single(KINDS), draw_single(TAILS)
        if kind == "BOOLEAN":
            tail = tail.replace("1", "true").replace("2", "false")
        attrs.append(f"{name}: {kind}{draw_single(BOUNDS) if kind != 'BOOLEAN' else ''}{tail}")
    return f"f({inputs}) -> ({outputs}) [{', '.join(attrs)}]"


TYPES = st.sampled_from(["float", "int32", "T", "N * T"])
TENSORS = st.lists(st.tuples(st.sampled_from(["x", "y", "z"]), TYPES), max_size=3, unique_by=lambda item: item[0])
MORE = st.lists(
    st.sampled_from(["a: int", "a: int = 1", "a: int = 2", "a: int >= 1", "b: string", 'b: string = "v"', "c: bool"]),
    max_size=3,
    unique_by=lambda item: item[0],
)
OF_TYPES = st.sampled_from(["T: type", 'T: type = "float"', 'T: type in ["float"]', 'T: type in ["int32", "float"]'])


@st.composite
def tensorflow_ops(draw_single):
    inputs, outputs = (", ".join(f"{name}: {kind}" for name, kind in draw_single(TENSORS)) for _ in range(2))
    attrs = [*draw_single(MORE), draw_single(OF_TYPES), draw_single(st.sampled_from(["N: int >= 1", "N: int = 2"]))]
    return f"f({inputs}) -> ({outputs}) [{', '.join(attrs)}]"


def specs(framework, lines):
    binding = "signature" if framework == "tensorflow" else "name"
    for line in lines:
        spec = parse(line, framework=framework, binding=binding)
        versions = GraphVersions(producer=561, min_consumer=0, min_producer=0) if framework == "tensorflow" else None
        yield spec.replace(provenance=spec.provenance.replace(version="2.6.2"), graph_versions=versions)


def samples(op, wrote):
    """The usual model of an op, and one without each attr that may be left out."""
    usual = draw.usual(op, wrote)
    yield True, usual
    yield from ((False, usual.without(attr.name)) for attr in op.attrs if attr.name in usual.attrs)


def faults(data, spec, wrote, loads, folder):
    path = folder / f"model{wrote.suffix}"
    path.write_bytes(data)
    (report,) = audit(str(path), [("spec", spec)], [loads], LoadOptions())
    return report.verdict, [finding for finding in report.findings if finding.level == "error"]


def holds(framework, wrote, loads, folder, lines):
    base, head = specs(framework, lines)
    findings = check(base, head, SHARED).findings
    for is_usual, sample in samples(base.ops["f"], wrote):
        try:
            data = wrote.write(sample, base)
        except UnwritableError:
            continue
        if faults(data, base, wrote, loads, folder)[0] in STOPS:
            continue
        verdict, stopped_by = faults(data, head, wrote, loads, folder)
        texts = ("error",) if is_usual else MAY_DIFFER
        assert verdict not in STOPS or any(finding.level in texts for finding in findings), (lines, stopped_by)
        for fault in stopped_by:
            named = [
                finding
                for finding in findings
                if fault.name in (finding.name, finding.new_name) or fault.kind != "attr"
            ]
            enough = MAY_DIFFER if fault.rule in CHANGED else texts
            assert any(finding.level in enough for finding in named), (lines, fault.message)


EXAMPLES = [
    pytest.param("paddle", paddle_ops(), "program_desc", "legacy_executor", id="paddle"),
    pytest.param("tensorflow", tensorflow_ops(), "graph_def", "import_graph_def", id="tensorflow"),
]


@pytest.mark.parametrize(("framework", "ops", "wrote", "loads"), EXAMPLES)
def test_what_stops_a_model_is_detected_between_the_specs(framework, ops, wrote, loads, tmp_path):
    @settings(max_examples=250)
    @given(st.tuples(ops, ops))
    def every(lines):
        holds(framework, WRITERS.load(wrote), LOADERS.load(loads), tmp_path, lines)

    every()
