from __future__ import annotations

import hashlib

import pytest

from opspec_lint.diff.op_versions import dangling_registrations
from opspec_lint.diff.specs import diff
from opspec_lint.frameworks.paddle.framework import flags_of
from opspec_lint.kit.errors import UsageError
from opspec_lint.lint import rulebook
from opspec_lint.lint.judge import judge
from opspec_lint.lint.profile import PROFILES, Profile
from opspec_lint.report.findings import LEVELS, mildest, worst
from opspec_lint.spec.model import Attr, Input, Op, Origin, Provenance, Spec
from opspec_lint.spec.notation import parse_spec

PADDLE, PADDLE_2021, STRICT = map(PROFILES.load, ("paddle", "paddle-2021", "strict"))
POLICIES = (PADDLE, PADDLE_2021, STRICT)


def reported(base, head, policy, *, binding="name"):
    specs = [parse_spec(text, binding=binding) for text in (base, head)]
    return [finding for finding in judge(diff(*specs), policy) if finding.kind not in ("registration", "source")]


REASON = "; it is a note as all of this is extra, which is cut when a model is saved"


def test_breaks_of_notes_with_extra_attrs():
    pair = "f() -> () [a: INT = 0 {extra}]", "f() -> () [a: INT = 1 {extra}]"
    for policy, is_exempt in ((PADDLE, True), (STRICT, False)):
        (finding,) = reported(*pair, policy)
        assert (finding.level, finding.breaks.endswith(REASON)) == ("note" if is_exempt else "error", is_exempt)
    (plain,) = reported("f() -> () [a: INT = 0]", "f() -> () [a: INT = 1]", PADDLE)
    assert REASON not in plain.breaks
    (mild,) = reported("f() -> ()", "f() -> () [a: INT = 0]", PADDLE)
    assert (mild.level, REASON in mild.breaks) == ("note", False)


