"""The profiles that `saved-model` stands for: how one is found, and what the measured rules of the loaders ask for."""

from __future__ import annotations

import pytest

from opspec_lint.kit.errors import UsageError
from opspec_lint.lint import profile
from opspec_lint.lint.check import check
from opspec_lint.lint.examples import parse
from opspec_lint.lint.profile import PROFILES
from opspec_lint.spec.fields import FRAMEWORKS
from opspec_lint.spec.model import GraphVersions

SHARED = PROFILES.load("saved-model")
SIGNATURE = "signature"
BINDINGS = {"tensorflow": SIGNATURE, "paddle-pir": "name"}
"""Of frameworks whose first binding is not that of their releases."""


def spec(text, framework, version=None, written=None):
    parsed = parse(text, framework=framework, binding=BINDINGS.get(framework) or FRAMEWORKS.load(framework).bindings[0])
    versions = None if written is None else GraphVersions(producer=written, min_consumer=0, min_producer=0)
    return parsed.replace(provenance=parsed.provenance.replace(version=version), graph_versions=versions)


def levels(base, head, framework="paddle", policy=SHARED, **more):
    sides = [spec(text, framework, **more) for text in (base, head)]
    return {finding.rule: finding.level for finding in check(*sides, policy).findings}


@pytest.mark.parametrize(("framework", "own"), sorted(profile.framework_variants(SHARED).items()))
def test_the_shared_profile_is_that_of_the_framework(framework, own):
    report = check(spec("f() -> ()", framework), spec("g() -> ()", framework), SHARED)
    assert report.profile == own == f"{framework}-saved-model"
    assert profile.PROFILES.framework_of(own) == framework


def test_a_framework_without_one_is_refused():
    with pytest.raises(UsageError) as caught:
        check(spec("f() -> ()", "flatbuffers"), spec("g() -> ()", "flatbuffers"), SHARED)
    assert "'saved-model' has no levels for specs of flatbuffers" in caught.value.message
    assert ", ".join(sorted(profile.framework_variants(SHARED))) in caught.value.advice


def test_levels_of_a_configuration_reach_the_profile_of_the_framework():
    result = levels("f() -> () [a: INT]", "f() -> ()", policy=SHARED.with_levels({"attr_removed": "note"}))
    assert result["attr_removed"] == "note"


ADDED = [
    ("f(X) -> ()", "f(X, Y) -> ()", ("backward",)),
    ("f(X) -> ()", "f(X, Y?) -> ()", ()),
    ("f(X) -> (Out)", "f(X) -> (Out, Mask)", ("backward",)),
    ("f(X) -> (Out)", "f(X) -> (Out, Mask?)", ()),
    ("f(X) -> ()", "f(X) -> () [a: INT]", ("backward",)),
    ("f(X) -> ()", "f(X) -> () [a: INT = 1]", ()),
    ("f(X) -> (Out, Mask {extra})", "f(X) -> (Out, Mask)", ("backward",)),
    ("f(X) -> () [a: INT = 1]", "f(X) -> ()", ("backward", "forward")),
    ("f(X) -> ()", "g(X) -> ()", ("forward",)),
]


@pytest.mark.parametrize(("base", "head", "directions"), ADDED)
def test_an_older_paddle_ignores_what_an_op_has_got_since(base, head, directions):
    """Measured: of 8 programs with more inputs, outputs and attrs than the older release has, 8 run there."""
    findings = check(spec(base, "paddle", "2.6.2"), spec(head, "paddle", "3.0.0"), SHARED).findings
    assert [finding.directions for finding in findings if finding.rule != "op_removed"] == [directions]


def test_an_older_paddle_does_not_parse_an_attr_of_a_type_that_it_lacks():
    base, head = spec("f(X) -> ()", "paddle", "1.8.5"), spec("f(X) -> () [a: SCALARS = []]", "paddle", "3.0.0")
    base = base.replace(ops={**base.ops, "g": spec("g() -> () [a: LONGS]", "paddle").ops["g"]})
    assert {finding.rule: finding.directions for finding in check(base, head, SHARED).findings} == {
        "attr_added_with_default": ("forward",),
        "op_removed": ("backward",),
    }


