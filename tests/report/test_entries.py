from __future__ import annotations

import os
import sys

import pytest

from opspec_lint.report.details import describe_review, describe_waiver
from opspec_lint.report.entries import GROUPS, Anchor, counts, entries, path_in_repository
from opspec_lint.report.findings import Approval, Report, Waived
from opspec_lint.spec.model import Origin
from tests.support.findings import comparison, finding, report


def entry(**fields):
    (only,) = entries(report(finding(**fields)))
    return only


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("specs/a.json", "specs/a.json"),
        ("./specs//b/../a.json", "specs/a.json"),
        ("specs\\win\\a.json", "specs/win/a.json"),
        ("a.json", "a.json"),
        (".hidden", ".hidden"),
        ("HEAD~1:specs/a.json", "specs/a.json"),
        ("origin/main:./specs/a.json", "specs/a.json"),
        (":specs/a.json", "specs/a.json"),
        ("main:../a.json", "a.json"),
        ("/home/me/specs/a.json", "a.json"),
        ("C:\\specs\\a.json", "a.json"),
        ("../elsewhere/.a.json", ".a.json"),
        ("specs/../../a.json", "a.json"),
        ("paddle-runtime", "paddle-runtime"),
        ("paddle-runtime:/usr/bin/python3.7", "python3.7"),
        ("größe 層.json", "größe 層.json"),
        ("", "unknown"),
        (".", "unknown"),
        ("/", "unknown"),
        ("..", "unknown"),
        ("../..", "unknown"),
        ("HEAD:", "HEAD:"),
    ],
)
def test_a_file_goes_by_its_path_in_the_repository(file, path):
    assert path_in_repository(file) == path


def test_it_is_where_head_declares_it():
    origin = Origin(file="main:src/op.cc", line=3, column=7)
    assert entry(head_origin=origin).place == Anchor(path="src/op.cc", line=3, column=7)


def test_where_no_line_is_known_it_is_in_line_one():
    assert entry().place == Anchor(path="specs/a.json", line=1, column=1)
    assert entry(head_origin=Origin(file="b.cc")).place == Anchor(path="b.cc", line=1, column=1)


def test_base_has_a_place_where_it_has_an_origin():
    assert entry().base is None
    origin = Origin(file="main:specs/a.json", line=9)
    assert entry(base_origin=origin).base == Anchor(path="specs/a.json", line=9, column=1)


@pytest.mark.parametrize(
    ("fields", "subject"),
    [
        ({}, "trace, attr axis"),
        ({"kind": "op", "name": "trace"}, "trace"),
        ({"kind": "input", "name": "X\ny"}, "trace, input X\\ny"),
        ({"kind": "registration", "name": None}, "trace, registration"),
        ({"kind": "source", "op": None, "name": None}, "source"),
        ({"kind": "attr", "op": "", "name": ""}, ", attr"),
    ],
)
def test_the_subject_names_the_op_and_what_inside_it(fields, subject):
    assert entry(**fields).subject == subject


def test_the_details_state_whom_it_breaks_what_to_do_and_who_approves():
    assert entry().lines == ("breaks: a model", "instead: keep it")
    assert entry(directions=()).lines[0] == "effect: a model"
    assert entry(review="inference").lines[2:] == ("review: needs inference to approve",)


def test_every_text_is_a_single_line_of_bounded_length():
    nasty = "\x1b[31m\n" * 100_000
    first = entry(op=nasty, name=nasty, message=nasty, breaks=nasty, advice=nasty, review=nasty, also=(nasty, nasty))
    for text in (first.subject, first.message, *first.lines):
        assert text.isprintable()
        assert len(text) == 2000


def test_the_worst_come_first_and_ops_in_order():
    mixed = [finding(op=op, level=level) for op in "abc" for level in ("note", "error", "warning")]
    rows = [(entry.finding.level, entry.finding.op) for entry in entries(report(*mixed))]
    assert rows == [(level, op) for level in ("error", "warning", "note") for op in "abc"]


