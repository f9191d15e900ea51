from __future__ import annotations

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.diff.variants import align_variants
from opspec_lint.frameworks.paddle.formats import print_op_desc
from opspec_lint.spec.identity import build_of, build_variant, without_build
from opspec_lint.spec.model import Input, Op, Provenance, Spec


def spec(**inputs):
    ops = {name: Op(name=name, inputs=tuple(Input(name=name) for name in names)) for name, names in inputs.items()}
    return Spec(file="f", provenance=Provenance(framework="paddle"), ops=ops)


def shown(this):
    return {name: "".join(argument.name for argument in this.ops[name].inputs) for name in this.ops}


def test_specs_without_forms_are_left_alone():
    base, head = spec(f="X"), spec(f="Y")
    assert align_variants(base, head) == (base, head)


def test_a_form_that_a_single_side_lacks_is_compared_with_the_plain_op():
    base, head = align_variants(
        spec(**{"f": "X", "g": "A", "g [gpu]": "B"}), spec(**{"f": "X", "f [gpu]": "Y", "g": "A"})
    )
    assert shown(base) == {"f": "X", "g": "A", "g [gpu]": "B", "f [gpu]": "X"}
    assert shown(head) == {"f": "X", "f [gpu]": "Y", "g": "A", "g [gpu]": "A"}
    assert base.ops["f [gpu]"].name == "f [gpu]"


def test_a_form_of_an_op_that_a_single_side_lacks_altogether_is_its_own():
    base, head = align_variants(spec(g="A"), spec(**{"f": "X", "f [gpu]": "Y", "g": "A"}))
    assert shown(base) == {"g": "A"}
    assert len(head.ops) == 3


def test_a_duplicate_that_no_build_contains_comes_and_goes_in_silence():
    with_duplicate = spec(**{"f": "X", "f [none]": "Y", "g": "A"})
    for pair in ((with_duplicate, spec(f="X", g="A")), (spec(f="X", g="A"), with_duplicate)):
        base, head = align_variants(*pair)
        assert shown(base) == shown(head) == {"f": "X", "g": "A"}
    changed = spec(**{"f": "X", "f [none]": "Z", "g": "A"})
    assert align_variants(with_duplicate, changed) == (with_duplicate, changed)
    base, head = align_variants(with_duplicate, spec(g="A"))
    assert (len(base.ops), len(head.ops)) == (3, 1)


@pytest.mark.parametrize(
    ("identity", "plain_op", "build"),
    [
        ("f", "f", None),
        ("f [gpu]", "f", "gpu"),
        ("a::f.x@3 [mlu]", "a::f.x@3", "mlu"),
        ("f[0]", "f[0]", None),
        ("]", "]", None),
    ],
)
def test_a_variant_is_reported_by_its_build(identity, plain_op, build):
    assert (without_build(identity), build_of(identity)) == (plain_op, build)
    assert build is None or build_variant(plain_op, build) == identity


def test_a_variant_costs_no_op_that_is_the_same():
    """A single variant once had every op built and compared; only those that differ may be."""
    before = {f"op{number}": {"Inputs": {}, "Outputs": {}, "Attrs": {}} for number in range(50)}
    after = before | {"op7 [gpu]": {"Inputs": {"X": {}}, "Outputs": {}, "Attrs": {}}}
    built = []
    tables = [print_op_desc.load(side, "x").ops for side in (before, after)]
    for table in tables:
        make = table._build
        table._build = lambda name, record, make=make: built.append(name) or make(name, record)
    base, head = align_variants(
        *(Spec(file="x", provenance=Provenance(framework="paddle"), ops=table) for table in tables)
    )
    assert diff(base, head)[0].event == "input_added_not_dispensable"
    assert set(built) == {"op7 [gpu]"}
