from __future__ import annotations

import os
import sys

import pytest

from opspec_lint.entries import Place, entries, path_in_repository
from opspec_lint.findings import Finding, Report, Side
from opspec_lint.model import Origin, Provenance


def finding(**fields):
    every = {
        "rule": "attr_removed",
        "level": "error",
        "directions": ("backward",),
        "kind": "attr",
        "op": "trace",
        "name": "axis",
        "message": "the attr 'axis' was removed",
        "breaks": "a model",
        "advice": "keep it",
    }
    return Finding(**every | fields)


def entry(**fields):
    (only,) = entries(report(finding(**fields)))
    return only


def report(*findings):
    base, head = (
        Side(file=file, provenance=Provenance(framework="paddle"), ops=1)
        for file in ("main:specs/a.json", "./specs/a.json")
    )
    return Report(base=base, head=head, profile="paddle", findings=findings)


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


def test_it_stands_where_head_declares_it():
    origin = Origin(file="main:src/op.cc", line=3, column=7)
    assert entry(head_origin=origin).place == Place(path="src/op.cc", line=3, column=7)


def test_where_no_line_is_known_it_stands_in_line_one():
    assert entry().place == Place(path="specs/a.json", line=1, column=1)
    assert entry(head_origin=Origin(file="b.cc")).place == Place(path="b.cc", line=1, column=1)


def test_base_has_a_place_where_it_has_an_origin():
    assert entry().base is None
    origin = Origin(file="main:specs/a.json", line=9)
    assert entry(base_origin=origin).base == Place(path="specs/a.json", line=9, column=1)


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


def test_the_details_say_whom_it_breaks_what_to_do_and_who_approves():
    assert entry().details == ("breaks: a model", "instead: keep it")
    assert entry(directions=()).details[0] == "effect: a model"
    assert entry(review="inference").details[2:] == ("review: needs inference to approve",)


def test_every_text_is_one_line_of_bounded_length():
    nasty = "\x1b[31m\n" * 100_000
    one = entry(op=nasty, name=nasty, message=nasty, breaks=nasty, advice=nasty, review=nasty)
    for text in (one.subject, one.message, *one.details):
        assert text.isprintable()
        assert len(text) == 2000


def test_the_worst_come_first_and_ops_in_order():
    mixed = [finding(op=op, level=level) for op in "abc" for level in ("note", "error", "warning")]
    told = [(each.finding.level, each.finding.op) for each in entries(report(*mixed))]
    assert told == [(level, op) for level in ("error", "warning", "note") for op in "abc"]


def test_nothing_of_the_machine_is_asked(monkeypatch):
    monkeypatch.setattr(os, "getcwd", lambda: pytest.fail("the work directory was asked for"))
    assert entry(head_origin=Origin(file=sys.executable)).place.path == os.path.basename(sys.executable)