def test_nothing_of_the_machine_is_queried(monkeypatch):
    monkeypatch.setattr(os, "getcwd", lambda: pytest.fail("the work directory was asked for"))
    assert entry(head_origin=Origin(file=sys.executable)).place.path == os.path.basename(sys.executable)


# Several comparisons, what is of none, and waivers.


def test_every_finding_is_in_the_head_of_its_comparison():
    first, second = comparison(finding()), comparison(finding(), base="specs/old.json", head="specs/b.json")
    result = list(entries(Report(comparisons=(first, second))))
    assert [entry.place.path for entry in result] == ["specs/a.json", "specs/b.json"]
    assert [entry.spec for entry in result] == ["specs/a.json", "specs/b.json"]
    assert [entry.spec for entry in entries(Report(comparisons=(second,)))] == [None]


def test_the_base_is_named_where_it_is_not_the_file_itself():
    first, second = comparison(finding()), comparison(finding(), base="specs/old.json", head="specs/b.json")
    message = "the attr 'axis' was removed"
    assert [entry.message for entry in entries(Report(comparisons=(first, second)))] == [
        message,
        f"{message} (against specs/old.json)",
    ]
    assert [entry.message for entry in entries(Report(comparisons=(second,)))] == [message]


def test_a_source_tree_is_called_the_same_at_every_revision():
    origin = Origin(file="paddle/phi/ops/yaml/ops.yaml", line=12, column=4)
    sides = {"base": "paddle-source:.@1a2b", "head": "paddle-source:.@3c4d"}
    trees = [
        comparison(finding(head_origin=origin), finding(), **sides),
        comparison(finding(), base="paddle-pir-source:sub/tree@1a2b", head="paddle-pir-source:sub/tree"),
        comparison(finding(), base="paddle-source:.@1a2b", head="paddle-pir-source:.@1a2b"),
    ]
    result = list(entries(Report(comparisons=tuple(trees))))
    message = "the attr 'axis' was removed"
    assert [entry.message for entry in result] == [message] * 3 + [f"{message} (against paddle-source:.@1a2b)"]
    assert [entry.spec for entry in result] == [
        *("paddle-source:.", "paddle-source:.", "paddle-pir-source:sub/tree", "paddle-pir-source:.")
    ]
    assert [entry.place.path for entry in result] == [origin.file, "unknown", "sub/tree", "unknown"]
    assert [entry.code and entry.code.line for entry in result] == [12, None, None, None]


@pytest.mark.parametrize(
    ("tree", "prefix", "path"),
    [
        ("paddle-source:.", "", "paddle/a.cc"),
        ("paddle-source:vendor/p", "", "vendor/p/paddle/a.cc"),
        ("paddle-source:p", "vendor/", "vendor/p/paddle/a.cc"),
        ("paddle-source:../p", "vendor/", "p/paddle/a.cc"),
        ("paddle-source:../p", "", "paddle/a.cc"),
        ("paddle-source:/abs/p", "", "paddle/a.cc"),
    ],
)
def test_places_of_a_tree_count_from_the_top_of_the_repository(tree, prefix, path):
    place = Origin(file="paddle/a.cc", line=3, column=2)
    of_tree = comparison(finding(head_origin=place, base_origin=place), base=f"{tree}@abc", head=tree)
    (only,) = entries(Report(comparisons=(of_tree,), prefix=prefix))
    assert only.place == only.base == only.code == Anchor(path=path, line=3, column=2)


def test_a_spec_file_has_no_place_in_the_code():
    assert entry(head_origin=Origin(file="specs/a.json", line=3)).code is None


def test_further_bases_are_named():
    assert entry(also=("a", "b")).message == "the attr 'axis' was removed (also against a, b)"