PADDLE = [
    ("f(X) -> ()", "g(X) -> ()", "op_removed", "error"),
    ("f(X) -> ()", "f(X, Y) -> ()", "input_added_not_dispensable", "error"),
    ("while(X) -> ()", "while(X, Y) -> ()", "input_added_not_dispensable", "note"),
    ("f(X, Y) -> ()", "f(X) -> ()", "input_removed", "warning"),
    ("f(X) -> (Out)", "f(X) -> (Out, Mask)", "output_added_not_dispensable", "error"),
    ("f(X) -> (Out)", "f(X) -> (Out, Mask~)", "output_added_not_dispensable", "warning"),
    ("f(X) -> (Out)", "f(X) -> (Out, Mask~ {extra?})", "output_added_not_dispensable", "error"),
    ("flatten2(X) -> (Out)", "flatten2(X) -> (Out, XShape~)", "output_added_not_dispensable", "error"),
    (
        "flatten2(X) -> (Out, XShape~ {extra})",
        "flatten2(X) -> (Out, XShape~)",
        "extra_cleared_not_optional",
        "error",
    ),
    ("f(X) -> (Out, Mask~ {extra})", "f(X) -> (Out, Mask~)", "extra_cleared_not_optional", "warning"),
    ("f(X) -> (Out, Mask)", "f(X) -> (Out)", "output_removed", "error"),
    ("f(X) -> (Out, Mask~)", "f(X) -> (Out)", "output_removed", "note"),
    ("f(X) -> (Out, Mask?)", "f(X) -> (Out)", "output_removed", "warning"),
    ("f(X, LastH?) -> ()", "f(X, last_h?) -> ()", "input_renamed", "error"),
    ("f(X) -> (Out, Mask~)", "f(X) -> (Out, Mask)", "intermediate_cleared", "warning"),
    ("f(X) -> (Out, Mask?~)", "f(X) -> (Out, Mask?)", "intermediate_cleared", "note"),
    ("f(X) -> (Out, S {extra})", "f(X) -> (Out, S)", "extra_cleared_not_optional", "error"),
    ("f(X) -> (Out, S~ {extra})", "f(X) -> (Out, S~)", "extra_cleared_not_optional", "warning"),
    ("f(X) -> (Out, S~ {extra})", "f(X) -> (Out, S~ {extra?})", "extra_unsaid", "error"),
    ("f(X?) -> ()", "f(X) -> ()", "dispensable_cleared", "error"),
    ("f(X*) -> ()", "f(X) -> ()", "duplicable_cleared", "error"),
    ("f() -> () [a: INT]", "f() -> ()", "attr_removed", "warning"),
    ("f() -> () [a: INT {extra}]", "f() -> ()", "attr_removed", "note"),
    ("f() -> ()", "f() -> () [a: INT]", "attr_added_without_default", "error"),
    ("f() -> ()", "f() -> () [a: INT = 1]", "attr_added_with_default", "note"),
    ("f() -> () [a: INT = 1]", "f() -> () [a: INT = 2]", "attr_default_changed", "warning"),
    ("f() -> () [a: INT = 1 {extra}]", "f() -> () [a: INT = 2 {extra}]", "attr_default_changed", "warning"),
    ("f() -> () [a: INT = 1]", "f() -> () [a: INT]", "attr_default_removed", "warning"),
    ("f() -> () [a: INT]", "f() -> () [a: LONG]", "attr_type_changed", "note"),
    ("f() -> () [a: FLOAT]", "f() -> () [a: LONG]", "attr_type_changed", "warning"),
    ("f() -> () [a: LONG]", "f() -> () [a: INT]", "attr_type_changed", "error"),
    ("f() -> () [a: INT]", "f() -> () [a: INTS]", "attr_type_changed", "error"),
    ("f() -> () [a: INT <= 9]", "f() -> () [a: INT <= 8]", "maximum_lowered", "error"),
    ("flip() -> () [dims: INTS]", "flip() -> () [axis: INTS]", "attr_renamed", "error"),
    ("f() -> () [data_dims: INTS = []]", "f() -> () [data_dim: INTS = []]", "attr_renamed", "error"),
]


@pytest.mark.parametrize(("base", "head", "rule", "level"), PADDLE)
def test_paddle(base, head, rule, level):
    assert levels(base, head)[rule] == level


def test_an_attr_of_a_type_that_the_release_cannot_parse_stops_the_program():
    of_old, of_new = spec("f() -> () [b: LONGS]", "paddle", "1.8.5"), spec("f() -> () [b: LONGS]", "paddle", "2.6.2")
    saved = spec("f() -> () [b: LONGS, a: FLOAT64S]", "paddle", "2.6.2")
    for head, level in ((of_old, "error"), (of_new, "warning")):
        (result,) = (finding for finding in check(saved, head, SHARED).findings if finding.rule == "attr_removed")
        assert result.level == level


@pytest.mark.parametrize(
    ("base", "head", "is_detected"),
    [("2.6.2", "3.0.0", True), ("3.0.0", "3.1.0", False), ("3.0.0", "2.6.2", False), (None, "3.0.0", False)],
)
def test_the_predictor_of_paddle_3_aligns_shapes_in_another_way(base, head, is_detected):
    add = "elementwise_add(X, Y) -> (Out) [axis: INT = -1]"
    findings = check(spec(add, "paddle", base), spec(add, "paddle", head), SHARED).findings
    assert [finding.rule for finding in findings] == ["predictor_broadcast_changed"] * is_detected
    assert check(spec(add, "paddle", base), spec(add, "paddle", head)).findings == ()


TENSORFLOW = [
    ("f() -> () [a: int]", "f() -> ()", 561, "attr_removed", "error"),
    ("f() -> () [a: int]", "f() -> ()", 987, "attr_removed", "warning"),
    ("f() -> () [a: int]", "f() -> ()", None, "attr_removed", "error"),
    ("f() -> () [a: int = 1]", "f() -> () [a: int = 2]", 987, "attr_default_changed", "error"),
    ("f(x: T) -> (y: T)", "f(x: T) -> (y: T, z: T)", 987, "output_added_not_dispensable", "note"),
    ("f(x: T) -> (y: T)", "f(x: T) -> (z: T, y: T)", 987, "output_added_not_dispensable", "error"),
    ("f(x: T) -> (y: T)", "f(x: T) -> (z: T)", 987, "output_renamed", "error"),
    ("f(x: T) -> ()", "f(w: T) -> ()", 987, "argument_name_changed", "note"),
    ("f() -> () deprecated null", 'f() -> () deprecated "g" from 987', 987, "deprecation_changed_refused", "error"),
]


@pytest.mark.parametrize(("base", "head", "written", "rule", "level"), TENSORFLOW)
def test_tensorflow(base, head, written, rule, level):
    assert levels(base, head, "tensorflow", written=written)[rule] == level


def test_a_deprecation_as_of_a_version_that_nobody_wrote_stops_nothing():
    base, head = "f() -> () deprecated null", 'f() -> () deprecated "g" from 988'
    assert "deprecation_changed_refused" not in levels(base, head, "tensorflow", written=987)