LEVELS_OF = [
    # base, head, levels under paddle, paddle-2021 and strict
    ("f() -> ()", "", "error error error"),
    ("", "f() -> ()", "note note error"),
    ("f() -> () deprecated null", 'f() -> () deprecated "soon"', "note note error"),
    # Additions
    ("f() -> ()", "f(X?) -> ()", "note warning error"),
    ("f() -> ()", "f(X) -> ()", "error error error"),
    ("f() -> ()", "f() -> (Out?)", "note warning error"),
    ("f() -> ()", "f() -> (Out)", "error error error"),
    ("f() -> ()", "f() -> () [a: INT = 0]", "note warning error"),
    ("f() -> ()", "f() -> () [a: INT]", "error error error"),
    ("f() -> ()", "f(X {quant}) -> () [a: INT {quant}]", "error error error"),
    # Deletions
    ("f(X?) -> ()", "f() -> ()", "error error error"),
    ("f() -> (Out?)", "f() -> ()", "error error error"),
    ("f() -> () [a: INT = 0]", "f() -> ()", "error error error"),
    # Modifications, in any direction
    ("f(X) -> ()", "f(X?) -> ()", "error error error"),
    ("f(X?) -> ()", "f(X) -> ()", "error error error"),
    ("f(X) -> ()", "f(X*) -> ()", "error error error"),
    ("f() -> (Out)", "f() -> (Out~)", "error error error"),
    ("f() -> (Out~)", "f() -> (Out)", "error error error"),
    ("f(X {quant}) -> ()", "f(X) -> ()", "error error error"),
    ("f() -> () [a: INT]", "f() -> () [a: INT = 3]", "error error error"),
    ("f() -> () [a: INT = 3]", "f() -> () [a: INT]", "error error error"),
    ("f() -> () [a: INT = 3]", "f() -> () [a: INT = 4]", "error error error"),
    ("f() -> () [a: INT]", "f() -> () [a: LONG]", "error error error"),
    ("f() -> () [a: INT]", "f() -> () [a: INT {generated}]", "error error error"),
    # What the table does not speak of is a warning at most
    ("f(x: T) -> ()", "f(x: U) -> ()", "warning warning error"),
    ("f() -> () [a: T in [1]]", "f() -> () [a: T in [2]]", "error error error"),
    ("f() -> () [a: T in [1]]", "f() -> () [a: T in [1, 2]]", "note note error"),
    ("f() -> () [a: T >= 1]", "f() -> () [a: T >= 2]", "warning warning error"),
    # Extra on both sides, or added or deleted as extra: never an error of the table
    ("f() -> ()", "f(X {extra}) -> ()", "note error error"),
    ("f() -> ()", "f() -> () [a: INT {extra}]", "note error error"),
    ("f() -> ()", "f() -> () [a: INT {extra, quant}]", "note error error"),
    ("f(X {extra}) -> ()", "f() -> ()", "note note error"),
    ("f() -> (Out {extra})", "f() -> ()", "note note error"),
    ("f() -> () [a: INT = 0 {extra}]", "f() -> () [a: INT = 1 {extra}]", "note note error"),
    ("f() -> () [a: INT = 0 {extra}]", "f() -> () [a: LONG = 0 {extra}]", "note note error"),
    ("f(X {extra}) -> ()", "f(X* {extra}) -> ()", "note note error"),
    ("f() -> () [a: INT {extra}]", "f() -> () [a: INT {extra, quant}]", "note note error"),
    ("f() -> () [dims: INTS {extra}]", "f() -> () [axis: INTS {extra}]", "note error error"),
    ("f(X {extra}) -> ()", "f() -> (X {extra})", "note error error"),
    # Stops being extra: an addition. Becomes extra: a modification
    ("f(X {extra}) -> ()", "f(X) -> ()", "error error error"),
    ("f(X? {extra}) -> ()", "f(X?) -> ()", "note warning error"),
    ("f() -> () [a: INT {extra}]", "f() -> () [a: INT]", "error error error"),
    ("f() -> () [a: INT = 0 {extra}]", "f() -> () [a: INT = 0]", "note warning error"),
    ("f(X) -> ()", "f(X {extra}) -> ()", "error error error"),
    ("f() -> () [a: INT = 0]", "f() -> () [a: INT = 0 {extra}]", "error error error"),
    # What base does not say is extra is not
    ("f() -> () [a: INT = 0 {extra?}]", "f() -> () [a: INT = 1 {extra}]", "error error error"),
    ("f() -> () [a: INT = 0 {extra}]", "f() -> () [a: INT = 1 {extra?}]", "note note error"),
    ("f() -> () [a: INT = 0 {extra?}]", "f() -> () [a: INT = 1]", "error error error"),
    ("f() -> () [a: INT = 0 {extra?}]", "f() -> () [a: INT = 1 {extra?}]", "error error error"),
    ("f() -> () [a: INT = 0 {extra?}]", "f() -> ()", "error error error"),
    ("f() -> ()", "f(X {extra?}) -> ()", "error error error"),
    # Renames and moves
    ("f() -> () [dims: INTS]", "f() -> () [axis: INTS]", "error error error"),
    ("f(X?) -> ()", "f() -> (X?)", "error error error"),
]


@pytest.mark.parametrize(
    ("base", "head", "levels"), LEVELS_OF, ids=[f"{base} -> {head}" for base, head, _ in LEVELS_OF]
)
def test_levels(base, head, levels):
    for policy, level in zip(POLICIES, levels.split(), strict=True):
        assert {finding.level for finding in reported(base, head, policy)} == {level}, policy.name


def test_an_argument_that_stops_being_extra_is_judged_by_what_it_is_now():
    base, head = "f() -> () [a: INT = 0 {extra}]", "f() -> () [a: LONG = 1]"
    levels = {finding.rule: finding.level for finding in reported(base, head, PADDLE)}
    assert levels == {"extra_cleared": "note", "attr_type_changed": "note", "attr_default_changed": "note"}


def test_order_is_no_matter_of_the_table_and_one_of_strict():
    base, head = "f(x, y) -> ()", "f(y, x) -> ()"
    assert [finding.level for finding in reported(base, head, PADDLE, binding="signature")] == ["warning"]
    assert [finding.level for finding in reported(base, head, STRICT, binding="signature")] == ["error"]
    assert reported(base, head, STRICT) == []


