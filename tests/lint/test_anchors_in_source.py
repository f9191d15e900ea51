"""The anchors of findings about sources: at the named thing, or at the place nearest to its former one."""

from __future__ import annotations

from opspec_lint.lint.check import check
from opspec_lint.spec.model import Checkpoint, Op, Origin, Output, Provenance, Spec, Update


def at(line, file="a.cc"):
    return Origin(file=file, line=line, column=1)


def spec(ops, histories=()):
    return Spec(
        file="tree",
        provenance=Provenance(framework="paddle"),
        ops={name: Op(name=name, origin=origin) for name, origin in ops.items()},
        op_versions={name: (Checkpoint(updates=(Update(action="bugfix"),)),) for name in histories},
        history_origins={name: ((at(line), at(line + 1)),) for name, line in dict(histories).items()},
    )


def places(base, head, rule):
    return [
        (finding.base_origin, finding.head_origin) for finding in check(base, head).findings if finding.rule == rule
    ]


def test_an_op_that_is_gone_is_anchored_to_the_nearest_op_of_its_file():
    base = spec({"f": at(50), "g": at(10), "h": at(60), "i": at(51, "b.cc")})
    head = spec({"g": at(10), "h": at(70), "i": at(51, "b.cc")})
    assert places(base, head, "op_removed") == [(at(50), at(70))]


def test_the_lost_history_of_what_is_no_op_is_anchored_to_the_nearest_op_of_its_file():
    ops = {"g": at(10), "h": at(70), "i": at(51, "b.cc")}
    result = places(spec(ops, {"f": 50}), spec(ops), "op_version_lost")
    assert [(base.line, head) for base, head in result] == [(50, at(70))]


def test_what_a_single_build_alone_declared_is_anchored_to_the_op_that_all_builds_have_now():
    plain = Op(name="f", origin=at(20, "b.cc"))
    variant = Op(name="f [xpu]", origin=at(50), outputs=(Output(name="Y", extra=False, origin=at(55)),))
    others = {"e": Op(name="e", origin=at(54)), "g": Op(name="g", origin=at(9, "b.cc"))}
    base = spec({}).replace(ops={"f": plain, "f [xpu]": variant, **others})
    head = spec({}).replace(ops={"f": plain, **others})
    assert places(base, head, "output_removed") == [(at(55), at(20, "b.cc"))]


def test_a_source_tree_has_places_next_to_a_file_without():
    tree, file = spec({"f": at(50), "g": at(10)}), spec({"g": None})
    assert places(tree, file, "op_removed") == [(at(50), None)]
    assert places(file, tree, "op_added") == [(None, at(50))]
