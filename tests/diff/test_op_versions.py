from __future__ import annotations

import pytest

from opspec_lint.diff.changes.op_versions import registry_name
from opspec_lint.diff.op_versions import dangling_registrations
from opspec_lint.diff.specs import diff
from opspec_lint.lint.judge import judge
from opspec_lint.lint.profile import PROFILES
from opspec_lint.spec.model import UNKNOWN, Checkpoint, Update
from opspec_lint.spec.notation import parse_spec

PADDLE, PADDLE_2021, STRICT = map(PROFILES.load, ("paddle", "paddle-2021", "strict"))

HISTORIES = {f"op_version_{how}" for how in ("extended", "lost", "rewritten", "reworded")}
SIDES = {"base": "base brings no", "head": "head brings no", "neither": "neither side brings"}


def registrations(base, head, only=None):
    return [change for change in diff(parse_spec(base), parse_spec(head), only) if change.kind == "registration"]


def missing(base, head):
    return sorted(
        f"{change.field} {change.name}"
        for change in registrations(base, head)
        if change.event == "op_version_unregistered"
    )


def dangling(base, head):
    return [
        f"{change.field} {change.name}"
        for change in registrations(base, head)
        if change.event == "op_version_names_nothing"
    ]


def histories(base, head):
    return [
        (change.op, change.event.removeprefix("op_version_"), change.facts["index"] - 1)
        for change in registrations(base, head)
        if change.event in HISTORIES
    ]


KNOWN = "\ng() -> () @"  # an op that makes op versions known


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        # Additions
        ("f() -> () @", "f(X?) -> () @", ["NewInput X"]),
        ("f() -> () @", "f() -> (Out?) @", ["NewOutput Out"]),
        ("f() -> () @", "f() -> () [a: INT = 0] @", ["NewAttr a"]),
        ("f() -> () @", "f() -> () [a: INT = 0] @ +attr a", []),
        ("f() -> () @ +attr a", "f() -> () [a: INT = 0] @ +attr a", []),
        ("f() -> () @", "f() -> () [a: INT = 0] @ ~attr a", ["NewAttr a"]),
        ("f() -> () @", "f(X?) -> () @ +output X", ["NewInput X"]),
        ("f() -> () @", "f(X?) -> () @ +input x", ["NewInput X"]),
        # Removals
        ("f() -> () [a: INT = 0] @", "f() -> () @", ["DeleteAttr a"]),
        ("f() -> () [a: INT = 0] @", "f() -> () @ -attr a", []),
        ("f(X) -> () @ +input X", "f() -> () @ +input X", ["DeleteInput X"]),
        # Modifications: a Modify that base holds already is not one of this change
        ("f() -> () [a: INT = 0] @", "f() -> () [a: INT = 1] @", ["ModifyAttr a"]),
        ("f() -> () [a: INT = 0] @", "f() -> () [a: INT = 1] @ ~attr a", []),
        ("f() -> () [a: INT = 0] @ ~attr a", "f() -> () [a: INT = 1] @ ~attr a", ["ModifyAttr a"]),
        ("f() -> () [a: INT = 0] @ ~attr a", "f() -> () [a: INT = 1] @ ~attr a | ~attr a", []),
        ("f() -> () [a: INT = 0] @", "f() -> () [a: INT = 1] @ +attr a, -attr a", ["ModifyAttr a"]),
        ("f(X) -> () @", "f(X?) -> () @ ~attr X", ["ModifyInput X"]),
        ("f(X) -> () @", "f(X?*) -> () @", ["ModifyInput X"]),
        # A bugfix registers no change of an argument
        ("f() -> () [a: INT = 0] @", "f() -> () [a: INT = 1] @ !", ["ModifyAttr a"]),
        # Renames and moves: both halves
        ("f() -> () [dims: INTS] @", "f() -> () [axis: INTS] @", ["DeleteAttr dims", "NewAttr axis"]),
        ("f() -> () [dims: INTS] @", "f() -> () [axis: INTS] @ +attr axis", ["DeleteAttr dims"]),
        ("f() -> () [dims: INTS] @", "f() -> () [axis: INTS] @ -attr dims, +attr axis", []),
        ("f(Stop) -> () @", "f() -> (Stop) @", ["DeleteInput Stop", "NewOutput Stop"]),
        ("f(Stop) -> () @", "f() -> (Stop) @ -input Stop, +output Stop", []),
        # What is extra needs none; what stops being extra is an addition
        ("f() -> () @", "f(X? {extra}) -> () [a: INT {extra}] @", []),
        ("f(X {extra}) -> () [a: INT {extra}] @", "f() -> () @", []),
        ("f() -> () [a: INT = 0 {extra}] @", "f() -> () [a: INT = 1 {extra}] @", []),
        ("f() -> () [dims: INT {extra}] @", "f() -> () [axis: INT {extra}] @", []),
        ("f() -> () [a: INT = 0 {extra}] @", "f() -> () [a: INT = 0] @", ["NewAttr a"]),
        ("f() -> () [a: INT = 0 {extra}] @", "f() -> () [a: INT = 0] @ +attr a", []),
        ("f() -> () [a: INT = 0] @", "f() -> () [a: INT = 0 {extra}] @", ["ModifyAttr a"]),
        # What base does not say is extra is not
        ("f() -> () [a: INT = 0 {extra?}] @", "f() -> () [a: INT = 1 {extra?}] @", ["ModifyAttr a"]),
        ("f() -> () [a: INT = 0 {extra?}] @", "f() -> () [a: INT = 1 {extra}] @", ["ModifyAttr a"]),
        # Quant arguments need one
        ("f() -> () @", "f() -> () [a: INT = 0 {quant}] @", ["NewAttr a"]),
        # Ops as a whole, and what says nothing of arguments, need none
        ("f() -> ()" + KNOWN, "f() -> ()\nh(X) -> ()" + KNOWN, []),
        ("f() -> ()\nh(X) -> ()" + KNOWN, "f() -> ()" + KNOWN, []),
        ("f() -> () deprecated null @", 'f() -> () deprecated "soon" @', []),
    ],
)
def test_what_has_to_be_registered(base, head, expected):
    assert missing(base, head) == expected


