from __future__ import annotations

import pytest

from opspec_lint.builds import align, capped
from opspec_lint.findings import Finding
from opspec_lint.model import Input, Op, Provenance, Spec


def spec(**inputs):
    ops = {name: Op(name=name, inputs=tuple(Input(name=each) for each in names)) for name, names in inputs.items()}
    return Spec(file="f", provenance=Provenance(framework="paddle"), ops=ops)


def shown(this):
    return {name: "".join(each.name for each in this.ops[name].inputs) for name in this.ops}


def test_specs_without_forms_are_left_alone():
    base, head = spec(f="X"), spec(f="Y")
    assert align(base, head) == (base, head)


def test_a_form_that_one_side_lacks_is_compared_with_the_plain_op():
    base, head = align(spec(**{"f": "X", "g": "A", "g [gpu]": "B"}), spec(**{"f": "X", "f [gpu]": "Y", "g": "A"}))
    assert shown(base) == {"f": "X", "g": "A", "g [gpu]": "B", "f [gpu]": "X"}
    assert shown(head) == {"f": "X", "f [gpu]": "Y", "g": "A", "g [gpu]": "A"}
    assert base.ops["f [gpu]"].name == "f [gpu]"


def test_a_form_of_an_op_that_one_side_lacks_altogether_is_its_own():
    base, head = align(spec(g="A"), spec(**{"f": "X", "f [gpu]": "Y", "g": "A"}))
    assert shown(base) == {"g": "A"}
    assert len(head.ops) == 3


@pytest.mark.parametrize(
    ("op", "level", "expected"),
    [
        ("f", "error", "error"),
        ("f [gpu]", "error", "error"),
        ("f [mlu]", "error", "warning"),
        ("f [mlu]", "note", "note"),
        (None, "error", "error"),
    ],
)
def test_forms_that_no_release_has_are_warnings_at_most(op, level, expected):
    finding = Finding(
        rule="r", level=level, directions=(), kind="op", op=op, name=op, message="m", breaks="b", advice="a"
    )
    assert capped(finding).level == expected