@pytest.mark.parametrize(
    ("base", "head", "review"),
    [
        ("f() -> ()", "f(X?) -> ()", "inference"),
        ("f() -> ()", "f() -> (Out)", "inference"),
        ("f() -> ()", "f() -> () [a: INT = 0]", "inference"),
        ("f() -> ()", "f(X? {quant}) -> ()", "slim"),
        ("f() -> ()", "f() -> () [a: INT {quant}]", "slim"),
        ("f() -> ()", "f() -> () [a: INT = 0 {quant?, extra?}]", "inference"),
        ("f() -> () [a: INT = 0]", "f() -> () [a: INT = 1]", "inference"),
        ("f() -> () [a: INT {quant}]", "f() -> () [a: INT = 1 {quant}]", "slim"),
        ("f() -> () [a: INT = 0 {extra}]", "f() -> () [a: INT = 0]", "inference"),
        ("f() -> () [dims: INTS]", "f() -> () [axis: INTS]", "inference"),
        ("f(X {quant}) -> ()", "f() -> (X {quant})", "slim"),
        ("f() -> ()", "f(X {extra}) -> ()", None),
        ("f() -> ()", "f() -> () [a: INT {extra, quant}]", None),
        ("f() -> () [a: INT = 0 {extra}]", "f() -> () [a: INT = 1 {extra}]", None),
        ("f() -> () [dims: INTS {extra}]", "f() -> () [axis: INTS {extra}]", None),
        ("f(X) -> ()", "f() -> ()", None),
        ("f(X) -> ()", "f(X?) -> ()", None),
        ("f() -> () [a: INT]", "f() -> () [a: LONG]", None),
        ("f() -> ()", "f() -> ()\ng(X) -> ()", None),
    ],
)
def test_who_reviews(base, head, review):
    assert [finding.review for finding in reported(base, head, PADDLE_2021)] == [review]
    assert [finding.review for finding in reported(base, head, PADDLE)] == [None]


def test_findings_hold_what_was_and_what_is():
    (changed,) = reported("f() -> () [a: FLOATS = [1.0]]", "f() -> () [a: FLOATS = [NaN]]", PADDLE)
    assert (changed.field, changed.old, changed.new) == ("default_value", [1.0], [{"float": "NaN"}])
    (removed,) = reported("f(X? {quant?}) -> ()", "f() -> ()", PADDLE)
    flags = {"duplicable": False, "dispensable": True, "intermediate": False, "extra": False}
    assert (removed.field, removed.old, removed.new) == (None, flags, None)
    (added,) = reported("f() -> ()", "f() -> () [a: T in [1] >= 2 = 3]", PADDLE)
    assert added.old is None
    assert added.new["allowed_values"] == [1]
    assert (added.new["minimum"], added.new["default_value"]) == (2, 3)
    (renamed,) = reported("f() -> () [dims: INTS]", "f() -> () [axis: INTS]", PADDLE)
    assert renamed.old == renamed.new
    (gone,) = reported("f() -> ()", "g() -> ()", PADDLE.replace(levels={"op_removed": "error", "op_added": "off"}))
    assert (gone.op, gone.kind, gone.name, gone.old, gone.new) == ("f", "op", "f", None, None)


def spec(line, *, at):
    base = parse_spec(line)
    ops = {
        name: op.replace(
            origin=Origin(file=at, line=1),
            inputs=tuple(argument.replace(origin=Origin(file=at, line=2)) for argument in op.inputs),
            attrs=tuple(attr.replace(origin=Origin(file=at, line=3, column=4)) for attr in op.attrs),
        )
        for name, op in base.ops.items()
    }
    return base.replace(ops=ops)


@pytest.mark.parametrize(
    ("base", "head", "lines"),
    [
        ("f() -> ()", "", (1, None)),
        ("", "f() -> ()", (None, 1)),
        ("f(X) -> ()", "f(X?) -> ()", (2, 2)),
        ("f(X) -> ()", "f() -> ()", (2, None)),
        ("f() -> ()", "f() -> () [a: INT]", (None, 3)),
        ("f() -> () [dims: INTS]", "f() -> () [axis: INTS]", (3, 3)),
        ("f() -> () deprecated null", 'f() -> () deprecated "soon"', (1, 1)),
    ],
)
def test_findings_point_to_both_sides(base, head, lines):
    (finding,) = [
        finding for finding in judge(diff(spec(base, at="b"), spec(head, at="h")), STRICT) if finding.op == "f"
    ]
    origins = (finding.base_origin, finding.head_origin)
    assert tuple(origin and origin.line for origin in origins) == lines
    assert [origin.file for origin in origins if origin] == [
        side for side, line in zip("bh", lines, strict=True) if line
    ]