def test_a_missing_registration_points_to_its_change():
    (change,) = registrations("f() -> () [a: INT = 0] @", "f() -> () [a: INT = 1] @")
    assert (change.op, change.kind, change.name) == ("f", "registration", "a")
    assert (change.field, change.name) == ("ModifyAttr", "a")
    assert change.needs == Update(action="modify", kind="attr", name="a", default_value=1)


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        # Names that really were wrong
        (
            "f() -> () [exclusive: BOOLEAN = false] @",
            "f() -> () [exclusive: BOOLEAN = false] @ +attr exlucsive",
            ["NewAttr exlucsive"],
        ),
        ("f(RoisNum?) -> () @", "f(RoisNum?) -> () @ +input RoIsNum", ["NewInput RoIsNum"]),
        # A wrong kind
        ("f(Rtol?) -> () @", "f(Rtol?) -> () @ ~attr Rtol", ["ModifyAttr Rtol"]),
        ("f(X) -> (X) @", "f(X) -> (X) @ +input X, +output X, +attr X", ["NewAttr X"]),
        # A deletion of what is still there, or of what was never there: the latter cannot be told from one long ago
        ("f(X) -> () @", "f(X) -> () @ -input X", ["DeleteInput X"]),
        ("roi_align(X) -> () @", "roi_align(X) -> () @ -input RpnRoisLod", []),
        # Added and deleted later, or deleted and added again
        ("f() -> () @", "f() -> () @ +attr a | -attr a", []),
        ("f() -> () @", "f() -> () @ +attr a, -attr a", []),
        ("f() -> () [a: INT = 0] @", "f() -> () [a: INT = 0] @ -attr a | +attr a", []),
        ("f() -> () @", "f() -> () @ -attr a | +attr a", ["NewAttr a"]),
        ("f() -> () [a: INT = 0] @", "f() -> () [a: INT = 0] @ +attr a | -attr a", ["DeleteAttr a"]),
        ("f() -> () [a: INT = 0] @", "f() -> () @ +attr a", ["NewAttr a"]),
        ("f() -> () [a: INT = 0] @ +attr a", "f() -> () @ +attr a", ["NewAttr a"]),
        # A bugfix names nothing and need not
        ("f() -> () @", 'f() -> () @ ! "was wrong"', []),
        # What base gets wrong as well is no fact of this comparison
        ("f() -> () @ +attr exlucsive", "f() -> () @ +attr exlucsive", []),
        ("f() -> () @ +attr exlucsive", "f() -> () @ +attr exlucsive | ~attr exlucsive", ["ModifyAttr exlucsive"]),
        ("f() -> () @ +attr exlucsive", "f(X?) -> () @ +attr exlucsive | +input X", []),
        ("f() -> () @ +attr exlucsive", "f() -> () [exclusive: INT = 0] @ +attr exclusive", []),
        # The same fault twice is one
        ("f() -> () @", "f() -> () @ ~attr y | ~attr y", ["ModifyAttr y"]),
    ],
)
def test_registrations_that_name_nothing(base, head, expected):
    assert dangling(base, head) == expected


