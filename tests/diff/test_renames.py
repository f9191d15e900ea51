from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from opspec_lint.diff.changes.arguments import argument_added, argument_removed, is_rename
from opspec_lint.diff.renames import pair_renames
from opspec_lint.diff.specs import diff
from opspec_lint.lint.judge import judge
from opspec_lint.lint.profile import PROFILES
from opspec_lint.report.findings import worst
from opspec_lint.spec.fields import FieldTable, field_table
from opspec_lint.spec.model import Attr, Input, Output
from opspec_lint.spec.notation import parse_spec

POLICIES = list(PROFILES.every())

PAIRS = [
    # (base, head, {base's name: head's name})
    ("flip(X) -> (Out) [dims: INTS]", "flip(X) -> (Out) [axis: INTS]", {"dims": "axis"}),
    ("f() -> (Out, last_h, last_c)", "f() -> (Out, LastH, LastC)", {"last_h": "LastH", "last_c": "LastC"}),
    ('f() -> () [pool_type: STRING = "SUM"]', 'f() -> () [reduce_op: STRING = "SUM"]', {"pool_type": "reduce_op"}),
    (
        "f() -> () [softmax_switch: BOOLEAN = true]",
        "f() -> () [use_softmax: BOOLEAN = true]",
        {"softmax_switch": "use_softmax"},
    ),
    ("f() -> () [ring_id: INT = 0]", "f() -> () [ring_ids: INT = 1]", {"ring_id": "ring_ids"}),
    (
        "f() -> () [dropout_is_test: BOOLEAN = false, attn_dropout_is_test: BOOLEAN = false]",
        "f() -> () [is_test: BOOLEAN = false]",
        {"dropout_is_test": "is_test"},
    ),
    (
        "f() -> () [dropout1_is_test: BOOLEAN = false, dropout2_is_test: BOOLEAN = false]",
        "f() -> () [is_test: BOOLEAN = false]",
        {"dropout1_is_test": "is_test"},
    ),
    ("f(X) -> (Out, StopUpdate)", "f(X, StopUpdate) -> (Out)", {"StopUpdate": "StopUpdate"}),
    ("f(X, StopUpdate) -> (Out)", "f(X) -> (Out, StopUpdate?~)", {"StopUpdate": "StopUpdate"}),
    ("f(X) -> (Out) [a_name: INT = 1]", "f(X) -> (Out) [AName: INT = 2]", {"a_name": "AName"}),
    ("f(LongName) -> ()", "f(long_name?*) -> ()", {"LongName": "long_name"}),
    # A move is surer than a rename
    ("f(State) -> ()", "f(state) -> (State)", {"State": "State"}),
    ("f(state) -> (State)", "f(State) -> ()", {"State": "State"}),
    # What one side does not know agrees with anything, but for extra and quant
    ("f() -> () [scale_in = 1]", "f() -> () [scale_x: INT = 1]", {"scale_in": "scale_x"}),
    ("f() -> () [dims: INTS {extra?, quant?}]", "f() -> () [axis: INTS]", {"dims": "axis"}),
    ("f() -> () [dims: INTS {extra}]", "f() -> () [axis: INTS {extra}]", {"dims": "axis"}),
    # What must not pair: another type, another extra or quant, another kind, nothing in common
    ("f() -> () [ring_id: INT = 0]", "f() -> () [ring_ids: INTS = []]", {}),
    ("f(x: T) -> ()", "f(x1: U) -> ()", {}),
    ("f() -> () [axis: INT = 0 {extra}]", "f() -> () [axes: INT = 0]", {}),
    ("f() -> () [axis: INT = 0]", "f() -> () [axes: INT = 0 {quant}]", {}),
    ("f(X, Stop {extra}) -> ()", "f(X) -> (Stop)", {}),
    ("f(X, Stop) -> ()", "f(X) -> (Stop {quant})", {}),
    ("f() -> () [use_mkldnn: BOOLEAN = false {extra?}]", "f() -> () [with_quant_attr: BOOLEAN = false {extra}]", {}),
    ("f() -> () [use_mkldnn: BOOLEAN = false {quant?}]", "f() -> () [use_onednn: BOOLEAN = false {quant}]", {}),
    ("f() -> () [rtol: FLOAT = 0.5]", "f(Rtol) -> ()", {}),
    ("f() -> () [X: FLOAT = 0.5]", "f(X) -> ()", {}),
    ("f(X) -> ()", "f() -> () [X]", {}),
    ("f(Y) -> ()", "f() -> (Z)", {}),
    ("f() -> () [a: INT = 0, b: INT = 0]", "f() -> () [q: INT = 0, w: INT = 0]", {}),
    ("f() -> () [axis: INT = 0]", "f() -> () [momentum: INT = 5]", {}),
]