def test_a_missing_registration_points_to_its_change():
    base, head = "f() -> () [a: INT = 0] @", "f() -> () [a: INT = 1] @"
    findings = judge(diff(spec(base, at="b"), spec(head, at="h")), PADDLE_2021)
    (finding,) = [finding for finding in findings if finding.rule == "op_version_unregistered"]
    assert finding.head_origin == Origin(file="h", line=3, column=4)


BEFORE = """
f(X, Y, Z?) -> (Out, Old) [a: INT = 0, b: FLOAT = 1.0, c: STRING] @ +attr a
g(X) -> () @ ~attr no
h() -> () @
"""
AFTER = """
f(X?*, Y {quant}, W) -> (Out~, Mask) [a: LONG = 1, b: FLOAT = 2.0, d: STRINGS] @ -attr a | -attr e, -attr a
g(X {extra}) -> (New?) @ +attr no, +attr no | ~attr no, +input X
i() -> () @
"""
MANY = (BEFORE, AFTER)


def test_a_fingerprint_is_the_same_in_every_release():
    """Waivers and code scanning name findings by it."""
    (finding,) = reported("f(X) -> () [a: INT = 1]", "f(X) -> () [a: INT = 2]", PADDLE)
    identity = b'["attr_default_changed","f","attr","a",null,"default_value",1,2]'
    assert finding.fingerprint == hashlib.sha256(identity).hexdigest()[:16]


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_fingerprints_show_findings_apart(policy):
    findings = judge(diff(*map(parse_spec, MANY)), policy)
    assert len(findings) > 15
    assert len({finding.fingerprint for finding in findings}) == len(findings)
    assert all(len(finding.fingerprint) == 16 for finding in findings)


def test_fingerprints_do_not_depend_on_wording(monkeypatch):
    before = judge(diff(*map(parse_spec, MANY)), PADDLE)
    rules_on = rulebook.rules_for_event
    texts = {"message": "{op}", "witness": "other words", "advice": "none", "title": "T"}
    monkeypatch.setattr(rulebook, "rules_for_event", lambda *of: tuple(rule.replace(**texts) for rule in rules_on(*of)))
    after = judge(diff(*map(parse_spec, MANY)), PADDLE)
    assert [finding.message for finding in after] != [finding.message for finding in before]
    assert [finding.fingerprint for finding in after] == [finding.fingerprint for finding in before]


def test_fingerprints_do_not_depend_on_the_profile_or_the_lines():
    strict = {finding.fingerprint for finding in judge(diff(*map(parse_spec, MANY)), STRICT)}
    moved = {finding.fingerprint for finding in judge(diff(*(spec(text, at="x") for text in MANY)), STRICT)}
    assert moved == strict
    assert {finding.fingerprint for finding in judge(diff(*map(parse_spec, MANY)), PADDLE_2021)} >= strict


@pytest.mark.parametrize(
    ("first", "two"),
    [
        (("f() -> () [a: INT = 0]", "f() -> () [a: INT = 1]"), ("f() -> () [a: INT = 0]", "f() -> () [a: INT = 2]")),
        (("f() -> () [a: INT = 0]", "f() -> () [a: INT = 1]"), ("f() -> () [a: INT = 0]", "f() -> () [a: INT = true]")),
        (("f() -> () [a: INT = 0]", "f() -> ()"), ("f() -> () [b: INT = 0]", "f() -> ()")),
        (("f(X) -> ()", "f() -> ()"), ("f() -> (X)", "f() -> ()")),
        (("f(X) -> ()", "f() -> ()"), ("g(X) -> ()", "g() -> ()")),
        (("f(Xa) -> ()", "f(Xb) -> ()"), ("f(Xa) -> ()", "f(Xc) -> ()")),
    ],
)
def test_fingerprints_depend_on_the_fact(first, two):
    fingerprints = {finding.fingerprint for pair in (first, two) for finding in reported(*pair, PADDLE)}
    assert len(fingerprints) == 2


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_ops_are_in_order_and_the_worst_comes_first(policy):
    findings = judge(diff(*map(parse_spec, MANY)), policy)
    keys = [(finding.op or "", -LEVELS.index(finding.level)) for finding in findings]
    assert keys == sorted(keys)
    assert len({finding.op for finding in findings}) == 4


