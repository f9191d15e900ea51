"""PIR programs checked against what a release declares of PIR ops."""

from __future__ import annotations

import pytest

from opspec_lint.models.audit import audit
from opspec_lint.models.loader import LOADERS, LoadOptions
from opspec_lint.spec.model import UNKNOWN, Attr, GraphVersions, Input, Op, Output, Provenance, Spec
from tests.support.models.pir_models import attr, op, program, regions

BOOL, LONG = "pir::BoolAttribute", "pir::Int64Attribute"
DATA = Op(name="pd_op.data", outputs=(Output(name="out"),), variadic=False)
F = Op(
    name="pd_op.f",
    inputs=(Input(name="x", dispensable=False), Input(name="y", dispensable=True)),
    outputs=(Output(name="out", dispensable=False),),
    attrs=(Attr(name="a", type=BOOL, default_value=False),),
    variadic=False,
)


def spec(*ops, version=1):
    return Spec(
        file="spec",
        provenance=Provenance(framework="paddle-pir", version="3.0.0"),
        ops={item.name: item for item in (DATA, *ops)},
        binding="position",
        graph_versions=GraphVersions(producer=version, min_producer=1),
    )


def audited(tmp_path, *ops, against, loader="pir_json", **header):
    path = tmp_path / "m.json"
    path.write_bytes(program(op("1.data", [], [1]), *ops, **header))
    (result,) = audit(str(path), [("spec", against)], [LOADERS.load(loader)], LoadOptions())
    return result


WRITTEN = (attr("a", True, "0.a_bool"),)


def f(inputs=(1, 0), outputs=(2,), attrs=WRITTEN):
    return op("1.f", inputs, outputs, attrs)


@pytest.mark.parametrize(
    ("node", "rule", "reason"),
    [
        (f(), None, None),
        (f(attrs=[attr("a", True, "0.a_bool"), attr("b", 1, "0.a_i32")]), "model_attr_unknown", None),
        (f(attrs=()), "model_attr_missing", "missing_attr"),
        (f(attrs=[attr("a", 1, "0.a_i32")]), "model_attr_type", "attr_type"),
        (f((1,)), "model_input_count", "input_count"),
        (f((1, 1, 1)), "model_input_count", "input_count"),
        (f((0, 1)), "model_input_missing", "input_missing"),
        (f((77, 1)), "model_input_missing", "input_missing"),
        (f(outputs=()), "model_output_count", "output_count"),
        (f(outputs=(2, 3)), "model_output_count", "output_count"),
        (op("1.g", [1], [2]), "model_op_unknown", "unknown_op"),
        (op("0.combine", [1], [2]), None, None),
    ],
)
def test_what_an_op_stops_at(tmp_path, node, rule, reason):
    report = audited(tmp_path, node, against=spec(F))
    assert [finding.rule for finding in report.findings] == ([rule] if rule else [])
    assert (report.verdict, report.reason) == ("fails_at_run" if reason else "loads", reason)
    created = audited(tmp_path, node, against=spec(F), loader="pir_predictor")
    assert (created.verdict, created.reason) == ("refused" if reason else "loads", reason)


def test_values_of_the_block_around_are_known(tmp_path):
    inner = regions(f((1, 0), (5,)))
    owner = op("1.if", [1], [6], regions=inner)
    result = audited(tmp_path, owner, against=spec(F, Op(name="pd_op.if", variadic=True)))
    assert result.verdict == "loads"


def test_a_type_that_the_spec_does_not_know_is_not_held_against_a_program(tmp_path):
    unknown = F.replace(attrs=(Attr(name="a"),))
    assert audited(tmp_path, f(), against=spec(unknown)).verdict == "loads"


@pytest.mark.parametrize(("given", "verdict"), [((1, 1), "loads"), ((1, 0), "cannot_tell"), ((0, 0), "cannot_tell")])
def test_whether_an_input_that_is_not_given_is_optional_has_to_be_known(tmp_path, given, verdict):
    unknown = F.replace(inputs=tuple(argument.replace(dispensable=UNKNOWN) for argument in F.inputs))
    report = audited(tmp_path, f(given), against=spec(unknown))
    assert (report.verdict, {finding.rule for finding in report.findings}) == (
        verdict,
        {"model_not_judged"} if 0 in given else set(),
    )


PATCH = {"version": 2, "kind": "modify_attr", "target": "a", "type": LONG}


@pytest.mark.parametrize(("of_file", "verdict"), [(1, "loads"), (2, "fails_at_run"), (3, "fails_at_run")])
def test_patches_are_applied_to_older_files(tmp_path, of_file, verdict):
    changed = F.replace(attrs=(Attr(name="a", type=LONG),), own={"variadic": False, "patches": (PATCH,)})
    assert audited(tmp_path, f(), against=spec(changed, version=2), version=of_file).verdict == verdict


def test_a_patch_renames_the_op_of_older_files(tmp_path):
    renaming = {"version": 2, "kind": "modify_name", "data": "pd_op.g", "of": "pd_op.f"}
    new = F.replace(name="pd_op.g", own={"variadic": False, "patches": (renaming,)})
    assert audited(tmp_path, f(), against=spec(new, version=2)).verdict == "loads"
    assert audited(tmp_path, f(), against=spec(new, version=2), version=2).verdict == "fails_at_run"


@pytest.mark.parametrize(("develop", "verdict"), [(0, "loads"), (1, "fails_at_run")])
def test_patches_for_the_next_release_are_applied_between_two_releases(tmp_path, develop, verdict):
    changed = F.replace(
        attrs=(Attr(name="a", type=LONG),), own={"variadic": False, "patches": ({**PATCH, "version": 0},)}
    )
    head = spec(changed).replace(loading={"develop_version": develop, "release_version": 1})
    assert audited(tmp_path, f(), against=head).verdict == verdict


@pytest.mark.parametrize(("of_file", "verdict"), [(1, "cannot_tell"), (2, "fails_at_run")])
def test_patches_of_a_number_that_is_not_known_may_repair_a_program(tmp_path, of_file, verdict):
    changed = F.replace(attrs=(Attr(name="a", type=LONG),), own={"variadic": False, "patches": None})
    assert audited(tmp_path, f(), against=spec(changed, version=2), version=of_file).verdict == verdict
    assert (
        audited(tmp_path, f(), against=spec(F.replace(own=changed.own), version=2), version=of_file).verdict == "loads"
    )


@pytest.mark.parametrize(("kind", "verdict"), [("attr", "fails_at_run"), ("type", "cannot_tell")])
def test_patches_replace_a_type_in_older_files(tmp_path, kind, verdict):
    head = spec(F, version=2).replace(loading={"retyped": ((2, kind, BOOL, LONG),)})
    assert audited(tmp_path, f(), against=head).verdict == verdict
    assert audited(tmp_path, f(), against=head, version=2).verdict == "loads"