TABLE = field_table("paddle")


def changes_of(base, head):
    return [change for change in diff(parse_spec(base), parse_spec(head)) if change.kind != "registration"]


def split(changes):
    renames = [change for change in changes if is_rename(change)]
    return renames, [change for change in changes if change not in renames]


@pytest.mark.parametrize(("base", "head", "expected"), PAIRS, ids=[base for base, _, _ in PAIRS])
def test_what_pairs(base, head, expected):
    changes = changes_of(base, head)
    renames, rest = split(changes)
    assert {change.name: change.new_name for change in renames} == expected
    assert not [change for change in rest if change.name in (*expected, *expected.values())]
    for change in renames:
        assert 0.5 <= change.confidence <= 1
        assert change.name == change.halves[0].name
        assert change.new_name == change.halves[1].name
        assert change.kind == change.halves[0].kind


@pytest.mark.parametrize(("base", "head", "expected"), PAIRS, ids=[base for base, _, _ in PAIRS])
def test_pairs_are_the_same_the_other_way_round(base, head, expected):
    forth, _ = split(changes_of(base, head))
    back, _ = split(changes_of(head, base))
    assert {change.new_name: change.name for change in back} == expected
    assert sorted(change.confidence for change in back) == sorted(change.confidence for change in forth)


@pytest.mark.parametrize(
    ("base", "head", "event", "kind"),
    [
        ("f(Aa) -> ()", "f(Ab) -> ()", "input_renamed", "input"),
        ("f() -> (Aa)", "f() -> (Ab)", "output_renamed", "output"),
        ("f() -> () [Aa: INT]", "f() -> () [Ab: INT]", "attr_renamed", "attr"),
        ("f(Aa) -> ()", "f() -> (Aa)", "input_moved", "input"),
        ("f() -> (Aa)", "f(Aa) -> ()", "output_moved", "output"),
    ],
)
def test_a_rename_or_move_is_a_single_finding_of_the_base_side(base, head, event, kind):
    (change,) = changes_of(base, head)
    assert (change.event, change.kind, change.name) == (event, kind, "Aa")
    (finding,) = judge([change], POLICIES[0])
    assert (finding.kind, finding.name, finding.new_name) == (kind, "Aa", change.new_name)
    assert finding.confidence == change.confidence


HALVES = [
    # The removal and the addition that a rename or move stands for
    ("f() -> () [dims: INTS]", "f() -> () [axis: INTS]"),
    ("f() -> () [dims: INTS = []]", "f() -> () [axis: INTS = []]"),
    ("f() -> () [dims: INTS {extra}]", "f() -> () [axis: INTS {extra}]"),
    ("f() -> () [dims: INTS = [] {extra}]", "f() -> () [axis: INTS = [] {extra}]"),
    ("f() -> () [dims: INTS {extra?}]", "f() -> () [axis: INTS {extra?}]"),
    ("f(X?) -> ()", "f(Y?) -> ()"),
    ("f(X) -> ()", "f() -> (X)"),
    ("f(X? {extra}) -> ()", "f() -> (X {extra})"),
    ("f() -> (X?)", "f(X?) -> ()"),
]


RENAMES = {"input_renamed", "output_renamed", "attr_renamed"}
BY_HALVES = [policy for policy in POLICIES if not RENAMES & policy.levels.keys()]
"""The profiles that name no level of their own for renames."""


@pytest.mark.parametrize("policy", BY_HALVES, ids=lambda policy: policy.name)
@pytest.mark.parametrize(("base", "head"), HALVES)
def test_its_level_is_the_worse_of_the_two_halves(base, head, policy):
    (change,) = changes_of(base, head)
    (whole,) = judge([change], policy)
    halves = [finding.level for half in change.halves for finding in judge([half], policy)]
    assert 2 - sum(policy.levels.get(half.event) == "off" for half in change.halves) == len(halves)
    assert whole.level == worst(*halves)


def test_the_worse_half_may_be_the_addition():
    policy = POLICIES[0].replace(levels={"attr_removed": "note", "attr_added_without_default": "error"}, ceiling="note")
    (change,) = changes_of("f() -> () [dims: INTS]", "f() -> () [axis: INTS]")
    (finding,) = judge([change], policy)
    assert finding.level == "error"


