from __future__ import annotations

import json
import re

import pytest

from opspec_lint.kit.errors import UsageError
from opspec_lint.lint.waivers import Waiver, Waivers
from opspec_lint.project import waiver_file
from opspec_lint.project.waiver_file import mark_new, parse
from opspec_lint.spec.model import Origin
from tests.support.findings import default_changed
from tests.support.judging import apply, judge
from tests.support.nasty import TEXTS
from tests.support.projects import TODAY

WHY = {"reason": "nobody uses it", "owner": "ops team"}


FIRST = default_changed()
ANOTHER = default_changed(name="b")
BOTH = {"rule": FIRST.rule, "op": FIRST.op}


def waiver(**fields):
    fields = {key: value for key, value in {**WHY, **fields}.items() if value is not None or key in ("old", "new")}
    return Waiver(fields=fields, origin=Origin(file="w.yaml", line=1, column=1))


def faults(entries, findings, today=TODAY):
    waived, wrong = apply(entries, findings, today)
    return sorted(waived), [fact.event for fact in wrong]


# --- what is waived


@pytest.mark.parametrize(
    "fields",
    [
        {"fingerprint": FIRST.fingerprint},
        {**BOTH, "name": "a"},
        {**BOTH, "kind": "attr", "name": "a"},
        {**BOTH, "kind": "attr", "name": "a", "fingerprint": FIRST.fingerprint},
        {"rule": FIRST.rule, "fingerprint": FIRST.fingerprint},
        {**BOTH, "name": "a", "old": 1},
        {**BOTH, "name": "a", "old": 1, "new": 2},
        {"fingerprint": FIRST.fingerprint, "new": 2, "expires": TODAY},
    ],
)
def test_a_single_finding_is_waived_and_no_other(fields):
    assert faults([waiver(**fields)], [FIRST, ANOTHER, default_changed(op="gelu"), default_changed(rule="x")]) == (
        [FIRST.fingerprint],
        [],
    )


def test_what_is_reported_of_it():
    entry = waiver(fingerprint=FIRST.fingerprint, expires="2026-12-31")
    waived, _ = apply([entry.replace(is_new=True)], [FIRST], TODAY)
    output = waived[FIRST.fingerprint]
    assert (output.reason, output.owner, output.expires, output.is_new) == (*WHY.values(), "2026-12-31", True)


@pytest.mark.parametrize(
    ("entry", "events"),
    [
        ({"reason": None}, ["waiver_incomplete"]),
        ({"reason": ""}, ["waiver_incomplete"]),
        ({"owner": " \n"}, ["waiver_incomplete"]),
        ({"owner": None, "reason": None}, ["waiver_incomplete"]),
        ({"expires": "2026-05-14"}, ["waiver_expired"]),
        ({"expires": "2026-05-14", "owner": None}, ["waiver_incomplete", "waiver_expired"]),
        ({"rule": "op_remove"}, ["waiver_unknown_rule"]),
        ({"rule": "op_remove", "reason": None, "expires": "2020-01-01"}, None),
        ({"name": None}, ["waiver_too_broad"]),
        ({"name": None, "kind": "attr"}, ["waiver_too_broad"]),
        ({"old": 3}, ["waiver_outdated"]),
        ({"new": 3}, ["waiver_outdated"]),
        ({"new": None}, ["waiver_outdated"]),
        ({"fingerprint": "0" * 16}, ["waiver_outdated"]),
        ({"name": "c"}, ["waiver_unused"]),
        ({"op": "gelu"}, ["waiver_unused"]),
        ({"kind": "input"}, ["waiver_unused"]),
        ({"rule": "op_removed"}, ["waiver_unused"]),
        ({"rule": "waiver_unused"}, ["waiver_unused"]),
        ({"name": "c", "reason": None}, ["waiver_incomplete"]),
    ],
)
def test_a_waiver_that_is_not_in_order_waives_nothing(entry, events):
    events = events or ["waiver_incomplete", "waiver_expired", "waiver_unknown_rule"]
    assert faults([waiver(**{**BOTH, "name": "a", **entry})], [FIRST, ANOTHER]) == ([], events)


@pytest.mark.parametrize(
    "text", ["\u200b", "\u3164", "\u2800", " \u00ad\u2060", "\ufe0f", "\u0301", "\U000e0041", "\ue000"]
)
@pytest.mark.parametrize("key", ["reason", "owner"])
def test_what_shows_nothing_is_no_reason_and_no_owner(key, text):
    assert faults([waiver(fingerprint=FIRST.fingerprint, **{key: text})], [FIRST]) == ([], ["waiver_incomplete"])
    visible = waiver(fingerprint=FIRST.fingerprint, **{key: f"{text}\u4eba"})
    assert faults([visible], [FIRST]) == ([FIRST.fingerprint], [])