def spec_with(text, versions):
    spec = parse_spec(text)
    return spec.replace(op_versions={op: (Checkpoint(updates=updates),) for op, updates in versions.items()})


NEW_A = Update(action="new", kind="attr", name="a", default_value=0)


def test_a_registration_of_an_op_that_does_not_exist():
    base, head = spec_with("f() -> ()", {}), spec_with("f() -> ()", {"f_": (NEW_A,)})
    extended, fault = diff(base, head)
    assert (extended.event, fault.event) == ("op_version_extended", "op_version_names_nothing")
    assert fault.facts["what_is_wrong"] == "but there is no op 'f_'"
    (finding,) = judge([fault], PADDLE)
    assert "there is no op 'f_'" in finding.message
    assert diff(head, head) == []
    assert [change.event for change in diff(head, base)] == ["op_version_lost"]


@pytest.mark.parametrize(
    ("update", "texts"),
    [
        ("+attr Rtol", "which is an input of 'f' and no attr"),
        ("-input Rtol", "which is still an input of 'f'"),
        ("~input axis", "which is an attr of 'f' and no input"),
        ("+attr nothing", "which is no attr of 'f'"),
    ],
)
def test_what_is_wrong_is_reported(update, texts):
    ops = "f(Rtol?) -> () [axis: INT = 0] @"
    findings = judge(registrations(ops, f"{ops} {update}"), PADDLE)
    (finding,) = [finding for finding in findings if finding.rule == "op_version_names_nothing"]
    assert texts in finding.message
    assert finding.level == "warning"


def test_standing_faults_are_listed_where_check_is_silent():
    spec = parse_spec("f(X) -> () @ +attr exlucsive | ~input X, -input X\ng() -> () [a: INT = 0] @ +attr a")
    assert diff(spec, spec) == []
    assert [(fault.op, fault.field, fault.name) for fault in dangling_registrations(spec)] == [
        ("f", "NewAttr", "exlucsive"),
        ("f", "DeleteInput", "X"),
    ]
    assert list(dangling_registrations(spec.replace(op_versions=UNKNOWN))) == []


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        ("@ +attr a", "@ +attr a", []),
        ("@ +attr a", "@ +attr a | ~attr a", [("f", "extended", 1)]),
        ("@", "@ +attr a", [("f", "extended", 0)]),
        ("@ +attr a | ~attr a", "@ +attr a", [("f", "lost", 1)]),
        ("@ +attr a", "@", [("f", "lost", 0)]),
        # Edited in place, or moved by a checkpoint that was inserted before it
        ("@ +attr a", "@ +attr a, ~attr a", [("f", "rewritten", 0)]),
        ("@ +attr a | ~attr a", "@ -attr b | +attr a | ~attr a", [("f", "rewritten", 0)]),
        ("@ +attr a | ~attr a", "@ ~attr a | +attr a", [("f", "rewritten", 0)]),
        ("@ +attr a | ~attr a", "@ +attr a | +attr b", [("f", "rewritten", 1)]),
        ("@ +attr a = 1", "@ +attr a = 2", [("f", "rewritten", 0)]),
        ("@ +attr a = 1", "@ +attr a = true", [("f", "rewritten", 0)]),
        ("@ +attr a = NaN", "@ +attr a = NaN", []),
        ("@ +attr a, ~attr b", "@ ~attr b, +attr a", [("f", "rewritten", 0)]),
        # Rewritten and lost: the first difference counts
        ("@ +attr a | ~attr a", "@ -attr a", [("f", "rewritten", 0)]),
        ('@ "one" +attr a', '@ "two" +attr a', [("f", "reworded", 0)]),
        ('@ +attr a | ! "one"', '@ +attr a | ! "two"', [("f", "reworded", 1)]),
        ('@ "one" +attr a', '@ "two" +attr a | ~attr a', [("f", "extended", 1)]),
    ],
)
def test_histories(base, head, expected):
    op = "f() -> () [a: INT = 0, b: INT = 0] "
    assert histories(op + base + KNOWN, op + head + KNOWN) == expected


