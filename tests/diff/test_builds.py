from __future__ import annotations

import pytest

from opspec_lint.diff.specs import diff
from opspec_lint.diff.variants import align_variants
from opspec_lint.frameworks.paddle.profiles.paddle import PROFILE
from opspec_lint.lint.judge import judge
from opspec_lint.lint.profiles.strict import PROFILE as STRICT
from opspec_lint.spec.model import Provenance
from opspec_lint.spec.notation import parse_spec


def reported(base, head, makers=("m", "m")):
    specs = (
        parse_spec(text).replace(provenance=Provenance(framework="paddle", made_by=maker))
        for text, maker in zip((base, head), makers, strict=True)
    )
    return [fact for fact in diff(*align_variants(*specs)) if fact.event.startswith("builds")]


@pytest.mark.parametrize(
    ("base", "head", "events"),
    [
        ("f() -> ()", 'f() -> () builds ["gpu"]', [("builds_lost", "cpu, xpu", "gpu")]),
        ('f() -> () builds ["gpu"]', "f() -> ()", [("builds_gained", "cpu, xpu", "")]),
        ('f() -> () builds ["none"]', 'f() -> () builds ["gpu"]', [("builds_gained", "gpu", "gpu")]),
        ('f() -> () builds ["gpu"]', 'f() -> () builds ["none"]', [("builds_lost", "gpu", "none")]),
        ('f() -> () builds ["gpu"]', 'f() -> () builds ["xpu"]', [("builds_lost", "gpu", "xpu")]),
        ('f() -> () builds ["gpu", "cpu"]', 'f() -> () builds ["cpu", "gpu"]', []),
        ("f() -> ()", 'f() -> () builds ["cpu", "xpu"]\n"f [gpu]"(X?) -> () builds ["gpu"]', []),
        ('f() -> () builds ["cpu", "xpu"]\n"f [gpu]"(X?) -> () builds ["gpu"]', "f() -> ()", []),
        (
            'f() -> () builds ["cpu", "xpu"]\n"f [gpu]"(X?) -> () builds ["gpu"]',
            'f() -> () builds ["cpu", "xpu"]',
            [("builds_lost", "gpu", "cpu, xpu")],
        ),
        ("", 'f() -> () builds ["gpu"]', []),
        ('f() -> () builds ["gpu"]', "", []),
    ],
)
def test_builds_that_an_op_leaves_or_comes_to(base, head, events):
    assert [(fact.event, fact.facts["builds"], fact.facts["left"]) for fact in reported(base, head)] == events


def test_what_one_of_two_sources_does_not_know_is_not_compared():
    makers = ("print_op_desc", "paddle-source")
    assert reported("f() -> ()", 'f() -> () builds ["gpu"]', makers) == []
    assert len(reported('f() -> () builds ["cpu"]', 'f() -> () builds ["gpu"]', makers)) == 1


@pytest.mark.parametrize("head", ["none", "cinn"])
def test_another_kind_of_source_does_not_excuse_an_op_that_no_released_build_has(head):
    changes = reported("f() -> ()", f'f() -> () builds ["{head}"]', ("print_op_desc", "paddle-source"))
    assert [(fact.event, fact.facts["builds"]) for fact in changes] == [("builds_lost", "cpu, gpu, xpu")]
    assert reported('f() -> () builds ["none"]', "f() -> ()", ("print_op_desc", "paddle-source")) == []


@pytest.mark.parametrize(
    ("builds", "level"), [('["cpu"]', "error"), ('["cpu", "gpu", "xpu"]', "error"), ('["cinn"]', "note")]
)
def test_a_build_that_nobody_releases_is_a_note(builds, level):
    changes = reported(f"f() -> () builds {builds}", 'f() -> () builds ["none"]')
    assert [finding.level for finding in judge(changes, PROFILE, framework="paddle")] == [level]
    assert [finding.level for finding in judge(changes, STRICT, framework="paddle")] == ["error"]