@pytest.mark.parametrize(("today", "holds"), [("2026-05-14", True), ("2026-05-15", True), ("2026-05-16", False)])
def test_it_holds_on_its_last_day(today, holds):
    entry = waiver(fingerprint=FIRST.fingerprint, expires="2026-05-15")
    assert faults([entry], [FIRST], today) == (([FIRST.fingerprint], []) if holds else ([], ["waiver_expired"]))


@pytest.mark.parametrize(("covers", "holds"), [(1, False), (2, True), (3, True)])
def test_it_covers_as_many_as_it_states(covers, holds):
    waived, wrong = faults([waiver(**BOTH, covers=covers)], [FIRST, ANOTHER])
    assert waived == (sorted([FIRST.fingerprint, ANOTHER.fingerprint]) if holds else [])
    assert wrong == ([] if holds else ["waiver_too_broad"])


def test_the_same_finding_in_several_spec_files_is_one():
    assert faults([waiver(**BOTH)], [FIRST, FIRST, FIRST.replace(head_origin=Origin(file="b.json"))]) == (
        [FIRST.fingerprint],
        [],
    )


def test_a_fingerprint_that_no_finding_has_is_unused():
    assert faults([waiver(fingerprint="0" * 16)], [FIRST]) == ([], ["waiver_unused"])


def test_a_waiver_is_not_called_unused_where_only_some_ops_are_compared():
    waivers = Waivers([waiver(fingerprint="0" * 16), waiver(fingerprint="1" * 16, reason="")], TODAY, is_partial=True)
    waivers.waiver_step([FIRST])
    assert [fault.event for fault in waivers.faults()] == ["waiver_incomplete"]


def test_what_was_taken_back_leaves_a_waiver_unused():
    """A change back to what a release has is a note: the waiver has nothing to do, and is for nothing else."""
    back = default_changed(old=2, new=1, level="note")
    assert faults([waiver(**BOTH, name="a", old=1, new=2)], [back]) == ([], ["waiver_unused"])


@pytest.mark.parametrize("pins", [{"new": 2}, {"old": 1, "new": 2}, {"rule": FIRST.rule, "old": 1, "new": 2}])
def test_a_pinned_value_that_moved_on_is_outdated_under_a_fingerprint_alone(pins):
    moved = default_changed(new=3)
    (fault,) = apply([waiver(fingerprint=FIRST.fingerprint, **pins)], [moved, ANOTHER], TODAY)[1]
    assert (fault.event, fault.facts["difference"]) == ("waiver_outdated", "its new value is 3, not 2")
    assert faults([waiver(fingerprint=ANOTHER.fingerprint, **pins)], [moved]) == ([], ["waiver_unused"])


def test_a_pinned_value_that_is_gone_is_outdated_though_the_rule_is_another():
    entry = waiver(**BOTH, kind="attr", name="a", old=1, new=2)
    gone = default_changed(rule="attr_default_removed", new=None)
    (fault,) = apply([entry], [gone], TODAY)[1]
    assert fault.event == "waiver_outdated"
    assert fault.facts["difference"] == "it is attr_default_removed now, not attr_default_changed"
    for another in (
        gone.replace(old=5),
        gone.replace(name="b"),
        gone.replace(kind="input"),
        gone.replace(level="note"),
    ):
        assert faults([entry], [another]) == ([], ["waiver_unused"])


def test_what_another_waiver_waives_makes_none_outdated():
    """Against two bases one change is two findings; when the first has merged, its waiver has done its work."""
    merged, stays = default_changed(old=1), default_changed(old=0)
    entries = [waiver(**BOTH, name="a", fingerprint=finding.fingerprint) for finding in (merged, stays)]
    assert faults(entries, [merged, stays]) == (sorted([merged.fingerprint, stays.fingerprint]), [])
    assert faults(entries, [stays]) == ([stays.fingerprint], ["waiver_unused"])
    assert faults(entries[::-1], [stays]) == ([stays.fingerprint], ["waiver_unused"])
    assert faults(entries[:1], [stays]) == ([], ["waiver_outdated"])


def test_of_two_alike_the_first_speaks_and_neither_is_wrong():
    entries = [waiver(**BOTH, name="a", reason=reason) for reason in ("first", "second")]
    waived, wrong = apply(entries, [FIRST], TODAY)
    assert waived[FIRST.fingerprint].reason == "first"
    assert wrong == []