def test_a_default_that_a_single_side_does_not_know_is_not_compared():
    known = spec_with("f() -> ()", {"f": (NEW_A,)})
    unknown = spec_with("f() -> ()", {"f": (NEW_A.replace(default_value=UNKNOWN),)})
    assert [change.event for change in diff(known, unknown)] == ["knowledge_lost"]
    assert [change.event for change in diff(unknown, known)] == ["knowledge_gained"]
    another = spec_with("f() -> ()", {"f": (NEW_A.replace(default_value=1),)})
    assert [change.event for change in diff(known, another)] == ["op_version_rewritten"]


def test_a_history_that_is_lost_as_a_whole():
    base = parse_spec("f() -> () [a: INT = 0] @ +attr a" + KNOWN)
    head = parse_spec("f() -> () [a: INT = 0]" + KNOWN)
    (change,) = diff(base, head)
    assert (change.event, change.op, change.facts["index"]) == ("op_version_lost", "f", 1)
    assert [change.event for change in diff(head, base)] == ["op_version_extended"]


def test_an_op_that_is_gone_takes_its_history_along():
    base = parse_spec("f() -> () [a: INT = 0] @ +attr a, +attr exlucsive" + KNOWN)
    assert [change.event for change in diff(base, parse_spec(KNOWN))] == ["op_removed"]


def test_an_op_that_is_gone_and_leaves_its_registrations_behind():
    """Each of them names nothing: no tool that looks them up finds an op."""
    base = parse_spec("f() -> () [a: INT = 0] @ +attr a | -attr old" + KNOWN)
    head = parse_spec(KNOWN).replace(op_versions=base.op_versions)
    changes = diff(base, head)
    assert [change.event for change in changes] == ["op_removed", *["op_version_names_nothing"] * 2]
    assert [change.name for change in changes[1:]] == ["a", "old"]
    assert {change.facts["what_is_wrong"] for change in changes[1:]} == {"but there is no op 'f'"}
    assert [change.event for change in diff(head, head)] == []
    assert [change.event for change in diff(head, base)] == ["op_added"]


def test_an_op_that_is_gone_and_whose_registrations_change():
    base = parse_spec("f() -> () [a: INT = 0] @ +attr a" + KNOWN)
    head = parse_spec("f() -> () @ +attr a | -attr a" + KNOWN)
    head = head.replace(ops={name: op for name, op in head.ops.items() if name != "f"})
    events = [change.event for change in diff(base, head)]
    assert events == ["op_removed", "op_version_extended", *["op_version_names_nothing"] * 2]


def test_an_op_that_is_new_brings_its_history():
    head = parse_spec("f() -> () [a: INT = 0] @ +attr exlucsive" + KNOWN)
    events = [change.event for change in diff(parse_spec(KNOWN), head)]
    assert events == ["op_added", "op_version_extended", "op_version_names_nothing"]


CHANGE = ("f(X) -> () [a: INT = 0]", "f(X?) -> () [a: INT = 1]")


@pytest.mark.parametrize(
    ("base", "head", "side", "unregistered"),
    [
        (CHANGE[0], CHANGE[1], "neither", 0),
        (CHANGE[0] + " @ ~attr a", CHANGE[1], "head", 0),
        (CHANGE[0], CHANGE[1] + " @ ~attr a", "base", 1),
        (CHANGE[0] + " @", CHANGE[1] + " @ ~attr a", None, 1),
    ],
)
def test_op_versions_that_a_single_side_does_not_know(base, head, side, unregistered):
    changes = registrations(base, head)
    unknown = [change for change in changes if change.event == "op_version_unknown"]
    assert [change.facts["side"] for change in unknown] == ([] if side is None else [SIDES[side]])
    assert all(change.facts["consequence"].startswith("2 changes ") for change in unknown)
    assert len(missing(base, head)) == unregistered
    if side is not None:
        assert not [change for change in changes if change.event in {*HISTORIES, "op_version_names_nothing"}]


