from __future__ import annotations

import pytest

from opspec_lint.documents.decode import decode
from opspec_lint.kit.errors import FAILED, USAGE, InputError, UsageError
from opspec_lint.lint import examples, profile
from opspec_lint.lint.check import check, report
from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import Comparison
from opspec_lint.sources import recognise
from opspec_lint.spec.fields import FRAMEWORKS
from opspec_lint.spec.model import Provenance
from opspec_lint.spec.notation import parse_spec
from tests.support import per_framework

BASE = "abs(X) -> (Out)\nmatmul(X, Y) -> (Out) [alpha: FLOAT = 1.0]\nzeros() -> (Out)"
HEAD = "abs(X?) -> (Out)\nmatmul(X, Y) -> (Out) [alpha: FLOAT = 2.0, beta: FLOAT]\nones() -> (Out)"
EXAMPLES = per_framework.every("EXAMPLES")


def empty():
    return recognise.spec_of(decode(b"{}", "empty.json"))


def test_a_comparison_shows_what_was_compared():
    base = parse_spec(BASE).replace(file="old.json", provenance=Provenance(framework="paddle", version="1.0"))
    head = parse_spec(HEAD).replace(file="new.json")
    result = check(base, head)
    assert (result.base.file, result.base.provenance.version, result.base.ops) == ("old.json", "1.0", 3)
    assert (result.head.file, result.head.provenance.version, result.head.ops) == ("new.json", None, 3)
    assert result.profile == "paddle"
    assert [(finding.op, finding.rule) for finding in result.findings] == [
        ("abs", "dispensable_set"),
        ("matmul", "attr_default_changed"),
        ("matmul", "attr_added_without_default"),
        ("ones", "op_added"),
        ("zeros", "op_removed"),
    ]
    whole = report(result)
    assert (whole.count("error"), whole.count("warning"), whole.count("note")) == (4, 0, 1)
    assert whole.failed


@pytest.mark.parametrize(
    ("head", "failed"),
    [
        ("abs(X) -> (Out)", False),
        ("abs(X) -> (Out)\nnew(X) -> (Out)", False),
        ("abs(X, Y?) -> (Out) [a: INT = 0]", False),
        ("abs(X) -> (Out) [a: INT {extra}]", False),
        ("abs(X, Y) -> (Out)", True),
        ("abs(X?) -> (Out)", True),
        ("new(X) -> (Out)", True),
    ],
)
def test_only_errors_fail(head, failed):
    whole = report(check(parse_spec("abs(X) -> (Out)"), parse_spec(head)))
    assert whole.failed is failed
    assert whole.failed is (whole.count("error") > 0)


def test_nothing_left_means_every_op_was_removed():
    result = check(parse_spec(BASE), empty())
    assert [(finding.rule, finding.level, finding.op) for finding in result.findings if finding.op] == [
        ("op_removed", "error", op) for op in ("abs", "matmul", "zeros")
    ]
    assert (report(result).failed, result.head.ops) == (True, 0)


@pytest.mark.parametrize("head", [BASE, ""])
def test_a_base_without_ops_is_refused(head):
    with pytest.raises(InputError, match=r"^empty\.json: base has no ops") as caught:
        check(empty(), parse_spec(head))
    assert caught.value.exit_code == FAILED
    assert caught.value.advice


def test_two_frameworks_are_refused():
    another = parse_spec(BASE, framework="tensorflow").replace(file="tf.json")
    for base, head, texts in (
        (parse_spec(BASE), another, r"^tf\.json: is a spec of tensorflow, but base \(notation\) is one of paddle"),
        (another, parse_spec(BASE), r"^notation: is a spec of paddle, but base \(tf\.json\) is one of tensorflow"),
    ):
        with pytest.raises(InputError, match=texts) as caught:
            check(base, head)
        assert caught.value.exit_code == FAILED


def test_only_some_ops():
    report = check(parse_spec(BASE), parse_spec(HEAD), only=["zeros", "abs"])
    assert [finding.op for finding in report.findings] == ["abs", "zeros"]
    assert report.only == ("zeros", "abs")
    assert [finding.op for finding in check(parse_spec(BASE), parse_spec(HEAD), only=["ones"]).findings] == ["ones"]


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("matmull", "did you mean 'matmul'?"),
        ("one", "did you mean 'ones'?"),
        ("??", "expected one of: abs, matmul, ones, zeros"),
    ],
)
def test_an_op_that_neither_has_is_refused_with_the_nearest(name, advice):
    with pytest.raises(UsageError) as caught:
        check(parse_spec(BASE), parse_spec(HEAD), only=["abs", name])
    assert (caught.value.message, caught.value.advice) == (f"unknown op {name!r}", advice)
    assert caught.value.exit_code == USAGE


@pytest.mark.parametrize(
    ("framework", "policy"), [("paddle", "paddle"), ("tensorflow", None), ("a framework of tomorrow", "strict")]
)
def test_the_framework_decides_the_profile(framework, policy):
    report = check(parse_spec(BASE, framework=framework), parse_spec(HEAD, framework=framework))
    assert report.profile == (policy or profile.default_for(framework).name)


@pytest.mark.parametrize("name", [name for name in PROFILES.names() if not PROFILES.load(name).is_shared])
def test_the_profile_that_is_requested_judges(name):
    framework = PROFILES.framework_of(name) or "paddle"
    binding = FRAMEWORKS.load(framework).bindings[0]
    base, head = (
        parse_spec(item).replace(provenance=Provenance(framework=framework), binding=binding) for item in (BASE, HEAD)
    )
    if framework in EXAMPLES:
        base, head = (
            examples.parse(item, framework=framework).replace(binding=binding) for item in EXAMPLES[framework]
        )
    result = check(base, head, PROFILES.load(name))
    assert result.profile == name
    assert (report(result).count("note") == 0) is (name == "strict")


def test_the_profile_of_another_framework_does_not_judge():
    others = [name for name in PROFILES.names() if PROFILES.load(name).framework not in ("", "paddle")]
    assert "tensorflow" in others
    for name in others:
        policy = PROFILES.load(name)
        with pytest.raises(UsageError, match=f"^the profile '{name}' is for specs of .*, and .* is one of paddle$"):
            check(parse_spec(BASE), parse_spec(HEAD), policy)


def test_neither_side_is_changed():
    base, head = parse_spec(BASE), parse_spec(HEAD)
    check(base, head)
    assert (base, head) == (parse_spec(BASE), parse_spec(HEAD))


def test_two_runs_are_the_same():
    first, two = (check(parse_spec(BASE), parse_spec(HEAD)) for _ in range(2))
    assert isinstance(first, Comparison)
    assert first == two