def test_faults_of_waivers_are_never_waived():
    (fault,) = judge(apply([waiver(**BOTH, name="c")], [], TODAY)[1], {})
    entry = {"version": 1, "waivers": [{**WHY, "rule": fault.rule, "op": "relu", "kind": "waiver"}]}
    with pytest.raises(UsageError, match=r"waivers\[0\].kind: expected"):
        parse(json.dumps(entry).encode(), "w.yaml")
    assert faults([waiver(fingerprint=fault.fingerprint)], [FIRST]) == ([], ["waiver_unused"])


def test_thousands_of_waivers_of_thousands_of_findings():
    """Each waiver looks at what it is about alone; all pairs would take minutes."""
    findings = [default_changed(op=f"op{number}") for number in range(10_000)]
    entries = [waiver(rule=finding.rule, op=finding.op) for finding in findings]
    waived, wrong = apply(entries, findings, TODAY)
    assert (len(waived), wrong) == (10_000, [])


# --- what it says of itself


def messages(entry, findings):
    return [finding.message + "; " + finding.advice for finding in judge(apply([entry], findings, TODAY)[1], {})]


def test_faults_state_what_to_do():
    subject = {**BOTH, "name": "a"}
    (outdated,) = messages(waiver(**subject, new=[1.5, "x"]), [FIRST])
    assert outdated == (
        "the waiver of attr_default_changed relu a was given for another change: its new value is 2, not "
        f'[1.5, "x"]; review the finding again and waive {FIRST.fingerprint}, or delete the waiver'
    )
    assert messages(waiver(**subject, fingerprint="0" * 16), [FIRST])[0].startswith(
        "the waiver of attr_default_changed relu a was given for another change: its fingerprint is "
        f"{FIRST.fingerprint}, not {'0' * 16}; "
    )
    assert "matches 2 findings, but is for 1" in messages(waiver(**BOTH), [FIRST, ANOTHER])[0]
    assert messages(waiver(rule="op_remove", op="f"), [])[0].endswith("; did you mean 'op_removed'?")
    assert "lacks reason and owner" in messages(waiver(**subject, reason=None, owner=None), [FIRST])[0]
    assert messages(waiver(fingerprint="0" * 16), [])[0].startswith(f"the waiver of {'0' * 16} matches no finding")


@pytest.mark.parametrize("text", [*TEXTS, "{op} {0} {lacking}"])
def test_hostile_text_stays_on_its_line(text):
    entry = waiver(rule=text or "x", op=text or "x", owner=text, reason="", new=[text], expires="2020-01-01")
    findings = judge(apply([entry], [default_changed(rule=text or "x", op=text or "x")], TODAY)[1], {})
    assert findings
    for finding in findings:
        assert finding.message.isprintable()
        assert finding.advice.isprintable()
        assert finding.breaks.isprintable()


# --- values


PINS = [
    ("1", 1),
    ("1.0", 1.0),
    ("0.5", 0.5),
    ("1e-05", 1e-05),
    ("1.0e-05", 1e-05),
    ("-1e+3", -1000.0),
    ("+.5", 0.5),
    ("007", 7),
    ("true", True),
    ("null", None),
    ("text", "text"),
    ("'1'", "1"),
    ("1e-05", "1e-05"),
    (".nan", {"float": "NaN"}),
    ("-.inf", {"float": "-Infinity"}),
    ("{float: NaN}", {"float": "NaN"}),
    ("[]", []),
    ("{}", {}),
    ("[1, [2.0, 1e-05], {a: [x]}]", [1, [2.0, 1e-05], {"a": ["x"]}]),
    ("{type: INT, default_value: 1e-05}", {"type": "INT", "default_value": 1e-05}),
    ("größe 層 🙂", "größe 層 🙂"),
]
APART = [
    ("1", True),
    ("true", 1),
    ("1", 1.0),
    ("1.0", 1),
    ("'1'", 1),
    ("'0.5'", 0.5),
    ("1", "1"),
    ("true", "true"),
    ("null", "null"),
    ("null", 0),
    ("''", None),
    ("1e-05", 1e-04),
    ("1e-05", True),
    ("x", 1),
    ("[1]", [True]),
    ("[1, 2]", [1]),
    ("{a: 1}", {"a": 1, "b": 2}),
    ("{a: 1}", {"b": 1}),
    ("[]", {}),
    (".nan", "NaN"),
    ("0", {"float": "NaN"}),
]