def test_a_profile_may_name_a_level_of_its_own_for_renames():
    policy = POLICIES[0].replace(levels={"attr_removed": "error", "attr_renamed": "warning"})
    (change,) = changes_of("f() -> () [dims: INTS]", "f() -> () [axis: INTS]")
    (finding,) = judge([change], policy)
    assert finding.level == "warning"


def many(count, prefix):
    return [f"{prefix}{index}" for index in range(count)]


def wide(names, change):
    return [change("f", "attr", Attr(name=name, type="INT")) for name in names]


def test_an_op_with_thousands_of_changes_is_not_compared_pair_by_pair(monkeypatch):
    """Every comparison of two names goes through difflib, so that its uses are what pairing costs."""
    import difflib

    uses = []

    class Counting(difflib.SequenceMatcher):
        def __init__(self, *args, **kwargs):
            uses.append(1)
            super().__init__(*args, **kwargs)

    monkeypatch.setattr(difflib, "SequenceMatcher", Counting)
    removed = wide(many(3000, "old"), argument_removed)
    added = wide(many(3000, "new"), argument_added)
    assert list(pair_renames(removed, added, TABLE)) == [*removed, *added]
    assert not uses
    few = list(pair_renames(removed[:20], wide(many(20, "olds"), argument_added), TABLE))
    assert 0 < len(uses) <= 400
    assert len(few) == 20


def test_arguments_of_which_nothing_but_the_type_is_known_pair():
    sections = field_table("").sections | {"inputs": {"type": field_table("").fields_of("inputs")["type"]}}
    gone, come = argument_removed("f", "input", Input(name="x")), argument_added("f", "input", Input(name="y"))
    (rename,) = pair_renames([gone], [come], FieldTable(sections=sections))
    assert (rename.name, rename.new_name) == ("x", "y")


def test_very_long_names_are_compared_by_their_beginning():
    (change,) = changes_of(f"f({'x' * 100_000}) -> ()", f"f({'x' * 99_000}) -> ()")
    assert change.confidence == 1


NAMES = st.text(st.sampled_from("aAbX_1"), min_size=1, max_size=5)
ARGUMENTS = st.lists(
    st.one_of(
        st.builds(Input, name=NAMES, extra=st.sampled_from([True, False])),
        st.builds(Output, name=NAMES, dispensable=st.booleans(), extra=st.just(False)),
        st.builds(Attr, name=NAMES, type=st.sampled_from(["INT", "LONG"]), default_value=st.sampled_from([None, 0])),
    ),
    max_size=6,
    unique_by=lambda item: (type(item), item.name),
)
KINDS = {Input: "input", Output: "output", Attr: "attr"}


def facts_of(lost, gained):
    keys = {(type(item), item.name) for item in lost} & {(type(item), item.name) for item in gained}
    removed = [argument_removed("f", KINDS[type(item)], item) for item in lost if (type(item), item.name) not in keys]
    added = [argument_added("f", KINDS[type(item)], item) for item in gained if (type(item), item.name) not in keys]
    return removed, added


def pairs_of(lost, gained):
    return {
        (change.halves[0].kind, change.name, change.halves[1].kind, change.new_name, change.confidence)
        for change in pair_renames(*facts_of(lost, gained), TABLE)
        if is_rename(change)
    }


@settings(max_examples=200)
@given(ARGUMENTS, ARGUMENTS)
def test_nothing_is_lost_and_nothing_reported_twice(lost, gained):
    removed, added = facts_of(lost, gained)
    renames, rest = split(list(pair_renames(removed, added, TABLE)))
    ends = [half for change in renames for half in change.halves] + rest
    assert sorted(map(repr, ends)) == sorted(map(repr, removed + added))
    for change in renames:
        assert 0.5 <= change.confidence <= 1
        assert (change.halves[0].old.extra is True) is (change.halves[1].new.extra is True)
        assert change.halves[0].old.type == change.halves[1].new.type


@settings(max_examples=200)
@given(ARGUMENTS, ARGUMENTS, st.randoms(use_true_random=False))
def test_pairs_depend_on_nothing_but_the_two_sides(lost, gained, order):
    pairs = pairs_of(lost, gained)
    assert pairs_of(order.sample(lost, len(lost)), order.sample(gained, len(gained))) == pairs
    back = {(kind, name, was_kind, was, sure) for was_kind, was, kind, name, sure in pairs_of(gained, lost)}
    assert back == pairs