def test_a_rule_that_is_off_finds_nothing():
    policy = PADDLE.replace(levels={**PADDLE.levels, "attr_removed": "off", "attr_added_without_default": "off"})
    assert reported("f() -> () [abc: INT]", "f() -> () [xyz: LONG]", policy) == []
    assert reported("f() -> () [dims: INT]", "f() -> () [axis: INT]", policy) == []


def test_names_and_values_stay_on_a_single_line_and_are_no_templates():
    base = r'"{op}\n"() -> () ["\u001b[31m{name}": STRING = "{old}\n"]'
    head = r'"{op}\n"() -> () ["\u001b[31m{name}": STRING = "\u2028{new}"]'
    (finding,) = reported(base, head, PADDLE)
    for text in (finding.message, finding.breaks, finding.advice):
        assert text.isprintable()
    assert r"'\x1b[31m{name}'" in finding.message
    assert r"{op}\n" in finding.breaks
    assert (finding.op, finding.old, finding.new) == ("{op}\n", "{old}\n", "\u2028{new}")


def test_an_empty_name_is_a_name():
    findings = reported('""(X) -> ()', '""(X?) -> () ["": INT]', PADDLE)
    assert {(finding.op, finding.kind, finding.name) for finding in findings} == {("", "input", "X"), ("", "attr", "")}


def test_an_attr_that_is_added_with_an_unknown_default():
    (finding,) = reported("f() -> ()", "f() -> () [a: INT = ?]", PADDLE)
    assert (finding.rule, finding.level, finding.new) == (
        "attr_added_without_default",
        "error",
        {"type": "INT"} | {flag.field.name: False for flag in flags_of("attrs")},
    )


def test_standing_faults_are_judged_like_changes():
    policy = STRICT.replace(levels={})
    (finding,) = judge(dangling_registrations(parse_spec("f() -> () @ +attr exlucsive")), policy)
    assert (finding.rule, finding.level, finding.field) == ("op_version_names_nothing", "error", "NewAttr")


@pytest.mark.parametrize(
    ("own", "floor", "ceiling", "level"),
    [
        ("note", "off", "error", "note"),
        ("error", "off", "warning", "warning"),
        ("note", "error", "error", "error"),
        ("warning", "off", "off", "off"),
    ],
)
def test_a_rule_that_a_profile_does_not_name_has_its_own_level_within_bounds(own, floor, ceiling, level):
    policy = Profile(name="p", summary="s", levels={"other": "note"}, floor=floor, ceiling=ceiling)
    assert policy.level("rule", own) == level
    assert policy.level("other", own) == "note"


def test_levels_are_ordered():
    assert worst("note", "error", "warning") == "error"
    assert mildest("note", "error", "warning") == "note"
    assert worst("off") == mildest("off") == "off"


def test_unknown_profiles_are_refused_with_the_nearest():
    with pytest.raises(UsageError, match="unknown profile 'paddel'") as caught:
        PROFILES.load("paddel")
    assert caught.value.advice == "did you mean 'paddle'?"


def test_ops_that_are_built_by_hand():
    base = Spec(
        file="a",
        provenance=Provenance(framework="other"),
        ops={"f": Op(name="f", inputs=(Input(name="X"),), attrs=(Attr(name="a"),))},
    )
    head = base.replace(
        ops={"f": Op(name="f", inputs=(Input(name="X", extra=True),), attrs=(Attr(name="a", type="T"),))}
    )
    assert [(change.event, change.field) for change in diff(base, head)] == [
        ("extra_learned", "extra"),
        ("knowledge_gained", "type"),
    ]


@pytest.mark.parametrize(
    ("op", "framework", "expected"),
    [
        ("f", "paddle", "error"),
        ("f [gpu]", "paddle", "error"),
        ("f [mlu]", "paddle", "warning"),
        ("f [gpu]", "tensorflow", "warning"),
        ("f [gpu]", None, "warning"),
    ],
)
def test_a_variant_of_a_build_that_is_not_released_is_a_warning_at_most(op, framework, expected):
    facts = diff(parse_spec(f'"{op}"(X) -> ()\n'), parse_spec(f'"{op}"() -> ()\n'))
    (finding,) = judge(facts, PROFILES.load("paddle"), framework=framework)
    assert finding.level == expected
    (finding,) = judge(facts, STRICT, framework=framework)
    assert finding.level == "error"