def pinned(text, value):
    entry = f"version: 1\nwaivers:\n- rule: attr_default_changed\n  op: relu\n  reason: r\n  owner: o\n  new: {text}\n"
    return faults(parse(entry.encode(), "w.yaml"), [default_changed(new=value)])


@pytest.mark.parametrize(("text", "value"), PINS)
def test_a_value_of_yaml_is_what_there_is(text, value):
    assert pinned(text, value)[1] == []


@pytest.mark.parametrize(("text", "value"), APART)
def test_a_value_of_yaml_that_is_another(text, value):
    assert pinned(text, value)[1] == ["waiver_outdated"]


@pytest.mark.parametrize("value", [value for _, value in PINS])
def test_a_value_of_json_is_what_there_is(value):
    entry = {"version": 1, "waivers": [{**BOTH, **WHY, "new": value}]}
    assert faults(parse(json.dumps(entry).encode(), "w.json"), [default_changed(new=value)])[1] == []
    assert faults(parse(json.dumps(entry).encode(), "w.json"), [default_changed(new=[value, 1])])[1] == [
        "waiver_outdated"
    ]


def test_nan_of_json_too():
    entry = f'{{"version": 1, "waivers": [{{"rule": "{FIRST.rule}", "op": "relu", "old": NaN, "new": [-Infinity]}}]}}'
    (result,) = parse(entry.encode(), "w.json")
    assert result.fields["old"] == {"float": "NaN"}
    assert result.fields["new"] == [{"float": "-Infinity"}]


# --- the file


YAML = b"""\
# why
version: 1

waivers:
  - fingerprint: 0123456789abcdef
    reason: |
      two
      \tlines
    owner: a
  # between

  - rule: op_removed
    op: relu
    reason: b
    owner: b
"""
JSON = b"""{
\t"version": 1,
\t"waivers": [
\t\t{"fingerprint": "0123456789abcdef", "reason": "two\\nlines\\/\\ud83d\\ude00", "owner": "a"},

\t\t{"rule": "op_removed", "op": "relu", "reason": "b", "owner": "b"}
\t]
}
"""


@pytest.mark.parametrize(("data", "lines"), [(YAML, [5, 12]), (JSON, [4, 6]), (YAML.replace(b"\n", b"\r\n"), [5, 12])])
def test_every_entry_has_its_line(data, lines):
    parsed = parse(data, "w.yaml")
    assert [item.origin for item in parsed] == [Origin(file="w.yaml", line=line, column=1) for line in lines]
    assert [item.summary for item in parsed] == ["0123456789abcdef", "op_removed relu"]
    assert not any(item.is_new for item in parsed)


def test_json_that_yaml_cannot_read_has_its_lines():
    (result,) = parse(
        b'{"version": 1,\n"waivers": [{"fingerprint": "0123456789abcdef", "reason": "\\ud800"}]}', "w.yaml"
    )
    assert result.origin.line == 2
    assert result.fields["reason"] == "\ud800"


@pytest.mark.parametrize("data", [b"version: 1\nwaivers: []\n", b'{"version": 1, "waivers": []}'])
def test_a_file_may_hold_none(data):
    assert parse(data, "w.yaml") == ()