def test_what_is_of_no_comparison_is_where_it_states():
    def place(**fields):
        (only,) = entries(Report(comparisons=(comparison(),), general=(finding(op=None, **fields),)))
        return only.place, only.spec

    gone = {"kind": "source", "name": "specs/gone.json"}
    there = Anchor(path="specs/a.json", line=1, column=1)
    assert place(**gone) == (there, None)
    assert place(**gone, base_origin=Origin(file="main:b.json", line=4))[0] == there
    (alone,) = entries(Report(comparisons=(), general=(finding(op=None, **gone),)))
    assert alone.place == Anchor(path="specs/gone.json", line=1, column=1)
    origin = Origin(file="opspec-waivers.yaml", line=7)
    assert place(kind="waiver", name="x", head_origin=origin)[0] == Anchor(path=origin.file, line=7, column=1)
    assert place(kind="config", name="profile")[0] == there


def test_the_groups_in_their_order():
    old, new = (Waived(reason="r", owner="o", is_new=is_new) for is_new in (False, True))
    levels = ("note", "error", "warning")
    general = tuple(finding(op=None, name="g", level=level) for level in levels)
    mixed = [finding(level=level, waived=waived) for waived in (old, None, new) for level in levels]
    mixed.append(finding(approval=Approval(by=("ann",)), review="slim"))
    result = list(entries(Report(comparisons=(comparison(*mixed),), general=general)))
    assert list(dict.fromkeys(entry.group for entry in result)) == list(GROUPS)
    assert [entry.finding.name for entry in result if entry.group == "error"] == ["g", "axis"]
    assert [entry.finding.level for entry in result if entry.group == "newly waived"] == ["note", "error", "warning"]


@pytest.mark.parametrize(
    ("fields", "texts"),
    [
        ({}, "waived by ann: r"),
        ({"expires": "2030-12-31"}, "waived by ann until 2030-12-31: r"),
        ({"is_new": True}, "waived by ann: r (new in this change)"),
        ({"reason": "a\nb", "owner": "\x1b[1m"}, "waived by \\x1b[1m: a\\nb"),
    ],
)
def test_who_waives_until_when_and_why(fields, texts):
    waived = Waived(**{"reason": "r", "owner": "ann"} | fields)
    assert describe_waiver(waived) == texts
    first = entry(waived=waived)
    assert (first.cleared, first.lines[-1]) == (texts, texts)
    assert entry().cleared is None


def test_no_text_of_a_waiver_hides_that_it_is_new():
    long = "\x1b" * 10_000
    texts = describe_waiver(Waived(reason=long, owner=long, expires=long, is_new=True))
    assert texts.endswith("… (new in this change)")
    assert texts.count("…") == 3
    assert len(texts) <= 2000
    assert texts.isprintable()


@pytest.mark.parametrize(
    ("findings", "texts"),
    [
        ([], ""),
        ([{"level": "note"}, {}, {}], "2 errors, 1 note"),
        ([{"level": "warning"}, {"waived": False}], "1 warning, 1 waived"),
        ([{"waived": False}, {"waived": True}], "2 waived, 1 by a new waiver of this change"),
        ([{"waived": True}, {"waived": True}], "2 waived, 2 by new waivers of this change"),
    ],
)
def test_what_is_waived_is_counted_apart(findings, texts):
    def waiver(is_new=None):
        return None if is_new is None else Waived(reason="r", owner="o", is_new=is_new)

    assert counts([finding(**item | {"waived": waiver(item.get("waived"))}) for item in findings]) == texts


@pytest.mark.parametrize(
    ("approval", "expected"),
    [
        (None, "needs slim to approve"),
        (Approval(problem="nobody did"), "needs slim to approve: nobody did"),
        (Approval(by=("ann", "bob")), "approved by ann, bob for slim"),
    ],
)
def test_who_has_approved_or_still_has_to(approval, expected):
    assert describe_review(finding(review="slim", approval=approval)) == expected
    assert describe_review(finding(approval=approval)) == ""