@pytest.mark.parametrize("count", [1, 50])
def test_one_single_warning_states_that_this_half_was_not_checked(count):
    base = "\n".join(f"f{index}(X) -> ()" for index in range(count))
    head = base.replace("X", "X?")
    findings = [finding for finding in judge(registrations(base, head), PADDLE_2021) if finding.kind == "registration"]
    assert [(finding.rule, finding.level, finding.op, finding.name) for finding in findings] == [
        ("op_version_unknown", "warning", None, None)
    ]
    assert f"{count} change" in findings[0].message
    assert judge(registrations(base, head), PADDLE) == judge(registrations(base, head), STRICT) == ()


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ("f(X) -> ()", "f(X) -> () [a: INT {extra}]"),
        ("f(X) -> ()", "f(X) -> ()\nh(X) -> ()"),
        ("f(X) -> ()\nh(X) -> ()", "f(X) -> ()"),
    ],
)
@pytest.mark.parametrize(
    ("known_in_base", "known_in_head", "side", "messages"),
    [
        ("", "", "neither", "neither side brings op versions: registrations could not be checked"),
        (KNOWN, "", "head", "head brings no op versions: registrations could not be checked, nor the histories"),
        ("", KNOWN, "base", "base brings no op versions: so new registrations cannot be told from old ones"),
    ],
)
def test_unknown_op_versions_are_reported_where_ops_changed_though_nothing_has_to_be_registered(
    base, head, known_in_base, known_in_head, side, messages
):
    changes = registrations(base + known_in_base, head + known_in_head)
    unknown = [change for change in changes if change.event == "op_version_unknown"]
    assert [change.facts["side"] for change in unknown] == [SIDES[side]]
    (finding,) = judge(unknown, PADDLE_2021)
    assert finding.level == "warning"
    assert finding.message.startswith(messages)


@pytest.mark.parametrize("head", ["f(X) -> ()", "f(X) -> () @"])
def test_nothing_is_reported_of_unknown_op_versions_where_nothing_changed(head):
    assert registrations("f(X) -> ()", head) == []


def test_histories_that_are_lost_are_lost_knowledge():
    known, unknown = parse_spec("f(X) -> () @ +attr a"), parse_spec("f(X) -> ()")
    assert [(change.event, change.field) for change in diff(known, unknown)] == [("knowledge_lost", "op_versions")]
    assert [(change.event, change.field) for change in diff(unknown, known)] == [("knowledge_gained", "op_versions")]


def test_only_some_ops():
    base, head = "f(X) -> () @\ng(X) -> () @", "f(X?) -> () @ +attr no\ng(X?) -> () @ +attr no"
    assert {change.op for change in registrations(base, head)} == {"f", "g"}
    assert {change.op for change in registrations(base, head, ["g"])} == {"g"}
    unknown = registrations("f(X) -> ()\ng(X) -> ()", "f(X?) -> ()\ng(X?) -> ()", ["g"])
    assert [change.facts["consequence"] for change in unknown] == ["1 change could not be checked for a registration"]


@pytest.mark.parametrize(
    ("update", "text"),
    [
        (Update(action="new", kind="attr", name="a"), "NewAttr"),
        (Update(action="modify", kind="input", name="a"), "ModifyInput"),
        (Update(action="delete", kind="output", name="a"), "DeleteOutput"),
        (Update(action="bugfix"), "BugfixWithBehaviorChanged"),
    ],
)
def test_label(update, text):
    assert registry_name(update) == text


@pytest.mark.parametrize(
    ("base", "head", "levels"),
    [
        ("f() -> () @", "f(X?) -> () @", ("note", "error", None)),
        ("f() -> () @", "f() -> () @ +attr no", ("warning", "warning", None)),
        ("f() -> () [a: INT] @ +attr a", "f() -> () [a: INT] @ ~attr a", ("warning", "warning", "error")),
        ("f() -> () [a: INT] @ +attr a", "f() -> () [a: INT]" + KNOWN, ("warning", "warning", "error")),
        ("f() -> () [a: INT] @", "f() -> () [a: INT] @ +attr a", ("note", "note", "error")),
        ("f() -> () [a: INT] @ +attr a", 'f() -> () [a: INT] @ "new" +attr a', ("note", "note", "error")),
    ],
)
def test_levels_of_registrations(base, head, levels):
    changes = [change for change in registrations(base, head) if change.op == "f"]
    names = {change.event for change in changes}
    rule = next(name for name in ("op_version_names_nothing", "op_version_unregistered", *names) if name in names)
    for policy, level in zip((PADDLE, PADDLE_2021, STRICT), levels, strict=True):
        result = [finding.level for finding in judge(changes, policy) if finding.rule == rule]
        assert result == ([] if level is None else [level])