ENTRY = '{"version": 1, "waivers": [{"fingerprint": "0123456789abcdef", %s}]}'


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "is empty; expected waivers"),
        ("{", "ends too early"),
        ("a: [", "is not valid YAML"),
        ("# nothing\n", "expected a mapping, found null"),
        ("[]", "expected a mapping, found a list"),
        ("version: 1\n", "the key 'waivers' is missing"),
        ("version: 2\nwaivers: []\n", "version: expected at most 1, found 2"),
        ("version: 1\nwaivers:\n", "waivers: expected a list, found null"),
        ("version: 1\nwaivers: []\nwaver: []\n", 'unknown key "waver"'),
        ("version: 1\nwaivers: [1]\n", "waivers[0]: expected a mapping, found 1"),
        ("version: 1\nwaivers: [{}]\n", "waivers[0]: expected the keys 'fingerprint', or 'rule' and 'op'"),
        ("version: 1\nwaivers: [{rule: op_removed}]\n", "waivers[0]: expected the keys 'fingerprint', or 'rule'"),
        ("version: 1\nwaivers: [{op: relu}]\n", "waivers[0]: expected the keys 'fingerprint', or 'rule' and 'op'"),
        ("version: 1\nwaivers: []\nwaivers: []\n", "occurs twice"),
        ('{"version": 1, "waivers": [1], "waivers": []}', "occurs twice"),
        ("version: 1\nwaivers: &a []\n", "uses an anchor"),
        ("version: 1\nwaivers: !!python/name:os.system x\n", "uses the tag"),
        (ENTRY % '"expires": "31.12.2026"', "waivers[0].expires: "),
        (ENTRY % '"expires": "2026-13-01"', "waivers[0].expires: "),
        (ENTRY % '"expires": "2026-00-32"', "waivers[0].expires: "),
        (ENTRY % '"expires": 20261231', "waivers[0].expires: expected a string, found 20261231"),
        (ENTRY % '"covers": 0', "waivers[0].covers: expected at least 1, found 0"),
        (ENTRY % '"covers": true', "waivers[0].covers: expected an integer, found true"),
        (ENTRY % '"kind": "waiver"', 'waivers[0].kind: expected "op", "input"'),
        (ENTRY % '"reson": "x"', 'waivers[0]: unknown key "reson"'),
        (ENTRY % '"old": {"float": "bogus"}', "waivers[0].old: a mapping is not a value that an attr can hold"),
        (ENTRY % '"old": {"float": []}', "waivers[0].old: a mapping is not a value that an attr can hold"),
        (ENTRY % f'"new": {"[" * 200}{"]" * 200}', "waivers[0].new: a list is not a value that an attr can hold"),
        (ENTRY % f'"new": {"[" * 200_000}{"]" * 200_000}', "levels deep"),
        (ENTRY % f'"new": {"1" * 9000}', "digits"),
        ('{"version": 1, "waivers": [{"fingerprint": "0123"}]}', "waivers[0].fingerprint: "),
        ("\0", "is binary"),
        ("\ud800", "UTF-8"),
    ],
)
def test_a_malformed_file_is_a_single_message(data, message):
    with pytest.raises(UsageError) as caught:
        parse(data.encode("utf-8", "surrogatepass"), "w.yaml")
    assert re.match(r"w\.yaml:(\d+:)? ", caught.value.message)
    assert message in caught.value.message
    assert "\n" not in caught.value.message
    assert caught.value.advice
    assert caught.value.exit_code == 2


def test_every_mistake_is_named_with_the_line_of_its_waiver():
    entries = b"- {rule: a}\n- {fingerprint: '0123456789abcdef'}\n-\n  fingerprint: x\n  reson: y\n"
    data = b"version: 1\nwaivers:\n" + entries + b"waver: 1\n"
    with pytest.raises(UsageError) as caught:
        parse(data, "w.yaml")
    messages = [item.message for item in (caught.value, *caught.value.others)]
    assert [message.split(" ")[0] for message in messages] == ["w.yaml:", "w.yaml:3:", "w.yaml:6:", "w.yaml:6:"]


def test_every_wrong_day_is_named_and_of_many_the_first_twenty():
    entry = b"- {fingerprint: '0123456789abcdef', expires: '2026-02-30'}\n"
    with pytest.raises(UsageError) as caught:
        parse(b"version: 1\nwaivers:\n" + entry * 23, "w.yaml")
    messages = [item.message for item in (caught.value, *caught.value.others)]
    assert messages[19] == "w.yaml:22: waivers[19].expires: '2026-02-30' is not a calendar date"
    assert messages[20:] == ["w.yaml: 3 more mistakes"]


def test_a_file_named_by_hand_has_to_be_there(tmp_path):
    (tmp_path / "w.yaml").write_bytes(YAML)
    assert len(waiver_file.read(str(tmp_path / "w.yaml"))) == 2
    for path in (tmp_path, tmp_path / "nowhere.yaml"):
        with pytest.raises(UsageError, match="cannot be read") as caught:
            waiver_file.read(str(path))
        assert caught.value.advice == "name a file of waivers"


# --- what is new


def test_what_base_does_not_have_is_new():
    entries = [waiver(fingerprint="0" * 16), waiver(fingerprint="1" * 16)]
    moved = entries[0].replace(origin=Origin(file="w.yaml", line=9, column=1))
    assert [item.is_new for item in mark_new(entries, [moved])] == [False, True]
    assert [item.is_new for item in mark_new(entries, [])] == [True, True]


@pytest.mark.parametrize("change", [{"reason": "x"}, {"owner": "x"}, {"expires": TODAY}, {"covers": 2}, {"new": True}])
def test_what_states_anything_else_is_new(change):
    was = waiver(**BOTH, new=1)
    assert mark_new([waiver(**{**BOTH, "new": 1, **change})], [was])[0].is_new
    assert not mark_new([waiver(new=1, **BOTH)], [was])[0].is_new
